"""The tables that are open in this process: loaded when somebody comes, changed one writer at a time, told to all.

Whoever changes a table holds its lock from the first look to the commit. Whoever shows it takes the same lock, so
nothing is seen before it is stored.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, Protocol

import msgspec
from msgspec import Struct

from bastide.errors import BastideError
from bastide.game import Rng
from bastide.server.outgoing import Outgoing, Said, State, Thinking
from bastide.server.refusal import Refusal
from bastide.server.show import state_of
from bastide.server.store import Conflict, Store
from bastide.server.table import Line, Table
from bastide.server.thinking import BotFailed, Job, Thinkers

KEPT = 500  # tables kept in memory although nobody is there
SWEEP = 0.5  # seconds between two looks at clocks and bots

log = logging.getLogger("bastide.server")


def now() -> int:
    """The moment by the server's clock, in milliseconds."""
    return time.time_ns() // 1_000_000


class Listener(Protocol):
    """Somebody who looks at a table."""

    seats: Sequence[int]

    def changed(self) -> None:
        """The table is another one now."""

    def tell(self, message: Outgoing) -> None:
        """Something besides the table itself."""


class Notice(Struct, frozen=True):
    """What one process tells all others (and itself) about a table."""

    table: str
    origin: str
    seq: int = 0
    message: Said | Thinking | None = None


class Live:
    """A table that is open here."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.lock = asyncio.Lock()
        self.listeners: set[Listener] = set()
        self.thought: asyncio.Task[None] | None = None
        self.thinking: int | None = None
        self.bots: list[bool] = []  # by seat
        self._table: Table | None = None

    @property
    def table(self) -> Table:
        """The table; only while the lock is held."""
        if self._table is None:
            raise AssertionError("a table is used by who holds its lock")
        return self._table

    @property
    def idle(self) -> bool:
        """May it be forgotten?"""
        return not self.listeners and not self.lock.locked() and (self.thought is None or self.thought.done())

    @property
    def online(self) -> set[int]:
        """Seats whose players are there."""
        return {seat for listener in self.listeners for seat in listener.seats}

    async def refresh(self, store: Store) -> None:
        """Loads the table if it is not here."""
        if self._table is None:
            self._table = await store.load(self.name)
            self.bots = [chair.bot is not None for chair in self._table.chairs]

    def drop(self) -> None:
        """What is in memory may not be what is stored: it is loaded again."""
        self._table = None


class Tables:
    """All open tables."""

    def __init__(self, store: Store, thinkers: Thinkers, publish: Callable[[bytes], None]) -> None:
        self.store = store
        self.thinkers = thinkers
        self.name = secrets.token_hex(8)
        self._publish = publish
        self._lives: OrderedDict[str, Live] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()

    # --- holding a table
    def live(self, name: str) -> Live:
        """The entry of a table, which may or may not exist."""
        live = self._lives.setdefault(name, Live(name))
        self._lives.move_to_end(name)
        if len(self._lives) > KEPT:
            for old in [entry for entry in self._lives.values() if entry.idle and entry is not live][: KEPT // 10]:
                del self._lives[old.name]
        return live

    @asynccontextmanager
    async def holding(self, name: str) -> AsyncIterator[Live]:
        """The table, locked. Refused if there is none of this name."""
        live = self.live(name)
        async with live.lock:
            try:
                await live.refresh(self.store)
            except Refusal:
                self._lives.pop(name, None)
                raise
            seq = live.table.seq
            try:
                yield live
            except BaseException:
                if live.table.seq != seq:
                    live.drop()  # it went on in memory, but perhaps not on the disk
                raise

    async def commit(self, live: Live, added: Sequence[Line]) -> None:
        """Stores the lines by which a table has gone on, then tells everybody."""
        try:
            await self.store.append(live.table, added)
        except Conflict as lost:
            raise Refusal("stale") from lost
        self.announce(live)
        self.think(live)

    async def catch_up(self, name: str) -> None:
        """Makes sure that what other processes have written is known here."""
        async with self.holding(name) as live:
            await self.store.catch_up(live.table)

    async def state(self, name: str, mine: Sequence[int], known: Sequence[int] = ()) -> State:
        """The table as it is stored, by the eyes of somebody with these seats."""
        async with self.holding(name) as live:
            return state_of(live.table, mine, now(), known, live.online, live.thinking)

    # --- telling
    def announce(self, live: Live) -> None:
        """The table has changed."""
        self._publish(msgspec.json.encode(Notice(live.name, self.name, live.table.seq)))

    def tell(self, name: str, message: Said | Thinking) -> None:
        """Something besides the table itself."""
        self._publish(msgspec.json.encode(Notice(name, self.name, message=message)))

    async def heard(self, data: bytes) -> None:
        """A notice from this process or another one."""
        notice = msgspec.json.decode(data, type=Notice)
        live = self._lives.get(notice.table)
        if live is None:
            return
        if notice.message is not None:
            for listener in list(live.listeners):
                listener.tell(notice.message)
            return
        if notice.origin != self.name:
            await self.catch_up(notice.table)
        for listener in list(live.listeners):
            listener.changed()

    async def notice_of_server(self, name: str, text: str) -> None:
        """Something that everybody at a table should know."""
        self.tell(name, await self.store.say(name, now(), -1, "", text, None, True))

    # --- bots
    def think(self, live: Live) -> None:
        """Lets the bot think whose turn it is, if it is a bot's."""
        if live.table.plays_itself is not None and (live.thought is None or live.thought.done()):
            live.thought = self.start(self._think(live.name))

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Runs something in the background; a failure is written to the log."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return task

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("a task failed", exc_info=task.exception())

    async def _think(self, name: str) -> None:
        """Answers for bots at a table until a person must decide."""
        while True:
            async with self.holding(name) as live:
                job = job_of(live.table)
                seq, live.thinking = live.table.seq, None if job is None else job.seat
            if job is None:
                return
            self.tell(name, Thinking(seat=job.seat, bot=job.bot, since=now()))
            try:
                action, failure = await self.thinkers.choose(job), ""
            except BotFailed as error:
                action, failure = "", str(error)
            finally:
                live.thinking = None
            with suppress(Refusal):  # another process was faster
                failure = await self._answer(name, seq, action, failure, job)
                if failure:
                    text = f"The bot {job.bot} failed ({failure}); an action was chosen at random for it."
                    await self.notice_of_server(name, text)

    async def _answer(self, name: str, seq: int, action: str, failure: str, job: Job) -> str:
        """Plays what a bot chose, or something else if it failed; says why it did."""
        async with self.holding(name) as live:
            if live.table.seq != seq:
                return ""  # the question was taken back meanwhile
            failure = failure or await self._answered(live, action)
            if failure:
                log.warning("table %s: the bot %s failed: %s", name, job.bot, failure)
                await self._answered(live, any_action(live.table, job.seed))
        return failure

    async def _answered(self, live: Live, action: str) -> str:
        """Plays a bot's answer; says why if it cannot be played."""
        try:
            lines = live.table.play(action, now())
        except BastideError as error:
            return str(error)
        await self.commit(live, lines)
        return ""

    # --- clocks
    async def flag(self, name: str) -> None:
        """Time has run out at a table, or so it seems."""
        async with self.holding(name) as live:
            await self.flag_held(live)

    async def flag_held(self, live: Live) -> None:
        """If the seat that decides has no time left, it is out."""
        table, moment = live.table, now()
        deadline = table.clock.deadline
        if table.outcome is None and deadline is not None and deadline <= moment and table.decides not in table.out:
            await self.commit(live, table.say(f"time {table.decides}", moment))

    async def sweep(self) -> None:
        """Looks after clocks and bots for ever: also of tables where nobody is, and after a restart."""
        while True:
            try:
                late, thinking = await self.store.due(now())
                for name in late:
                    await self.flag(name)
                for name in thinking:
                    await self.wake(name)
            except Exception:
                log.exception("clocks and bots are looked after again in a moment")
            await asyncio.sleep(SWEEP)

    async def wake(self, name: str) -> None:
        """A bot must act at a table."""
        async with self.holding(name) as live:
            self.think(live)

    async def close(self) -> None:
        """Ends what runs in the background."""
        for task in list(self._tasks):
            task.cancel()
        for task in list(self._tasks):
            with suppress(asyncio.CancelledError):
                await task
        self.thinkers.close()


def job_of(table: Table) -> Job | None:
    """The question for the bot whose turn it is; nothing if it is a person's."""
    name = table.plays_itself
    if name is None:
        return None
    return Job(
        table=table.name,
        setup=table.setup,
        colours=[chair.colour for chair in table.chairs],
        history=[str(action) for _, action in table.playing.history],
        seat=table.decides,
        bot=name,
        seed=secrets.randbits(31),
    )


def any_action(table: Table, seed: int) -> str:
    """A legal action at random, for a bot that failed."""
    legal = table.playing.legal
    return str(legal[Rng(seed).below(len(legal))])
