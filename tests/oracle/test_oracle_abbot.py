"""The Abbot and the gardens."""

import pytest

from . import Oracle
from .game import Start
from .table import RED, Table

ABBOT = ("abbot",)


@pytest.mark.rule("ABBOT-1", "ABBOT-8")
def test_gardens_exist_only_with_the_abbot() -> None:
    oracle = Oracle(("base", "abbot"))
    assert oracle.weights()["draw E"] == 4
    assert oracle.weights()["draw Eg"] == 1
    assert oracle.supply()[0] == {"follower": 7, "abbot": 1}


@pytest.mark.rule("ABBOT-2")
def test_the_abbot_goes_to_cloisters_and_gardens_only() -> None:
    garden = Table(modules=ABBOT).put("Ug", "1,0")
    assert garden.spots("abbot") == {"garden"}
    assert garden.spots("follower") == {"road E", "field NL", "field ER"}
    cloister = Table(modules=ABBOT).put("A", "1,0", 90)
    assert cloister.spots("abbot") == {"cloister"}
    assert "cloister" in cloister.spots("follower")


def garden_with(around: int) -> Table:
    """Red's abbot in a garden with so many tiles around it."""
    ring = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1)][: around - 1]
    start: list[Start] = [("U" if cell[1] == 0 else "B", cell, 0) for cell in ring]
    return Table(*start, modules=ABBOT).lay("Ug", "0,0", 0, "abbot", "garden").lay("B", "0,-2")


@pytest.mark.rule("ABBOT-3")
def test_a_surrounded_garden_scores_nine() -> None:
    table = garden_with(8).lay("B", "1,1")
    assert table.scored == [(RED, 9, "garden")]
    assert table.supply(RED, "abbot") == 1


@pytest.mark.rule("ABBOT-4", "ABBOT-7")
def test_taking_the_abbot_back() -> None:
    """Garden with 5 tiles around: 6 points; the tile just placed counts."""
    table = garden_with(5).put("B", "0,1")
    assert "take abbot 0,0 garden" in table.legal
    table.play("take abbot 0,0 garden")
    assert table.scored == [(RED, 6, "garden")]
    assert table.supply(RED, "abbot") == 1
    assert "take abbot 0,0 garden" not in garden_with(8).put("B", "1,1").legal  # surrounded: scored anyway


@pytest.mark.rule("ABBOT-5")
def test_an_abbot_scores_at_the_end_like_a_monk() -> None:
    assert garden_with(4).end() == [4, 0]
