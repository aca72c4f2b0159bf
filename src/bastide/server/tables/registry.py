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
from itertools import islice
from typing import TYPE_CHECKING

from bastide.errors import BastideError
from bastide.server.api.feed import Feed
from bastide.server.api.outgoing import ChatLine, State, Thinking
from bastide.server.api.refusal import Refusal
from bastide.server.metrics import BROKEN_TABLES, LINES
from bastide.server.storage.rows import Conflict
from bastide.server.tables.clock import COME_BACK, LAG, SECOND
from bastide.server.tables.notices import News
from bastide.server.tables.open_table import OpenTable
from bastide.server.tables.outages import FRESH
from bastide.server.tables.peers import Peers
from bastide.server.tables.show import state_of
from bastide.server.tables.table import Line, Table
from bastide.server.tasks import begin_shared

if TYPE_CHECKING:  # in a browser there is another one
    from bastide.server.storage.store import Store

KEPT = 500  # tables kept in memory although nobody is there
IDLE = 600 * SECOND  # after which a table leaves memory where nobody is
LOOKED_AT = 20  # entries that are looked at to find one that can go
TRIAL = 2.0  # seconds within which something must be stored
LOST = 10 * SECOND  # an outage after which clients have lost their connections

log = logging.getLogger("bastide.server")


class TableRegistry:
    """All open tables."""

    def __init__(self, store: Store, news: News | None, now: Callable[[], int]) -> None:
        self.store = store
        self.now = now  # the moment by the server's clock, in milliseconds
        self.prefix = ""  # of the names of new tables
        self.commit_listeners: list[Callable[[OpenTable], None]] = []  # called when a table went on
        self.open_tables: OrderedDict[str, OpenTable] = OrderedDict()
        self.peers = Peers(self, news)
        self._trial: asyncio.Task[None] | None = None  # something is stored to see whether that works

    # --- one table, locked
    def entry(self, name: str) -> OpenTable:
        """The entry of a table, which may or may not exist."""
        found = self.open_tables.get(name)
        if found is None:
            found = self.open_tables[name] = OpenTable(name)
            self.peers.follow(name)
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
            looked_again = False
            if not open_table.known:
                async with self._reading(open_table):
                    looked_again = await open_table.refresh(self.store)
            if looked_again:  # others may not have heard of what is stored either
                self.announce(open_table)
                self.lines_committed(open_table)
            try:
                yield open_table
            except BaseException as error:
                if not is_certain(error):
                    open_table.in_doubt = self.peers.behind = True
                    open_table.changed()
                raise
            finally:
                open_table.notify_listeners()

    async def catch_up(self, open_table: OpenTable, lines_only: bool = False) -> None:
        """Brings a locked table to what is stored, or only to its last line."""
        async with self._reading(open_table):
            await self.store.catch_up(open_table.table, lines_only)

    async def commit(self, open_table: OpenTable, change: Callable[[Table], list[Line]]) -> None:
        """Proposes a change to a locked table, stores its lines, then makes what was proposed the table.

        Refused if another process was faster. Until the lines are stored a copy stands for the table as it is stored;
        what goes on is the original, for much about it has been worked out already.
        """
        proposed = open_table.table
        open_table.replace(proposed.copy())
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
        self.lines_committed(open_table)

    def lines_committed(self, open_table: OpenTable) -> None:
        """A table went on: whoever wants to know is called."""
        for listener in self.commit_listeners:
            listener(open_table)

    async def look_for_news(self, name: str, lines_only: bool) -> None:
        """A table went on in another process, or something else about it changed: reads what is new."""
        async with self.locked(name) as open_table:
            await self.catch_up(open_table, lines_only)
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
            await self.credit_time(stalled, [entry.name for entry in self.open_tables.values() if entry.listeners])
            watch.settle_stall()
        if not_storing:
            await self.credit_time(not_storing, None)
            watch.settle_storage()
        if locked is not None and locked.in_doubt:
            await self.catch_up(locked)
            locked.in_doubt = False

    async def credit_time(self, gone: int, names: Sequence[str] | None) -> None:
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

    # --- showing
    async def state(self, name: str, mine: Sequence[int]) -> State:
        """The table as it is stored, by the eyes of somebody with these seats."""
        async with self.locked(name) as open_table:
            return state_of(open_table.table, mine, self.now(), open_table.online, open_table.thinking)

    async def feed(self, name: str, mine: Sequence[int], anew: bool = False) -> Feed:
        """The same as it is told, with the changes that led to it; `anew` for who has just come."""
        entry = self.entry(name)
        fresh = None if anew else entry.fresh_feed(mine)
        if fresh is not None:
            return fresh
        if entry.settled:
            return entry.update_feed(mine, self.now())
        async with self.locked(name) as open_table:
            fresh = None if anew else open_table.fresh_feed(mine)
            return fresh or open_table.update_feed(mine, self.now())

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
                self._trial = begin_shared(self.store.note_running(self.now(), always=True))
            done, _ = await asyncio.wait({self._trial}, timeout=TRIAL)
            if not done:
                raise Refusal("unavailable", f"nothing could be stored within {TRIAL:g} s")
            self._trial.result()

    # --- telling
    def announce(self, open_table: OpenTable, changed: bool = False) -> None:
        """Tells other processes at which line the table is, and whether something else has changed."""
        self.peers.announce(open_table.name, open_table.seq or 0, changed)

    def holders_changed(self, open_table: OpenTable) -> None:
        """Somebody gave seats of a table up, or has a new link for one: whoever is there reads again what he holds."""
        open_table.recheck_seats()
        self.peers.announce_holders(open_table.name)

    def tell(self, name: str, message: ChatLine | Thinking) -> None:
        """Something besides the table itself."""
        self.entry(name).tell(message)
        self.peers.pass_on(name, message)

    def presence_changed(self, open_table: OpenTable, ask: bool = False) -> None:
        """Somebody came to a table in this process, or left."""
        open_table.tell_presence()
        self.peers.tell_audience(open_table, ask)

    async def say(self, name: str, seat: int, who: str, text: str, emote: str | None, system: bool = False) -> None:
        """Adds to the chat."""
        self.tell(name, await self.store.say(name, self.now(), seat, who, text, emote, system))


def is_certain(error: BaseException) -> bool:
    """Is it known that nothing was stored? Not if the database did not answer, or the writer was called off."""
    return isinstance(error, BastideError) or (isinstance(error, Refusal) and error.code != "unavailable")
