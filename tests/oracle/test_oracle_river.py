"""The River and the Anniversary River."""

import pytest

from . import Oracle
from .table import BLUE, RED, Table


@pytest.mark.rule("RIVER-1", "RIVER-2", "BASE-1")
def test_the_river_comes_first_and_the_mouth_last() -> None:
    oracle = Oracle(("base", "river"))
    assert oracle.left() == 10 + 1 + 71
    assert set(oracle.weights().values()) == {1, 2}  # plain straights and bends twice, when their marks mean nothing
    assert sum(oracle.weights().values()) == 10
    turns = []
    while oracle.left() > 71:
        assert all(text.startswith("draw RI-") for text in oracle.legal())
        turns.append(oracle.turn())
        if oracle.left() == 72:
            assert oracle.legal() == {"draw RI-L"}
        oracle.play(min(oracle.legal()))
        oracle.play(min(oracle.legal()))
        oracle.play("pass")
    assert turns == [0, 1] * 5 + [0]
    assert oracle.weights()["draw D"] == 3


@pytest.mark.rule("RIVER-3")
def test_no_bend_directly_after_a_bend_the_same_way() -> None:
    table = Table(modules=("river",)).lay("RI-G", "1,0")  # the spring flows east, this bend leads south
    table.play("draw RI-G")
    assert "place RI-G 1,1 180" in table.legal  # back to the east
    assert "place RI-G 1,1 90" not in table.legal  # to the west: a U-turn
    assert {text.split()[2] for text in table.legal} == {"1,1"}  # only against the open end
    straight = Table(modules=("river",)).lay("RI-G", "1,0", 0).lay("RI-D", "1,1", 90).play("draw RI-G")
    assert "place RI-G 1,2 90" in straight.legal


@pytest.mark.rule("RIVER-4")
def test_no_follower_on_the_river_which_separates_fields() -> None:
    table = Table(("RI-D", (0, 0), 0), modules=("river",)).put("RI-D", "1,0")
    assert table.spots() == {"field NL", "field ER"}
    table.play("deploy follower 1,0 field NL").put("RI-D", "2,0")
    assert table.spots() == {"field ER"}
    spring = Table(modules=("river",)).lay("RI-D", "1,0", 0, "follower", "field NL").put("RI-D", "2,0")
    assert spring.spots() == set()  # the field runs round the spring


@pytest.mark.rule("RIVER-6")
def test_printed_sheep_and_vineyards_mean_something_only_with_their_box() -> None:
    assert "draw RI-F" not in Oracle(("base", "river")).legal()
    with_hills = Oracle(("base", "river", "hills_and_sheep"))
    assert with_hills.weights()["draw RI-D"] == 2  # one sheep each
    assert with_hills.weights()["draw RI-G"] == 2  # a vineyard each
    with_hills.play("draw RI-D")
    assert {text.split()[-1] for text in with_hills.legal()} == {"0", "180"}  # the sheep tell the sides apart


@pytest.mark.rule("RIVER-7")
def test_the_double_spring_counts_as_two_tiles() -> None:
    oracle = Oracle(("base", "river"), {"river": "anniversary"})
    assert oracle.left() == 14 + 2 + 71
    fields = [spots for kind, spots, _, _ in oracle.regions() if kind == "field"]
    assert fields == [frozenset({((0, 0), "field NL"), ((1, 0), "field NL")})]
    assert len(oracle.game.board.tiles) == 2


@pytest.mark.rule("RIVER-8")
def test_either_end_may_be_continued() -> None:
    table = Table(modules=("river",), river="anniversary").play("draw AR-D")
    assert table.legal == {"place AR-D 0,1 90", "place AR-D 1,-1 90"}


@pytest.mark.rule("RIVER-9")
def test_no_bend_to_a_side_where_river_tiles_lie() -> None:
    table = Table(modules=("river",), river="anniversary").play("draw AR-G")
    assert table.legal == {"place AR-G 0,1 90", "place AR-G 1,-1 270"}  # away from the spring
    table.play("place AR-G 1,-1 270", "pass").lay("AR-D", "0,1", 90).lay("AR-D", "2,-1").play("draw AR-G")
    assert table.legal == {"place AR-G 0,2 90", "place AR-G 3,-1 90"}  # the spring is two rows, two columns away
    table.play("place AR-G 3,-1 90", "pass").lay("AR-D", "0,2", 90).play("draw AR-G")
    assert {"place AR-G 0,3 90", "place AR-G 0,3 180"} <= table.legal  # now three rows


@pytest.mark.rule("RIVER-9")
def test_the_two_ends_do_not_run_to_one_square() -> None:
    start = [("AR-L", (0, 0), 180), ("AR-D", (1, 0), 0), ("B", (1, 1), 0), ("B", (1, 2), 0), ("AR-L", (2, 2), 90)]
    table = Table(*start, modules=("river",), river="anniversary").play("draw AR-D")
    assert table.legal == {"place AR-D 2,0 0"}


@pytest.mark.rule("RIVER-9")
def test_a_bend_towards_tiles_where_there_is_no_other_place() -> None:
    start = [("AR-L", (0, 0), 180), ("AR-G", (1, 0), 0), ("B", (2, 0), 0)]
    table = Table(*start, modules=("river",), river="anniversary").play("draw AR-G")
    assert table.legal == {"place AR-G 1,1 180"}


@pytest.mark.rule("RIVER-9")
def test_only_immediate_turns_are_refused_if_so_chosen() -> None:
    table = Table(modules=("river",), river="anniversary", river_bends="immediate").play("draw AR-G")
    assert table.legal == {"place AR-G 0,1 90", "place AR-G 0,1 180", "place AR-G 1,-1 0", "place AR-G 1,-1 270"}


@pytest.mark.rule("RIVER-3", "RIVER-9")
@pytest.mark.parametrize(("bends", "places"), [("away", 1), ("immediate", 2)])
def test_the_river_keeps_away_from_the_wheel_board(bends: str, places: int) -> None:
    table = Table(modules=("river", "wheel_of_fortune"), river_bends=bends)
    table.lay("RI-G", "1,-2", 0).lay("RI-D", "0,-2", 0).lay("RI-D", "-1,-2", 0).play("draw RI-G")
    assert "place RI-G -2,-2 180" in table.legal
    assert len(table.legal) == places


@pytest.mark.rule("RIVER-9")
def test_no_two_bends_in_a_row_the_same_way() -> None:
    table = Table(modules=("river",), river="anniversary").lay("AR-G", "0,1", 90).play("draw AR-G")
    assert {text for text in table.legal if " -1,1 " in text} == {"place AR-G -1,1 270"}


@pytest.mark.rule("RIVER-10", "RIVER-2")
def test_after_the_mouth_the_land_follows() -> None:
    oracle = Oracle(("base", "river"))
    while oracle.left() > 71:
        oracle.play(min(oracle.legal()))
    while oracle.seat() != -1:
        oracle.play("pass" if "pass" in oracle.legal() else min(oracle.legal()))
    assert not any(text.startswith("draw RI-") for text in oracle.legal())
    assert oracle.scores() == [0, 0]
    assert oracle.turn() in (RED, BLUE)
