"""What somebody at a table can do once it stands. Each function checks in the order of docs/protocol.md."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from bastide.errors import BastideError
from bastide.server.clock import LAG
from bastide.server.live import Live
from bastide.server.refusal import Refusal
from bastide.server.table import BOT, Offer, Table
from bastide.server.tables import Tables


async def ready(tables: Tables, name: str, mine: Sequence[int], seat: int | None, entropy: str) -> int:
    """A seat gives its part in the draws; the game begins when all have."""
    async with tables.holding(name) as live:
        chosen = own_seat(mine, seat)
        if live.table.game is not None:
            raise Refusal("begun", "the game has begun already")
        await tables.store.give_entropy(name, chosen, entropy.lower())
        await tables.store.catch_up(live.table)
        await begin(tables, live)
        return live.table.seq


async def begin(tables: Tables, live: Live) -> None:
    """Begins the game if everybody is ready; tells everybody in any case."""
    table = live.table
    if table.game is None and all(chair.ready for chair in table.chairs):
        with suppress(Refusal):  # another process has begun it already
            await tables.commit(live, table.begin(tables.now()))
    else:
        tables.announce(live)


async def play(tables: Tables, name: str, mine: Sequence[int], seq: int, action: str, lag: int = 0) -> int:
    """An action of the seat that decides; its clock does not count how long messages are under way."""
    async with tables.holding(name) as live:
        await check_turn(tables, live, mine, seq, min(lag, LAG))
        try:
            lines = live.table.play(action, max(live.table.clock.since, tables.now() - min(lag, LAG)))
        except BastideError as error:
            raise Refusal.of(error) from error
        await tables.commit(live, lines)
        return live.table.seq


async def undo(tables: Tables, name: str, mine: Sequence[int], seq: int, whole: bool) -> int:
    """Own actions are taken back, as long as nothing was drawn after them."""
    async with tables.holding(name) as live:
        await check_turn(tables, live, mine, seq)
        table = live.table
        count = table.may_undo(table.decides)
        if not count:
            raise Refusal("undo")
        await tables.commit(live, table.say(f"undo {count if whole else 1}", tables.now()))
        return table.seq


async def take_back(tables: Tables, name: str, mine: Sequence[int], seq: int) -> int:
    """Asks to play the last own turn anew. Bots agree."""
    async with tables.holding(name) as live:
        table = await check_running(tables, live, mine)
        await check_seq(tables, live, seq)
        if table.pending is not None:
            raise Refusal("offer", "another offer is not answered yet")
        seat = max(mine, key=lambda own: (table.take_back(own) > 0, -table.take_back(own)))
        if not table.take_back(seat):
            raise Refusal("undo", "you have not done anything yet")
        waiting = [chair.seat for chair in table.chairs if chair.kind != BOT and chair.seat in table.inside]
        await settle(tables, live, Offer(seq, seat, [other for other in waiting if other not in mine]))
        return table.seq


async def answer(tables: Tables, name: str, mine: Sequence[int], seq: int, agree: bool) -> int:
    """The answer to an offer: all must agree, one can refuse."""
    async with tables.holding(name) as live:
        table = await check_running(tables, live, mine)
        await check_seq(tables, live, seq)
        offer = table.pending
        if offer is None or not set(mine) & set(offer.waiting):
            raise Refusal("offer")
        if agree:
            await settle(tables, live, Offer(offer.seq, offer.seat, [s for s in offer.waiting if s not in mine]))
        else:
            await keep_offer(tables, live, None)
        return table.seq


async def settle(tables: Tables, live: Live, offer: Offer) -> None:
    """A take-back happens when nobody is left to agree to it."""
    if offer.waiting:
        await keep_offer(tables, live, offer)
    else:
        await tables.commit(live, live.table.say(f"undo {live.table.take_back(offer.seat)}", tables.now()))


async def keep_offer(tables: Tables, live: Live, offer: Offer | None) -> None:
    """What is offered now."""
    await tables.store.offer(live.name, offer)
    live.table.offer = offer
    tables.announce(live)


async def resign(tables: Tables, name: str, mine: Sequence[int], seat: int | None) -> int:
    """A seat gives up."""
    async with tables.holding(name) as live:
        table = await check_running(tables, live, mine)
        chosen = own_seat(mine, seat)
        if chosen in table.out:
            raise Refusal("over", "this seat is out of the game")
        await tables.commit(live, table.say(f"resign {chosen}", tables.now()))
        return table.seq


async def say(tables: Tables, name: str, mine: Sequence[int], text: str, emote: str | None) -> int:
    """Anybody says something."""
    async with tables.holding(name) as live:
        seat = live.table.eyes(mine)
        who = live.table.chairs[seat].name if mine else ""
        seq = live.table.seq
    await tables.say(name, seat, who, text, emote)
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


async def check_running(tables: Tables, live: Live, mine: Sequence[int], lag: int = LAG) -> Table:
    """The table, if somebody with these seats may do something in its game."""
    if not mine:
        raise Refusal("token")
    if live.table.game is None:
        raise Refusal("waiting")
    await tables.flag(live, lag if live.table.decides in mine else LAG)
    if live.table.outcome is not None:
        raise Refusal("over")
    return live.table


async def check_turn(tables: Tables, live: Live, mine: Sequence[int], seq: int, lag: int = 0) -> None:
    """Refuses whoever is not asked, or does not know the last line."""
    table = await check_running(tables, live, mine, lag)
    if seq > table.seq:
        await tables.store.catch_up(table)
    if table.decides not in mine:
        raise Refusal("turn")
    if table.decides in table.out:
        raise Refusal("over", "this seat is out of the game")
    await check_seq(tables, live, seq)


async def check_seq(tables: Tables, live: Live, seq: int) -> None:
    """Refuses whoever does not know the last line."""
    if seq > live.table.seq:
        await tables.store.catch_up(live.table)
    if seq != live.table.seq:
        raise Refusal("stale")
