"""The tables that are open in this process: loaded when somebody comes, changed one writer at a time, told to all.

Whoever changes a table holds its lock from the first look to the commit. Whoever shows it takes the same lock, so
nothing is seen before it is stored. Other processes may do the same at the same time: the number of the line decides
who was first, and everybody else goes on from what is stored.
"""

from __future__ import annotations

import logging
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from time import monotonic

import msgspec

from bastide.server.appender import Conflict
from bastide.server.clock import LAG
from bastide.server.metrics import LINES
from bastide.server.notices import MISSED, Notice
from bastide.server.open_table import OpenTable
from bastide.server.outgoing import Said, State, Thinking
from bastide.server.refusal import Refusal
from bastide.server.show import state_of
from bastide.server.store import Store
from bastide.server.table import Line

KEPT = 500  # tables kept in memory although nobody is there
SILENT = 6.0  # seconds after which a process that says nothing is gone

log = logging.getLogger("bastide.server")


class TableRegistry:
    """All open tables."""

    def __init__(self, store: Store, publish: Callable[[bytes], None], now: Callable[[], int]) -> None:
        self.store = store
        self.now = now  # the moment by the server's clock, in milliseconds
        self.on_lines_committed: Callable[[OpenTable], None] = lambda _: None  # called after every line
        self.origin = secrets.token_hex(8)
        self._publish = publish
        self._open: OrderedDict[str, OpenTable] = OrderedDict()
        self._last_heard: dict[str, float] = {}  # when another process was heard last

    # --- one table, locked
    def entry(self, name: str) -> OpenTable:
        """The entry of a table, which may or may not exist."""
        open_table = self._open.setdefault(name, OpenTable(name))
        self._open.move_to_end(name)
        if len(self._open) > KEPT:
            idle = [
                old for old in self._open.values() if old.unused and not old.lock.locked() and old is not open_table
            ]
            for old in idle[: KEPT // 10]:
                del self._open[old.name]
        return open_table

    @asynccontextmanager
    async def locked(self, name: str) -> AsyncIterator[OpenTable]:
        """The table, locked. Refused if there is none of this name. Whoever looks at it is told of changes after."""
        open_table = self.entry(name)
        async with open_table.lock:
            try:
                await open_table.refresh(self.store)
            except Refusal as refusal:
                if refusal.code == "table" and open_table.unused:
                    self._open.pop(name, None)
                raise
            seq = open_table.table.seq
            try:
                yield open_table
            except BaseException:
                if open_table.seq != seq:  # it went on in memory, but perhaps not on the disk
                    open_table.invalidate()
                    open_table.changed()
                raise
            open_table.show()

    async def commit(self, open_table: OpenTable, added: Sequence[Line]) -> None:
        """Stores the lines by which a table has gone on, then tells everybody. Refused if another was faster."""
        try:
            await self.store.append(open_table.table, added)
        except Conflict as lost:
            open_table.invalidate()
            await open_table.refresh(self.store)
            raise Refusal("stale") from lost
        LINES.inc(len(added))
        open_table.thinking = None
        self.announce(open_table, added)
        self.on_lines_committed(open_table)

    async def catch_up(self, name: str) -> None:
        """Makes sure that what other processes have written is known in this process."""
        async with self.locked(name) as open_table:
            await self.store.catch_up(open_table.table)

    async def flag(self, open_table: OpenTable, lag: int = LAG) -> None:
        """If the seat that decides has no time left, it is out. Only the server decides that.

        `lag` is how long a message of that seat may have been under way.
        """
        table, moment = open_table.table, self.now()
        deadline = table.clock.deadline
        late = deadline is not None and deadline <= moment - lag
        if late and table.outcome is None and table.decides not in table.out:
            await self.commit(open_table, table.say(f"time {table.decides}", moment))

    async def state(self, name: str, mine: Sequence[int], known: Sequence[int] = ()) -> State:
        """The table as it is stored, by the eyes of somebody with these seats."""
        async with self.locked(name) as open_table:
            return state_of(open_table.table, mine, self.now(), known, open_table.online, open_table.thinking)

    # --- telling
    def announce(self, open_table: OpenTable, lines: Sequence[Line] = ()) -> None:
        """Tells other processes that the table has changed, by these lines or otherwise."""
        self._send(Notice(self.origin, open_table.name, list(lines)))

    def tell(self, name: str, message: Said | Thinking) -> None:
        """Something besides the table itself."""
        self.entry(name).tell(message)
        self._send(Notice(self.origin, name, message=message))

    def present(self, open_table: OpenTable, ask: bool = False) -> None:
        """Somebody came to a table in this process, or left."""
        open_table.tell_presence()
        self._send(Notice(self.origin, open_table.name, audience=open_table.audience, ask=ask))

    async def say(self, name: str, seat: int, who: str, text: str, emote: str | None, system: bool = False) -> None:
        """Adds to the chat."""
        self.tell(name, await self.store.say(name, self.now(), seat, who, text, emote, system))

    def _send(self, notice: Notice) -> None:
        self._publish(msgspec.json.encode(notice))

    # --- hearing other processes
    async def on_notice(self, data: bytes) -> None:
        """News from some process. What cannot be followed now is looked up by who needs it."""
        try:
            await self._handle(data)
        except Refusal as refusal:
            log.warning("news could not be followed: %s", refusal)
        except Exception:
            log.exception("news could not be followed")

    async def _handle(self, data: bytes) -> None:
        if data == MISSED:
            await self._look_again()
            return
        notice = msgspec.json.decode(data, type=Notice)
        if notice.origin == self.origin:
            return
        self._last_heard[notice.origin] = monotonic()
        open_table = self._open.get(notice.table)
        if open_table is None:
            return
        if notice.message is not None:
            if isinstance(notice.message, Thinking):
                open_table.thinking = notice.message.seat
            open_table.tell(notice.message)
        elif notice.audience is not None:
            open_table.other_audiences[notice.origin] = notice.audience
            open_table.tell_presence()
            if notice.ask and open_table.listeners:
                self._send(Notice(self.origin, open_table.name, audience=open_table.audience))
        else:
            await self._follow(open_table, notice.lines)

    async def _follow(self, open_table: OpenTable, lines: Sequence[Line]) -> None:
        """A table went on in another process."""
        if open_table.unused:
            async with open_table.lock:
                open_table.invalidate()
            return
        async with self.locked(open_table.name):
            await open_table.follow(self.store, lines)
            open_table.thinking = None

    async def _look_again(self) -> None:
        """News may have been lost: every table that somebody looks at is compared with what is stored."""
        used = {entry.name: entry.changed_at for entry in self._open.values() if not entry.unused}
        for name in await self.store.find_changed(used):
            await self._follow(self.entry(name), [])

    def alive(self) -> None:
        """Tells the others that this process lives, and forgets those that do not."""
        self._send(Notice(self.origin))
        gone = {origin for origin, at in self._last_heard.items() if monotonic() - at > SILENT}
        for origin in gone:
            del self._last_heard[origin]
        for open_table in self._open.values():
            if gone & open_table.other_audiences.keys():
                open_table.other_audiences = {
                    origin: audience for origin, audience in open_table.other_audiences.items() if origin not in gone
                }
                open_table.tell_presence()
