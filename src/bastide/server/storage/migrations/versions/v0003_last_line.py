"""The last line of a table, its rules, why it cannot be read; the lag of a line; a name for the database."""

from __future__ import annotations

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Adds the columns; every table's last line is counted once."""
    op.add_column("tables", sa.Column("seq", sa.Integer, nullable=False, server_default="0"))
    op.add_column("tables", sa.Column("rules", sa.String(64), nullable=False, server_default=""))
    op.add_column("tables", sa.Column("broken", sa.Text))
    op.add_column("lines", sa.Column("lag", sa.Integer, nullable=False, server_default="0"))
    op.execute(
        'UPDATE tables SET seq = COALESCE((SELECT MAX(lines.seq) FROM lines WHERE lines."table" = tables.name), 0)'
    )
    installation = op.create_table(
        "installation",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("name", sa.String(32), nullable=False),
    )
    op.bulk_insert(installation, [{"id": 1, "name": secrets.token_hex(16)}])
