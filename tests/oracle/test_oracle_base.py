"""The worked examples of the books for the base game, with exactly their numbers."""

import random

import pytest

from . import Oracle
from .base import EDITIONS
from .game import Start
from .table import BLUE, RED, YELLOW, Table

CLASSIC = EDITIONS["classic"]


# --- setting up and laying tiles ---


@pytest.mark.rule("BASE-1", "BASE-2")
def test_71_tiles_are_drawn_and_seven_followers_are_in_hand() -> None:
    oracle = Oracle(players=3)
    assert oracle.left() == 71
    assert sum(oracle.weights().values()) == 71
    assert oracle.weights()["draw D"] == 3
    assert oracle.weights()["draw E"] == 5  # without gardens E and Eg are one type
    assert "draw Eg" not in oracle.legal()
    assert oracle.supply() == [{"follower": 7}] * 3


@pytest.mark.rule("BASE-6", "BASE-7")
def test_a_tile_shares_a_side_and_continues_the_landscape() -> None:
    table = Table().play("draw U")  # the start tile D: city N, road E-W
    assert "place U 1,0 0" in table.legal  # road to road
    assert "place U 1,0 90" not in table.legal  # road to field
    assert "place U 0,1 0" in table.legal  # field to field
    assert not any(text.startswith("place U 0,-1") for text in table.legal)  # a city side
    assert not any(text.startswith("place U 1,1") for text in table.legal)  # a corner only
    assert not any(text.endswith((" 180", " 270")) for text in table.legal)  # they look like 0 and 90


@pytest.mark.rule("BASE-8")
def test_a_tile_that_fits_nowhere_is_removed_and_another_drawn() -> None:
    table = Table(("B", (0, 0), 0)).play("draw C")
    assert table.legal == {"discard C"}
    table.play("discard C")
    assert table.asks_chance
    assert table.oracle.turn() == RED


@pytest.mark.rule("BASE-8", "BASE-22")
def test_the_game_ends_when_no_tile_of_the_bag_fits() -> None:
    oracle = Oracle(start=[("B", (0, 0), 0)])
    oracle.game.piles[0].tiles.clear()
    oracle.game.piles[0].tiles["C"] = 1
    oracle.play("draw C")
    oracle.play("discard C")
    assert oracle.over()


# --- followers ---


@pytest.mark.rule("BASE-10")
def test_a_continued_city_with_a_knight_leaves_only_the_field() -> None:
    """(000) blue's tile continues a city with a knight."""
    table = Table().lay("G", "0,-1", 90, "follower", "city N").put("E", "0,-2", 180)
    assert table.spots() == {"field NL"}


@pytest.mark.rule("BASE-10")
def test_the_own_farmer_leaves_city_road_and_the_small_field() -> None:
    """(000) red may be knight or robber; farmer only in the small separate field of the tile."""
    table = Table(("B", (0, 0), 0)).lay("B", "1,0", 0, "follower", "field NL").lay("B", "0,1").put("J", "2,0")
    assert table.spots() == {"city N", "road E", "field ER"}


@pytest.mark.rule("BASE-10")
def test_a_continued_road_with_a_robber_leaves_field_and_cloister() -> None:
    """(004) blue: farmer or monk; with a knight in the continued city: robber or farmer."""
    road = Table().lay("U", "1,0", 0, "follower", "road E").put("A", "2,0", 90)
    assert road.spots() == {"cloister", "field NL"}
    city = Table().lay("G", "0,-1", 90, "follower", "city N").put("J", "0,-2", 180)
    assert city.spots() == {"road N", "field NL", "field NR"}


@pytest.mark.rule("BASE-9", "BASE-11")
def test_without_followers_a_player_only_lays_tiles() -> None:
    table = Table(("B", (0, 0), 0))
    for y in range(1, 14):
        table.lay("B", f"0,{y}", 0, *(("follower", "cloister") if y % 2 else ()))
    assert table.supply(RED) == 0
    table.lay("B", "0,14").put("B", "0,15")
    assert table.oracle.turn() == RED
    assert table.legal == {"pass"}


@pytest.mark.rule("BASE-12", "BASE-15")
def test_a_follower_scores_what_the_same_tile_completes() -> None:
    """(004) red 3 and red 4: a road of 3 tiles, a city of 2; (000) red 3 and red 2."""
    road = Table(("A", (0, 0), 270), ("U", (1, 0), 0)).lay("A", "2,0", 90, "follower", "road W")
    assert road.scored == [(RED, 3, "road")]
    assert road.supply(RED) == 7
    city = Table().lay("E", "0,-1", 180, "follower", "city S")
    assert city.scored == [(RED, 4, "city")]
    assert city.supply(RED) == 7
    assert Table(**CLASSIC).lay("E", "0,-1", 180, "follower", "city S").scored == [(RED, 2, "city")]


# --- scoring during the game ---


@pytest.mark.rule("BASE-13", "BASE-19")
def test_a_road_of_three_tiles_completed_by_an_opponent() -> None:
    """(001) blue's tile completes red's road of 3: red 3; blue's knight in the incomplete city stays."""
    table = Table(("L", (0, 0), 270)).lay("U", "1,0", 0, "follower", "road E").lay("L", "2,0", 0, "follower", "city N")
    assert table.scored == [(RED, 3, "road")]
    assert table.supply(RED) == 7
    assert table.supply(BLUE) == 6


@pytest.mark.rule("BASE-13")
def test_a_road_of_four_tiles() -> None:
    table = Table(("L", (0, 0), 270)).lay("U", "1,0", 0, "follower", "road E").lay("B", "1,1").lay("U", "2,0")
    assert table.lay("W", "3,0").scored == [(RED, 4, "road")]


@pytest.mark.rule("BASE-13")
def test_a_loop_is_complete_and_a_tile_counts_once() -> None:
    table = Table(("V", (0, 0), 270), ("V", (1, 0), 0), ("V", (0, 1), 180))
    assert table.lay("V", "1,1", 90, "follower", "road N").scored == [(RED, 4, "road")]
    # A road that leaves a crossing and comes back to it: the crossing counts once.
    back = Table(("X", (0, 0), 0), ("V", (1, 0), 0), ("V", (0, 1), 180))
    assert back.lay("V", "1,1", 90, "follower", "road N").scored == [(RED, 4, "road")]


@pytest.mark.rule("BASE-14")
def test_cities_score_two_a_tile_and_two_a_shield() -> None:
    """3 tiles with a shield 8; 4 tiles, two parts of the city on one of them, 8."""
    shield = Table(("E", (0, 0), 90), ("F", (1, 0), 0)).lay("E", "2,0", 270, "follower", "city W")
    assert shield.scored == [(RED, 8, "city")]
    twice = Table(("N", (-1, 0), 90), ("N", (-1, -1), 180), ("N", (0, -1), 270))
    assert twice.lay("I", "0,0", 0, "follower", "city N").scored == [(RED, 8, "city")]


@pytest.mark.rule("BASE-16")
def test_a_cloister_scores_nine_whoever_lays_the_last_tile() -> None:
    ring = [(-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1)]
    start: list[Start] = [("B", cell, 0) for cell in ring]
    table = Table(*start).lay("B", "0,0", 0, "follower", "cloister").lay("B", "-1,0")
    assert table.scored == [(RED, 9, "cloister")]
    assert table.supply(RED) == 7


@pytest.mark.rule("BASE-17")
def test_one_tile_completes_a_road_and_a_city_of_different_players() -> None:
    table = Table(("W", (-2, 0), 0), ("B", (-1, -1), 0))
    table.lay("U", "-1,0", 0, "follower", "road E").lay("E", "0,-1", 180, "follower", "city S").lay("L", "0,0")
    assert table.scored == [(RED, 3, "road"), (BLUE, 4, "city")]


@pytest.mark.rule("BASE-18", "BASE-19")
def test_tied_players_all_score() -> None:
    """City of 5 tiles, one knight each: 10 and 10; road of 4 tiles, one each: 4 and 4."""
    city = Table(("E", (0, 0), 90), ("E", (4, 0), 270))
    city.lay("G", "1,0", 0, "follower", "city E").lay("G", "3,0", 0, "follower", "city E").lay("G", "2,0")
    assert city.scored == [(RED, 10, "city"), (BLUE, 10, "city")]
    assert city.supply(RED) == city.supply(BLUE) == 7
    road = Table(("L", (0, 0), 270), ("B", (3, 1), 0))
    road.lay("U", "1,0", 0, "follower", "road E").lay("W", "3,0", 180, "follower", "road W").lay("U", "2,0")
    assert road.scored == [(RED, 4, "road"), (BLUE, 4, "road")]


@pytest.mark.rule("BASE-18")
def test_two_red_knights_against_one_yellow() -> None:
    """Red alone 10; all knights return."""
    table = Table(("E", (2, -2), 180), ("B", (1, -1), 0), ("B", (3, -1), 0))
    table.lay("G", "2,-1", 90, "follower", "city N").lay("E", "3,0", 270, "follower", "city W")
    table.lay("E", "1,0", 90, "follower", "city E").lay("R", "2,0", 0)
    assert table.scored == [(RED, 10, "city")]
    assert table.supply(RED) == table.supply(BLUE) == 7


# --- fields ---


@pytest.mark.rule("BASE-20")
def test_fields_that_touch_at_a_corner_are_not_connected() -> None:
    """(004) blue has a farmer; red's tile touches only at the corner: he may place one; a third tile joins them."""
    table = Table(("C", (0, 0), 0)).lay("E", "0,-1", 180, "follower", "field NL").put("E", "1,0", 270)
    assert "field NL" in table.spots()
    table.play("deploy follower 1,0 field NL").put("B", "1,-1")
    assert table.spots() == {"cloister"}
    farmers = {figures for kind, spots, _, figures in table.oracle.regions() if ((1, -1), "field NL") in spots}
    assert farmers == {frozenset({((RED, "follower"), 1), ((BLUE, "follower"), 1)})}


@pytest.mark.rule("BASE-21")
def test_a_tile_that_joins_three_farmers_takes_none() -> None:
    table = Table(("C", (0, 0), 0), ("C", (2, 0), 0), players=3)
    table.lay("E", "0,-1", 180, "follower", "field NL").lay("H", "1,0", 90, "follower", "field NL")
    table.lay("E", "2,-1", 180, "follower", "field NL").put("B", "1,-1")
    assert table.spots() == {"cloister"}


# --- the end ---


@pytest.mark.rule("BASE-23")
def test_a_large_incomplete_city() -> None:
    """(001, 004) 5 tiles with 3 shields, two green knights and one black: green 8, black 0."""
    table = Table(("B", (0, 1), 0), ("B", (2, 1), 0), ("B", (4, 1), 0))
    table.lay("F", "0,0", 0, "follower", "city E").lay("F", "2,0", 0, "follower", "city E")
    table.lay("G", "4,0", 0, "follower", "city E").lay("F", "1,0").lay("G", "3,0")
    assert table.end() == [8, 0]


@pytest.mark.rule("BASE-23")
def test_small_incomplete_features() -> None:
    """City of 2 tiles with a shield 3; road of 3 tiles 3."""
    assert Table(("E", (0, 0), 90)).lay("F", "1,0", 0, "follower", "city E").end() == [3, 0]
    road = Table(("U", (0, 0), 0)).lay("U", "1,0", 0, "follower", "road E").lay("U", "2,0")
    assert road.end() == [3, 0]


@pytest.mark.rule("BASE-23")
@pytest.mark.parametrize(("around", "points"), [(4, 5), (3, 4)])
def test_an_incomplete_cloister(around: int, points: int) -> None:
    """(004) 4 around: 5 points; (001) 3 around: 4 points."""
    ring = [(0, -1), (1, -1), (1, 0), (1, 1)][:around]
    start: list[Start] = [("B", cell, 0) for cell in ring]
    assert Table(*start).lay("B", "0,0", 0, "follower", "cloister").end() == [points, 0]


def town(x: int) -> list[Start]:
    """A complete city of two tiles at column x: a field south of it, another north of it."""
    return [("E", (x, 0), 0), ("E", (x, -1), 180)]


def row(*columns: int) -> list[Start]:
    """Complete cities at these columns."""
    return [tile for x in columns for tile in town(x)]


@pytest.mark.rule("BASE-24")
def test_the_three_fields_of_the_detailed_example() -> None:
    """(004 p.8) field 1 touches A and B: blue 6; field 2 touches A, B, C and an incomplete city: 9 and 9."""
    start: list[Start] = [*row(0, 2, 4), ("E", (6, 0), 0), ("B", (1, 0), 0), ("B", (5, 0), 0)]
    start += [("B", (0, -2), 0), ("B", (1, -2), 0)]
    table = Table(*start)
    table.lay("B", "0,1", 0, "follower", "field NL").lay("B", "4,1", 0, "follower", "field NL")
    table.lay("B", "3,0").lay("B", "2,-2", 0, "follower", "field NL")
    assert table.end() == [9, 9 + 6]


@pytest.mark.rule("BASE-24")
def test_the_majority_of_a_field_takes_four_cities() -> None:
    """(004 p.8) field 3: two yellow, one black, 4 cities: yellow 12, black 0; (001) black 12, yellow 0 likewise."""
    table = Table(*row(0, 2, 4, 6), ("B", (5, 0), 0))
    table.lay("B", "0,1", 0, "follower", "field NL").lay("B", "2,1", 0, "follower", "field NL")
    table.lay("B", "6,1", 0, "follower", "field NL").lay("B", "1,0").lay("B", "3,0")
    assert table.end() == [12, 0]


@pytest.mark.rule("BASE-24")
def test_farmers_in_separate_fields() -> None:
    """(004 p.7) blue's two farmers in separate fields that touch 2 and 1 cities: 6 + 3; an incomplete city nothing."""
    table = Table(*row(0, 2), ("B", (1, 0), 0), ("E", (5, 0), 0))
    table.lay("B", "0,1", 0, "follower", "field NL").lay("B", "5,1", 0, "follower", "field NL")
    table.lay("B", "2,-2", 0, "follower", "field NL")
    assert table.end() == [9, 0]


@pytest.mark.rule("BASE-24")
@pytest.mark.parametrize(("second_yellow", "points"), [(False, [6, 3, 0]), (True, [6, 3, 6])])
def test_one_city_pays_into_several_fields(second_yellow: bool, points: list[int]) -> None:
    """(004 p.7) blue alone at A: 3; red and yellow at A and B, red more: red 6, yellow 0; two each: 6 and 6."""
    table = Table(*row(0, 2), ("U", (5, 0), 90), ("U", (5, 2), 90), players=3)
    table.lay("B", "0,1", 0, "follower", "field NL")  # red, south of A
    table.lay("B", "0,-2", 0, "follower", "field NL")  # blue, north of A
    table.lay("B", "2,1", 0, "follower", "field NL")  # yellow, south of B
    table.lay("B", "4,0", 0, "follower", "field NL")  # red again, not yet joined
    table.lay("B", "0,-3")
    table.lay("B", "4,2", 0, *(("follower", "field NL") if second_yellow else ()))
    for cell in ("4,1", "3,0", "1,0"):  # all of them in one field
        table.lay("B", cell)
    assert table.end() == points


@pytest.mark.rule("BASE-25")
def test_per_city_each_city_pays_once() -> None:
    """(000) one complete city 3, the incomplete one nothing; a farmer whose field touches two complete cities 6."""
    one = Table(*town(0), ("E", (2, 0), 0), ("B", (1, 0), 0), **CLASSIC).lay("B", "0,1", 0, "follower", "field NL")
    assert one.end() == [3, 0]
    two = Table(*row(0, 2), ("B", (1, 0), 0), **CLASSIC).lay("B", "0,1", 0, "follower", "field NL")
    assert two.end() == [6, 0]


def two_blue_farmers_at_a_city(**options: object) -> Table:
    """South of the city one farmer each, north of it another blue one."""
    table = Table(*town(0), ("U", (3, 0), 90), **options)  # type: ignore[arg-type]
    table.lay("B", "0,1", 0, "follower", "field NL").lay("B", "2,0", 0, "follower", "field NL").lay("B", "2,1")
    return table.lay("B", "0,-2", 0, "follower", "field NL").lay("B", "1,0")


@pytest.mark.rule("BASE-24", "BASE-25")
@pytest.mark.parametrize(
    ("options", "points"),
    [
        ({"farmers": "per_field"}, [3, 3 + 3]),
        ({"farmers": "per_city"}, [0, 3]),
        ({"farmers": "per_city", "farmer_points": 4}, [0, 4]),
    ],
)
def test_per_city_counts_the_farmers_of_all_its_fields(options: dict[str, object], points: list[int]) -> None:
    assert two_blue_farmers_at_a_city(**options).end() == points


@pytest.mark.rule("BASE-25")
def test_per_city_tied_players_get_three_each() -> None:
    table = Table(*town(0), **CLASSIC)
    table.lay("B", "0,1", 0, "follower", "field NL").lay("B", "0,-2", 0, "follower", "field NL")
    assert table.end() == [3, 3]


@pytest.mark.rule("BASE-26")
def test_without_farmers_no_field_is_offered() -> None:
    assert Table(farmers="off").put("J", "0,1", 90).spots() == {"city E", "road S"}


# --- the tactical variant ---


def random_game(seed: int, **arguments: object) -> Oracle:
    """A whole game of random answers."""
    generator = random.Random(seed)
    oracle = Oracle(**arguments)  # type: ignore[arg-type]
    while not oracle.over():
        oracle.play(generator.choice(sorted(oracle.legal())))
    return oracle


@pytest.mark.rule("BASE-29")
def test_hands_of_three_are_dealt_first() -> None:
    oracle = Oracle(options={"hand": 3})
    receivers = []
    for _ in range(6):
        assert oracle.seat() == -1
        receivers.append(oracle.turn())
        oracle.play("draw U")
    assert receivers == [0, 0, 0, 1, 1, 1]
    assert oracle.left() == 65
    assert oracle.seat() == 0
    assert oracle.legal() == {"choose U"}
    for text in ("choose U", "place U 1,0 0", "pass", "draw C"):
        assert oracle.turn() == 0
        oracle.play(text)
    assert oracle.turn() == oracle.seat() == 1


@pytest.mark.rule("BASE-29")
def test_a_hand_that_fits_nowhere_loses_one_tile_and_draws_another() -> None:
    table = Table(("B", (0, 0), 0), hand=3)
    table.play("draw C", "draw C", "draw C", "draw U", "draw U", "draw U")
    assert table.legal == {"discard C"}
    table.play("discard C", "draw E")
    assert table.legal == {"choose E"}


@pytest.mark.rule("BASE-29")
@pytest.mark.parametrize("seed", range(3))
def test_all_placed_every_hand_is_emptied(seed: int) -> None:
    oracle = random_game(seed, players=3, options={"hand": 3})
    assert oracle.left() == 0
    assert not any(oracle.game.hands)  # type: ignore[attr-defined]


@pytest.mark.rule("BASE-29")
def test_last_drawn_ends_the_game_with_the_other_hands_unplayed() -> None:
    oracle = random_game(1, players=3, options={"hand": 3, "tactical_end": "last_drawn"})
    hands = [len(hand) for hand in oracle.game.hands]  # type: ignore[attr-defined]
    assert sorted(hands) == [2, 3, 3]
    assert len(oracle.game.board.tiles) == 1 + 71 - 3 - 3 - 2


@pytest.mark.rule("BASE-29", "BASE-8")
def test_last_drawn_a_last_tile_that_fits_nowhere_ends_the_game() -> None:
    oracle = Oracle(options={"hand": 3, "tactical_end": "last_drawn"}, start=[("B", (0, 0), 0)])
    for _ in range(6):
        oracle.play("draw U")
    oracle.game.piles[0].tiles.clear()
    oracle.game.piles[0].tiles["C"] = 1
    for text in ("choose U", "place U 0,1 0", "pass", "draw C", "discard C"):
        assert oracle.turn() == RED
        oracle.play(text)
    assert oracle.over()


@pytest.mark.rule("BASE-22")
def test_the_game_ends_after_the_last_tile() -> None:
    oracle = random_game(0, players=YELLOW + 1)
    assert oracle.left() == 0
    assert oracle.legal() == set()
