"""Bots think in processes of their own: the server never waits for them, and one that fails takes nothing with it.

What goes to a process and comes back is plain data, so that a queue on another machine can stand in its place.
"""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import get_context, parent_process

import msgspec

from bastide.server.tasks import within
from bastide.server.thinking.jobs import BotFailed, Job, answer_job, review_record

PATIENT = 10  # how nice the process is that analyses games: bots and people come first
ATTEMPTS = 3  # to ask when the process dies


class ProcessDied(BotFailed):
    """The process in which it thought is gone; perhaps somebody has ended it."""


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
            for _ in range(ATTEMPTS - 1):  # whoever ended a process need not have meant this question
                with suppress(ProcessDied):
                    return await process.ask(function, data, seconds)
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
            return await within(seconds, loop.run_in_executor(self._executor, function, data))
        except TimeoutError as late:
            self.end()
            raise BotFailed(f"no answer within {seconds:g} seconds") from late
        except BrokenProcessPool as broken:
            self.end()
            raise ProcessDied("its process died") from broken
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
