"""Hunters and Gatherers: the examples of the book."""

import pytest

from . import Oracle
from .game import Start
from .table import BLUE, RED, Table


def hunt(*start: Start, players: int = 2) -> Table:
    """A scripted game."""
    return Table(*start, game="hunters_and_gatherers", players=players)


@pytest.mark.rule("HUNT-1")
def test_78_tiles_five_men_and_two_huts() -> None:
    oracle = Oracle(("hunters_and_gatherers",))
    assert oracle.left() == 78
    assert oracle.supply() == [{"man": 5, "hut": 2}] * 2
    assert not any("hg08" in text for text in oracle.legal())


@pytest.mark.rule("HUNT-4")
def test_no_second_man_in_a_forest_river_or_meadow() -> None:
    table = hunt(("hg002", (0, 0), 0)).lay("hg005", "0,-1", 180, "man", "forest N")
    table.put("hg005", "0,-2", 0)
    assert table.spots("man") == {"meadow NL"}  # a hunter, no gatherer
    meadows = hunt(("hg002", (0, 0), 0)).lay("hg002", "1,0", 0, "man", "meadow NL").put("hg032", "2,0", 90)
    assert meadows.spots("man") == {"forest W", "river N", "meadow NR"} - {"forest W"} | meadows.spots("man") & {
        "forest W"
    }


@pytest.mark.rule("HUNT-5", "HUNT-10")
def test_rivers() -> None:
    """3 sections, lakes with 1 and 2 fish: 6; 2 sections and 1 fish: 3, also when an opponent completed it."""
    six = hunt(("hg057", (0, 0), 0), ("hg028", (1, 0), 0)).lay("hg061", "2,0", 0, "man", "river W")
    assert six.scored == [(RED, 6, "river")]
    assert six.supply(RED, "man") == 5
    three = hunt(("hg002", (0, 0), 0)).lay("hg057", "0,1", 0, "man", "river E").lay("hg042", "1,1", 270)
    assert three.scored == [(RED, 3, "river")]


@pytest.mark.rule("HUNT-6")
def test_a_forest_of_two_sections() -> None:
    table = hunt(("hg005", (0, 0), 0)).lay("hg005", "0,1", 180, "man", "forest N")
    assert table.scored == [(RED, 4, "forest")]
    assert table.oracle.turn() == BLUE  # no nugget, no bonus tile


@pytest.mark.rule("HUNT-6", "HUNT-9")
def test_tied_gatherers_score_ten_each() -> None:
    """A forest of 5 sections: 10 and 10."""
    table = hunt(("hg002", (0, 1), 0), ("hg002", (4, 1), 0), ("hg009", (1, 0), 0), ("hg009", (2, 0), 0))
    table.lay("hg007", "0,0", 0, "man", "forest E") if False else None
    table.lay("hg007", "4,0", 180, "man", "forest W").lay("hg007", "0,0", 0, "man", "forest E").put("hg009", "3,0")
    table.play("pass")
    assert table.scored == [(RED, 10, "forest"), (BLUE, 10, "forest")]


@pytest.mark.rule("HUNT-18")
def test_sections_are_counted_not_tiles() -> None:
    """hg045 has two forest sections of the same forest: 4 tiles, 5 sections, 10 points."""
    table = hunt(("hg012", (-1, 1), 270), ("hg012", (-1, 0), 0), ("hg014", (0, 1), 0))
    table.put("hg045", "0,0")
    assert {"forest S", "forest W"} <= table.spots("man")
    table.play("deploy man 0,0 forest S")
    assert table.scored == [(RED, 10, "forest")]


@pytest.mark.rule("HUNT-7", "HUNT-8")
def test_a_nugget_gives_a_bonus_tile_to_who_completes_the_forest() -> None:
    table = hunt(("hg007", (0, 0), 0)).lay("hg009", "1,0", 0, "man", "forest E").lay("hg007", "2,0", 180)
    assert table.scored == [(RED, 6, "forest")]
    assert table.asks_chance
    assert table.oracle.turn() == BLUE
    table.lay("hg088", "0,1")
    assert table.oracle.turn() == RED
    oracle = Oracle(("hunters_and_gatherers",), start=[("hg007", (0, 0), 0), ("hg009", (1, 0), 0)])
    oracle.play("draw hg007")
    oracle.play("place hg007 2,0 180")
    oracle.play("pass")
    assert oracle.left() == 77
    assert oracle.weights() == {f"draw hg{number:03}": 1 for number in range(80, 92)}


@pytest.mark.rule("HUNT-8")
def test_no_chain_of_bonus_tiles() -> None:
    table = hunt(("hg007", (0, 0), 0), ("hg009", (1, 0), 0), ("hg007", (0, 2), 0), ("hg009", (1, 2), 0))
    table.lay("hg007", "2,0", 180)  # red completes a forest with a nugget
    assert table.oracle.turn() == RED
    table.lay("hg007", "2,2", 180)  # and another with the bonus tile
    assert table.oracle.turn() == BLUE


@pytest.mark.rule("HUNT-11")
def test_one_hut_in_a_river_system() -> None:
    table = hunt(("hg057", (0, 0), 0)).lay("hg028", "1,0", 0, "hut", "waters E").put("hg079", "2,0")
    assert table.spots("hut") == set()  # the lake joins its four rivers to one system
    assert "river W" in table.spots("man")  # huts and fishers don't exclude each other
    two = hunt(("hg028", (0, 0), 0)).put("hg056", "1,0")
    assert two.spots("hut") == {"waters N", "waters S"}


@pytest.mark.rule("HUNT-12", "HUNT-13")
def test_huts_score_the_fish_of_the_system() -> None:
    """5 fish: 5 points; incomplete rivers and forests nothing."""
    table = hunt(("hg057", (0, 0), 0), ("hg079", (1, 0), 0)).lay("hg061", "2,0", 0, "hut", "waters W")
    table.lay("hg028", "1,-1", 90, "man", "river N").lay("hg005", "2,-1", 0, "man", "forest S")
    assert table.end() == [5, 0]


def meadow(*tiles: str) -> Table:
    """A meadow with these tiles in a row, all of it one meadow, and room for hunters at both ends."""
    return hunt(*((tile, (x, 0), 0) for x, tile in enumerate(tiles)))


@pytest.mark.rule("HUNT-14", "HUNT-15")
def test_prey_and_tigers() -> None:
    """1 deer: 2; 1 deer, 1 mammoth, 1 tiger, tied: 2 and 2; 2 tigers, 1 deer: 0."""
    assert hunt(("hg002", (9, 9), 0)).lay("hg008", "9,8", 0, "man", "meadow NL").end() == [2 + 2, 0]
    tied = hunt(("hg012", (0, 0), 180), ("hg019", (1, 0), 0))
    assert tied.end() == [0, 0]


def hunters(count: int, *tiles: tuple[str, int]) -> Table:
    """Red has `count` hunters, blue one, in the meadow of a row of tiles (name, turn) at y=0; hg012 are the hunters' tiles."""
    start: list[Start] = [(name, (2 * x, 0), turn) for x, (name, turn) in enumerate(tiles)]
    return hunt(*start)
