"""What somebody at a table can do once it stands. Each function checks in the order of docs/protocol.md."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bastide.errors import BastideError
from bastide.server.api.refusal import Refusal
from bastide.server.draws.links import CHAIN
from bastide.server.tables.clock import LAG
from bastide.server.tables.open_table import OpenTable
from bastide.server.tables.registry import TableRegistry
from bastide.server.tables.table import BOT, NOBODY, Line, Table, TakeBackOffer

MOST_LINES = 5000  # of a table at which something may still be taken back; the longest games have about 2,000


async def ready(registry: TableRegistry, name: str, mine: Sequence[int], seat: int | None, entropy: str) -> int:
    """A seat gives its part in the draws: entropy, or the end of a chain; the game begins when all have."""
    async with registry.locked(name) as open_table:
        chosen = own_seat(mine, seat)
        if open_table.table.game is not None:
            raise Refusal("begun", "the game has begun already")
        part = entropy.lower() if open_table.table.setup.fair > 1 else entropy.lower().removeprefix(CHAIN)
        await registry.store.give_entropy(name, chosen, part)
        await registry.catch_up(open_table)
        registry.announce(open_table, changed=True)
        await begin(registry, open_table)
        return open_table.table.seq


async def begin(registry: TableRegistry, open_table: OpenTable) -> None:
    """Begins the game if everybody is ready."""
    table = open_table.table
    if table.game is not None or table.wanted or not all(chair.ready for chair in table.chairs):
        return
    at = registry.now()
    try:
        await registry.commit(open_table, lambda proposed: proposed.begin(at))
    except Refusal as refusal:
        if refusal.code != "stale":  # else another process has begun it already
            raise


async def reveal(registry: TableRegistry, name: str, mine: Sequence[int], seat: int | None, link: str) -> int:
    """A seat shows the link that is wanted."""
    return await add_to_draw(registry, name, mine, seat, lambda table, own, at: table.reveal(own, link, at))


async def change_chain(registry: TableRegistry, name: str, mine: Sequence[int], seat: int | None, end: str) -> int:
    """A seat whose link is wanted has lost its chain, and commits to another one."""
    return await add_to_draw(registry, name, mine, seat, lambda table, own, at: table.change_chain(own, end, at))


async def add_to_draw(
    registry: TableRegistry,
    name: str,
    mine: Sequence[int],
    seat: int | None,
    change: Callable[[Table, int, int], list[Line]],
) -> int:
    """A seat adds to the next draw, or to the shuffle of the seats."""
    async with registry.locked(name) as open_table:
        chosen = own_seat(mine, seat)
        if open_table.table.game is not None:
            await check_running(registry, open_table, mine)
        at = registry.now()
        await registry.commit(open_table, lambda proposed: change(proposed, chosen, at))
        return open_table.table.seq


async def play(
    registry: TableRegistry, name: str, mine: Sequence[int], seq: int, action: str, lag: int = 0, link: str = ""
) -> int:
    """An action of the seat that decides; its clock does not count how long messages are under way.

    `link` is added to the draw if a tile is drawn next.
    """
    async with registry.locked(name) as open_table:
        await check_turn(registry, open_table, mine, seq, lag)
        table, at = open_table.table, registry.now()
        credited = table.clock.lag_for(table.decides, lag)
        try:
            await registry.commit(open_table, lambda proposed: proposed.play(action, at, credited, link))
        except BastideError as error:
            raise Refusal.of(error) from error
        return open_table.table.seq


async def undo(registry: TableRegistry, name: str, mine: Sequence[int], seq: int, whole: bool) -> int:
    """Own actions are taken back, as long as nothing was drawn after them."""
    async with registry.locked(name) as open_table:
        await check_turn(registry, open_table, mine, seq)
        table = open_table.table
        count = table.may_undo(table.decides)
        if not count:
            raise Refusal("undo")
        check_length(table)
        await commit_line(registry, open_table, f"undo {count if whole else 1}")
        return open_table.table.seq


async def take_back(registry: TableRegistry, name: str, mine: Sequence[int], seq: int) -> int:
    """Asks to play the last own turn anew. Bots agree."""
    async with registry.locked(name) as open_table:
        table = await check_running(registry, open_table, mine)
        await check_seq(registry, open_table, seq)
        if table.pending is not None:
            raise Refusal("offer", "another offer is not answered yet")
        remaining = [own for own in mine if own not in table.out]
        if not remaining:
            raise Refusal("over", "this seat is out of the game")
        seat = max(remaining, key=lambda own: (table.take_back(own) > 0, -table.take_back(own)))
        if not table.take_back(seat):
            raise Refusal("undo", "you have not done anything yet")
        check_length(table)
        waiting = [chair.seat for chair in table.chairs if chair.kind != BOT and chair.seat in table.remaining]
        offer = TakeBackOffer(table.seq, seat, [other for other in waiting if other not in mine])
        await settle(registry, open_table, offer)
        return open_table.table.seq


async def answer(registry: TableRegistry, name: str, mine: Sequence[int], seq: int, agree: bool) -> int:
    """The answer to an offer: all must agree, one can refuse."""
    async with registry.locked(name) as open_table:
        table = await check_running(registry, open_table, mine)
        await check_seq(registry, open_table, seq)
        offer = table.pending
        if offer is None or not set(mine) & set(offer.waiting):
            raise Refusal("offer")
        if agree:
            left = TakeBackOffer(offer.seq, offer.seat, [s for s in offer.waiting if s not in mine])
            await settle(registry, open_table, left)
        else:
            await set_offer(registry, open_table, None)
        return open_table.table.seq


async def settle(registry: TableRegistry, open_table: OpenTable, offer: TakeBackOffer) -> None:
    """A take-back happens when nobody is left to agree to it."""
    if offer.waiting:
        await set_offer(registry, open_table, offer)
    else:
        at = registry.now()
        await registry.commit(open_table, lambda proposed: proposed.take_turn_back(offer.seat, at))


async def set_offer(registry: TableRegistry, open_table: OpenTable, offer: TakeBackOffer | None) -> None:
    """What is offered now."""
    await registry.store.set_offer(open_table.name, offer)
    open_table.table.offer = offer
    registry.announce(open_table, changed=True)


async def resign(registry: TableRegistry, name: str, mine: Sequence[int], seat: int | None) -> int:
    """A seat gives up."""
    async with registry.locked(name) as open_table:
        table = await check_running(registry, open_table, mine)
        chosen = own_seat(mine, seat)
        if chosen in table.out:
            raise Refusal("over", "this seat is out of the game")
        await commit_line(registry, open_table, f"resign {chosen}")
        return open_table.table.seq


async def commit_line(registry: TableRegistry, open_table: OpenTable, text: str) -> None:
    """Commits one line that is no action."""
    at = registry.now()
    await registry.commit(open_table, lambda proposed: proposed.add(text, at))


async def say(registry: TableRegistry, name: str, mine: Sequence[int], text: str, emote: str | None) -> int:
    """Anybody says something."""
    async with registry.locked(name) as open_table:
        seat = open_table.table.viewpoint(mine) if mine else NOBODY
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
    table = open_table.table
    if table.game is None:
        raise Refusal("waiting")
    if table.outcome is None and table.awaited != NOBODY:
        own = table.awaited in mine
        await registry.flag(open_table, table.clock.lag_for(table.awaited, lag) if own else LAG)
    if open_table.table.outcome is not None:
        raise Refusal("over")
    return open_table.table


async def check_turn(
    registry: TableRegistry, open_table: OpenTable, mine: Sequence[int], seq: int, lag: int = 0
) -> None:
    """Refuses whoever is not asked, or does not know the last line."""
    await check_running(registry, open_table, mine, lag)
    if seq > open_table.table.seq:
        await registry.catch_up(open_table)
    table = open_table.table
    if table.decides not in mine:
        raise Refusal("turn")
    if table.decides in table.out:
        raise Refusal("over", "this seat is out of the game")
    await check_seq(registry, open_table, seq)


def check_length(table: Table) -> None:
    """Refuses what would let a table grow for ever; the game itself can always be played to its end."""
    if table.seq >= MOST_LINES:
        raise Refusal("undo", f"this table has {table.seq} lines; nothing can be taken back any more")


async def check_seq(registry: TableRegistry, open_table: OpenTable, seq: int) -> None:
    """Refuses whoever does not know the last line; lines that only gave time back need not be known."""
    if seq > open_table.table.seq:
        await registry.catch_up(open_table)
    if not open_table.table.position_seq <= seq <= open_table.table.seq:
        raise Refusal("stale")
