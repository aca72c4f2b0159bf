"""Bots think in processes of their own: the server never waits for them, and one that fails takes nothing with it.

What goes to a process and comes back is plain data, so that a queue on another machine can stand in its place.
"""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections import OrderedDict
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
        self._turn = asyncio.Lock()  # time counts from when a game's turn has come

    async def choose(self, job: Job) -> str:
        """The action that the bot chooses; BotFailed if it crashes, dies or takes too long."""
        return await self._bots.ask(answer_job, msgspec.json.encode(job), self.seconds)

    async def review(self, record: str) -> str:
        """The analysis of a record, as JSON; one game after the other."""
        async with self._turn:
            return await self._judge.ask(review_record, record.encode(), self.seconds)

    async def close(self) -> None:
        """Ends all processes."""
        self._bots.close()
        self._judge.close()


class ProcessPool:
    """Processes of this machine that answer; what dies or is stuck is replaced."""

    def __init__(self, number: int, nice: int = 0) -> None:
        self.number = number
        self.nice = nice
        self._pool: ProcessPoolExecutor | None = None

    async def ask(self, function: Callable[[bytes], str], data: bytes, seconds: float) -> str:
        """What the function makes of the data; BotFailed if it crashes, dies or takes too long."""
        loop = asyncio.get_running_loop()
        pool = self._pool = self._pool or self._new_pool()
        try:
            return await asyncio.wait_for(loop.run_in_executor(pool, function, data), seconds)
        except TimeoutError as late:
            self._discard(pool)
            raise BotFailed(f"no answer within {seconds:g} seconds") from late
        except BrokenProcessPool as broken:
            self._discard(pool)
            raise BotFailed("its process died") from broken
        except asyncio.CancelledError:
            raise
        except Exception as error:
            raise BotFailed(f"{type(error).__name__}: {error}") from error

    def _new_pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self.number, get_context("spawn"), initializer=begin_process, initargs=(self.nice,))

    def _discard(self, pool: ProcessPoolExecutor) -> None:
        """Ends a pool whose processes are dead or stuck; the next job gets a new one."""
        if self._pool is pool:
            self._pool = None
        # The executor itself can only wait for a stuck process, so its processes are ended first.
        for process in list((pool._processes or {}).values()):
            process.kill()
        pool.shutdown(wait=False, cancel_futures=True)

    def close(self) -> None:
        """Ends all of them."""
        if self._pool is not None:
            self._discard(self._pool)


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
