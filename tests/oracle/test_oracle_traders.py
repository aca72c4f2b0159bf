"""Traders & Builders: the examples of the book."""

from collections import Counter

import pytest

from .base import BaseGame
from .table import BLUE, RED, Table
from .traders import TradersAndBuilders

TRADERS = ("traders_and_builders",)


def goods(table: Table) -> list[Counter[str]]:
    """The goods tokens of each player."""
    assert isinstance(table.oracle.game, BaseGame)
    (box,) = (box for box in table.oracle.game.boxes if isinstance(box, TradersAndBuilders))
    return box.goods


def road_with_builder() -> Table:
    """(1) red's robber, (2) red's builder; blue lays elsewhere."""
    table = Table(("W", (0, 0), 270), modules=TRADERS)
    table.lay("U", "1,0", 0, "follower", "road E").lay("B", "1,1")
    return table.lay("U", "2,0", 0, "builder", "road E").lay("B", "2,1")


@pytest.mark.rule("TRAD-2", "TRAD-3")
def test_the_builder_needs_an_own_follower_in_the_road_or_city() -> None:
    table = Table(("W", (0, 0), 270), modules=TRADERS).put("U", "1,0")
    assert table.spots("builder") == set()
    table.play("deploy follower 1,0 road E").put("U", "2,0")
    assert table.spots("builder") == set()  # blue has none there
    table.play("pass").put("U", "3,0")
    assert table.spots("builder") == {"road E"}


@pytest.mark.rule("TRAD-4", "TRAD-5")
def test_continuing_the_builders_road_gives_a_second_turn_and_no_third() -> None:
    """(3a) a tile continues the road; (3b) a second tile is drawn and placed."""
    table = road_with_builder().lay("U", "3,0")
    assert table.oracle.turn() == RED
    table.lay("U", "4,0")
    assert table.oracle.turn() == BLUE


@pytest.mark.rule("TRAD-6", "TRAD-9")
def test_builder_and_follower_that_came_back_are_placed_with_the_second_tile() -> None:
    """(3a) the tile completes the road, knight on its city; (3b) the second tile continues that city: builder."""
    table = road_with_builder().lay("L", "3,0", 0, "follower", "city N")
    assert table.scored == [(RED, 4, "road")]
    assert table.supply(RED, "builder") == 1
    table.put("G", "3,-1", 90)
    assert table.oracle.turn() == RED
    assert "city N" in table.spots("builder")


@pytest.mark.rule("TRAD-7", "TRAD-8")
def test_builders_never_count_for_the_majority_and_return_with_the_road() -> None:
    table = road_with_builder().lay("U", "3,0").lay("B", "3,1")  # red's double turn
    table.put("U", "4,0")
    assert table.spots("builder") == set()  # blue has no follower there
    table.play("pass").lay("W", "5,0")
    assert table.scored == [(RED, 6, "road")]
    assert table.supply(RED, "builder") == 1


def two_towns_with_pigs() -> Table:
    """Two cities in a field with two blue farmers, a red one, and both pigs."""
    towns = [("E", (0, 0), 0), ("E", (0, -1), 180), ("E", (2, 0), 0), ("E", (2, -1), 180), ("U", (5, 0), 90)]
    table = Table(*towns, modules=TRADERS)
    table.lay("B", "0,1", 0, "follower", "field NL").lay("B", "2,1", 0, "follower", "field NL")
    table.lay("B", "0,2", 0, "pig", "field NL").lay("B", "4,0", 0, "follower", "field NL")
    table.lay("B", "1,0").lay("B", "3,0", 0, "pig", "field NL")
    return table


@pytest.mark.rule("TRAD-10")
def test_the_pig_adds_a_point_a_city_for_the_majority() -> None:
    """Field with 2 cities, blue majority with pig: 8; red without majority: 0."""
    assert two_towns_with_pigs().end() == [0, 8]


@pytest.mark.rule("TRAD-10")
def test_a_shared_majority_counts_for_the_pig_too() -> None:
    towns = [("E", (0, 0), 0), ("E", (0, -1), 180)]
    table = Table(*towns, ("U", (3, 0), 90), modules=TRADERS)
    table.lay("B", "0,1", 0, "follower", "field NL").lay("B", "2,0", 0, "follower", "field NL")
    table.lay("B", "0,2", 0, "pig", "field NL").lay("B", "1,0")
    assert table.end() == [4, 3]


@pytest.mark.rule("TRAD-13")
def test_the_pig_when_cities_are_supplied() -> None:
    towns = [("E", (0, 0), 0), ("E", (0, -1), 180)]
    table = Table(*towns, modules=TRADERS, farmers="per_city")
    table.lay("B", "0,1", 0, "follower", "field NL").lay("B", "0,2").lay("B", "0,3", 0, "pig", "field NL")
    assert table.end() == [4, 0]


@pytest.mark.rule("TRAD-11")
def test_who_completes_the_city_takes_the_goods() -> None:
    """Red completes, blue's knight scores 10, red takes 2 grain and 1 wine."""
    table = Table(("E", (0, 0), 90), ("TB-E", (1, 0), 0), ("TB-Q", (2, 0), 0), modules=TRADERS)
    table.lay("B", "0,1").lay("TB-E", "3,0", 0, "follower", "city E").lay("E", "4,0", 270)
    assert table.scored == [(BLUE, 10, "city")]
    assert goods(table) == [Counter(grain=2, wine=1, cloth=0), Counter()]


@pytest.mark.rule("TRAD-12")
def test_ten_points_for_the_most_of_each_kind() -> None:
    """Two players: 20 and 30."""
    table = Table(modules=TRADERS)
    goods(table)[RED].update(wine=4, grain=3, cloth=2)
    goods(table)[BLUE].update(wine=4, grain=1, cloth=2)
    assert table.end() == [30, 20]
    assert Table(modules=TRADERS).end() == [0, 0]


@pytest.mark.rule("TRAD-1")
def test_the_bridge_is_no_crossing() -> None:
    table = Table(("U", (0, 0), 0), modules=TRADERS).put("TB-B", "1,0")
    assert table.spots() == {"road N", "road E", "field NL", "field NR", "field ER", "field SR"}
