"""What happens at tables by itself: bots act, time runs out. Also where nobody is, and after a restart."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Coroutine
from contextlib import suppress
from contextvars import Context
from typing import Any, Protocol

from bastide.game import Rng
from bastide.server.api.outgoing import Thinking
from bastide.server.api.refusal import Refusal
from bastide.server.metrics import BOT_ANSWERS, BOT_FAILURES, BOT_QUESTIONS, OPEN_TABLES
from bastide.server.tables.clock import COME_BACK, LAG
from bastide.server.tables.moves import begin
from bastide.server.tables.open_table import OpenTable
from bastide.server.tables.registry import TableRegistry
from bastide.server.tables.table import Table
from bastide.server.tasks import end
from bastide.server.thinking.jobs import BotFailed, BotService, Job

SWEEP = 0.5  # seconds between two looks
NOTE_ALONE, NOTE_SHARED = 5000, 1000  # ms between two notes that a server runs; with SQLite it is usually alone
QUIET = 3000  # ms after which a bot that has not acted is asked again: its process may be gone

log = logging.getLogger("bastide.server")


class SanctionCheck(Protocol):
    """Whoever keeps a process to what was decided about it."""

    async def look(self) -> None:
        """Reads what was decided, now and then."""


class Caretaker:
    """Acts for bots and looks at clocks."""

    def __init__(self, registry: TableRegistry, bots: BotService, sanctions: SanctionCheck) -> None:
        self.registry = registry
        self.bots = bots
        self.sanctions = sanctions
        self._tasks: set[asyncio.Task[None]] = set()
        self._stopping = asyncio.Event()
        self._failing = False
        self._noted = 0  # when it was last noted that a server runs
        self._note_every = NOTE_ALONE if registry.store.sqlite else NOTE_SHARED
        registry.commit_listeners.append(self.think)

    async def sweep(self) -> None:
        """Looks after clocks and bots until the server stops."""
        watching = asyncio.create_task(self.registry.store.watch.watch(self._stopping))
        while not self._stopping.is_set():
            try:
                await self._look()
                self.registry.store.watch.sweep_finished()
            except Refusal as refusal:
                if not self._failing:
                    log.warning("clocks and bots are looked after again in a moment: %s", refusal)
                self._failing = True
            except Exception:
                log.exception("clocks and bots are looked after again in a moment")
            else:
                self._failing = False
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), SWEEP)
        await watching

    async def _look(self) -> None:
        """One look at everything: other processes, time to be given back, clocks that have run out, bots."""
        registry, store = self.registry, self.registry.store
        await registry.peers.sweep()
        moment = registry.now()
        if store.watch.failing:
            await store.note_running(moment, always=True)
        elif moment - self._noted >= self._note_every:
            await store.note_running(moment)
            self._noted = moment
        await registry.settle_outages()
        await self.sanctions.look()
        registry.forget_idle()
        OPEN_TABLES.set(len(registry.open_tables))
        late, thinking = await store.due(moment - LAG, moment - QUIET)
        for name in late:
            await self._isolated(name, self.flag(name))
        for name in thinking:
            await self._isolated(name, self.wake(name))

    async def _isolated(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        """Something about one table; whatever goes wrong there disturbs no other."""
        try:
            await work
        except Refusal as refusal:
            if refusal.code == "unavailable":  # that concerns all
                raise
        except Exception:
            log.exception("table %s could not be looked after", name)

    async def credit(self) -> None:
        """Clocks do not count the time during which no server ran. Done before anybody is served."""
        store, now = self.registry.store, self.registry.now
        last = await store.last_running()  # never noted: a table counts from its last line
        given = await store.credit(now(), last, COME_BACK)
        if given:
            log.warning("no server ran for a while: %d tables get the time back", len(given))

    async def flag(self, name: str) -> None:
        """Time has run out at a table, or so it seems."""
        async with self.registry.locked(name) as open_table:
            await self.registry.flag(open_table)

    async def wake(self, name: str) -> None:
        """A bot must act at a table."""
        async with self.registry.locked(name) as open_table:
            self.think(open_table)

    # --- bots
    def think(self, open_table: OpenTable) -> None:
        """Lets the bot think whose turn it is, if it is a bot's; begins a game for which everybody is ready."""
        if open_table.bot_task is not None and not open_table.bot_task.done():
            return
        if open_table.table.game is None and all(chair.ready for chair in open_table.table.chairs):
            open_table.bot_task = self._start(open_table.name, self._begin(open_table.name))
        elif open_table.table.bot_to_move is not None:
            open_table.bot_task = self._start(open_table.name, self._think(open_table.name))

    async def _begin(self, name: str) -> None:
        """Begins a game: something went wrong when it should have begun by itself."""
        async with self.registry.locked(name) as open_table:
            await begin(self.registry, open_table)
        async with self.registry.locked(name) as open_table:
            open_table.bot_task = None
            self.think(open_table)

    def _start(self, name: str, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Runs something about a table in the background; a failure is written to the log."""
        task = asyncio.create_task(work, name=name, context=Context())  # it is no part of the request that began it
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return task

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, Refusal):
            log.warning("table %s: a bot is asked again in a moment: %s", task.get_name(), error)
        elif error is not None:
            log.error("table %s: a bot could not be asked", task.get_name(), exc_info=error)

    async def _think(self, name: str) -> None:
        """Answers for bots at a table until a person must decide, or the table cannot be played on."""
        registry = self.registry
        while True:
            async with registry.locked(name) as open_table:
                job = job_of(open_table.table)
                open_table.thinking = None if job is None else job.seat
            if job is None:
                return
            registry.tell(name, Thinking(seat=job.seat, bot=job.bot, since=registry.now()))
            try:
                with BOT_QUESTIONS.track_inprogress(), BOT_ANSWERS.time():
                    action, failure = await self.bots.choose(job), ""
            except BotFailed as error:
                BOT_FAILURES.inc()
                action, failure = "", str(error)
            finally:
                open_table.thinking = None
            try:
                failure = await self._play_for_bot(job, action, failure)
            except Refusal as refusal:
                if refusal.code in ("unreadable", "closed"):
                    return
                if refusal.code != "stale":  # else another process was faster
                    raise
                continue
            if failure:
                text = f"The bot {job.bot} failed ({failure}); an action was chosen at random for it."
                await registry.say(name, -1, "", text, None, system=True)

    async def _play_for_bot(self, job: Job, action: str, failure: str) -> str:
        """Plays what a bot chose, or something else if it failed; says why it did.

        A table where no action at all can be played is marked as broken, for otherwise bots would fail there for ever.
        """
        async with self.registry.locked(job.table) as open_table:
            if open_table.table.seq != job.seq:
                return ""  # the question was taken back meanwhile
            failure = failure or await self._try_action(open_table, action)
            if failure:
                log.warning("table %s: the bot %s failed: %s", job.table, job.bot, failure)
                hopeless = await self._try_action(open_table, None, job.seed)
                if hopeless:
                    await self.registry.mark_broken(open_table, f"no action can be played: {hopeless}")
                    raise Refusal("unreadable")
        return failure

    async def _try_action(self, open_table: OpenTable, action: str | None, seed: int = 0) -> str:
        """Plays a bot's answer (None: any action, by the seed); says why if it cannot be played."""
        at = self.registry.now()
        try:
            chosen = any_action(open_table.table, seed) if action is None else action
            await self.registry.commit(open_table, lambda table: table.play(chosen, at))
        except Refusal:
            raise
        except Exception as error:  # of the engine too: the table must not get stuck
            return f"{type(error).__name__}: {error}"
        return ""

    async def close(self) -> None:
        """Ends what runs in the background; the look under way is finished."""
        self._stopping.set()
        await end(self._tasks)
        await self.bots.close()


def job_of(table: Table) -> Job | None:
    """The question for the bot whose turn it is; nothing if it is a person's."""
    name = table.bot_to_move
    if name is None:
        return None
    return Job(
        table=table.name,
        seq=table.seq,
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
