"""Boxes that meet: what the rules say about each other."""

import pytest

from . import Oracle
from .game import Start
from .table import BLUE, RED, Table

TOWN: list[Start] = [("E", (0, 0), 0), ("E", (0, -1), 180)]


@pytest.mark.rule("BASE-29", "RIVER-2")
def test_hands_come_from_the_land_and_wait_for_the_river() -> None:
    oracle = Oracle(("base", "river"), {"hand": 3})
    for _ in range(6):
        assert not any(text.startswith("draw RI-") for text in oracle.legal())
        oracle.play("draw U" if "draw U" in oracle.legal() else min(oracle.legal()))
    assert oracle.left() == 10 + 1 + 71 - 6
    oracle.play("draw RI-D")
    oracle.play("place RI-D 1,0 0")
    oracle.play("pass")
    assert oracle.turn() == BLUE
    assert all(text.startswith("draw RI-") for text in oracle.legal())  # nothing was drawn to the hand


@pytest.mark.rule("BASE-29", "RIVER-10")
def test_when_the_rest_of_the_river_fits_nowhere_the_turn_goes_on_from_the_hand() -> None:
    oracle = Oracle(("base", "river"), {"hand": 3}, start=[("B", (0, 0), 0)])
    oracle.game.piles[0].tiles.clear()  # only the mouth is left, and there is no river to end
    for _ in range(6):
        oracle.play("draw U")
    oracle.play("draw RI-L")
    oracle.play("discard RI-L")
    assert oracle.seat() == RED
    assert oracle.legal() == {"choose U"}


@pytest.mark.rule("BASE-29", "HILL-2")
def test_a_hill_in_the_hand_hides_a_tile_when_it_is_played() -> None:
    oracle = Oracle(("base", "hills_and_sheep"), {"hand": 3})
    for text in ("draw HS-A", "draw U", "draw U", "draw U", "draw U", "draw U"):
        oracle.play(text)
    assert oracle.left() == 71 + 18 - 6
    oracle.play("choose HS-A")
    assert oracle.left() == 71 + 18 - 6 - 1


@pytest.mark.rule("BASE-29", "WHEEL-2")
def test_an_icon_in_the_hand_acts_when_it_is_played() -> None:
    table = Table(("B", (0, 0), 0), modules=("wheel_of_fortune",), hand=3)
    table.play("draw WOF-29", "draw WOF-29", "draw WOF-29", "draw U", "draw U", "draw U")
    assert table.scores == [0, 0]
    assert table.play("choose WOF-29").scored == [(RED, 7, "storm"), (BLUE, 7, "storm")]


@pytest.mark.rule("BASE-29", "TRAD-4")
def test_the_second_turn_is_played_from_the_hand_after_drawing() -> None:
    table = Table(("W", (0, 0), 270), modules=("traders_and_builders",), hand=3).play(*["draw U"] * 3, *["draw B"] * 3)
    table.play("choose U", "place U 1,0 0", "deploy follower 1,0 road E", "draw U")
    table.play("choose B", "place B 1,1 0", "pass", "draw B")
    table.play("choose U", "place U 2,0 0", "deploy builder 2,0 road E", "draw U")
    table.play("choose B", "place B 2,1 0", "pass", "draw B")
    table.play("choose U", "place U 3,0 0", "pass", "draw B")
    assert table.oracle.seat() == RED
    assert table.legal == {"choose U", "choose B"}


@pytest.mark.rule("WHEEL-14")
def test_the_icon_of_a_replacement_acts_too() -> None:
    table = Table(("B", (0, 0), 0), modules=("wheel_of_fortune",)).play("draw X.w1")  # Taxes
    assert table.legal == {"discard X.w1"}
    table.play("discard X.w1", "draw U.w2")  # two further: Storm
    assert table.scored == [(RED, 7, "storm"), (BLUE, 7, "storm")]


@pytest.mark.rule("WHEEL-13", "BASE-30")
def test_the_wheel_counts_a_big_follower_as_one() -> None:
    table = Table(("B", (0, 0), 0), modules=("wheel_of_fortune", "inns_and_cathedrals", "traders_and_builders"))
    assert table.put("WOF-29", "1,0", 180).scores == [
        8,
        8,
    ]  # Storm: seven followers and the big one, no builder or pig
    assert table.spots("builder") == set()
    assert {"deploy big_follower crown plague", "deploy follower crown plague"} <= table.legal
    assert "deploy builder crown plague" not in table.legal


@pytest.mark.rule("ABBOT-6", "WHEEL-9", "WHEEL-13")
def test_the_abbot_and_the_wheel() -> None:
    table = Table(("B", (0, 0), 0), modules=("wheel_of_fortune", "abbot")).lay("B", "1,0", 0, "abbot", "cloister")
    assert not any(text.startswith("deploy abbot crown") for text in table.put("B", "2,0").legal)
    table.play("pass").lay("WOF-29", "3,0", 180).play("draw V.w2")  # Storm, then Plague
    assert table.oracle.seat() == RED
    assert table.legal == {"take abbot 1,0 cloister"}
    assert table.play("take abbot 1,0 cloister").scored == []


@pytest.mark.rule("ABBOT-7", "ABBOT-6")
def test_the_abbot_comes_back_without_followers_in_hand() -> None:
    table = Table(("B", (0, 0), 0), modules=("abbot",)).lay("B", "1,0", 0, "abbot", "cloister")
    table.oracle.game.supply[RED]["follower"] = 0
    table.lay("B", "0,1").put("B", "0,2")
    assert table.legal == {"pass", "take abbot 1,0 cloister"}


@pytest.mark.rule("ANNI-6", "ABBOT-2")
def test_nobody_stands_beside_the_abbot_in_a_garden() -> None:
    table = Table(modules=("anniversary", "abbot")).lay("Ug", "1,0", 0, "abbot", "garden").lay("B", "0,1")
    table.put("AE-C", "0,2")  # arrow north, to a tile: a companion
    assert not any(text.endswith("1,0 garden") and text.startswith("deploy") for text in table.legal)
    cloister = Table(modules=("anniversary", "abbot")).lay("B", "0,1", 0, "abbot", "cloister").lay("U", "1,0")
    assert "deploy follower 0,1 cloister" in cloister.put("AE-C", "0,2").legal


@pytest.mark.rule("HILL-3", "BASE-25")
def test_a_hill_breaks_the_tie_when_cities_are_supplied() -> None:
    table = Table(*TOWN, modules=("hills_and_sheep",), farmers="per_city")
    table.lay("HS-E", "0,1", 0, "follower", "field NL").lay("B", "0,-2", 0, "follower", "field NL")
    assert table.end() == [3, 0]


@pytest.mark.rule("TRAD-10", "INNS-2")
def test_the_pig_of_a_big_farmer() -> None:
    table = Table(*TOWN, ("U", (3, 0), 90), modules=("traders_and_builders", "inns_and_cathedrals"))
    table.lay("B", "0,1", 0, "big_follower", "field NL").lay("B", "2,0", 0, "follower", "field NL")
    table.lay("B", "0,2", 0, "pig", "field NL").lay("B", "1,0")
    assert table.end() == [4, 0]


@pytest.mark.rule("INNS-5", "TRAD-11")
def test_an_unoccupied_city_gives_goods_and_no_points() -> None:
    table = Table(("E", (0, 0), 90), ("TB-Q", (1, 0), 0), modules=("traders_and_builders",)).lay("E", "2,0", 270)
    assert table.scores == [0, 0]
    assert table.end() == [10, 0]
