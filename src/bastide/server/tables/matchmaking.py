"""Who else plays: bots on free seats, and tables that everybody may find."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import msgspec

from bastide.bots import names as bot_names
from bastide.errors import OptionError
from bastide.server.api import responses
from bastide.server.api.refusal import Refusal
from bastide.server.tables import lobby, moves
from bastide.server.tables.clock import SECOND
from bastide.server.tables.registry import TableRegistry
from bastide.server.tables.setup import Chair
from bastide.server.tables.table import BOT, WAITING

RECENT = 24 * 3600 * SECOND  # a table at which nothing has happened for longer is not listed


async def fill(registry: TableRegistry, name: str, bot: str, held: Sequence[int]) -> int:
    """The computer takes all free seats, at the wish of somebody at the table; the game begins when all are ready."""
    if bot not in bot_names():
        raise Refusal.of(OptionError(f"bot: expected one of {', '.join(bot_names())}, got {bot!r}"))
    if not held:
        raise Refusal("token", "only who sits at the table may call the computer")
    async with registry.locked(name) as open_table:
        await registry.catch_up(open_table)
        if not open_table.table.free:
            raise Refusal("begun", "no seat is free")
        for free in open_table.table.free:
            await registry.store.take_seat(Chair(free.seat, BOT, bot, free.colour, bot, entropy=""), name, None)
        await registry.catch_up(open_table)
        registry.announce(open_table, changed=True)
        await moves.begin(registry, open_table)
        return open_table.table.seq


async def public_tables(registry: TableRegistry) -> list[responses.PublicTable]:
    """Tables that everybody may find: those at which somebody waits now, then those that can be watched."""
    found = []
    for listed in await registry.store.public_tables(registry.now() - RECENT):
        with suppress(msgspec.ValidationError):  # a setup that cannot be read hides no other table
            table = lobby.summary(registry, listed, [])
            waiting = table.status == WAITING and any(seat.online for seat in table.seats)
            if waiting or table.status != WAITING:
                found.append(responses.PublicTable(table, listed.row.invite if waiting else None))
    return sorted(found, key=lambda one: one.invite is None)
