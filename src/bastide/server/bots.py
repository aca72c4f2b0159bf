"""Bots think in processes of their own: the server never waits for them, and one that fails takes nothing with it.

What goes to a process and comes back is plain data, so that a queue on another machine can stand in its place.
"""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from typing import Protocol

import msgspec
from msgspec import Struct

from bastide.analysis import as_json, review
from bastide.bots import bot
from bastide.game import Game, View
from bastide.notation.record import read_record
from bastide.server.setup import Setup

PATIENT = 10  # how nice the process is that analyses games: bots and people come first
KEPT = 16  # games that a process remembers between two questions


class Job(Struct, frozen=True):
    """A question for a bot."""

    table: str
    seq: int  # of the line that asked
    setup: Setup
    colours: list[str]
    history: list[str]  # all actions, the past ones of the setup too
    seat: int
    bot: str
    seed: int


class BotFailed(Exception):
    """A bot, or who judges a game, gave no answer; the message says why."""


class BotService(Protocol):
    """Whoever lets bots think."""

    async def choose(self, job: Job) -> str:
        """The action that the bot chooses; BotFailed if there is none."""

    async def review(self, record: str) -> str:
        """The analysis of a record, as JSON; BotFailed if there is none. No bot waits for it."""

    async def close(self) -> None:
        """Nobody asks any more."""


class LocalBots:
    """A few processes of this machine that answer jobs, and one more, of low priority, that analyses games."""

    def __init__(self, processes: int, seconds: float) -> None:
        self.seconds = seconds
        self._bots = ProcessPool(processes)
        self._judge = ProcessPool(1, PATIENT)

    async def choose(self, job: Job) -> str:
        """The action that the bot chooses; BotFailed if it crashes, dies or takes too long."""
        return await self._bots.ask(answer_job, msgspec.json.encode(job), self.seconds)

    async def review(self, record: str) -> str:
        """The analysis of a record, as JSON; one game after the other."""
        return await self._judge.ask(review_record, record.encode(), self.seconds)

    async def close(self) -> None:
        """Ends all processes."""
        self._bots.close()
        self._judge.close()


class ProcessPool:
    """Processes of this machine that answer one question each; who comes first is answered first.

    Time counts from the moment at which a process begins with a question: nobody fails because others were before it.
    """

    def __init__(self, number: int, nice: int = 0) -> None:
        self._processes = [ThinkingProcess(nice) for _ in range(number)]
        self._free = self._processes[:]
        self._waiting: deque[asyncio.Future[ThinkingProcess]] = deque()

    @property
    def queue(self) -> int:
        """How many questions wait for a process."""
        return len(self._waiting)

    async def ask(self, function: Callable[[bytes], str], data: bytes, seconds: float) -> str:
        """What the function makes of the data; BotFailed if it crashes, dies or takes too long."""
        process = await self._next_process()
        try:
            return await process.ask(function, data, seconds)
        finally:
            self._give_back(process)

    async def _next_process(self) -> ThinkingProcess:
        if self._free:
            return self._free.pop()
        turn: asyncio.Future[ThinkingProcess] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._give_back(turn.result())
            raise

    def _give_back(self, process: ThinkingProcess) -> None:
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():  # else nobody waits there any more
                turn.set_result(process)
                return
        self._free.append(process)

    def close(self) -> None:
        """Ends all of them."""
        for process in self._processes:
            process.end()


class ThinkingProcess:
    """One process; if it dies or is stuck, the next question gets a new one."""

    def __init__(self, nice: int) -> None:
        self.nice = nice
        self._executor: ProcessPoolExecutor | None = None

    async def ask(self, function: Callable[[bytes], str], data: bytes, seconds: float) -> str:
        """What the function makes of the data, within so many seconds."""
        if self._executor is None:
            self._executor = ProcessPoolExecutor(
                1, get_context("spawn"), initializer=begin_process, initargs=(self.nice,)
            )
        loop = asyncio.get_running_loop()
        try:
            return await asyncio.wait_for(loop.run_in_executor(self._executor, function, data), seconds)
        except TimeoutError as late:
            self.end()
            raise BotFailed(f"no answer within {seconds:g} seconds") from late
        except BrokenProcessPool as broken:
            self.end()
            raise BotFailed("its process died") from broken
        except asyncio.CancelledError:
            self.end()  # nobody wants the answer; the next question must not wait for it
            raise
        except Exception as error:
            raise BotFailed(f"{type(error).__name__}: {error}") from error

    def end(self) -> None:
        """Ends the process, whatever it does."""
        executor, self._executor = self._executor, None
        if executor is None:
            return
        # The executor itself can only wait for a stuck process, so that is ended first.
        for process in list((executor._processes or {}).values()):
            process.kill()
        executor.shutdown(wait=False, cancel_futures=True)


def begin_process(nice: int) -> None:
    """Ctrl-C is for the server, which then ends its processes; if it was killed, they end by themselves."""
    if hasattr(os, "nice"):  # not on Windows
        os.nice(nice)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=end_with_parent, daemon=True).start()


def end_with_parent() -> None:
    """Waits until the process that asks is gone."""
    parent = parent_process()
    assert parent is not None, "this runs in a child"
    parent.join()
    os._exit(1)


_games: OrderedDict[str, Game] = OrderedDict()


def answer_job(data: bytes) -> str:
    """Runs in a process of its own: the position is caught up with, then the bot is asked."""
    job = msgspec.json.decode(data, type=Job)
    player = bot(job.bot, job.seed)
    try:
        return str(player.choose(View(game_of_job(job), job.seat)))
    finally:
        player.close()


def review_record(data: bytes) -> str:
    """Runs in a process of its own: `bastide analyse --json`."""
    return msgspec.json.encode(as_json(review(read_record(data.decode())))).decode()


def game_of_job(job: Job) -> Game:
    """The game of a job: the one known from the last question, gone back and forth as needed, or a new one."""
    game = _games.pop(job.table, None)
    if game is None:
        game, _ = job.setup.game(job.colours)
    same = 0
    for (_, action), text in zip(game.history, job.history, strict=False):
        if str(action) != text:
            break
        same += 1
    while len(game.history) > same:
        game.undo()
    for text in job.history[same:]:
        game.play(text)
    _games[job.table] = game  # only now: a game that failed on the way is not kept
    while len(_games) > KEPT:
        _games.popitem(last=False)
    return game
