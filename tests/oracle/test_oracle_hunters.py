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
    small = (
        hunt(("hg002", (0, 0), 0))
        .lay("hg002", "1,0", 0, "man", "meadow NL")
        .lay("hg003", "0,1")
        .put("hg032", "2,0", 270)
    )
    assert small.spots("man") == {"forest E", "river N", "meadow NR"}  # a hunter only in the small separate meadow


@pytest.mark.rule("HUNT-4", "HUNT-9")
def test_a_tile_that_joins_three_hunters_takes_none() -> None:
    table = hunt(("hg003", (0, 0), 0), ("hg003", (2, 0), 0), ("hg003", (1, 1), 0), players=3)
    table.lay("hg002", "-1,0", 0, "man", "meadow NL").lay("hg002", "3,0", 0, "man", "meadow NL")
    table.lay("hg002", "1,2", 0, "man", "meadow NL").put("hg002", "1,0")
    assert table.legal == {"pass"}


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
    table = hunt(("hg002", (4, 1), 0), ("hg009", (1, 0), 0), ("hg009", (2, 0), 0))
    table.lay("hg007", "4,0", 180, "man", "forest W").lay("hg007", "0,0", 0, "man", "forest E").lay("hg009", "3,0")
    assert table.scored == [(RED, 10, "forest"), (BLUE, 10, "forest")]


@pytest.mark.rule("HUNT-9")
def test_the_majority_of_gatherers_takes_all() -> None:
    """Red two gatherers, blue one, 6 sections: red 12."""
    table = hunt(("hg009", (1, 0), 0), ("hg002", (3, 1), 0), ("hg009", (2, -1), 90))
    table.lay("hg007", "0,0", 0, "man", "forest E").lay("hg007", "3,0", 180, "man", "forest W")
    table.lay("hg005", "2,-2", 0, "man", "forest S").lay("hg025", "2,0")
    assert table.scored == [(RED, 12, "forest")]
    assert table.supply(RED, "man") == table.supply(BLUE, "man") == 5


@pytest.mark.rule("HUNT-18")
def test_sections_are_counted_not_tiles() -> None:
    """hg045 has two forest sections of the same forest: 4 tiles, 5 sections, 10 points."""
    table = hunt(("hg012", (-1, 1), 270), ("hg012", (-1, 0), 0), ("hg014", (0, 1), 0))
    table.put("hg045", "0,0")
    assert {"forest S", "forest W"} <= table.spots("man")
    table.play("deploy man 0,0 forest S")
    assert table.scored == [(RED, 10, "forest")]


@pytest.mark.rule("HUNT-18")
def test_the_same_lake_at_both_ends_counts_once() -> None:
    """A river of 5 sections that leaves a lake with 2 fish and comes back to it: 7."""
    table = hunt(("hg079", (0, 0), 0), ("hg033", (0, -1), 180), ("hg033", (1, -1), 270))
    assert table.lay("hg033", "1,0", 0, "man", "river N").scored == [(RED, 7, "river")]


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
    table.lay("hg028", "1,-1", 90, "man", "river N").lay("hg005", "2,-1", 180, "man", "forest N")
    assert table.end() == [5, 0]


@pytest.mark.rule("HUNT-14")
def test_one_deer() -> None:
    """Meadow 1: 1 deer, 2 points."""
    assert hunt(("hg003", (0, 0), 0)).lay("hg012", "0,-1", 180, "man", "meadow EL").end() == [2, 0]


@pytest.mark.rule("HUNT-15")
def test_the_tiger_eats_the_deer() -> None:
    """Meadow 2: 1 deer, 1 mammoth, 1 tiger, two players tied: 2 and 2."""
    table = hunt(("hg019", (0, 0), 0), ("hg003", (2, 0), 0))
    table.lay("hg012", "0,1", 0, "man", "meadow NL").lay("hg012", "2,-1", 180, "man", "meadow EL").lay("hg002", "1,0")
    assert table.end() == [2, 2]


@pytest.mark.rule("HUNT-14", "HUNT-15", "HUNT-16")
def test_the_large_meadow() -> None:
    """Meadow 3: 2 deer, 2 mammoths, 1 aurochs, 1 tiger, red most hunters: red alone 8."""
    table = hunt(("hg084", (0, 0), 0), ("hg002", (1, 0), 0), ("hg002", (3, 0), 0), ("hg019", (5, 0), 90))
    table.lay("hg012", "1,-1", 180, "man", "meadow EL").lay("hg012", "3,-1", 180, "man", "meadow EL")
    table.lay("hg012", "5,1", 0, "man", "meadow NL").lay("hg003", "2,0").lay("hg003", "4,0")
    assert table.end() == [8, 0]


@pytest.mark.rule("HUNT-15")
def test_surplus_tigers_do_nothing() -> None:
    """Meadow 4: 2 tigers, 1 deer: 0."""
    table = hunt(("hg019", (0, 0), 0), ("hg003", (1, 0), 0), ("hg019", (2, 0), 90))
    assert table.lay("hg012", "0,1", 0, "man", "meadow NL").end() == [0, 0]


@pytest.mark.rule("HUNT-16")
def test_fire_drives_the_tigers_away() -> None:
    table = hunt(("hg019", (0, 0), 0), ("hg003", (1, 0), 0), ("hg088", (2, 0), 0))
    assert table.lay("hg012", "0,1", 0, "man", "meadow NL").end() == [2, 0]


@pytest.mark.rule("HUNT-16", "HUNT-19")
def test_the_hunter_on_the_shrine_scores_alone() -> None:
    """Red on the shrine, blue with two hunters: 4 mammoths and a deer that the shrine's tiger eats, red 8."""
    table = hunt(("hg002", (0, 1), 0), ("hg002", (2, 0), 0), ("hg002", (4, 0), 0))
    table.lay("hg090", "0,0", 180, "man", "meadow EL").lay("hg012", "2,-1", 180, "man", "meadow EL").lay("hg003", "1,0")
    table.lay("hg012", "4,-1", 180, "man", "meadow EL").lay("hg002", "3,0")
    assert table.end() == [8, 0]


@pytest.mark.rule("HUNT-6", "HUNT-16")
def test_mushrooms_add_two() -> None:
    table = hunt(("hg007", (0, 0), 0), ("hg083", (1, 0), 0)).lay("hg007", "2,0", 180, "man", "forest W")
    assert table.scored == [(RED, 3 * 2 + 2, "forest")]
