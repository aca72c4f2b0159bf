"""The Wheel of Fortune."""

import pytest

from . import Oracle
from .game import Start
from .table import BLUE, RED, Table

WHEEL = ("wheel_of_fortune",)


@pytest.mark.rule("WHEEL-1")
def test_eighty_three_tiles_are_drawn_round_the_board() -> None:
    oracle = Oracle(("base", "wheel_of_fortune"))
    assert oracle.left() == 71 + 12
    assert len(oracle.game.board.tiles) == 16
    weights = oracle.weights()
    icons = {"N.w1": 2, "V.w1": 4, "V.w2": 2, "WOF-29": 1, "U.w1": 2, "U.w2": 3, "U.w3": 2, "X.w1": 1, "WOF-34": 1}
    icons["U.w1"] += 1  # WOF-31 is the same tile
    plain = {"N": 1, "V": 3, "U": 1, "D": 3 + 1}  # WOF-22 is a fourth D
    expected = {f"draw {name}": number for name, number in (icons | plain).items()}
    assert {name: weights[name] for name in expected} == expected
    assert "draw X" not in weights
    assert {"draw N.w2", "draw V.w3"}.isdisjoint(weights)


@pytest.mark.rule("WHEEL-1")
def test_the_board_is_one_big_start_tile() -> None:
    oracle = Oracle(("base", "wheel_of_fortune"))
    kinds = sorted(kind for kind, _, _, _ in oracle.regions())
    assert kinds == ["city"] * 3 + ["field"] * 3 + ["road"] * 3
    table = Table(modules=WHEEL).play("draw E")
    assert {"place E 0,-1 180", "place E -1,0 90", "place E 4,0 270", "place E 1,4 0"} <= table.legal  # its cities
    table.play("place E 4,0 270", "deploy follower 4,0 city W")
    assert table.scored == [(RED, 4, "city")]  # each square counts as a tile


@pytest.mark.rule("WHEEL-3", "WHEEL-4", "WHEEL-7")
def test_storm_and_fortune() -> None:
    table = Table(modules=WHEEL).play("draw WOF-29")  # three sectors on: Storm
    assert table.scored == [(RED, 7, "storm"), (BLUE, 7, "storm")]
    table.play(min(table.legal), "pass", "draw WOF-29")
    assert table.scored == [(BLUE, 3, "fortune")]


@pytest.mark.rule("WHEEL-5")
def test_taxes() -> None:
    """Blue two knights, two shields: 2 x (2+2) = 8; red one knight there: 1+2 = 3."""
    table = Table(("B", (0, 1), 0), ("B", (2, 1), 0), ("B", (4, 1), 0), modules=WHEEL)
    table.lay("B", "0,2").lay("F", "0,0", 0, "follower", "city E")
    table.lay("G", "2,0", 0, "follower", "city E").lay("F", "4,0", 0, "follower", "city E")
    table.lay("G", "1,0").lay("G", "3,0").play("draw U.w1")
    assert table.scored == [(RED, 3, "taxes"), (BLUE, 8, "taxes")]


@pytest.mark.rule("WHEEL-6")
def test_famine_needs_no_majority() -> None:
    start: list[Start] = [("E", (0, 0), 0), ("E", (0, -1), 180), ("U", (3, 0), 90)]
    table = Table(*start, modules=WHEEL)
    table.lay("B", "0,1", 0, "follower", "field NL").lay("B", "2,0", 0, "follower", "field NL")
    table.lay("B", "2,1").lay("B", "0,-2", 0, "follower", "field NL").lay("B", "1,0").play("draw U.w2")
    assert table.scored == [(RED, 1, "famine"), (BLUE, 2, "famine")]


@pytest.mark.rule("WHEEL-8", "ABBOT-6")
def test_inquisition() -> None:
    table = Table(("B", (0, 0), 0), modules=(*WHEEL, "abbot"))
    table.lay("B", "1,0", 0, "follower", "cloister").lay("B", "2,0", 0, "abbot", "cloister")
    table.lay("Eg", "3,0", 0, "abbot", "garden").play("draw WOF-29", "place WOF-29 4,0 180", "pass")
    assert table.play("draw X.w1").scored == [(RED, 2, "inquisition"), (BLUE, 2, "inquisition")]


@pytest.mark.rule("WHEEL-9")
def test_plague_takes_one_follower_from_each_player() -> None:
    table = Table(("B", (0, 0), 0), modules=WHEEL)
    table.lay("B", "1,0", 0, "follower", "cloister").lay("B", "2,0", 0, "follower", "field NL")
    table.put("WOF-29", "3,0", 180).play("deploy follower crown storm")
    table.play("draw U.w2")
    assert table.oracle.seat() == BLUE
    assert table.legal == {"take follower 2,0 field NL"}
    table.play("take follower 2,0 field NL")
    assert table.oracle.seat() == RED
    assert table.legal == {"take follower 1,0 cloister"}
    table.play("take follower 1,0 cloister")
    assert table.oracle.seat() == BLUE
    assert all(text.startswith("place U.w2") for text in table.legal)
    assert table.supply(RED) == 6  # one on the crown
    assert table.supply(BLUE) == 7


@pytest.mark.rule("WHEEL-10", "WHEEL-11")
@pytest.mark.parametrize(
    ("sector", "icon", "followers", "free", "points"),
    [
        ("famine", "U.w2", 1, False, [(RED, 3)]),  # alone, one space
        ("taxes", "U.w1", 1, True, [(RED, 6)]),  # alone, two spaces
        ("taxes", "U.w1", 2, False, [(RED, 3), (BLUE, 3)]),  # two followers, 3 each
    ],
)
def test_the_crown(sector: str, icon: str, followers: int, free: bool, points: list[tuple[int, int]]) -> None:
    table = Table(("B", (0, 0), 0), modules=WHEEL)
    for y in range(1, followers + 1):
        table.put("B", f"0,{y}").play(f"deploy follower crown {sector}")
    table.put("B", f"0,{followers + 1}")
    assert (f"deploy follower crown {sector}" in table.legal) == free
    table.play("pass", f"draw {icon}")
    assert [(player, n) for player, n, kind in table.scored if kind == "crown"] == points
    assert table.supply(RED) == table.supply(BLUE) == 7


@pytest.mark.rule("WHEEL-11")
def test_both_spaces_of_one_owner() -> None:
    table = Table(("B", (0, 0), 0), modules=WHEEL)
    table.put("B", "0,1").play("deploy follower crown taxes").lay("B", "0,2")
    table.put("B", "0,3").play("deploy follower crown taxes", "draw U.w1")
    assert table.scored == [(RED, 6, "crown")]


@pytest.mark.rule("WHEEL-11")
def test_passing_by_and_the_end_score_nothing() -> None:
    table = Table(("B", (0, 0), 0), modules=WHEEL).put("B", "0,1").play("deploy follower crown taxes")
    assert table.play("draw U.w2").scored == []  # past Taxes to Famine
    assert table.end() == [0, 0]


@pytest.mark.rule("WHEEL-12", "RIVER-5")
def test_the_spring_lies_beside_the_board_and_flows_away() -> None:
    table = Table(modules=(*WHEEL, "river")).play("draw RI-D")
    assert table.legal == {"place RI-D 1,-2 90"}
    double = Table(modules=(*WHEEL, "river"), river="anniversary").play("draw AR-D")
    assert len(double.legal) == 2


@pytest.mark.rule("WHEEL-13", "TRAD-8")
def test_a_builder_that_plague_leaves_alone_returns() -> None:
    table = Table(("B", (0, 0), 0), ("U", (0, 1), 0), modules=(*WHEEL, "traders_and_builders"))
    table.lay("U", "1,1", 0, "follower", "road E").lay("B", "0,-1")
    table.lay("U", "2,1", 0, "builder", "road E").lay("B", "0,-2")
    table.put("WOF-29", "3,1", 0).play("pass")  # Storm; the bend continues the builder's road
    table.play("draw U.w2", "take follower 1,1 road E")
    assert table.supply(RED, "builder") == 1


@pytest.mark.rule("WHEEL-1")
@pytest.mark.parametrize(("board", "points"), [("squares", 8), ("one_tile", 7)])
def test_a_road_that_meets_the_board_twice(board: str, points: int) -> None:
    table = Table(modules=WHEEL, wheel_board=board).lay("V", "2,-1", 270, "follower", "road E")
    table.lay("U", "3,-1").lay("V", "4,-1").lay("D", "4,0", 270).lay("U", "4,1", 90).lay("V", "4,2", 90)
    assert table.scored == [(RED, points, "road")]


@pytest.mark.rule("WHEEL-1")
@pytest.mark.parametrize(("board", "points"), [("squares", 22), ("one_tile", 20)])
def test_a_city_that_joins_two_sections_of_the_board(board: str, points: int) -> None:
    table = Table(modules=WHEEL, wheel_board=board).lay("G", "0,-1", 90, "follower", "city N").lay("N", "0,-2", 180)
    table.lay("G", "1,-2").lay("G", "2,-2").lay("G", "3,-2").lay("N", "4,-2", 270).lay("G", "4,-1", 90)
    table.lay("E", "-1,0", 90).lay("N", "4,0")
    assert table.scored == [(RED, points, "city")]


@pytest.mark.rule("WHEEL-1")
def test_a_cloister_counts_squares_of_the_board_that_is_one_tile() -> None:
    table = Table(modules=WHEEL, wheel_board="one_tile").lay("B", "4,1", 0, "follower", "cloister")
    assert table.end() == [4, 0]
