"""Which seats are out, and why: lists need not play the lines."""

from __future__ import annotations

import json

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

REASONS = {"resign": "resigned", "time": "time"}


def upgrade() -> None:
    """Adds the column, and fills it from the lines."""
    op.add_column("tables", sa.Column("out", sa.Text, nullable=False, server_default="{}"))
    connection = op.get_bind()
    lines = sa.table("lines", sa.column("table"), sa.column("seq"), sa.column("text"))
    tables = sa.table("tables", sa.column("name"), sa.column("out"))
    said = sa.select(lines.c.table, lines.c.text).order_by(lines.c.table, lines.c.seq)
    out: dict[str, dict[str, str]] = {}
    for table, text in connection.execute(said.where(sa.or_(*(lines.c.text.like(f"{word} %") for word in REASONS)))):
        word, seat = text.split()
        out.setdefault(table, {})[seat] = REASONS[word]
    for table, seats in out.items():
        connection.execute(tables.update().where(tables.c.name == table).values(out=json.dumps(seats)))
