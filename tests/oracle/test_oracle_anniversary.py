"""The Anniversary symbols."""

import pytest

from . import Oracle
from .table import BLUE, RED, Table

SYMBOLS = ("anniversary",)


@pytest.mark.rule("ANNI-1")
def test_an_arrow_to_an_empty_square_scores_two() -> None:
    table = Table(modules=SYMBOLS).put("AE-M", "1,0")
    assert table.scored == [(RED, 2, "symbol")]
    table.play("pass")
    assert table.oracle.turn() == BLUE


@pytest.mark.rule("ANNI-2", "ANNI-8")
def test_an_arrow_to_a_lying_tile_activates_the_symbol() -> None:
    table = Table(modules=SYMBOLS).lay("AE-M", "0,1")
    assert table.scores == [0, 0]
    assert table.oracle.turn() == RED  # again
    table.lay("AE-O", "0,2")  # arrow north, to a tile: activated, but no third turn and no 2 points
    assert table.oracle.turn() == BLUE
    assert table.scores == [0, 0]


@pytest.mark.rule("ANNI-3")
def test_a_tile_laid_where_an_arrow_points_activates_that_symbol() -> None:
    table = Table(modules=SYMBOLS).lay("AE-M", "1,0").lay("B", "1,-1")
    assert table.oracle.turn() == BLUE
    table.lay("B", "1,-2")
    assert table.oracle.turn() == RED


@pytest.mark.rule("ANNI-4", "ANNI-5")
def test_arrow_against_arrow_the_player_chooses() -> None:
    table = Table(modules=SYMBOLS).lay("AE-M", "1,0").put("AE-I", "1,-1", 90)
    assert table.legal == {"choose 1,0", "choose 1,-1"}
    table.play("choose 1,0")
    assert table.scored == [(BLUE, 2, "symbol")]  # its own symbol was not activated
    table.play("pass")
    assert table.oracle.turn() == BLUE  # again
    other = Table(modules=SYMBOLS).lay("AE-M", "1,0").put("AE-I", "1,-1", 90).play("choose 1,-1")
    assert other.scored == []
    assert "deploy follower 0,0 city N" in other.legal


@pytest.mark.rule("ANNI-6")
def test_companion_beside_an_own_follower_never_a_third() -> None:
    table = Table(modules=SYMBOLS).lay("U", "1,0", 0, "follower", "road E").lay("B", "0,1").put("AE-A", "2,0", 90)
    assert "deploy follower 1,0 road E" in table.legal
    assert "deploy follower 2,0 city E" in table.legal  # the new tile is still possible
    table.play("deploy follower 1,0 road E")
    (figures,) = (f for kind, spots, _, f in table.oracle.regions() if ((1, 0), "road E") in spots)
    assert figures == frozenset({((RED, "follower"), 2)})
    table.lay("B", "1,1").put("AE-C", "1,-1")  # arrow north: not activated
    assert "deploy follower 1,0 road E" not in table.legal
    table.play("pass").lay("B", "0,2").put("AE-C", "0,3")  # arrow north, to a tile
    assert "deploy follower 0,3 cloister" in table.legal
    assert "deploy follower 1,0 road E" not in table.legal


@pytest.mark.rule("ANNI-7")
def test_anywhere_on_a_free_and_incomplete_feature() -> None:
    table = Table(modules=SYMBOLS).lay("E", "0,-1", 180).lay("U", "-1,0", 0, "follower", "road E")
    table.put("AE-F", "1,0", 90)
    assert "deploy follower 0,0 city N" not in table.legal  # complete
    assert "deploy follower 0,0 road E" not in table.legal  # occupied
    assert {"deploy follower 0,0 field EL", "deploy follower 0,-1 field NL"} <= table.legal


@pytest.mark.rule("ANNI-7", "ABBOT-2")
def test_anywhere_for_the_abbot() -> None:
    table = Table(modules=(*SYMBOLS, "abbot")).lay("Ug", "-1,0").lay("B", "0,1").put("AE-F", "1,0", 90)
    assert {"deploy abbot -1,0 garden", "deploy abbot 0,1 cloister", "deploy follower 0,1 cloister"} <= table.legal
    assert "deploy follower -1,0 garden" not in table.legal


@pytest.mark.rule("ANNI-8", "ANNI-9")
def test_again_and_the_builder_give_one_extra_turn() -> None:
    table = Table(("W", (0, 0), 270), modules=(*SYMBOLS, "traders_and_builders"))
    table.lay("U", "1,0", 0, "follower", "road E").lay("B", "1,1")
    table.lay("U", "2,0", 0, "builder", "road E").lay("B", "2,1")
    table.lay("AE-O", "3,0", 270)  # arrow west: again, and it continues the builder's road
    assert table.oracle.turn() == RED
    table.lay("U", "4,0")
    assert table.oracle.turn() == BLUE


@pytest.mark.rule("ANNI-8")
def test_fifteen_tiles_are_shuffled_in() -> None:
    assert Oracle(("base", "anniversary")).left() == 71 + 15


@pytest.mark.rule("ABBOT-9", "ANNI-6")
@pytest.mark.parametrize("joins", ["yes", "no"])
def test_the_abbot_as_companion(joins: str) -> None:
    table = Table(modules=("anniversary", "abbot"), companion_abbot=joins)
    table.lay("B", "0,1", 0, "follower", "cloister").lay("B", "1,1", 0, "abbot", "cloister").lay("U", "1,0")
    table.put("AE-E", "2,0", 270)
    assert ("deploy follower 1,1 cloister" in table.legal) == (joins == "yes")
    table.play("pass").put("AE-E", "-1,0", 90)
    assert "deploy follower 0,1 cloister" in table.legal
    assert ("deploy abbot 0,1 cloister" in table.legal) == (joins == "yes")
