"""Two processes at one table: what one does about the silence of the other."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from bastide.server.api.incoming import Clock
from bastide.server.settings import database_url
from bastide.server.tables import peers
from bastide.server.tables.caretaker import Caretaker
from bastide.server.tables.notices import ALL, SHARDS, shard_of
from bastide.server.tables.outages import OutageWatch
from bastide.server.tables.peers import GONE, QUIET
from bastide.server.tables.registry import TableRegistry
from bastide.server.tables.table import Table
from tests.server.faulty import Bus, FaultyStore
from tests.server.sample import a_poller, a_table
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
                registry.presence_changed(open_table, ask=True)
        await self.bus.deliver()

    async def wait(self, seconds: float, *alive: TableRegistry) -> None:
        """Time passes; these processes run meanwhile."""
        for _ in range(round(seconds)):
            self.time += 1000
            self.store.watch.beat()
            for registry in alive:
                await Caretaker(registry, None, a_poller(registry))._look()  # type: ignore[arg-type]
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
        pair.there.presence_changed(open_table)
        await pair.bus.deliver()
        await pair.wait(SECONDS + 1, pair.here)
        assert (await pair.table()).out == {0: "time"}

    in_a_pair(nobody)


@pytest.mark.parametrize("lost", [False, True])
def test_other_processes_hear_that_seats_have_other_holders(in_a_pair: InAPair, lost: bool) -> None:
    """Also if the notice gets lost: the next one has a number that is not the next."""

    async def leave(pair: Pair) -> None:
        watching = next(iter(pair.there.open_tables[pair.name].listeners))
        assert isinstance(watching, Watching)
        await pair.wait(1, pair.here, pair.there)
        watching.rechecks = 0
        pair.bus.lose = lambda _: lost
        pair.here.holders_changed(pair.here.entry(pair.name))
        pair.bus.lose = lambda _: False
        await pair.bus.deliver()
        assert watching.rechecks == (0 if lost else 1)
        await pair.wait(2, pair.here, pair.there)
        assert watching.rechecks == 1

    in_a_pair(leave)


def test_a_process_hears_only_of_shards_with_tables_that_it_has_open(in_a_pair: InAPair) -> None:
    async def apart(pair: Pair) -> None:
        here, there = pair.bus.stops
        assert here.followed == there.followed == {ALL, shard_of(pair.name)}
        elsewhere = next(name for name in map(str, range(SHARDS)) if shard_of(name) != shard_of(pair.name))
        heard = here.heard, there.heard
        pair.there.peers.announce(elsewhere, 1)
        await pair.bus.deliver()
        assert (here.heard, there.heard) == heard
        pair.there.peers.announce(pair.name, 1)
        await pair.bus.deliver()
        assert (here.heard, there.heard) == (heard[0] + 1, heard[1] + 1)
        del pair.here.open_tables[pair.name]
        await pair.wait(1, pair.here, pair.there)
        assert here.followed == {ALL}
        assert pair.here.online(pair.name) == {0}  # who is there is known of all tables

    in_a_pair(apart)


def test_what_happened_before_a_shard_was_followed_is_looked_for(in_a_pair: InAPair) -> None:
    """A table is read, goes on elsewhere, and only then its news is heard."""

    async def late(pair: Pair) -> None:
        here = pair.bus.stops[0]
        await pair.wait(1, pair.here, pair.there)
        here.followed.discard(shard_of(pair.name))
        async with pair.there.locked(pair.name) as open_table:
            await pair.there.commit(open_table, lambda table: table.add("resign 0", pair.time))
        await pair.bus.deliver()
        here.follow(shard_of(pair.name))
        stored = (await pair.table()).seq
        assert pair.here.open_tables[pair.name].seq == stored - 1
        await pair.here.peers.sweep()
        await pair.bus.deliver()
        assert pair.here.open_tables[pair.name].seq in (None, stored)  # nobody is there: read when somebody comes

    in_a_pair(late)
