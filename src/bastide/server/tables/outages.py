"""Notices when the server itself could not serve: its process stood still, or nothing could be stored.

Clocks count people only, so that time is given back before anybody is said to be out of time. All times here are read
from an even clock, in milliseconds: setting the clock of the machine is no outage.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from time import perf_counter

from bastide.server.api.refusal import Refusal
from bastide.server.metrics import COMMITS, LOOP_LAG
from bastide.server.tables.clock import OUTAGE, SECOND, monotonic_clock

BEAT = 0.25  # seconds between two signs that the process runs
FRESH = 5 * SECOND  # a sweep or a write that is older says nothing about the health of the server


class OutageWatch:
    """Since when, if at all, this process has failed its players."""

    def __init__(self, even: Callable[[], int] = monotonic_clock) -> None:
        self.even = even
        self._beat = even()  # the last sign of life of the process
        self._stall_from: int | None = None  # the process stood still, from here until it was noticed
        self._storage_from: int | None = None  # nothing could be stored
        self._failing = False  # and it still cannot
        self.last_write = even()
        self.last_sweep = even()

    # --- what happens
    async def watch(self, stopping: asyncio.Event) -> None:
        """Shows that the process runs, until the server stops."""
        self._beat = self.last_sweep = self.even()  # it may have been made long before
        while not stopping.is_set():
            self.beat()
            due = perf_counter() + BEAT
            with suppress(TimeoutError):
                await asyncio.wait_for(stopping.wait(), BEAT)
            LOOP_LAG.observe(max(0.0, perf_counter() - due))

    def beat(self) -> None:
        """The process runs; if it has not for a while, that is noted."""
        moment = self.even()
        if moment - self._beat > OUTAGE and self._stall_from is None:
            self._stall_from = self._beat
        self._beat = moment

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Something is read from the database in this block, if it answers."""
        began = self.even()
        try:
            yield
        except Refusal as refusal:
            if refusal.code == "unavailable":
                self._fail(began)
            raise

    @contextmanager
    def storing(self) -> Iterator[None]:
        """Something is stored in this block; it may fail, or take long."""
        began = self.even()
        with self.reading(), COMMITS.time():
            yield
        self._failing = False
        self.last_write = self.even()
        if self._storage_from is None and self.last_write - began > OUTAGE:
            self._storage_from = began

    def _fail(self, began: int) -> None:
        self._failing = True
        self._storage_from = began if self._storage_from is None else min(began, self._storage_from)

    # --- what is owed
    @property
    def failing(self) -> bool:
        """Could nothing be stored, as far as is known?"""
        return self._failing

    def stalled_for(self) -> int:
        """How long ago the process stood still and has not made up for it; 0 if it did not."""
        self.beat()
        return self._owed(self._stall_from)

    def not_storing_for(self) -> int:
        """How long ago storing began to fail and nobody has made up for it; 0 if it did not."""
        return self._owed(self._storage_from)

    def _owed(self, since: int | None) -> int:
        gone = 0 if since is None else self.even() - since
        return gone if gone > OUTAGE else 0

    def settle_stall(self) -> None:
        """The time in which the process stood still was given back."""
        self._stall_from = None

    def settle_storage(self) -> None:
        """The time in which nothing could be stored was given back, or was too short to matter."""
        self._storage_from = None

    def sweep_finished(self) -> None:
        """Clocks and bots were looked after."""
        self.last_sweep = self.even()
        if not self._failing and self._storage_from is not None and not self.not_storing_for():
            self.settle_storage()

    @property
    def sweep_age(self) -> int:
        """How long ago clocks and bots were looked after."""
        return self.even() - self.last_sweep

    @property
    def write_age(self) -> int:
        """How long ago something was stored."""
        return self.even() - self.last_write
