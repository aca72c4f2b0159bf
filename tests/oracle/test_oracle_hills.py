"""Hills & Sheep: the examples of the book."""

import pytest

from . import Oracle
from .game import Start
from .table import BLUE, RED, Table

HILLS = ("hills_and_sheep",)


def areas(table: Table, kind: str, *cells: tuple[int, int]) -> list[list[str]]:
    """The areas of a kind on these cells, as sorted spot names."""
    return sorted(
        sorted(f"{x},{y} {spot}" for (x, y), spot in spots)
        for area, spots, _, _ in table.oracle.regions()
        if area == kind and any(cell in cells for cell, _ in spots)
    )


@pytest.mark.rule("HILL-1")
def test_two_cities_on_one_side() -> None:
    """A city laid there joins both (a city of 2 tiles); two such sides join all four parts."""
    alone = Table(("HS-L", (0, 0), 0), modules=HILLS)
    assert areas(alone, "city", (0, 0)) == [["0,0 city NL"], ["0,0 city NR"]]
    joined = Table(("HS-L", (0, 0), 0), modules=HILLS).lay("E", "0,-1", 180)
    assert areas(joined, "city", (0, 0)) == [["0,-1 city S", "0,0 city NL", "0,0 city NR"]]
    four = Table(("HS-L", (0, 0), 0), modules=HILLS).lay("HS-L", "0,-1", 180)
    assert [len(area) for area in areas(four, "city", (0, 0))] == [4]


@pytest.mark.rule("HILL-1")
def test_two_fields_on_one_side() -> None:
    """An ordinary field side joins them; tip to tip nothing is joined across."""
    joined = Table(("HS-K", (0, 0), 0), modules=HILLS).lay("E", "0,1", 180)
    assert areas(joined, "field", (0, 0)) == [["0,0 field EL", "0,0 field SR", "0,1 field NL"]]
    tips = Table(("HS-K", (0, 0), 0), modules=HILLS).lay("HS-K", "0,1", 180)
    assert areas(tips, "field", (0, 0)) == [["0,0 field EL", "0,1 field NR"], ["0,0 field SR", "0,1 field NL"]]
    assert len(areas(tips, "city", (0, 0), (0, 1))) == 2


@pytest.mark.rule("HILL-2")
def test_a_hill_hides_an_unseen_tile() -> None:
    oracle = Oracle(("base", "hills_and_sheep"))
    assert oracle.left() == 71 + 18
    weights = oracle.weights()
    oracle.play("draw HS-A")
    assert oracle.left() == 71 + 18 - 2
    for text in (min(oracle.legal()), "pass"):
        oracle.play(text)
    assert oracle.weights() == {text: number for text, number in weights.items() if text != "draw HS-A"}


def city_of_five(red_on_hill: bool) -> Table:
    """One knight each in a city of five tiles."""
    cap = "HS-C" if red_on_hill else "E"
    table = Table(("U", (0, -1), 0), ("E", (4, 0), 270), modules=HILLS)
    table.lay(cap, "0,0", 90, "follower", "city E").lay("G", "3,0", 0, "follower", "city E")
    return table.lay("G", "1,0").lay("G", "2,0")


@pytest.mark.rule("HILL-3")
def test_a_hill_breaks_the_tie() -> None:
    """Red and blue one knight each, red's on a hill: red alone 10, blue 0."""
    assert city_of_five(red_on_hill=True).scored == [(RED, 10, "city")]
    assert city_of_five(red_on_hill=False).scored == [(RED, 10, "city"), (BLUE, 10, "city")]


@pytest.mark.rule("HILL-3")
def test_a_hill_in_a_field_at_the_end() -> None:
    start: list[Start] = [("E", (0, 0), 0), ("E", (0, -1), 180), ("U", (3, 0), 90)]
    table = Table(*start, modules=HILLS)
    table.lay("HS-E", "0,1", 0, "follower", "field NL").lay("B", "2,0", 0, "follower", "field NL").lay("B", "1,0")
    assert table.end() == [3, 0]


@pytest.mark.rule("HILL-3")
@pytest.mark.parametrize(
    ("option", "points"), [("any", [(RED, 12, "city"), (BLUE, 12, "city")]), ("most_on_hills", [(RED, 12, "city")])]
)
def test_several_tied_players_on_hills(option: str, points: list[tuple[int, int, str]]) -> None:
    """Two knights each, both of red's and one of blue's on hills."""
    table = Table(("B", (-1, 1), 0), ("B", (1, -1), 0), modules=HILLS, hill_tiebreak=option)
    table.lay("HS-A", "-1,0", 90, "follower", "city E").lay("HS-B", "0,-1", 180, "follower", "city S")
    table.lay("HS-A", "1,0", 270, "follower", "city W").lay("E", "0,1", 0, "follower", "city N").lay("C", "0,0")
    assert table.scored == points


def flock_of_eight() -> Table:
    """Red and blue have a shepherd each; red's new tile has just joined their fields: 4 tokens with 8 sheep."""
    table = Table(("C", (0, 0), 0), modules=HILLS)
    table.lay("E", "0,-1", 180, "shepherd", "field NL").play("draw sheep_1")
    table.lay("E", "1,0", 270, "shepherd", "field NL").play("draw sheep_2")
    table.put("B", "0,-2").play("choose grow", "draw sheep_2", "pass")
    table.put("B", "2,0").play("choose grow", "draw sheep_3", "pass")
    return table.put("B", "1,-1")


@pytest.mark.rule("HILL-8")
def test_driving_the_flock_home() -> None:
    """8 and 8; tokens and shepherds return."""
    table = flock_of_eight()
    assert table.legal == {"choose grow", "choose home"}
    table.play("choose home")
    assert table.scored == [(RED, 8, "flock"), (BLUE, 8, "flock")]
    assert table.supply(RED, "shepherd") == table.supply(BLUE, "shepherd") == 1
    assert "deploy shepherd 1,-1 field NL" in table.legal  # HILL-11


@pytest.mark.rule("HILL-7")
def test_the_wolf_chases_everybody_away() -> None:
    table = flock_of_eight().play("choose grow")
    assert table.oracle.weights() == {"draw sheep_1": 3, "draw sheep_2": 3, "draw sheep_3": 4} | {
        "draw sheep_4": 2,
        "draw wolf": 2,
    }
    table.play("draw wolf")
    assert table.scores == [0, 0]
    assert table.supply(RED, "shepherd") == table.supply(BLUE, "shepherd") == 1
    table.play("deploy shepherd 1,-1 field NL")
    assert sum(table.oracle.weights().values()) == 18


@pytest.mark.rule("HILL-5")
def test_a_wolf_sends_the_new_shepherd_straight_back() -> None:
    table = Table(modules=HILLS).lay("B", "0,1", 0, "shepherd", "field NL").play("draw wolf")
    assert table.supply(RED, "shepherd") == 1
    assert table.oracle.turn() == BLUE


@pytest.mark.rule("HILL-4")
def test_shepherds_and_farmers_do_not_exclude_each_other() -> None:
    table = Table(modules=HILLS).lay("B", "0,1", 0, "follower", "field NL").put("B", "0,2")
    assert table.spots("shepherd") == {"field NL"}
    table.play("deploy shepherd 0,2 field NL", "draw sheep_1").put("B", "0,3")
    assert table.spots("shepherd") == set()
    assert table.spots("follower") == {"cloister"}
    assert "field NL" in Table(modules=HILLS, farmers="off").put("B", "0,1").spots("shepherd")


@pytest.mark.rule("HILL-6")
def test_the_shepherds_action_after_the_follower() -> None:
    table = Table(modules=HILLS, shepherd_action="after")
    table.lay("B", "0,1", 0, "shepherd", "field NL").play("draw sheep_4").lay("U", "1,0").put("B", "0,2")
    assert "pass" in table.legal
    table.play("pass")
    assert table.legal == {"choose grow", "choose home"}
    assert table.play("choose home").scored == [(RED, 4, "flock")]


@pytest.mark.rule("RIVER-6", "HILL-8")
def test_printed_sheep_count_and_stay() -> None:
    table = Table(("RI-D", (0, 0), 0), ("U", (0, -2), 0), modules=(*HILLS, "river"))
    table.lay("B", "0,-1", 0, "shepherd", "field NL").play("draw sheep_2").lay("U", "1,-2").put("B", "1,-1")
    assert table.play("choose home").scored == [(RED, 3, "flock")]


@pytest.mark.rule("HILL-9")
def test_flocks_left_at_the_end_score_nothing() -> None:
    table = Table(modules=HILLS).lay("B", "0,1", 0, "shepherd", "field NL").play("draw sheep_4")
    assert table.end() == [0, 0]


@pytest.mark.rule("HILL-10")
def test_vineyards_around_a_cloister() -> None:
    """Red 9+3+3 = 15; blue's cloister beside one of these vineyards 9+3."""
    ring = [(x, y) for x in range(-1, 3) for y in range(-1, 2) if (x, y) not in [(0, 0), (1, 0), (-1, 0), (2, 0)]]
    start: list[Start] = [("HS-M" if cell in [(-1, -1), (1, -1)] else "B", cell, 0) for cell in ring]
    table = Table(*start, modules=HILLS)
    table.lay("B", "0,0", 0, "follower", "cloister").lay("B", "1,0", 0, "follower", "cloister")
    assert table.lay("B", "-1,0").scored == [(RED, 15, "cloister")]
    assert table.lay("B", "2,0").scored == [(BLUE, 12, "cloister")]


@pytest.mark.rule("HILL-10")
def test_vineyards_give_nothing_to_an_incomplete_cloister() -> None:
    assert Table(("HS-M", (0, 0), 0), modules=HILLS).lay("B", "1,0", 0, "follower", "cloister").end() == [2, 0]


@pytest.mark.rule("HILL-12")
@pytest.mark.parametrize(("closed_flock", "points"), [("stay", []), ("home", [(RED, 3, "flock")])])
def test_a_field_closed_all_round(closed_flock: str, points: list[tuple[int, int, str]]) -> None:
    """The small field of a loop of road: red's shepherd in it when blue closes it."""
    start: list[Start] = [("V", (0, 0), 270), ("V", (1, 0), 0), ("U", (-1, 1), 90)]
    table = Table(*start, modules=HILLS, closed_flock=closed_flock)
    table.lay("V", "0,1", 180, "shepherd", "field NR").play("draw sheep_3")
    assert table.put("V", "1,1", 90).scored == points
