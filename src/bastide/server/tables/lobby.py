"""Making tables, taking seats, coming back, playing again; lists of tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

import msgspec

from bastide.errors import BastideError
from bastide.rules.choose import BASE
from bastide.server.api import responses
from bastide.server.api.incoming import Join, NewTable
from bastide.server.api.outgoing import WhyOut
from bastide.server.api.refusal import Refusal
from bastide.server.api.secret import hash_secret, new_id, new_secret, same
from bastide.server.background import in_long_thread, in_thread
from bastide.server.draws.fair import VERSION, new_seed
from bastide.server.storage.rows import ListedTable
from bastide.server.tables.registry import TableRegistry
from bastide.server.tables.setup import Chair, Setup, chairs_of, check_colour, clean_name, setup_of
from bastide.server.tables.show import seat_of
from bastide.server.tables.table import BOT, HUMAN, OVER, RUNNING, Table


def link(table: str, token: str = "") -> str:
    """The page of a table; with a token, for a seat."""
    return f"/table/{table}#seat={token}" if token else f"/table/{table}"


async def make(registry: TableRegistry, wanted: NewTable, key: str) -> responses.MadeTable:
    """A new table; whoever makes it has its human seats."""
    if wanted.position:
        if wanted.record or wanted.draws:
            raise Refusal("shape", "a position has its own record and draws; give no others beside it")
        kept = await registry.store.position(wanted.position)
        draws = msgspec.json.decode(kept.draws, type=list[str])
        wanted = msgspec.structs.replace(wanted, record=kept.record, draws=draws, title=wanted.title or kept.title)
    setup = await (in_long_thread if wanted.record else in_thread)(setup_of, wanted)
    chairs = chairs_of(wanted.seats)
    tokens = {chair.seat: new_secret() for chair in chairs if chair.kind == HUMAN}
    for seat, token in tokens.items():
        chairs[seat].token_hash = hash_secret(token)
    table = Table(registry.prefix + new_id(), setup, new_seed(), new_secret(), chairs)
    table.created = table.changed = registry.now()
    ready = all(chair.ready for chair in chairs)  # bots need nobody else
    if ready and setup.past:
        await in_long_thread(table.prepare)
    begun = table.begin(table.created) if ready else []
    await registry.store.add(table, begun, [(hash_secret(key), seat) for seat in tokens])
    if begun:
        async with registry.locked(table.name) as open_table:
            registry.lines_committed(open_table)
    taken = [responses.TakenSeat(seat, token, link(table.name, token)) for seat, token in tokens.items()]
    return responses.MadeTable(table.name, link(table.name), table.invite if table.free else None, taken)


async def join(registry: TableRegistry, name: str, wanted: Join, key: str) -> responses.Joined:
    """Somebody with the invite takes a seat."""
    async with registry.locked(name) as open_table:
        table = open_table.table
        if not same(hash_secret(table.invite), wanted.invite):
            raise Refusal("token", "this invite is not for this table")
        await registry.catch_up(open_table)
        free = [chair for chair in table.free if wanted.seat in (None, chair.seat)]
        if not free:
            raise Refusal("begun", "no such seat is free")
        colour = wanted.colour or free[0].colour
        try:
            check_colour(colour, [chair.colour for chair in table.chairs if chair.seat != free[0].seat])
        except BastideError as error:
            raise Refusal.of(error) from error
        token = new_secret()
        chair = Chair(free[0].seat, HUMAN, clean_name(wanted.name) or colour, colour, None, hash_secret(token))
        if not await registry.store.take_seat(chair, name, key):
            raise Refusal("begun", "somebody else was faster")
        await registry.catch_up(open_table)
        registry.announce(open_table, changed=True)
    return responses.Joined(name, chair.seat, token, link(name, token))


async def enter(registry: TableRegistry, name: str, token: str, key: str) -> responses.Entered:
    """Somebody with a seat's link comes back to it, perhaps in another browser."""
    async with registry.locked(name) as open_table:
        held = seats_for(open_table.table, token)
    if not held:
        raise Refusal("token")
    await registry.store.add_key(key, name, held)
    return responses.Entered(name, await registry.store.seats_of_key(key, name))


def seats_for(table: Table, token: str) -> list[int]:
    """The seats that a token opens: one, or none."""
    return [chair.seat for chair in table.chairs if chair.token_hash and same(chair.token_hash, token)]


async def held_seats(registry: TableRegistry, name: str, key: str | None, token: str) -> list[int]:
    """The seats of a table that somebody may play: by a token if there is one, else by the browser's key."""
    async with registry.locked(name) as open_table:
        await registry.catch_up(open_table)
        if token:
            held = seats_for(open_table.table, token)
            if not held:
                raise Refusal("token", "this token opens no seat here")
            return held
    return await registry.store.seats_of_key(key, name) if key else []


async def replace_link(registry: TableRegistry, name: str, seat: int, held: Sequence[int], key: str | None) -> str:
    """A seat gets a new link. The old one, and every other browser that had the seat, opens it no more."""
    if seat not in held:
        raise Refusal("token")
    token = new_secret()
    async with registry.locked(name) as open_table:
        await registry.store.replace_token(name, seat, hash_secret(token), key)
        await registry.catch_up(open_table)
        registry.holders_changed(open_table)
    return token


async def leave(registry: TableRegistry, name: str, key: str) -> None:
    """A browser gives its seats up. In a running game the others are told of every seat that nobody has any more."""
    held = await registry.store.seats_of_key(key, name)
    if not held:
        return
    await registry.store.remove_key(key, name)
    registry.holders_changed(registry.entry(name))
    kept = {seat for _, seat in await registry.store.key_holders(name)}
    left = [seat for seat in held if seat not in kept]
    if not left:
        return
    async with registry.locked(name) as open_table:
        running, chairs = open_table.table.status == RUNNING, open_table.table.chairs
    for seat in left if running else ():
        who = chairs[seat].name
        await registry.say(name, seat, who, f"{who} has left the table.", "left", system=True)


async def rematch(registry: TableRegistry, name: str, seats: Sequence[int], count_table: Callable[[], None]) -> int:
    """The same people at a new table, the next one beginning. A position that was given is played from again.

    `count_table` refuses whoever makes too many tables.
    """
    async with registry.locked(name) as open_table:
        old = open_table.table
        if not seats:
            raise Refusal("token")
        if old.status != OVER:
            raise Refusal("waiting", "the game is not over yet")
        await registry.catch_up(open_table)
        if old.next is None:
            count_table()
            shift = 0 if old.setup.past or old.setup.draws else 1
            count = len(old.chairs)
            moved = [old.chairs[(seat + shift) % count] for seat in range(count)]
            chairs = [
                msgspec.structs.replace(chair, seat=seat, entropy="" if chair.kind == BOT else None)
                for seat, chair in enumerate(moved)
            ]
            setup = msgspec.structs.replace(old.setup, fair=VERSION, shuffle=False)
            new = Table(registry.prefix + new_id(), setup, new_seed(), new_secret(), chairs)
            new.created = new.changed = registry.now()
            holders = [(key, (seat - shift) % count) for key, seat in await registry.store.key_holders(name)]
            await registry.store.add(new, holders=holders, after=name)  # or somebody else was faster
            await registry.catch_up(open_table)
        registry.announce(open_table, changed=True)
        return old.seq


# --- lists


async def summaries(registry: TableRegistry, key: str | None) -> list[responses.Summary]:
    """The tables of a browser: where it is asked first, then running ones, the latest first."""
    found = []
    for listed in await registry.store.tables_of(key) if key else ():
        with suppress(msgspec.ValidationError):  # a setup that cannot be read hides no other table
            found.append(summary(registry, listed, listed.mine))
    order = (lambda s: s.decides in s.mine, lambda s: s.status == RUNNING)
    return sorted(found, key=lambda s: tuple(not asked(s) for asked in order))


async def summary_of(registry: TableRegistry, name: str, seats: Sequence[int]) -> responses.Summary:
    """One table, for somebody who holds these seats."""
    return summary(registry, await registry.store.listed(name), seats)


def summary(registry: TableRegistry, listed: ListedTable, mine: Sequence[int]) -> responses.Summary:
    """A table in a list, from its row alone: no line is played."""
    row = listed.row
    setup = msgspec.json.decode(row.setup, type=Setup)
    out = msgspec.json.decode(row.out, type=dict[int, WhyOut])
    online = registry.online(row.name)
    return responses.Summary(
        table=row.name,
        title=setup.title,
        status=row.status,
        created=row.created,
        changed=row.changed,
        edition=setup.edition,
        modules=[BASE, *setup.modules],
        seats=[seat_of(chair, chair.seat in online, out.get(chair.seat)) for chair in listed.chairs],
        mine=list(mine),
        decides=row.decides,
        deadline=row.deadline,
        scores=msgspec.json.decode(row.scores, type=list[int]),
        winners=None if row.winners is None else msgspec.json.decode(row.winners, type=list[int]),
        clock=setup.clock,
        aids=setup.aids,
        next=row.next,
    )
