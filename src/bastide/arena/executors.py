"""Where games are played: in this process, in several on this machine, or on a Ray cluster. One loop for all."""

from __future__ import annotations

import os
import signal
from abc import ABC, abstractmethod
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from multiprocessing import connection, get_context, parent_process
from threading import Thread
from typing import Any, Generic, TypeVar

from bastide.arena.match import Fixture, Result, Table, play
from bastide.errors import BastideError

Handle = TypeVar("Handle")  # a game that is being played


class Executor(ABC, Generic[Handle]):
    """Plays games in any order, a few at once. Fixtures are taken one by one, so that the giver can stop early."""

    room: int = 1  # games under way at once

    @abstractmethod
    def submit(self, table: Table, fixture: Fixture) -> Handle:
        """Begins a game."""

    @abstractmethod
    def wait(self, running: list[Handle]) -> tuple[list[Result], list[Handle]]:
        """Waits until at least one game is finished; gives the results, and what is still running."""

    @abstractmethod
    def close(self) -> None:
        """Ends whatever was started."""

    def results(self, table: Table, fixtures: Iterator[Fixture]) -> Iterator[Result]:
        """The results, each as soon as it is there."""
        running: list[Handle] = []
        for fixture in fixtures:
            running.append(self.submit(table, fixture))
            if len(running) >= self.room:
                done, running = self.wait(running)
                yield from done
        while running:
            done, running = self.wait(running)
            yield from done


class Here(Executor[Result]):
    """One game after another, in this process."""

    def submit(self, table: Table, fixture: Fixture) -> Result:
        return play(table, fixture)

    def wait(self, running: list[Result]) -> tuple[list[Result], list[Result]]:
        return running, []

    def close(self) -> None:
        """Nothing was started."""


class Processes(Executor["Future[Result]"]):
    """Several processes on this machine."""

    def __init__(self, workers: int) -> None:
        self.pool = ProcessPoolExecutor(workers, get_context("spawn"), initializer=leave_with_parent)
        self.room = 2 * workers

    def submit(self, table: Table, fixture: Fixture) -> Future[Result]:
        return self.pool.submit(play, table, fixture)

    def wait(self, running: list[Future[Result]]) -> tuple[list[Result], list[Future[Result]]]:
        done, rest = wait(running, return_when=FIRST_COMPLETED)
        return [game.result() for game in done], list(rest)

    def close(self) -> None:
        self.pool.shutdown(cancel_futures=True)


def leave_with_parent() -> None:
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
    """The one that was asked for."""
    if ray:
        return RayCluster(ray)
    return Processes(workers) if workers > 1 else Here()
