"""Over Hill and Dale: the examples of the book."""

from collections import Counter

import pytest

from . import Oracle
from .dale import DaleGame
from .game import Start
from .table import BLUE, RED, Table

PATH = "OHD-PMPM-7"  # no animals, path N-S
JUNCTION = "OHD-PPPP-1"


def dale(*start: Start, players: int = 2) -> Table:
    """A scripted game."""
    return Table(*start, game="over_hill_and_dale", players=players)


def harvest(table: Table) -> list[Counter[str]]:
    """The harvest tokens of each player."""
    assert isinstance(table.oracle.game, DaleGame)
    return table.oracle.game.harvest


@pytest.mark.rule("DALE-1")
def test_72_tiles_four_meeples_and_two_stables() -> None:
    oracle = Oracle(("over_hill_and_dale",))
    assert oracle.left() == 72
    assert oracle.supply() == [{"meeple": 4, "stable": 2}] * 2


@pytest.mark.rule("DALE-4")
def test_no_meeple_in_a_meadow_nor_where_one_is() -> None:
    table = dale((JUNCTION, (0, 0), 0)).put(PATH, "1,0", 90)
    assert table.spots("meeple") == {"path E"}
    table.play("deploy meeple 1,0 path E").put(PATH, "2,0", 90)
    assert table.spots("meeple") == set()


@pytest.mark.rule("DALE-5")
def test_a_path_of_three_tiles_completed_by_an_opponent() -> None:
    table = dale((JUNCTION, (0, 0), 0)).lay(PATH, "1,0", 90, "meeple", "path E").lay(JUNCTION, "2,0")
    assert table.scored == [(RED, 3, "path")]
    assert table.supply(RED, "meeple") == 4


@pytest.mark.rule("DALE-5", "DALE-8")
def test_a_shared_path_of_four_tiles() -> None:
    """4 and 4."""
    table = dale((JUNCTION, (0, 0), 0), ("OHD-MMMM-1", (3, 1), 0))
    table.lay(PATH, "1,0", 90, "meeple", "path E").lay("OHD-MPPP-3", "3,0", 180, "meeple", "path W").lay(
        PATH, "2,0", 90
    )
    assert table.scored == [(RED, 4, "path"), (BLUE, 4, "path")]


@pytest.mark.rule("DALE-6")
def test_wandering() -> None:
    """The wanderer moves over 2 tiles, past a blue meeple: 2 points."""
    table = dale((JUNCTION, (0, 0), 0), ("OHD-MMMM-1", (3, 1), 0))
    table.lay(PATH, "1,0", 90, "meeple", "path E").lay(PATH, "3,0", 90, "meeple", "path E").lay(PATH, "2,0", 90)
    assert table.oracle.seat() == RED
    assert table.legal == {
        "pass",
        "move meeple 1,0 path E to 2,0 path E",
        "move meeple 1,0 path E to 0,0 path E",  # the junction's own tile may be entered, not crossed
    }  # not 3,0: a wanderer stands there
    table.play("move meeple 1,0 path E to 2,0 path E")
    assert table.scored == [(RED, 1, "wander")]
    table.lay("OHD-MMMM-1", "3,2").lay(PATH, "4,0", 90)
    table.play("move meeple 2,0 path E to 4,0 path E")
    assert table.scored == [(RED, 2, "wander")]


@pytest.mark.rule("DALE-6", "DALE-7")
def test_no_wandering_after_placing_a_piece_or_completing_the_path() -> None:
    table = dale((JUNCTION, (0, 0), 0)).lay(PATH, "1,0", 90, "meeple", "path E").lay("OHD-MMMM-1", "1,1")
    table.lay(PATH, "2,0", 90, "stable", "meadow")
    assert table.oracle.turn() == BLUE
    table.lay("OHD-MMMM-1", "2,1").lay(JUNCTION, "3,0")
    assert table.scored == [(RED, 4, "path")]
    assert table.oracle.turn() == BLUE
    other = dale((JUNCTION, (0, 0), 0)).lay(PATH, "1,0", 90, "meeple", "path E").lay(PATH, "2,0", 90)
    assert other.oracle.turn() == RED  # blue continued red's path: nobody wanders


@pytest.mark.rule("DALE-8", "DALE-9")
def test_a_crop_field_of_three_tiles() -> None:
    """6 points, and a token for each symbol."""
    table = dale(("OHD-CMMM-2", (0, 0), 90), ("OHD-CjCMM-5", (1, 0), 180)).lay("OHD-CMMM-3", "1,1", 0)
    assert table.scored == []  # nobody there: no points, no tokens
    assert harvest(table) == [Counter(), Counter()]
    three = dale(("OHD-CMMM-2", (0, 0), 90), ("OHD-CjMCM-1", (1, 0), 90))
    three.lay("OHD-CMMM-4", "2,0", 270, "meeple", "cropfield W")
    assert three.scored == [(RED, 6, "cropfield")]


@pytest.mark.rule("DALE-9")
def test_the_harvest_of_a_sole_owner() -> None:
    """Symbols pumpkin and grain: 1 pumpkin, 1 grain."""
    table = dale(("OHD-CMMM-2", (0, 0), 90)).lay("OHD-CPMP-3", "1,0", 270, "meeple", "cropfield W")
    assert harvest(table)[RED] == Counter(pumpkin=1, grain=1)


@pytest.mark.rule("DALE-8")
def test_two_farmers_against_one() -> None:
    """A field of 5 tiles: 10 alone."""
    table = dale(("OHD-MMMM-1", (1, -1), 0), ("OHD-MMMM-1", (3, -1), 0), ("OHD-CMMM-4", (2, -2), 180))
    table.lay("OHD-CjMCM-1", "2,-1", 0, "meeple", "cropfield N")
    table.lay("OHD-CMMM-4", "3,0", 270, "meeple", "cropfield W")
    table.lay("OHD-CMMM-4", "1,0", 90, "meeple", "cropfield E").lay("OHD-CCMC-4", "2,0")
    assert table.scored == [(RED, 10, "cropfield")]


@pytest.mark.rule("DALE-9")
def test_tied_owners_take_turns() -> None:
    """5 tokens, two owners: 3 for the player whose turn it is and 2 for the other."""
    table = dale(("OHD-MMMM-1", (0, 1), 0), ("OHD-MMMM-1", (3, 1), 0), ("OHD-CjMCM-1", (1, 0), 90))
    table.lay("OHD-CMMM-4", "0,0", 90, "meeple", "cropfield E").lay("OHD-CMMM-1", "3,0", 270, "meeple", "cropfield W")
    table.lay("OHD-CjMCM-2", "2,0", 90)
    assert table.scored == [(RED, 8, "cropfield"), (BLUE, 8, "cropfield")]
    assert table.legal == {f"choose {s}" for s in ("apple", "strawberry", "pumpkin", "sunflower", "scarecrow")}
    seats = []
    for symbol in ("apple", "scarecrow", "pumpkin", "sunflower", "strawberry"):
        seats.append(table.oracle.seat())
        table.play(f"choose {symbol}")
    assert seats == [RED, BLUE, RED, BLUE, RED]
    assert [tokens.total() for tokens in harvest(table)] == [3, 2]


@pytest.mark.rule("DALE-10")
def test_no_stable_beside_a_stable() -> None:
    table = dale(("OHD-MMMM-1", (0, 0), 0)).lay("OHD-MMMM-1", "1,0", 0, "stable", "meadow").put("OHD-MMMM-1", "2,0")
    assert "deploy stable 2,0 meadow" not in table.legal
    table.play("pass").put("OHD-MMMM-1", "3,0")
    assert "deploy stable 3,0 meadow" in table.legal
    crops = dale(("OHD-CMMM-4", (0, 0), 180)).put("OHD-CCCC-1", "0,1")
    assert crops.spots("stable") == set()


@pytest.mark.rule("DALE-11")
def test_incomplete_paths_and_fields_score_one_a_tile() -> None:
    table = dale((PATH, (0, 0), 90)).lay(PATH, "1,0", 90, "meeple", "path E")
    assert table.end() == [2, 0]
    field = dale(("OHD-CMMM-2", (0, 0), 90)).lay("OHD-CjMCM-1", "1,0", 90, "meeple", "cropfield E")
    assert field.end() == [2, 0]


@pytest.mark.rule("DALE-12")
def test_a_stable_with_nine_animals() -> None:
    """9 animals, not fully surrounded: 9."""
    table = dale(("OHD-MMMM-1", (0, 0), 0), ("OHD-MMMM-1", (2, 0), 0))
    assert table.lay("OHD-MMMM-1", "1,0", 0, "stable", "meadow").end() == [9, 0]


@pytest.mark.rule("DALE-13")
def test_sets_of_harvest_tokens() -> None:
    """12 tokens, two sets, the second with two scarecrows: 12 + 10 = 22."""
    table = dale()
    harvest(table)[RED].update(apple=3, strawberry=3, pumpkin=2, sunflower=1, grain=1, scarecrow=2)
    assert table.end() == [22, 0]
