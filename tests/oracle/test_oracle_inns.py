"""Inns & Cathedrals: the examples of the book."""

import pytest

from .game import Start
from .table import BLUE, RED, Table

INNS = ("inns_and_cathedrals",)


@pytest.mark.rule("INNS-2")
def test_the_big_follower_counts_as_two() -> None:
    """A road with a blue big follower and a red follower: blue alone scores 3."""
    table = Table(("B", (0, 1), 0), ("B", (2, 1), 0), modules=INNS)
    table.lay("W", "0,0", 180, "follower", "road E").lay("W", "2,0", 180, "big_follower", "road W").lay("U", "1,0")
    assert table.scored == [(BLUE, 3, "road")]
    assert table.supply(BLUE, "big_follower") == 1
    assert table.supply(RED) == 7


@pytest.mark.rule("INNS-3")
@pytest.mark.parametrize("last", ["IC-C", "W"])
def test_a_complete_road_with_inns(last: str) -> None:
    """3 tiles with one inn 6, with two inns 6."""
    table = Table(("W", (0, 0), 270), ("IC-B", (1, 0), 0), modules=INNS)
    assert table.lay(last, "2,0", 180, "follower", "road W").scored == [(RED, 6, "road")]


@pytest.mark.rule("INNS-1")
def test_the_inn_belongs_to_one_section_only() -> None:
    """IC-C: the inn is on the east road; the west road is an ordinary one."""
    table = Table(("W", (0, 0), 270), ("U", (1, 0), 0), modules=INNS)
    assert table.lay("IC-C", "2,0", 0, "follower", "road W").scored == [(RED, 3, "road")]


@pytest.mark.rule("INNS-1")
def test_the_crossing_between_two_cities_has_two_roads() -> None:
    table = Table(("U", (0, 0), 0), modules=INNS).put("IC-I", "1,0")
    assert {spot for spot in table.spots() if spot.startswith("road")} == {"road E", "road W"}


@pytest.mark.rule("INNS-4")
def test_an_incomplete_road_with_an_inn_scores_nothing() -> None:
    assert Table(("U", (0, 0), 0), modules=INNS).lay("IC-B", "1,0", 0, "follower", "road E").end() == [0, 0]


def cathedral(*more: Start) -> Table:
    """A city with a cathedral, closed north, south and east."""
    caps: list[Start] = [("IC-K", (0, 0), 0), ("E", (0, -1), 180), ("E", (0, 1), 0), ("E", (1, 0), 270)]
    return Table(*caps, *more, modules=INNS)


@pytest.mark.rule("INNS-5")
def test_a_complete_city_with_a_cathedral() -> None:
    """24 points for 8 tiles-and-shields together."""
    table = cathedral(("F", (-1, 0), 0), ("G", (-2, 0), 0)).lay("E", "-3,0", 90, "follower", "city E")
    assert table.scored == [(RED, 24, "city")]


@pytest.mark.rule("INNS-6")
def test_an_incomplete_city_with_a_cathedral_scores_nothing() -> None:
    assert cathedral().lay("F", "-1,0", 0, "follower", "city E").end() == [0, 0]
