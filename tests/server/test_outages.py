"""Clocks count people only: not the time in which the server stood still or could not store anything."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from time import sleep

import pytest
from litestar.testing import TestClient

from bastide.server.api.incoming import Clock
from bastide.server.api.refusal import Refusal
from bastide.server.app import create_app
from bastide.server.settings import Settings, database_url
from bastide.server.storage.store import Store
from bastide.server.tables import moves
from bastide.server.tables.caretaker import Caretaker
from bastide.server.tables.clock import COME_BACK, LAG_QUOTA, Asked, ClockFace, ServerClock
from bastide.server.tables.open_table import OpenTable
from bastide.server.tables.outages import OutageWatch
from bastide.server.tables.registry import IDLE, KEPT, LOOKED_AT, TableRegistry
from bastide.server.tables.table import Table
from tests.server.client import PATIENCE, House
from tests.server.faulty import FaultyStore
from tests.server.sample import a_poller, a_table

CLOCK = Clock("sudden", seconds=60)
SUDDEN = {"kind": "sudden", "seconds": 600}


class World:
    """One process with one table, whose time passes as the test says."""

    def __init__(self, store: FaultyStore) -> None:
        self.time = 1_000_000
        self.store = store
        store.watch = OutageWatch(lambda: self.time)
        self.registry = TableRegistry(store, None, lambda: self.time)
        self.name = "sample"

    def wait(self, seconds: float, alive: bool = True) -> None:
        """Time passes; the process runs meanwhile, or stands still."""
        for _ in range(round(seconds)):
            self.time += 1000
            if alive:
                self.store.watch.beat()

    async def play(self, seq: int, action: str) -> int:
        return await moves.play(self.registry, self.name, [0], seq, action)

    async def sweep(self) -> None:
        await Caretaker(self.registry, None, a_poller(self.registry))._look()  # type: ignore[arg-type]

    async def table(self) -> Table:
        return await self.store.load(self.name)


def in_a_world(database: str, work: Callable[[World, int, str], Awaitable[None]]) -> None:
    async def run() -> None:
        store = FaultyStore(database_url(database))
        await store.open()
        world = World(store)
        try:
            table = a_table(clock=CLOCK)
            fresh = Table(table.name, table.setup, table.seed, "", table.chairs)
            begun = fresh.begin(world.time)
            await store.add(fresh, begun)
            await work(world, fresh.seq, str(fresh.playing.legal[0]))
        finally:
            await world.registry.peers.close()
            await store.close()

    asyncio.run(run())


def test_a_database_that_is_away_costs_nobody_the_game(database: str) -> None:
    async def outage(world: World, seq: int, action: str) -> None:
        world.wait(5)
        world.store.arm(-1)
        for _ in range(3):
            world.wait(30)
            with pytest.raises(Refusal, match="cannot store"):
                await world.play(seq, action)
            with pytest.raises(Refusal, match="cannot store"):
                await world.sweep()
        world.store.arm(0)
        await world.play(seq, action)
        table = await world.table()
        assert table.out == {}
        assert table.clock.left[0] == 60_000 - 35_000 + COME_BACK  # charged until the first write that failed

    in_a_world(database, outage)


def test_a_process_that_stood_still_takes_no_time_from_its_players(database: str) -> None:
    async def stall(world: World, seq: int, action: str) -> None:
        async with world.registry.locked(world.name) as open_table:
            open_table.listeners.add(Watching())
        world.wait(52)
        world.wait(10, alive=False)
        await world.play(seq, action)  # it was sent in time
        table = await world.table()
        assert table.out == {}
        assert table.clock.left[0] == 8_000

    in_a_world(database, stall)


def test_a_sweep_after_a_stall_gives_the_time_back_before_it_looks_at_clocks(database: str) -> None:
    async def stall(world: World, seq: int, action: str) -> None:
        async with world.registry.locked(world.name) as open_table:
            open_table.listeners.add(Watching())
        world.wait(55)
        world.wait(300, alive=False)
        await world.sweep()
        assert (await world.table()).out == {}
        world.wait(5 + COME_BACK // 1000 + 1)
        await world.sweep()
        assert (await world.table()).out == {0: "time"}

    in_a_world(database, stall)


class Watching:
    """Somebody at seat 0."""

    seats: Sequence[int] = (0,)

    def changed(self) -> None:
        """It is not shown."""

    def tell(self, message: object) -> None:
        """It is not told."""

    rechecks = 0

    def recheck_seats(self) -> None:
        self.rechecks += 1


def test_who_sets_the_clock_of_the_machine_changes_no_game() -> None:
    moments = {"wall": 10_000_000, "even": 500}
    clock = ServerClock(lambda: moments["wall"], lambda: moments["even"])
    assert clock() == 10_000_000
    moments["wall"] += 3_600_000
    moments["even"] += 20
    assert clock() == 10_000_020
    clock.start_from(10_000_010)
    assert clock() == 10_000_020
    clock.start_from(20_000_000)  # a server ran before whose clock was ahead
    assert clock() == 20_000_000


def test_steps_of_the_machines_clock_cost_nobody_the_game(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An hour ahead, two hours back; then a restart while the clock of the machine is still behind."""
    wall = 1_700_000_000_000
    sweeps: list[int] = []
    look = Caretaker._look

    async def counted(self: Caretaker) -> None:
        await look(self)
        sweeps.append(wall)

    monkeypatch.setattr(Caretaker, "_look", counted)

    def settings() -> Settings:
        return Settings(database=database, page=Path("/nonexistent"), moment=ServerClock(wall=lambda: wall))

    with TestClient(create_app(settings())) as client, House(client).two(clock=SUDDEN) as (red, blue):
        for step in (3_600_000, -7_200_000):
            wall += step
            while wall not in sweeps:
                sleep(0.02)
        red.play_first()
        red.play("pass")
        before = blue.seen(red.state["seq"])
        assert before["clock"]["running"] == 1
        assert min(before["clock"]["left"]) > (600 - PATIENCE) * 1000
    with TestClient(create_app(settings())) as client:
        after = House(client).get(f"/api/tables/{red.table}/state").json()
        assert (after["status"], after["clock"]["running"]) == ("running", 1)
        assert min(after["clock"]["left"]) > (600 - PATIENCE) * 1000
        assert after["now"] >= before["now"] - 1000  # what no line has noted is not known after a restart


# --- lag


def turns(lag: int, number: int) -> ClockFace:
    """Two players who take a second for each turn; messages of the first are, or seem, under way for long."""
    face = ClockFace(Clock("sudden", seconds=60), 2)
    face.tick(0, Asked(0, 0, 1, True))
    for turn in range(1, number + 1):
        face.tick(turn * 1000, Asked(turn % 2, turn % 2, 1 + 3 * turn, True), lag if turn % 2 else 0)
    return face


def test_lag_is_paid_from_a_quota_and_never_by_the_other_seat() -> None:
    face = turns(lag=500, number=46)
    assert face.left[1] == 60_000 - 23_000
    assert 60_000 - face.left[0] >= 23_000 - LAG_QUOTA - 23 * 100
    assert face.left[0] > turns(lag=0, number=46).left[0]


def test_a_turn_that_is_played_anew_gets_its_increment_once() -> None:
    table = a_table(clock=Clock("increment", seconds=60, increment=5))
    table.play(str(table.playing.legal[0]), 1000)
    table.play("pass", 1000)
    assert table.clock.left == [64_000, 60_000]
    table.add(f"undo {table.take_back(0)}", 2000)
    assert table.clock.left == [59_000, 59_000]  # neither red's turn nor blue's is over
    table.play(str(table.playing.legal[0]), 2000)
    table.play("pass", 2000)
    assert table.clock.left == [64_000, 59_000]


# --- health and load


def test_a_locked_database_is_not_healthy(house: House, database: str) -> None:
    with sqlite3.connect(database, isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        while (answer := house.get("/healthz")).status_code == 200:
            pass
        assert answer.json()["code"] == "unavailable"
        other.execute("ROLLBACK")
    other.close()
    while house.get("/healthz").status_code != 200:
        pass


def test_idle_tables_leave_memory() -> None:
    time = [0]
    registry = TableRegistry(Store("sqlite+aiosqlite://"), None, lambda: time[0])
    registry.entry("watched").listeners.add(Watching())
    registry.entry("idle")
    time[0] = IDLE - 1
    registry.entry("fresh")
    registry.forget_idle()
    assert set(registry.open_tables) == {"watched", "idle", "fresh"}
    time[0] = IDLE
    registry.forget_idle()
    assert set(registry.open_tables) == {"watched", "fresh"}


def test_a_table_is_found_without_a_look_at_all_others(monkeypatch: pytest.MonkeyPatch) -> None:
    registry = TableRegistry(Store("sqlite+aiosqlite://"), None, lambda: 0)
    for number in range(KEPT + 100):
        registry.entry(f"table{number}").listeners.add(Watching())
    looked: list[str] = []

    def unused(entry: OpenTable) -> bool:
        looked.append(entry.name)
        return False

    monkeypatch.setattr(OpenTable, "unused", property(unused))
    registry.entry("table0")
    assert looked == []
    registry.entry("another")
    assert len(looked) <= LOOKED_AT
    assert len(registry.open_tables) == KEPT + 101
