"""Where games are played: in this process, in several on this machine, or on a Ray cluster. One loop for all."""

from __future__ import annotations

import os
import signal
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import redirect_stdout, suppress
from multiprocessing import connection, get_context, parent_process
from threading import Thread
from time import monotonic
from typing import Any, Generic, TypeVar

from bastide.arena.match import NOBODY, Fixture, Result, Table, lost_game, play
from bastide.errors import BastideError

Handle = TypeVar("Handle")  # a game that is being played

LOOK = 0.5  # seconds: how often the processes are looked at
GRACE = 5.0  # seconds for a bot to be interrupted, before its process is ended


class Executor(ABC, Generic[Handle]):
    """Plays games in any order, a few at once. Fixtures are taken one by one, so that the caller can stop early."""

    room: int = 1  # games under way at once

    @abstractmethod
    def submit(self, table: Table, fixture: Fixture) -> Handle:
        """Begins a game."""

    @abstractmethod
    def wait(self, running: list[Handle]) -> tuple[list[Result], list[Handle]]:
        """Waits until at least one game is finished. Returns the results and the games still running."""

    @abstractmethod
    def close(self) -> None:
        """Stops everything that was started."""

    def results(self, table: Table, fixtures: Iterator[Fixture]) -> Iterator[Result]:
        """Yields each result as soon as it is available."""
        running: list[Handle] = []
        for fixture in fixtures:
            running.append(self.submit(table, fixture))
            if len(running) >= self.room:
                done, running = self.wait(running)
                yield from done
        while running:
            done, running = self.wait(running)
            yield from done


class InProcess(Executor[Result]):
    """One game after another, in this process."""

    def submit(self, table: Table, fixture: Fixture) -> Result:
        with redirect_stdout(sys.stderr):  # what bots print is no part of what the arena says
            return play(table, fixture)

    def wait(self, running: list[Result]) -> tuple[list[Result], list[Result]]:
        return running, []

    def close(self) -> None:
        """Nothing was started."""


class Worker:
    """A process that plays one game at a time, with the state that it shares with this one."""

    def __init__(self) -> None:
        context = get_context("spawn")
        self.line, there = context.Pipe()
        self.work = context.Array("d", [NOBODY, 0.0], lock=False)  # the seat that is asked; until when, 0: any time
        self.process = context.Process(target=serve, args=(there, self.work), daemon=True)
        self.process.start()
        there.close()
        self.game: tuple[Table, Fixture] | None = None

    def begin(self, table: Table, fixture: Fixture) -> None:
        """Begins a game."""
        self.game = table, fixture
        with suppress(OSError):  # it has ended: `result` says so
            self.line.send(self.game)

    @property
    def stuck(self) -> bool:
        """Has a bot exceeded its time without reacting to the interruption?"""
        until: float = self.work[1]
        return 0 < until < monotonic() - GRACE

    def result(self) -> Result:
        """The result of its game. A bot that crashed the process, or had to be killed with it, has lost."""
        assert self.game is not None
        seat = int(self.work[0])
        if not self.line.poll():
            self.process.kill()
            return lost_game(*self.game, seat, "no answer in time, and it could not be interrupted")
        try:
            answer: Result | BastideError = self.line.recv()
        except (EOFError, OSError) as error:
            self.process.join()
            ended = f"its process ended ({self.process.exitcode})"
            if seat == NOBODY:
                raise BastideError(f"game {self.game[1].id}: {ended} while no bot was asked") from error
            return lost_game(*self.game, seat, ended)
        self.game = None
        if isinstance(answer, BastideError):
            raise answer
        return answer

    def close(self) -> None:
        """Ends it, whatever it does."""
        self.line.close()
        self.process.kill()
        self.process.join()


class Processes(Executor[Worker]):
    """Several processes on this machine. A bot can only crash the process of its own game."""

    def __init__(self, workers: int) -> None:
        self.room = workers
        self.idle = [Worker() for _ in range(workers)]
        self.busy: list[Worker] = []

    def submit(self, table: Table, fixture: Fixture) -> Worker:
        worker = self.idle.pop()
        worker.begin(table, fixture)
        self.busy.append(worker)
        return worker

    def wait(self, running: list[Worker]) -> tuple[list[Result], list[Worker]]:
        done: list[Worker] = []
        while not done:
            lines = connection.wait([worker.line for worker in running], timeout=LOOK)
            done = [worker for worker in running if worker.line in lines or worker.stuck]
        return [self.finished(worker) for worker in done], [worker for worker in running if worker not in done]

    def finished(self, worker: Worker) -> Result:
        """The result of a worker. The worker is then idle, or replaced if its process has ended."""
        result = worker.result()
        self.busy.remove(worker)
        if worker.game is None:
            self.idle.append(worker)
        else:
            worker.close()
            self.idle.append(Worker())
        return result

    def close(self) -> None:
        for worker in self.idle + self.busy:
            worker.close()
        self.idle, self.busy = [], []


def serve(line: Any, work: Any) -> None:
    """The loop of a worker: plays games until it is told to stop."""
    end_with_parent()
    os.dup2(2, 1)  # what bots print is no part of what the arena says

    def tell(seat: int, seconds: float) -> None:
        work[1] = monotonic() + seconds if seconds else 0.0
        work[0] = seat

    with suppress(EOFError, OSError):
        while True:
            table, fixture = line.recv()
            try:
                line.send(play(table, fixture, tell))
            except BastideError as error:
                line.send(error)


def end_with_parent() -> None:
    """A worker whose parent was killed would wait for ever: it ends as well. An interruption is the parent's affair."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        Thread(target=_watch, args=[parent.sentinel], daemon=True).start()


def _watch(sentinel: int) -> None:
    connection.wait([sentinel])
    os._exit(1)


class RayCluster(Executor[Any]):
    """A Ray cluster: `auto` for the one that runs here, `local` for one of its own, or its address."""

    def __init__(self, address: str) -> None:
        try:
            import ray
        except ModuleNotFoundError as missing:
            raise BastideError("--ray needs Ray: pip install 'bastide[ray]'") from missing
        self.ray = ray
        ray.init(address=None if address == "local" else address, log_to_driver=False, include_dashboard=False)
        self.room = 2 * int(ray.cluster_resources().get("CPU", 1))
        self.play = ray.remote(play)

    def submit(self, table: Table, fixture: Fixture) -> Any:
        return self.play.remote(table, fixture)

    def wait(self, running: list[Any]) -> tuple[list[Result], list[Any]]:
        done, rest = self.ray.wait(running, num_returns=1)
        return self.ray.get(done), rest

    def close(self) -> None:
        self.ray.shutdown()


def executor(workers: int, ray: str = "") -> Executor[Any]:
    """Makes the executor for these settings."""
    if ray:
        return RayCluster(ray)
    return Processes(workers) if workers > 1 else InProcess()
