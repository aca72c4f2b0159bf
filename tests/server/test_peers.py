"""Two processes at one table: what one does about the silence of the other."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from bastide.server import peers
from bastide.server.caretaker import Caretaker
from bastide.server.incoming import Clock
from bastide.server.outages import OutageWatch
from bastide.server.peers import GONE, QUIET
from bastide.server.registry import TableRegistry
from bastide.server.settings import database_url
from bastide.server.table import Table
from tests.server.faulty import Bus, FaultyStore
from tests.server.sample import a_table, a_warden
from tests.server.test_outages import Watching

SECONDS = 60  # that a seat has


class Pair:
    """Two processes and a table; the player who must decide is at the second of them."""

    def __init__(self, store: FaultyStore) -> None:
        self.time = 1_000_000
        self.store = store
        store.watch = OutageWatch(lambda: self.time)
        self.bus = Bus()
        self.here, self.there = (self.bus.join(store, lambda: self.time) for _ in range(2))
        self.name = "sample"

    async def begin(self) -> None:
        sample = a_table(clock=Clock("sudden", seconds=SECONDS))
        table = Table(self.name, sample.setup, sample.seed, "", sample.chairs)
        await self.store.add(table, table.begin(self.time))
        for registry in (self.here, self.there):
            async with registry.locked(self.name) as open_table:
                if registry is self.there:
                    open_table.listeners.add(Watching())
                registry.present(open_table, ask=True)
        await self.bus.deliver()

    async def wait(self, seconds: float, *alive: TableRegistry) -> None:
        """Time passes; these processes run meanwhile."""
        for _ in range(round(seconds)):
            self.time += 1000
            self.store.watch.beat()
            for registry in alive:
                await Caretaker(registry, None, a_warden(registry))._look()  # type: ignore[arg-type]
            await self.bus.deliver()

    async def table(self) -> Table:
        return await self.store.load(self.name)


@pytest.fixture
def in_a_pair(database: str, monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[Pair], Awaitable[None]]], None]:
    def run(work: Callable[[Pair], Awaitable[None]]) -> None:
        async def go() -> None:
            store = FaultyStore(database_url(database))
            await store.open()
            pair = Pair(store)
            monkeypatch.setattr(peers, "monotonic", lambda: pair.time / 1000)
            try:
                await pair.begin()
                await work(pair)
            finally:
                for registry in (pair.here, pair.there):
                    await registry.peers.close()
                await store.close()

        asyncio.run(go())

    return run


InAPair = Callable[[Callable[[Pair], Awaitable[None]]], None]


def test_nobody_is_out_of_time_while_the_process_of_his_socket_is_silent(in_a_pair: InAPair) -> None:
    """He may have moved in time there; nobody can know before it speaks or is gone."""

    async def silence(pair: Pair) -> None:
        await pair.wait(SECONDS - 3, pair.here, pair.there)
        await pair.wait(QUIET + 3, pair.here)
        assert pair.time > 1_000_000 + SECONDS * 1000
        assert (await pair.table()).out == {}
        await pair.wait(1, pair.there)  # it is back, and no move had come there in time
        await pair.wait(1, pair.here, pair.there)
        assert (await pair.table()).out == {0: "time"}

    in_a_pair(silence)


def test_the_silence_of_a_process_that_is_gone_is_given_back(in_a_pair: InAPair) -> None:
    async def death(pair: Pair) -> None:
        await pair.wait(SECONDS - 10, pair.here, pair.there)
        await pair.wait(GONE + 1, pair.here)
        table = await pair.table()
        assert table.out == {}
        assert table.clock.deadline == pair.time + 10_000  # all of the silence, to the second
        assert pair.here.open_tables[pair.name].online == set()
        await pair.wait(12, pair.here)
        assert (await pair.table()).out == {0: "time"}

    in_a_pair(death)


def test_a_seat_whose_player_is_nowhere_runs_out_of_time(in_a_pair: InAPair) -> None:
    async def nobody(pair: Pair) -> None:
        open_table = pair.there.open_tables[pair.name]
        open_table.listeners.clear()
        pair.there.present(open_table)
        await pair.bus.deliver()
        await pair.wait(SECONDS + 1, pair.here)
        assert (await pair.table()).out == {0: "time"}

    in_a_pair(nobody)
