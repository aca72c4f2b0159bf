"""When a server was last seen to run: clocks do not count the time in between."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Adds a table of one row."""
    running = op.create_table(
        "running",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.bulk_insert(running, [{"id": 1, "at": 0}])
