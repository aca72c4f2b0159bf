"""What an operator does with the database of a server: list, export, delete, prune, back up (`bastide admin`)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import and_, delete, select, text

from bastide.errors import BastideError
from bastide.notation.record import one_line, write_record
from bastide.notation.replay import record_of
from bastide.server.api.refusal import Refusal
from bastide.server.draws.proof import Proof
from bastide.server.storage.schema import positions, tables
from bastide.server.storage.store import Store
from bastide.server.tables.clock import DAY
from bastide.server.tables.table import OVER, RUNNING, WAITING

BROKEN = "broken"


@dataclass(frozen=True)
class Entry:
    """A table in a list."""

    name: str
    status: str
    changed: int
    lines: int
    broken: str | None  # why it cannot be read


async def list_tables(store: Store, status: str = "", limit: int = 1000) -> list[Entry]:
    """Tables, the latest first; of one status or of all. Those that cannot be read have the status `broken`."""
    wanted = select(tables.c.name, tables.c.status, tables.c.changed, tables.c.seq, tables.c.broken)
    if status == BROKEN:
        wanted = wanted.where(tables.c.broken.is_not(None))
    elif status:
        wanted = wanted.where(tables.c.status == status, tables.c.broken.is_(None))
    async with store.reading() as connection:
        found = await connection.execute(wanted.order_by(tables.c.changed.desc()).limit(limit))
        return [
            Entry(row.name, BROKEN if row.broken else row.status, row.changed, row.seq, row.broken) for row in found
        ]


async def export_record(store: Store, name: str) -> str:
    """The record of a table, with the proof of its draws once it is over."""
    table = await store.load(name)
    record = record_of(table.playing, one_line(table.setup.title) or name)
    if table.status == OVER and not table.setup.scripted:
        record = Proof.of(table, await store.lines(name)).added_to(record)
    return write_record(record)


async def delete_table(store: Store, name: str) -> None:
    """Removes a table with everything that belongs to it; refused if there is none."""
    if not await store.exists(name):
        raise Refusal("table")
    await store.remove(name)


async def prune_tables(store: Store, now: int, days: int, waiting_days: int, abandoned_days: int) -> int:
    """Removes tables that ended long ago, that wait for players for long, or where nobody has played for long."""
    over = and_(tables.c.status == OVER, tables.c.changed < now - days * DAY)
    waiting = and_(tables.c.status == WAITING, tables.c.changed < now - waiting_days * DAY)
    abandoned = and_(tables.c.status == RUNNING, tables.c.changed < now - abandoned_days * DAY)
    async with store.reading() as connection:
        names = list((await connection.execute(select(tables.c.name).where(over | waiting | abandoned))).scalars())
    for name in names:
        await store.remove(name)
    return len(names)


async def prune_positions(store: Store, now: int, days: int) -> int:
    """Removes positions and puzzles that were kept long ago; links to them lead nowhere then."""
    async with store.writing() as connection:
        removed = await connection.execute(delete(positions).where(positions.c.created <= now - days * DAY))
    return int(removed.rowcount)


async def back_up(store: Store, file: Path) -> None:
    """Writes a copy of the whole database to a new file, while the server runs. PostgreSQL has a program for it."""
    if not store.sqlite:
        raise BastideError("a database of PostgreSQL is copied with pg_dump -Fc -f FILE DATABASE")
    if file.exists():
        raise BastideError(f"{file} exists already")
    async with store.engine.connect() as connection:
        alone = await connection.execution_options(isolation_level="AUTOCOMMIT")
        await alone.execute(text("VACUUM INTO :file"), {"file": str(file)})
