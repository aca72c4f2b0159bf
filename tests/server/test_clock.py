"""Clocks are read off the times of the lines."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from bastide.server.api.incoming import Clock
from bastide.server.app import create_app
from bastide.server.settings import Settings, database_url
from bastide.server.storage.store import Store
from bastide.server.tables import moves
from bastide.server.tables.clock import DAY, LAG, SECOND, Asked, ClockFace
from bastide.server.tables.registry import TableRegistry
from bastide.server.tables.table import Table
from tests.server.client import House, Player
from tests.server.sample import SEED, a_fresh_beginning, a_table, a_waiting_table


def turn(table: Table, at: int) -> None:
    """Lays a tile and passes, both at the same moment."""
    table.play(str(table.playing.legal[0]), at)
    table.play("pass", at)


def left(table: Table, now: int) -> list[int] | None:
    return table.clock.state_at(now).left


def test_sudden_death_charges_who_decides() -> None:
    table = a_table(clock=Clock("sudden", seconds=60))
    assert left(table, 0) == [60_000, 60_000]
    assert left(table, 7_000) == [53_000, 60_000]
    turn(table, 10_000)
    turn(table, 15_000)
    assert left(table, 15_000) == [50_000, 55_000]
    assert table.clock.deadline == 65_000


def test_increments_come_after_the_turn() -> None:
    table = a_table(clock=Clock("increment", seconds=60, increment=5))
    table.play(str(table.playing.legal[0]), 10_000)
    assert left(table, 10_000) == [50_000, 60_000]
    table.play("pass", 10_000)
    assert left(table, 10_000) == [55_000, 60_000]


@pytest.mark.parametrize(
    ("clock", "full"), [(Clock("turn", seconds=60), 60 * SECOND), (Clock("days", days=3), 3 * DAY)]
)
def test_every_turn_begins_with_the_full_time(clock: Clock, full: int) -> None:
    table = a_table(clock=clock)
    table.play(str(table.playing.legal[0]), 10_000)
    assert left(table, 10_000) == [full - 10_000, full]
    table.play("pass", 20_000)
    turn(table, 30_000)
    assert left(table, 30_000) == [full, full - 10_000]
    assert table.clock.deadline == 30_000 + full


def test_without_a_clock_nothing_runs() -> None:
    table = a_table()
    turn(table, 10_000)
    assert (left(table, 10**9), table.clock.deadline) == (None, None)


def test_nothing_runs_after_the_end() -> None:
    table = a_table(clock=Clock("sudden", seconds=60))
    table.add("time 0", 60_000)
    assert table.clock.deadline is None
    assert left(table, 99_000) == [0, 60_000]
    outcome = table.outcome
    assert outcome is not None
    assert (outcome.reason, outcome.winners) == ("time", (1,))


def test_time_cannot_go_backwards() -> None:
    face = ClockFace(Clock("sudden", seconds=60), 2)
    face.tick(5_000, Asked(0, 0, 1, True))
    face.tick(4_000, Asked(1, 1, 3, True))
    assert face.left == [60_000, 60_000]


# --- on a server whose time is told by the test


class Time:
    """A clock that stands until it is set."""

    def __init__(self) -> None:
        self.now = 1_000_000

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def time() -> Time:
    return Time()


@contextmanager
def server(database: str, time: Time) -> Iterator[House]:
    with TestClient(create_app(Settings(database=database, page=Path("/nonexistent"), moment=time))) as client:
        yield House(client)


def over(player: Player) -> dict[str, Any]:
    while player.state["status"] != "over":
        player.until("state")
    return player.state


def test_the_server_alone_decides_that_time_has_run_out(database: str, time: Time) -> None:
    with server(database, time) as house, house.two(clock={"kind": "sudden", "seconds": 60}) as (red, blue):
        time.now += 59_999
        assert red.play_first()["clock"]["left"] == [1, 60_000]
        time.now += 1 + LAG
        assert over(blue)["game"]["outcome"]["reason"] == "time"
        assert blue.state["seats"][0]["out"] == "time"
        red.seen(blue.state["seq"])
        assert red.state["clock"]["left"] == [0, 60_000]
        assert red.ask("play", seq=red.state["seq"], action="pass")["code"] == "over"


def test_who_is_late_by_less_than_any_lag_is_late_all_the_same(database: str, time: Time) -> None:
    """Nobody has measured a lag for red."""
    with server(database, time) as house, house.two(clock={"kind": "sudden", "seconds": 60}) as (red, _):
        time.now += 60_001
        assert red.ask("play", seq=red.state["seq"], action="pass")["code"] == "over"
        assert over(red)["seats"][0]["out"] == "time"


@pytest.mark.parametrize(("lag", "charged"), [(0, 1000), (200, 800), (5000, 500)])
def test_lag_is_credited_up_to_a_limit(time: Time, lag: int, charged: int, database: str) -> None:
    async def play() -> list[int] | None:
        store = Store(database_url(database))
        await store.open()
        tables = TableRegistry(store, None, time)
        table = a_waiting_table(2, SEED, 2, False, clock=Clock("sudden", seconds=60))
        table.chairs[1].colour = "blue"
        await store.add(table)
        table.begin(0)
        await store.append(table, a_fresh_beginning(table))
        time.now = 1000
        async with tables.locked(table.name) as live:
            seq, action = live.table.seq, str(live.table.playing.legal[0])
        await moves.play(tables, table.name, [0], seq, action, lag)
        async with tables.locked(table.name) as live:
            shown = live.table.clock.left[:]
        await store.close()
        return shown

    assert asyncio.run(play()) == [60_000 - charged, 60_000]


def test_the_lag_is_measured_by_beats(house: House) -> None:
    with house.two(clock={"kind": "sudden", "seconds": 60}) as (red, _):
        beat = next((message for message in red.received if message["type"] == "beat"), None) or red.until("beat")
        red.send("beat", n=beat["n"])
        red.send("beat", n=99)
        assert red.ask("ping")["type"] == "pong"


def test_a_restart_gives_the_time_back_and_some_more(database: str, time: Time) -> None:
    with server(database, time) as house, house.two(clock={"kind": "sudden", "seconds": 60}) as (red, _):
        time.now += 10_000
        before = red.play_first()
    time.now += 3_600_000
    with server(database, time) as house:
        after = house.get(f"/api/tables/{before['table']}/state").json()
        assert after["status"] == "running"
        assert before["clock"]["left"] == [50_000, 60_000]
        assert after["clock"]["left"] == [65_000, 75_000]
        assert after["seq"] == before["seq"] + 1
        time.now += 65_000 + LAG
        with house.at(before["table"]) as watching:
            assert over(watching)["game"]["outcome"]["reason"] == "time"


def test_days_are_counted_although_nobody_is_there(database: str, time: Time) -> None:
    with server(database, time) as house:
        with house.two(clock={"kind": "days", "days": 2}) as (red, _):
            table = red.table
        time.now += 2 * DAY + LAG
        with house.at(table) as watching:
            assert over(watching)["seats"][0]["out"] == "time"
