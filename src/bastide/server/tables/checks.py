"""Can this program play on with every table? Each line is played again, and each draw must be the one that was due.

`bastide admin check` asks before an update, of a database of any form; a server asks when it starts, of the tables that
another program played. It reads only columns that every form has had.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass

import msgspec
from sqlalchemy import or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bastide.server.api.refusal import CLOSED
from bastide.server.draws.proof import order_of, seats_before
from bastide.server.storage.schema import lines, seats, tables
from bastide.server.storage.store import Store
from bastide.server.tables.rules_hash import rules_hash
from bastide.server.tables.setup import Chair, Setup
from bastide.server.tables.table import OVER, Line, Table

ADVICE = "go back to the version before, or remove them (`bastide admin tables --status broken`)"
NAMED = 10  # tables that a warning names

log = logging.getLogger("bastide.server")


@dataclass(frozen=True)
class Checked:
    """A table that was replayed."""

    name: str
    failure: str  # why it cannot be played on; nothing if it can
    rules: str  # the hash of its rules in this program


@dataclass(frozen=True)
class Stored:
    """What is stored of a table, as far as a replay needs it."""

    name: str
    setup: str
    seed: str
    chairs: list[Chair]
    lines: list[Line]


async def check_tables(store: Store, all_tables: bool = True) -> AsyncIterator[Checked]:
    """Replays the tables that are not over: all, or those of other rules and those that are marked as broken."""
    wanted = select(tables.c.name).where(tables.c.status != OVER).order_by(tables.c.name)
    if not all_tables:
        async with store.reading() as connection:
            known = select(tables.c.name, tables.c.setup, tables.c.rules, tables.c.broken)
            found = await connection.execute(known.where(or_(tables.c.status != OVER, tables.c.broken.is_not(None))))
            open_ones = [row for row in found if not (row.broken or "").startswith(CLOSED)]
            names = [row.name for row in open_ones if row.broken is not None or row.rules != hash_of(row.setup)]
    else:
        async with store.reading() as connection:
            names = list((await connection.execute(wanted)).scalars())
    for name in names:
        async with store.reading() as connection:
            stored = await read_stored(connection, name)
        if stored is not None:
            yield await asyncio.to_thread(replay, stored)


async def read_stored(connection: AsyncConnection, name: str) -> Stored | None:
    """A table; nothing if it was deleted meanwhile."""
    row = (await connection.execute(select(tables.c.setup, tables.c.seed).where(tables.c.name == name))).one_or_none()
    if row is None:
        return None
    at_table = seats.c.table == name
    chairs = await connection.execute(
        select(seats.c.seat, seats.c.kind, seats.c.name, seats.c.colour, seats.c.bot, seats.c.entropy)
        .where(at_table)
        .order_by(seats.c.seat)
    )
    said = await connection.execute(
        select(lines.c.seq, lines.c.at, lines.c.text).where(lines.c.table == name).order_by(lines.c.seq)
    )
    return Stored(
        name,
        row.setup,
        row.seed,
        [Chair(chair.seat, chair.kind, chair.name, chair.colour, chair.bot, "", chair.entropy) for chair in chairs],
        [Line(line.seq, line.at, line.text) for line in said],
    )


def replay(stored: Stored) -> Checked:
    """Plays every line of a table again."""
    try:
        setup = msgspec.json.decode(stored.setup, type=Setup)
        order = order_of([line.text for line in stored.lines], len(stored.chairs))
        table = Table(stored.name, setup, stored.seed, "", seats_before(stored.chairs, order))
        for line in stored.lines:
            if order and line.text.startswith("begin "):
                if table.next_order() != order:
                    raise ValueError(f"line {line.seq} is {line.text!r}, but {table.next_order()} was due")
                table.reseat(order)
            if line.text.startswith("draw ") and not setup.scripted and line.text != str(table.next_draw()):
                raise ValueError(f"line {line.seq} is {line.text!r}, but {str(table.next_draw())!r} was due")
            table.apply(line)
        return Checked(stored.name, "", rules_hash(setup.rules()))
    except Exception as error:  # whatever it is, this program cannot play on
        return Checked(stored.name, f"{type(error).__name__}: {error}", "")


def hash_of(setup: str) -> str:
    """The hash of the rules of a table; none if they cannot be made."""
    try:
        return rules_hash(msgspec.json.decode(setup, type=Setup).rules())
    except Exception:
        return "?"


async def warn_of_stranded_tables(store: Store) -> None:
    """Checks the tables that another program played; marks those that cannot be played on, and says so."""
    stranded = []
    async for checked in check_tables(store, all_tables=False):
        await store.set_checked(checked.name, checked.rules, checked.failure or None)
        if checked.failure:
            stranded.append(checked)
    for checked in stranded[:NAMED]:
        log.error("table %s cannot be played on: %s", checked.name, checked.failure)
    if stranded:
        log.error("%d tables cannot be played on by this version of Bastide: %s", len(stranded), ADVICE)
