"""The tables that are open in this process: loaded when somebody comes, changed one writer at a time, told to all.

Whoever changes a table holds its lock, proposes lines on a copy, and commits them; only what is stored takes the place
of what is in memory. Whoever shows a table takes the same lock, so nothing is seen before it is stored. Other processes
may do the same at the same time: the number of the last line decides who was first, and everybody else goes on from
what is stored.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from itertools import islice

import msgspec

from bastide.errors import BastideError
from bastide.server.appender import Conflict
from bastide.server.clock import COME_BACK, LAG, SECOND
from bastide.server.metrics import BROKEN_TABLES, LINES
from bastide.server.open_table import OpenTable
from bastide.server.outages import FRESH
from bastide.server.outgoing import Said, State, Thinking
from bastide.server.peers import Peers
from bastide.server.refusal import Refusal
from bastide.server.show import common, state_of
from bastide.server.store import Store
from bastide.server.table import Line, Table, TakeBackOffer

KEPT = 500  # tables kept in memory although nobody is there
IDLE = 600 * SECOND  # after which a table leaves memory where nobody is
LOOKED_AT = 20  # entries that are looked at to find one that can go
TRIAL = 2.0  # seconds within which something must be stored
SAME_MOMENT = 100  # ms within which a state is sent as it is: its clock is no older than that
LOST = 10 * SECOND  # an outage after which clients have lost their connections

log = logging.getLogger("bastide.server")
encode = msgspec.json.Encoder().encode


@dataclass(frozen=True)
class StateText:
    """A state as it is sent, the log from an entry on."""

    text: str
    log_from: int
    seqs: list[int]  # of the log's entries in it
    at: int
    offer: TakeBackOffer | None


class TableRegistry:
    """All open tables."""

    def __init__(self, store: Store, publish: Callable[[bytes], None], now: Callable[[], int]) -> None:
        self.store = store
        self.now = now  # the moment by the server's clock, in milliseconds
        self.on_lines_committed: Callable[[OpenTable], None] = lambda _: None
        self.open_tables: OrderedDict[str, OpenTable] = OrderedDict()
        self.peers = Peers(self, publish)
        self._trial: asyncio.Task[None] | None = None  # something is stored to see whether that works

    # --- one table, locked
    def entry(self, name: str) -> OpenTable:
        """The entry of a table, which may or may not exist."""
        found = self.open_tables.get(name)
        if found is None:
            found = self.open_tables[name] = OpenTable(name)
            self._make_room()
        else:
            self.open_tables.move_to_end(name)
        found.used_at = self.now()
        return found

    def _make_room(self) -> None:
        """Forgets a few tables that nobody has looked at for long; those in use go to the end of the line."""
        if len(self.open_tables) <= KEPT:
            return
        for old in list(islice(self.open_tables.values(), LOOKED_AT)):
            if old.unused and not old.lock.locked() and len(self.open_tables) > KEPT:
                del self.open_tables[old.name]
            else:
                self.open_tables.move_to_end(old.name)

    def forget_idle(self) -> None:
        """Forgets a few tables that nobody has used for a while: they are loaded again when somebody comes."""
        now = self.now()
        for old in list(islice(self.open_tables.values(), LOOKED_AT)):
            if now - old.used_at < IDLE:
                return
            if old.unused and not old.lock.locked():
                del self.open_tables[old.name]
            else:
                self.open_tables.move_to_end(old.name)
                old.used_at = now

    @asynccontextmanager
    async def locked(self, name: str) -> AsyncIterator[OpenTable]:
        """The table, locked. Refused if there is none of this name, or if it cannot be read.

        Whoever looks at it is told of changes after. If it cannot be known whether something was stored in the block,
        the table is looked at again before anybody sees it.
        """
        open_table = self.entry(name)
        async with open_table.lock:
            async with self._reading(open_table):
                looked_again = await open_table.refresh(self.store)
            if looked_again:  # others may not have heard of what is stored either
                self.announce(open_table)
                self.on_lines_committed(open_table)
            try:
                yield open_table
            except BaseException as error:
                if not is_certain(error):
                    open_table.in_doubt = self.peers.behind = True
                    open_table.changed()
                raise
            finally:
                open_table.show()

    async def catch_up(self, open_table: OpenTable) -> None:
        """Brings a locked table to what is stored."""
        async with self._reading(open_table):
            await self.store.catch_up(open_table.table)

    async def commit(self, open_table: OpenTable, change: Callable[[Table], list[Line]]) -> None:
        """Proposes a change on a copy of a locked table, stores its lines, then makes the copy the table.

        Refused if another process was faster.
        """
        proposed = open_table.table.copy()
        lines = change(proposed)
        try:
            await self.store.append(proposed, lines)
        except Conflict as lost:
            await self.catch_up(open_table)
            raise Refusal("stale") from lost
        open_table.replace(proposed)
        open_table.thinking = None
        LINES.inc(len(lines))
        self.announce(open_table)
        self.on_lines_committed(open_table)

    async def look_for_lines(self, name: str) -> None:
        """A table went on in another process, or something else about it changed: reads what is new."""
        async with self.locked(name) as open_table:
            await self.catch_up(open_table)
            open_table.thinking = None

    # --- tables that cannot be read
    @asynccontextmanager
    async def _reading(self, open_table: OpenTable) -> AsyncIterator[None]:
        """Reads a table in this block. What the program cannot make sense of is marked as broken, and refused."""
        try:
            yield
        except Refusal as refusal:
            if refusal.code in ("table", "unreadable", "closed"):
                open_table.invalidate()
                open_table.changed()  # whoever looks at it is refused like this
                if open_table.unused:
                    self.open_tables.pop(open_table.name, None)
            raise
        except Exception as error:
            await self.mark_broken(open_table, f"{type(error).__name__}: {error}")
            raise Refusal("unreadable") from error

    async def mark_broken(self, open_table: OpenTable, reason: str) -> None:
        """A table cannot be read or played on: nobody tries again, and everybody at it is told."""
        BROKEN_TABLES.inc()
        log.error("table %s cannot be played on: %s", open_table.name, reason)
        open_table.invalidate()
        open_table.changed()
        with suppress(Refusal):  # then it is marked by whoever looks at it next
            await self.store.mark_broken(open_table.name, reason)

    # --- clocks
    async def flag(self, open_table: OpenTable, lag: int = LAG) -> None:
        """If the seat that is awaited has no time left, it is out. Only the server decides that.

        `lag` is how long a message of that seat may have been under way. Time for which the server itself was away is
        given back first.
        """
        await self.settle_outages(open_table)
        table, moment = open_table.table, self.now()
        deadline = table.clock.deadline
        late = deadline is not None and deadline <= moment - lag
        seat = table.awaited
        if not late or table.outcome is not None or seat in table.out:
            return
        if not self.peers.may_hear_from(open_table, seat):
            return  # the process at which this seat's player is does not answer; it may be in time there
        await self.commit(open_table, lambda proposed: proposed.add(f"time {seat}", moment))

    async def settle_outages(self, locked: OpenTable | None = None) -> None:
        """Gives the time back for which this process stood still or nothing could be stored.

        `locked` is the table whose lock the caller holds. Refused while nothing can be stored.
        """
        watch = self.store.watch
        stalled, not_storing = watch.stalled_for(), watch.not_storing_for()
        if stalled:
            await self.give_back(stalled, [entry.name for entry in self.open_tables.values() if entry.listeners])
            watch.settle_stall()
        if not_storing:
            await self.give_back(not_storing, None)
            watch.settle_storage()
        if locked is not None and locked.in_doubt:
            await self.catch_up(locked)
            locked.in_doubt = False

    async def give_back(self, gone: int, names: Sequence[str] | None) -> None:
        """Clocks do not count the last `gone` ms at these tables, or at all."""
        now = self.now()
        given = await self.store.credit(now, now - gone, COME_BACK if gone > LOST else 0, names=names)
        if given:
            log.warning("the server was away for %.1f s: %d tables get the time back", gone / SECOND, len(given))
        for name in given:
            self.peers.announce(name, 0, changed=True)
            self.look_again(name)

    def look_again(self, name: str) -> None:
        """What is stored of a table was changed by somebody else; whoever is there is told."""
        if name in self.open_tables:
            self.open_tables[name].in_doubt = True
            self.peers.look(name)

    async def state(self, name: str, mine: Sequence[int], known: Sequence[int] = ()) -> State:
        """The table as it is stored, by the eyes of somebody with these seats."""
        async with self.locked(name) as open_table:
            return state_of(open_table.table, mine, self.now(), known, open_table.online, open_table.thinking)

    async def state_text(self, name: str, mine: Sequence[int], known: Sequence[int]) -> StateText:
        """The same as JSON. It is made once for all who look with the same eyes and know the same of the log."""
        async with self.locked(name) as open_table:
            table, now = open_table.table, self.now()
            log_from = common([entry.seq for entry in table.played], known)
            key = ("state", tuple(mine), log_from, frozenset(open_table.online), open_table.thinking, table.next)
            kept: StateText | None = table.memo.get(key)
            if kept is None or now - kept.at > SAME_MOMENT or kept.offer != table.offer or table.game is None:
                state = state_of(table, mine, now, known, open_table.online, open_table.thinking)
                seqs = [] if state.game is None else [entry.seq for entry in state.game.log]
                kept = table.memo[key] = StateText(encode(state).decode(), log_from, seqs, now, table.offer)
            return kept

    def online(self, name: str) -> set[int]:
        """Seats of a table whose players are there, in any process. The table need not be open here."""
        entry = self.open_tables.get(name)
        here = set() if entry is None else set(entry.audience.seats)
        return here | self.peers.online(name)

    # --- health
    async def check_health(self) -> None:
        """Refused if nothing can be stored, or clocks and bots are not looked after."""
        watch = self.store.watch
        if watch.sweep_age > FRESH:
            raise Refusal("unavailable", f"clocks and bots were looked after {watch.sweep_age / SECOND:.0f} s ago")
        if watch.failing or watch.write_age > SECOND:
            if self._trial is None or self._trial.done():
                self._trial = asyncio.create_task(self.store.note_running(self.now(), always=True))
            done, _ = await asyncio.wait({self._trial}, timeout=TRIAL)
            if not done:
                raise Refusal("unavailable", f"nothing could be stored within {TRIAL:g} s")
            self._trial.result()

    # --- telling
    def announce(self, open_table: OpenTable, changed: bool = False) -> None:
        """Tells other processes at which line the table is, and whether something else has changed."""
        self.peers.announce(open_table.name, open_table.seq or 0, changed)

    def tell(self, name: str, message: Said | Thinking) -> None:
        """Something besides the table itself."""
        self.entry(name).tell(message)
        self.peers.pass_on(name, message)

    def present(self, open_table: OpenTable, ask: bool = False) -> None:
        """Somebody came to a table in this process, or left."""
        open_table.tell_presence()
        self.peers.tell_audience(open_table, ask)

    async def say(self, name: str, seat: int, who: str, text: str, emote: str | None, system: bool = False) -> None:
        """Adds to the chat."""
        self.tell(name, await self.store.say(name, self.now(), seat, who, text, emote, system))


def is_certain(error: BaseException) -> bool:
    """Is it known that nothing was stored? Not if the database did not answer, or the writer was called off."""
    return isinstance(error, BastideError) or (isinstance(error, Refusal) and error.code != "unavailable")
