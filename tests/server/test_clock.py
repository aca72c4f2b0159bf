"""Clocks are read off the times of the lines."""

from __future__ import annotations

import pytest

from bastide.server.clock import DAY, SECOND, ClockFace
from bastide.server.incoming import Clock
from bastide.server.table import Table
from tests.server.client import House
from tests.server.sample import a_table


def turn(table: Table, at: int) -> None:
    """Lays a tile and passes, both at the same moment."""
    table.play(str(table.playing.legal[0]), at)
    table.play("pass", at)


def left(table: Table, now: int) -> list[int] | None:
    return table.clock.shown(now).left


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
    table.say("time 0", 60_000)
    assert table.clock.deadline is None
    assert left(table, 99_000) == [0, 60_000]
    outcome = table.outcome
    assert outcome is not None
    assert (outcome.reason, outcome.winners) == ("time", (1,))


def test_time_cannot_go_backwards() -> None:
    face = ClockFace(Clock("sudden", seconds=60), 2)
    face.tick(5_000, 0, 0)
    face.tick(4_000, 1, 1)
    assert face.left == [60_000, 60_000]


def test_the_server_decides_that_time_has_run_out(house: House) -> None:
    with house.two(clock={"kind": "sudden", "seconds": 1}) as (red, blue):
        while blue.state["status"] != "over":
            blue.until("state")
        assert blue.game["outcome"]["reason"] == "time"
        assert blue.state["seats"][0]["out"] == "time"
        red.seen(blue.state["seq"])
        assert red.state["clock"]["left"] == [0, 1000]
        assert red.ask("play", seq=red.state["seq"], action="pass")["code"] == "over"
