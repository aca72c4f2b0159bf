"""House rules: what a table can switch off, add or count otherwise, and what is refused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from bastide.errors import BastideError
from bastide.game import Game, new_engine
from bastide.notation.replay import new_game, record_of
from bastide.rules import Rules
from bastide.rules.registry import specs
from bastide.rules.texts import LANGUAGES, describe
from bastide.tiles.model import Tile
from tests.agreement import Setting, agree
from tests.mixtures import mixture

EXPANSIONS = [spec for spec in specs().values() if not spec.game]


def drawn(rules: Rules) -> dict[str, int]:
    """The tiles in the bag, by the id under which they lie there."""
    bag = list(new_engine(rules).s)[rules.tables.bag : rules.tables.bag + rules.types]
    return {tile.id: int(count) for tile, count in zip(rules.tiles, bag, strict=True) if count}


def marks_of(tiles: Sequence[Tile]) -> set[str]:
    """Everything that is printed on tiles in play: marks of segments and of whole tiles, kinds of land, symbols."""
    found: set[str] = set()
    for tile in tiles:
        found |= {name for segment in tile.segments for name in (segment.kind, *segment.marks)} | set(tile.marks)
        found |= {mark["kind"] for mark in tile.marks.values() if isinstance(mark, dict)}
    return found


def play(game: Game, *lines: str) -> Game:
    """A scripted game: each line is one turn."""
    for line in lines:
        for action in line.split("; "):
            game.play(action)
    return game


# --- the table


@pytest.mark.rule("HOUSE-1")
@pytest.mark.parametrize(
    ("choice", "most"),
    [
        ({"edition": "classic"}, 5),
        ({"edition": "anniversary2021"}, 5),
        ({"edition": "bigbox2014"}, 8),
        ({"preset": "anniversary2021"}, 5),
        ({"preset": "bigbox2014"}, 8),
        ({"modules": ["hunters_and_gatherers"]}, 5),
        ({"modules": ["over_hill_and_dale"]}, 5),
    ],
)
def test_as_many_players_as_the_box_says(choice: dict[str, Any], most: int) -> None:
    for players in range(1, most + 1):
        assert Rules.of(players=players, **choice).players == players
    with pytest.raises(BastideError, match=f"players: expected 2 to {most}, or 1 alone.*, got {most + 1}"):
        Rules.of(players=most + 1, **choice)
    assert Rules.of(players=8, more_players="on", **choice).players == 8
    with pytest.raises(BastideError, match="players: expected 2 to 8, or 1 alone, got 9"):
        Rules.of(players=9, more_players="on", **choice)


@pytest.mark.rule("HOUSE-1")
def test_the_refusal_names_the_house_rule() -> None:
    with pytest.raises(BastideError) as refusal:
        Rules.of("classic", players=6)
    allowed = "2 to 5, or 1 alone (the house rule more_players=on allows up to 8)"
    assert str(refusal.value) == f"players: expected {allowed}, got 6"


@pytest.mark.rule("HOUSE-2")
@pytest.mark.parametrize("name", [spec.name for spec in specs().values()])
def test_one_player_alone(name: str) -> None:
    modules = () if name == "base" else (name,)
    agree(Setting(modules, 1), 7)
    game = Game(modules=modules, players=1, seed=4)
    while not game.over:
        game.play(game.legal[0])
    assert game.outcome is not None
    assert game.outcome.winners == (0,)


# --- what is in the boxes


@pytest.mark.rule("HOUSE-3")
def test_numbers_of_pieces() -> None:
    game = Game(modules=("inns_and_cathedrals", "abbot"), followers=9, big_followers=0, abbots=2)
    assert game.supply(0) == {"follower": 9, "big_follower": 0, "abbot": 2}


@pytest.mark.rule("HOUSE-3")
def test_with_one_follower_the_second_turn_places_none() -> None:
    game = Game(players=1, scripted=True, followers=1)
    play(game, "draw B; place B 0,1 0; deploy follower 0,1 cloister", "draw B; place B 0,2 0")
    assert [str(action) for action in game.legal] == ["pass"]


@pytest.mark.rule("HOUSE-4")
def test_copies_of_boxes_have_one_start_tile() -> None:
    assert sum(drawn(Rules.of(copies=2)).values()) == 2 * 72 - 1
    both = Rules.of(modules=("inns_and_cathedrals",), inns_and_cathedrals_copies=3)
    assert sum(drawn(both).values()) == 71 + 3 * 18
    river = drawn(Rules.of(modules=("river",), river_copies=2))
    assert sum(river.values()) == 71 + 2 * 10 + 1  # one spring lies, one mouth comes last


@pytest.mark.rule("HOUSE-4")
def test_without_a_copy_of_its_box_there_are_still_the_pieces() -> None:
    rules = Rules.of(modules=("traders_and_builders",), traders_and_builders_copies=0)
    assert sum(drawn(rules).values()) == 71
    assert Game(rules).supply(0) == {"follower": 7, "builder": 1, "pig": 1}


@pytest.mark.rule("HOUSE-5")
def test_tiles_in_other_numbers() -> None:
    usual, changed = drawn(Rules.of()), drawn(Rules.of(tile_counts="E=0+D=7"))
    assert changed == {**{name: count for name, count in usual.items() if name != "E"}, "D": 7}
    assert Rules.of(tile_counts="E=0+D=7").options["tile_counts"] == "D=7+E=0"


@pytest.mark.rule("HOUSE-5")
@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("D", "expected TILE=NUMBER+TILE=NUMBER, got 'D'"),
        ("D=-1", "expected TILE=NUMBER+TILE=NUMBER"),
        ("D=21", "expected each tile once, 0 to 20, got 'D=21'"),
        ("D=1+D=2", "expected each tile once, 0 to 20, got 'D=2'"),
        ("Q9=1", "no tile 'Q9' is drawn; there are A, B, C, D"),
        (7, "expected TILE=NUMBER+TILE=NUMBER, got '7'"),
    ],
)
def test_wrong_numbers_of_tiles_are_refused(value: str | int, words: str) -> None:
    with pytest.raises(BastideError, match="option tile_counts: ") as refusal:
        Rules.of(tile_counts=value)
    assert words in str(refusal.value)


@pytest.mark.rule("HOUSE-5")
def test_no_tile_to_draw_is_refused() -> None:
    with pytest.raises(BastideError, match="at least 1 of the tiles must be left to draw, got 0"):
        Rules.of(tile_counts="+".join(f"{name}=0" for name in drawn(Rules.of())))


@pytest.mark.rule("HOUSE-5", "BASE-29")
def test_hands_need_as_many_tiles_as_are_dealt() -> None:
    others: dict[str, Any] = dict.fromkeys(drawn(Rules.of("classic")), 0)
    few = {**others, "E": 5}
    with pytest.raises(BastideError, match="at least 6 of the tiles must be left to draw, got 5"):
        Rules.of("classic", hand=3, tile_counts="+".join(f"{name}={count}" for name, count in few.items()))
    enough = "+".join(f"{name}={count}" for name, count in {**others, "E": 6}.items())
    agree(Setting(edition="classic", options=(("hand", 3), ("tile_counts", enough))), 1)


@pytest.mark.rule("HOUSE-5", "BASE-29")
def test_hands_are_played_where_no_tile_of_the_river_is_left() -> None:
    """The game was over before the first turn: its piles were empty."""
    rules = Rules.of("classic", modules=["river"], players=1, hand=3)
    none = dict.fromkeys(drawn(rules), 0)
    counts = "+".join(f"{name}={count}" for name, count in {**none, "E": 3}.items())
    agree(Setting(("river",), 1, (("hand", 3), ("tile_counts", counts)), "classic"), 1)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"followers": 0}, "option followers: expected 1 to 15, got 0"),
        ({"followers": 16}, "option followers: expected 1 to 15, got 16"),
        ({"shields": "maybe"}, "option shields: expected one of on, off, got 'maybe'"),
        ({"copies": 0}, "option copies: expected one of 1, 2, 3, got 0"),
        ({"inns": "off"}, "option 'inns' belongs to inns_and_cathedrals, which is not in this game"),
    ],
)
def test_wrong_house_rules_are_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(BastideError, match=words):
        Rules.of(**options)


def test_more_tiles_than_the_board_can_hold_are_refused() -> None:
    named = [spec.name for spec in EXPANSIONS]
    copies: dict[str, Any] = {spec.copies: 3 for spec in EXPANSIONS if spec.boxes}
    with pytest.raises(BastideError, match="a game has at most 640 tiles; this choice has"):
        Rules.of(modules=named, copies=3, tile_counts="+".join(f"{name}=20" for name in "ABCDEFGHIJ"), **copies)


# --- elements


ELEMENTS = [(spec.name, element) for spec in specs().values() for element in spec.elements]


@pytest.mark.rule("HOUSE-6", "HOUSE-7", "HOUSE-8", "HOUSE-9", "HOUSE-10", "HOUSE-11", "HOUSE-12", "HOUSE-14")
@pytest.mark.parametrize(("module", "element"), ELEMENTS, ids=[element.name for _, element in ELEMENTS])
def test_what_is_off_is_on_no_tile(module: str, element: Any) -> None:
    modules = () if module == "base" else (module,)
    off: Any = {element.name: "off"}
    printed = {element.shows} if element.shows else {*element.marks, *element.kinds}
    if module == "hills_and_sheep":
        printed -= {"sheep"}
    assert printed <= marks_of(Rules.of(modules=modules).tiles)
    assert not printed & marks_of(Rules.of(modules=modules, **off).tiles)


@pytest.mark.rule("HOUSE-6", "HOUSE-8")
def test_a_road_with_an_inn_that_is_off_is_an_ordinary_road() -> None:
    usual = Rules.of(modules=("inns_and_cathedrals",))
    rules = Rules.of(modules=("inns_and_cathedrals",), inns="off")
    assert drawn(usual)["IC-B"] == 1
    assert drawn(rules)["U"] == drawn(usual)["U"] + 1  # nothing distinguishes the two any more
    game = play(Game(rules, scripted=True), "draw U; place U 1,0 0; deploy follower 1,0 road E")
    game.finish()
    assert game.scores == (2, 0)


@pytest.mark.rule("HOUSE-8")
@pytest.mark.parametrize(("value", "points"), [("nothing", 0), ("as_usual", 2)])
def test_unfinished_roads_with_inns(value: str, points: int) -> None:
    rules = Rules.of(modules=("inns_and_cathedrals",), unfinished_inns=value)
    game = play(Game(rules, scripted=True), "draw IC-B; place IC-B 1,0 0; deploy follower 1,0 road E")
    game.finish()
    assert game.scores == (points, 0)


@pytest.mark.rule("HOUSE-10")
def test_several_shepherds_are_asked_field_by_field() -> None:
    """Both fields of a straight road have an own shepherd; the next piece of road extends both."""
    game = Game(modules=("hills_and_sheep",), players=1, scripted=True, shepherds=2)
    play(
        game,
        "draw U; place U 1,0 0; deploy shepherd 1,0 field ER; draw sheep_2",
        "draw U; place U 2,0 0; choose grow; draw sheep_1; deploy shepherd 2,0 field NL; draw sheep_4",
    )
    assert game.supply(0)["shepherd"] == 0
    play(game, "draw U; place U 3,0 0; choose home")
    assert game.scores == (3,)  # the flock of the first shepherd
    assert [str(action) for action in game.legal] == ["choose grow", "choose home"]
    play(game, "choose home")
    assert game.scores == (7,)
    assert game.supply(0)["shepherd"] == 2


@pytest.mark.rule("HOUSE-11")
def test_several_abbots_can_be_taken_back_one_by_one() -> None:
    game = Game(modules=("abbot",), players=1, scripted=True, abbots=2)
    play(
        game,
        "draw B; place B 0,1 0; deploy abbot 0,1 cloister",
        "draw B; place B 0,2 0; deploy abbot 0,2 cloister",
        "draw B; place B 0,3 0",
    )
    back = [str(action) for action in game.legal if action.verb == "take"]
    assert back == ["take abbot 0,1 cloister", "take abbot 0,2 cloister"]


@pytest.mark.rule("HOUSE-9")
def test_two_pigs_in_a_field_bring_their_point_once() -> None:
    def farm(pigs: int) -> int:
        game = Game(modules=("traders_and_builders",), players=1, scripted=True, pigs=2)
        play(game, "draw E; place E 0,-1 180; deploy follower 0,-1 field NL")
        for number in range(2):
            pig = f"deploy pig {number + 1},-1 field NL" if number < pigs else "pass"
            play(game, f"draw B; place B {number + 1},-1 0; {pig}")
        game.finish()
        return game.scores[0]

    assert [farm(0), farm(1), farm(2)] == [3, 4, 4]


@pytest.mark.rule("HOUSE-13")
@pytest.mark.parametrize("sector", ["fortune", "taxes", "famine", "storm", "inquisition", "plague", "crown_spaces"])
def test_a_sector_that_is_off_does_nothing(sector: str) -> None:
    for seed in range(2):
        agree(Setting(("wheel_of_fortune",), 3, ((sector, "off"),)), seed)
    rules = Rules.of(modules=("wheel_of_fortune",), crown_spaces="off")
    game = play(Game(rules, scripted=True), "draw E")
    game.play(game.legal[0])
    assert not [action for action in game.legal if "crown" in str(action)]


@pytest.mark.rule("HOUSE-15")
def test_nobody_wanders_where_it_is_off() -> None:
    for seed in range(3):
        agree(Setting(("over_hill_and_dale",), 2, (("wandering", "off"), ("meeples", 2), ("crops", "off"))), seed)


# --- together


@pytest.mark.rule("HOUSE-3", "HOUSE-4", "HOUSE-5", "HOUSE-6", "HOUSE-14", "HOUSE-15")
@pytest.mark.parametrize("seed", range(12))
def test_random_mixtures_agree_with_the_oracle(seed: int) -> None:
    agree(mixture(seed), seed)


@pytest.mark.parametrize("seed", range(20))
def test_a_record_says_which_house_rules_are_played(seed: int) -> None:
    game = Game(mixture(seed).rules(), seed=seed)
    record = record_of(game)
    assert new_game(record).rules is game.rules


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seed", range(20))
def test_every_house_rule_is_told_in_words(seed: int, language: str) -> None:
    setting = mixture(seed)
    words = describe(setting.rules().choice, language)
    changed = [name for name, _ in record_of(Game(setting.rules())).header.options]
    assert len(words.house_rules) == len(changed)
    assert all(text.endswith(".") and "{" not in text for text in words.house_rules)
    assert words.boxes


def test_a_choice_in_words() -> None:
    rules = Rules.of("classic", modules=("hills_and_sheep",), players=7, more_players="on", hills="off", shepherds=3)
    assert describe(rules.choice).house_rules == (
        "Up to eight players may play.",
        "Hills are ordinary land: no tile goes under them and they break no tie.",
        "Shepherds each: 3.",
    )
    assert describe(rules.choice, "fr").edition == "l’édition classique"
