"""Tables, seats, lines, keys, chat and positions."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def of_table() -> sa.Column[str]:
    """The table to which a row belongs."""
    return sa.Column("table", sa.String(12), sa.ForeignKey("tables.name", ondelete="CASCADE"), primary_key=True)


def upgrade() -> None:
    """Makes everything."""
    op.create_table(
        "tables",
        sa.Column("name", sa.String(12), primary_key=True),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("changed", sa.BigInteger, nullable=False),
        sa.Column("setup", sa.Text, nullable=False),
        sa.Column("seed", sa.String(64), nullable=False),
        sa.Column("invite", sa.String(32), nullable=False),
        sa.Column("offer", sa.Text),
        sa.Column("next", sa.String(12)),
        sa.Column("status", sa.String(8), nullable=False),
        sa.Column("decides", sa.Integer, nullable=False),
        sa.Column("scores", sa.Text, nullable=False),
        sa.Column("winners", sa.Text),
        sa.Column("deadline", sa.BigInteger),
        sa.Column("thinks", sa.Boolean, nullable=False),
    )
    op.create_index("tables_deadline", "tables", ["deadline"])
    op.create_index("tables_thinks", "tables", ["thinks"])
    op.create_table(
        "seats",
        of_table(),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("colour", sa.String(16), nullable=False),
        sa.Column("bot", sa.String(64)),
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("entropy", sa.String(64)),
        sa.UniqueConstraint("table", "colour", name="seats_colour"),
    )
    op.create_table(
        "lines",
        of_table(),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
    )
    op.create_table(
        "keys",
        sa.Column("key_hash", sa.String(64), primary_key=True),
        of_table(),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    )
    op.create_index("keys_table", "keys", ["table"])
    op.create_table(
        "chat",
        of_table(),
        sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("emote", sa.String(32)),
        sa.Column("system", sa.Boolean, nullable=False),
    )
    op.create_table(
        "positions",
        sa.Column("name", sa.String(16), primary_key=True),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("title", sa.String(80), nullable=False),
        sa.Column("goal", sa.String(80), nullable=False),
        sa.Column("record", sa.Text, nullable=False),
        sa.Column("draws", sa.Text, nullable=False),
    )
