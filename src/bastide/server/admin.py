"""What whoever runs a server does with its database: list, export, delete, prune. `bastide admin` says it in words."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import and_, func, select

from bastide.notation.record import write_record
from bastide.notation.replay import record_of
from bastide.server.clock import DAY
from bastide.server.proof import Proof
from bastide.server.refusal import Refusal
from bastide.server.schema import lines, tables
from bastide.server.store import Store
from bastide.server.table import OVER, WAITING


@dataclass(frozen=True)
class Entry:
    """A table in a list."""

    name: str
    status: str
    changed: int
    lines: int


async def list_tables(store: Store, status: str = "", limit: int = 1000) -> list[Entry]:
    """Tables, the latest first; of one status or of all."""
    counted = select(func.count()).where(lines.c.table == tables.c.name).scalar_subquery()
    wanted = select(tables.c.name, tables.c.status, tables.c.changed, counted.label("lines"))
    if status:
        wanted = wanted.where(tables.c.status == status)
    async with store.reading() as connection:
        found = await connection.execute(wanted.order_by(tables.c.changed.desc()).limit(limit))
        return [Entry(row.name, row.status, row.changed, row.lines) for row in found]


async def export_record(store: Store, name: str) -> str:
    """The record of a table, with the proof of its draws once it is over."""
    table = await store.load(name)
    record = record_of(table.playing, table.setup.title or name)
    if table.status == OVER and not table.setup.scripted:
        record = Proof.of(table, await store.lines(name)).added_to(record)
    return write_record(record)


async def delete_table(store: Store, name: str) -> None:
    """Removes a table with everything that belongs to it; refused if there is none."""
    if not await store.exists(name):
        raise Refusal("table")
    await store.remove(name)


async def prune_tables(store: Store, now: int, days: int, waiting_days: int) -> int:
    """Removes tables that ended long ago, and those that have been waiting for players for long; says how many."""
    over = and_(tables.c.status == OVER, tables.c.changed < now - days * DAY)
    waiting = and_(tables.c.status == WAITING, tables.c.changed < now - waiting_days * DAY)
    async with store.reading() as connection:
        names = list((await connection.execute(select(tables.c.name).where(over | waiting))).scalars())
    for name in names:
        await store.remove(name)
    return len(names)
