"""What whoever runs the server has decided: who is not served, what is not heard, which tables are closed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Adds the table."""
    op.create_table(
        "sanctions",
        sa.Column("kind", sa.String(8), primary_key=True),
        sa.Column("subject", sa.String(64), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
    )
