"""Browsers that want to be called when it is their turn (Web Push)."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Adds the table."""
    op.create_table(
        "subscriptions",
        sa.Column("key_hash", sa.String(64), primary_key=True),
        sa.Column("endpoint", sa.Text, nullable=False),
        sa.Column("p256dh", sa.String(88), nullable=False),
        sa.Column("auth", sa.String(24), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
