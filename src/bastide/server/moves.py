"""What somebody at a table can do once it stands. Each function checks in the order of docs/protocol.md."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from bastide.errors import BastideError
from bastide.server.clock import LAG
from bastide.server.open_table import OpenTable
from bastide.server.refusal import Refusal
from bastide.server.registry import TableRegistry
from bastide.server.table import BOT, NOBODY, Table, TakeBackOffer


async def ready(registry: TableRegistry, name: str, mine: Sequence[int], seat: int | None, entropy: str) -> int:
    """A seat gives its part in the draws; the game begins when all have."""
    async with registry.locked(name) as open_table:
        chosen = own_seat(mine, seat)
        if open_table.table.game is not None:
            raise Refusal("begun", "the game has begun already")
        await registry.store.give_entropy(name, chosen, entropy.lower())
        await registry.store.catch_up(open_table.table)
        await begin(registry, open_table)
        return open_table.table.seq


async def begin(registry: TableRegistry, open_table: OpenTable) -> None:
    """Begins the game if everybody is ready; tells everybody in any case."""
    table = open_table.table
    if table.game is None and all(chair.ready for chair in table.chairs):
        with suppress(Refusal):  # another process has begun it already
            await registry.commit(open_table, table.begin(registry.now()))
    else:
        registry.announce(open_table)


async def play(registry: TableRegistry, name: str, mine: Sequence[int], seq: int, action: str, lag: int = 0) -> int:
    """An action of the seat that decides; its clock does not count how long messages are under way."""
    async with registry.locked(name) as open_table:
        await check_turn(registry, open_table, mine, seq, min(lag, LAG))
        try:
            lines = open_table.table.play(action, max(open_table.table.clock.since, registry.now() - min(lag, LAG)))
        except BastideError as error:
            raise Refusal.of(error) from error
        await registry.commit(open_table, lines)
        return open_table.table.seq


async def undo(registry: TableRegistry, name: str, mine: Sequence[int], seq: int, whole: bool) -> int:
    """Own actions are taken back, as long as nothing was drawn after them."""
    async with registry.locked(name) as open_table:
        await check_turn(registry, open_table, mine, seq)
        table = open_table.table
        count = table.may_undo(table.decides)
        if not count:
            raise Refusal("undo")
        await registry.commit(open_table, table.say(f"undo {count if whole else 1}", registry.now()))
        return table.seq


async def take_back(registry: TableRegistry, name: str, mine: Sequence[int], seq: int) -> int:
    """Asks to play the last own turn anew. Bots agree."""
    async with registry.locked(name) as open_table:
        table = await check_running(registry, open_table, mine)
        await check_seq(registry, open_table, seq)
        if table.pending is not None:
            raise Refusal("offer", "another offer is not answered yet")
        seat = max(mine, key=lambda own: (table.take_back(own) > 0, -table.take_back(own)))
        if not table.take_back(seat):
            raise Refusal("undo", "you have not done anything yet")
        waiting = [chair.seat for chair in table.chairs if chair.kind != BOT and chair.seat in table.inside]
        await settle(registry, open_table, TakeBackOffer(seq, seat, [other for other in waiting if other not in mine]))
        return table.seq


async def answer(registry: TableRegistry, name: str, mine: Sequence[int], seq: int, agree: bool) -> int:
    """The answer to an offer: all must agree, one can refuse."""
    async with registry.locked(name) as open_table:
        table = await check_running(registry, open_table, mine)
        await check_seq(registry, open_table, seq)
        offer = table.pending
        if offer is None or not set(mine) & set(offer.waiting):
            raise Refusal("offer")
        if agree:
            await settle(
                registry, open_table, TakeBackOffer(offer.seq, offer.seat, [s for s in offer.waiting if s not in mine])
            )
        else:
            await keep_offer(registry, open_table, None)
        return table.seq


async def settle(registry: TableRegistry, open_table: OpenTable, offer: TakeBackOffer) -> None:
    """A take-back happens when nobody is left to agree to it."""
    if offer.waiting:
        await keep_offer(registry, open_table, offer)
    else:
        await registry.commit(
            open_table, open_table.table.say(f"undo {open_table.table.take_back(offer.seat)}", registry.now())
        )


async def keep_offer(registry: TableRegistry, open_table: OpenTable, offer: TakeBackOffer | None) -> None:
    """What is offered now."""
    await registry.store.set_offer(open_table.name, offer)
    open_table.table.offer = offer
    registry.announce(open_table)


async def resign(registry: TableRegistry, name: str, mine: Sequence[int], seat: int | None) -> int:
    """A seat gives up."""
    async with registry.locked(name) as open_table:
        table = await check_running(registry, open_table, mine)
        chosen = own_seat(mine, seat)
        if chosen in table.out:
            raise Refusal("over", "this seat is out of the game")
        await registry.commit(open_table, table.say(f"resign {chosen}", registry.now()))
        return table.seq


async def say(registry: TableRegistry, name: str, mine: Sequence[int], text: str, emote: str | None) -> int:
    """Anybody says something."""
    async with registry.locked(name) as open_table:
        seat = open_table.table.eyes(mine) if mine else NOBODY
        who = open_table.table.chairs[seat].name if mine else ""
        seq = open_table.table.seq
    await registry.say(name, seat, who, text, emote)
    return seq


# --- checks


def own_seat(mine: Sequence[int], seat: int | None) -> int:
    """The seat that is meant; refused if it is not one's own."""
    if not mine:
        raise Refusal("token")
    if seat is None and len(mine) > 1:
        raise Refusal("shape", "you hold several seats: say which one in `seat`")
    chosen = mine[0] if seat is None else seat
    if chosen not in mine:
        raise Refusal("token")
    return chosen


async def check_running(registry: TableRegistry, open_table: OpenTable, mine: Sequence[int], lag: int = LAG) -> Table:
    """The table, if somebody with these seats may do something in its game."""
    if not mine:
        raise Refusal("token")
    if open_table.table.game is None:
        raise Refusal("waiting")
    await registry.flag(open_table, lag if open_table.table.decides in mine else LAG)
    if open_table.table.outcome is not None:
        raise Refusal("over")
    return open_table.table


async def check_turn(
    registry: TableRegistry, open_table: OpenTable, mine: Sequence[int], seq: int, lag: int = 0
) -> None:
    """Refuses whoever is not asked, or does not know the last line."""
    table = await check_running(registry, open_table, mine, lag)
    if seq > table.seq:
        await registry.store.catch_up(table)
    if table.decides not in mine:
        raise Refusal("turn")
    if table.decides in table.out:
        raise Refusal("over", "this seat is out of the game")
    await check_seq(registry, open_table, seq)


async def check_seq(registry: TableRegistry, open_table: OpenTable, seq: int) -> None:
    """Refuses whoever does not know the last line."""
    if seq > open_table.table.seq:
        await registry.store.catch_up(open_table.table)
    if seq != open_table.table.seq:
        raise Refusal("stale")
