"""A store whose writes fail on request, and news between processes that gets lost: all in this process."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from sqlalchemy import event
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection

from bastide.server.refusal import Refusal
from bastide.server.registry import TableRegistry
from bastide.server.store import Store

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


class Bus:
    """News between registries of this process; the notice of a number may get lost."""

    def __init__(self) -> None:
        self.registries: list[TableRegistry] = []
        self.lose: Callable[[int], bool] = lambda _: False
        self.sent = 0
        self._waiting: list[bytes] = []

    def publish(self, data: bytes) -> None:
        self.sent += 1
        if not self.lose(self.sent):
            self._waiting.append(data)

    def join(self, store: Store, now: Callable[[], int]) -> TableRegistry:
        """One more process."""
        registry = TableRegistry(store, self.publish, now)
        self.registries.append(registry)
        return registry

    async def deliver(self) -> None:
        """Everybody hears what was said, and looks where that makes it look."""
        while self._waiting:
            data = self._waiting.pop(0)
            for registry in self.registries:
                await registry.peers.on_notice(data)
        for registry in self.registries:
            await registry.peers.settle()
