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

from bastide.server.appending import Conflict
from bastide.server.clock import LAG
from bastide.server.live import Live
from bastide.server.metrics import LINES
from bastide.server.notices import MISSED, Notice
from bastide.server.outgoing import Said, State, Thinking
from bastide.server.refusal import Refusal
from bastide.server.show import state_of
from bastide.server.store import Store
from bastide.server.table import Line

KEPT = 500  # tables kept in memory although nobody is there
SILENT = 6.0  # seconds after which a process that says nothing is gone

log = logging.getLogger("bastide.server")


class Tables:
    """All open tables."""

    def __init__(self, store: Store, publish: Callable[[bytes], None], now: Callable[[], int]) -> None:
        self.store = store
        self.now = now  # the moment by the server's clock, in milliseconds
        self.went_on: Callable[[Live], None] = lambda _: None  # called after every line
        self.origin = secrets.token_hex(8)
        self._publish = publish
        self._lives: OrderedDict[str, Live] = OrderedDict()
        self._heard: dict[str, float] = {}  # when another process was heard last

    # --- holding a table
    def live(self, name: str) -> Live:
        """The entry of a table, which may or may not exist."""
        live = self._lives.setdefault(name, Live(name))
        self._lives.move_to_end(name)
        if len(self._lives) > KEPT:
            idle = [old for old in self._lives.values() if old.unused and not old.lock.locked() and old is not live]
            for old in idle[: KEPT // 10]:
                del self._lives[old.name]
        return live

    @asynccontextmanager
    async def holding(self, name: str) -> AsyncIterator[Live]:
        """The table, locked. Refused if there is none of this name. Whoever looks at it is told of changes after."""
        live = self.live(name)
        async with live.lock:
            try:
                await live.refresh(self.store)
            except Refusal as refusal:
                if refusal.code == "table" and live.unused:
                    self._lives.pop(name, None)
                raise
            seq = live.table.seq
            try:
                yield live
            except BaseException:
                if live.seq != seq:  # it went on in memory, but perhaps not on the disk
                    live.drop()
                    live.changed()
                raise
            live.show()

    async def commit(self, live: Live, added: Sequence[Line]) -> None:
        """Stores the lines by which a table has gone on, then tells everybody. Refused if another was faster."""
        try:
            await self.store.append(live.table, added)
        except Conflict as lost:
            live.drop()
            await live.refresh(self.store)
            raise Refusal("stale") from lost
        LINES.inc(len(added))
        live.thinking = None
        self.announce(live, added)
        self.went_on(live)

    async def catch_up(self, name: str) -> None:
        """Makes sure that what other processes have written is known here."""
        async with self.holding(name) as live:
            await self.store.catch_up(live.table)

    async def flag(self, live: Live, lag: int = LAG) -> None:
        """If the seat that decides has no time left, it is out. Only the server decides that.

        `lag` is how long a message of that seat may have been under way.
        """
        table, moment = live.table, self.now()
        deadline = table.clock.deadline
        late = deadline is not None and deadline <= moment - lag
        if late and table.outcome is None and table.decides not in table.out:
            await self.commit(live, table.say(f"time {table.decides}", moment))

    async def state(self, name: str, mine: Sequence[int], known: Sequence[int] = ()) -> State:
        """The table as it is stored, by the eyes of somebody with these seats."""
        async with self.holding(name) as live:
            return state_of(live.table, mine, self.now(), known, live.online, live.thinking)

    # --- telling
    def announce(self, live: Live, lines: Sequence[Line] = ()) -> None:
        """Tells other processes that the table has changed, by these lines or otherwise."""
        self._send(Notice(self.origin, live.name, list(lines)))

    def tell(self, name: str, message: Said | Thinking) -> None:
        """Something besides the table itself."""
        self.live(name).tell(message)
        self._send(Notice(self.origin, name, message=message))

    def present(self, live: Live, ask: bool = False) -> None:
        """Somebody came to a table here, or left."""
        live.tell_presence()
        self._send(Notice(self.origin, live.name, here=live.here, ask=ask))

    async def say(self, name: str, seat: int, who: str, text: str, emote: str | None, system: bool = False) -> None:
        """Adds to the chat."""
        self.tell(name, await self.store.say(name, self.now(), seat, who, text, emote, system))

    def _send(self, notice: Notice) -> None:
        self._publish(msgspec.json.encode(notice))

    # --- hearing other processes
    async def heard(self, data: bytes) -> None:
        """News from some process. What cannot be followed now is looked up by who needs it."""
        try:
            await self._hear(data)
        except Refusal as refusal:
            log.warning("news could not be followed: %s", refusal)
        except Exception:
            log.exception("news could not be followed")

    async def _hear(self, data: bytes) -> None:
        if data == MISSED:
            await self._look_again()
            return
        notice = msgspec.json.decode(data, type=Notice)
        if notice.origin == self.origin:
            return
        self._heard[notice.origin] = monotonic()
        live = self._lives.get(notice.table)
        if live is None:
            return
        if notice.message is not None:
            if isinstance(notice.message, Thinking):
                live.thinking = notice.message.seat
            live.tell(notice.message)
        elif notice.here is not None:
            live.elsewhere[notice.origin] = notice.here
            live.tell_presence()
            if notice.ask and live.listeners:
                self._send(Notice(self.origin, live.name, here=live.here))
        else:
            await self._follow(live, notice.lines)

    async def _follow(self, live: Live, lines: Sequence[Line]) -> None:
        """A table went on elsewhere."""
        if live.unused:
            async with live.lock:
                live.drop()
            return
        async with self.holding(live.name):
            await live.follow(self.store, lines)
            live.thinking = None

    async def _look_again(self) -> None:
        """News may have been lost: every table that somebody looks at is compared with what is stored."""
        used = {live.name: live.changed_at for live in self._lives.values() if not live.unused}
        for name in await self.store.gone_on(used):
            await self._follow(self.live(name), [])

    def alive(self) -> None:
        """Tells the others that this process lives, and forgets those that do not."""
        self._send(Notice(self.origin))
        gone = {origin for origin, at in self._heard.items() if monotonic() - at > SILENT}
        for origin in gone:
            del self._heard[origin]
        for live in self._lives.values():
            if gone & live.elsewhere.keys():
                live.elsewhere = {origin: here for origin, here in live.elsewhere.items() if origin not in gone}
                live.tell_presence()
