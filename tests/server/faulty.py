"""A store whose writes fail on request, and news between processes that gets lost: all in this process."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from sqlalchemy import Connection, Row, event
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection

from bastide.server.api.refusal import Refusal
from bastide.server.storage.store import Store
from bastide.server.tables.notices import ALL
from bastide.server.tables.registry import TableRegistry

Found = TypeVar("Found")
BEFORE, COMMIT, ANSWER = "no connection", "the commit fails", "the answer is lost"


class FaultyStore(Store):
    """Fails at the write with the number `fail_at`, in one of three ways; 0: never. -1: always."""

    fail_at = 0
    how = COMMIT
    writes = 0

    def __init__(self, url: str) -> None:
        super().__init__(url)
        if self.sqlite:  # these tests fail commits themselves; nothing is gained by waiting for the disk
            event.listen(self.engine.sync_engine, "connect", lambda raw, _: raw.execute("PRAGMA synchronous=OFF"))

    def arm(self, fail_at: int, how: str = COMMIT) -> None:
        """The write of this number, counted from now, fails."""
        self.writes, self.fail_at, self.how = 0, fail_at, how

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        self.writes += 1
        failing = self.fail_at in (self.writes, -1)
        with self.watch.storing():
            if failing and self.how == BEFORE:
                raise Refusal("unavailable")
            async with super().writing() as connection:
                yield connection
                if failing and self.how == COMMIT:
                    raise OperationalError("commit", {}, Exception("disk full"))
            if failing and self.how == ANSWER:
                raise Refusal("unavailable")

    async def write(self, work: Callable[[Connection], Found]) -> Found:
        if not self.sqlite:  # that is `writing` too
            return await super().write(work)
        self.writes += 1
        failing = self.fail_at in (self.writes, -1)

        def fail_at_the_end(connection: Connection) -> Found:
            found = work(connection)
            if failing and self.how == COMMIT:
                raise sqlite3.OperationalError("disk full")
            return found

        with self.watch.storing():
            if failing and self.how == BEFORE:
                raise Refusal("unavailable")
            found = await super().write(fail_at_the_end)
            if failing and self.how == ANSWER:
                raise Refusal("unavailable")
            return found

    async def change_at_once(self, statement: str, *given: str) -> Sequence[Row[Any]]:
        self.writes += 1
        failing = self.fail_at in (self.writes, -1)
        with self.watch.storing():
            if failing and self.how != ANSWER:  # it is one statement: with its commit all of it fails
                raise Refusal("unavailable")
            found = await super().change_at_once(statement, *given)
            if failing:
                raise Refusal("unavailable")
            return found


class Bus:
    """News between registries of this process; the notice of a number may get lost."""

    def __init__(self) -> None:
        self.stops: list[Stop] = []
        self.lose: Callable[[int], bool] = lambda _: False
        self.sent = 0
        self._waiting: list[tuple[int, bytes]] = []

    def publish(self, shard: int, data: bytes) -> None:
        self.sent += 1
        if not self.lose(self.sent):
            self._waiting.append((shard, data))

    def join(self, store: Store, now: Callable[[], int]) -> TableRegistry:
        """One more process."""
        stop = Stop(self, store, now)
        self.stops.append(stop)
        return stop.registry

    async def deliver(self) -> None:
        """Everybody who follows hears what was said, and looks where that makes it look."""
        while self._waiting:
            shard, data = self._waiting.pop(0)
            for stop in self.stops:
                if shard in stop.followed:
                    stop.heard += 1
                    stop.registry.peers.on_notice(data)
        for stop in self.stops:
            await stop.registry.peers.settle()


class Stop:
    """Where one process gets its news."""

    def __init__(self, bus: Bus, store: Store, now: Callable[[], int]) -> None:
        self.followed = {ALL}
        self.heard = 0
        self.publish = bus.publish
        self.registry = TableRegistry(store, self, now)

    def follow(self, shard: int) -> None:
        self.followed.add(shard)
        self.registry.peers.on_followed(shard)

    def unfollow(self, shard: int) -> None:
        self.followed.discard(shard)
