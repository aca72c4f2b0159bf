"""Every rule of the box, with the numbers of its page."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from bastide import Game, Rules
from bastide.errors import IllegalAction, RecordError
from bastide.game import CHANCE, Rng
from bastide.rulebook import load

NAME = "princess_and_dragon"
DRAGON = "PD-H"  # road E W
Start = tuple[str, tuple[int, int], int]
GRID = [(0, 0), (0, 1), (-1, 0), (-1, 1), (1, 1)]


def table(*start: Start, players: int = 2, modules: tuple[str, ...] = (), **options: str | int) -> Game:
    rules = Rules.of("", modules=(NAME, *modules), players=players, preset="", scripted=False, **options)
    return Game(rules, scripted=True, start=list(start))


def lay(game: Game, tile: str, cell: str, turn: int = 0, then: str = "pass") -> Game:
    for action in (f"draw {tile}", f"place {tile} {cell} {turn}", then):
        game.play(action)
    return game


def where(game: Game, name: str) -> str:
    return next((token.where for token in game.tokens if token.name == name), "")


def legal(game: Game, start: str = "") -> list[str]:
    return sorted(str(action) for action in game.legal if str(action).startswith(start))


def standing(game: Game) -> Counter[tuple[int, str]]:
    return Counter((figure.seat, figure.piece) for figure in game.board.figures)


# --- tiles
@pytest.mark.rule("DRAG-1")
def test_thirty_tiles_with_one_symbol_each() -> None:
    game = Game(Rules.of(modules=[NAME]), draws="by hand")
    symbols = Counter[str]()
    for tile in game.rules.tiles:
        found = [mark for mark in tile.marks if mark in ("dragon_volcano", "dragon", "magic_portal")]
        found += ["princess" for segment in tile.segments if "princess" in segment.marks]
        if tile.id.startswith("PD-"):
            assert len(found) == 1
            symbols[found[0]] += tile.count
    assert symbols == {"dragon_volcano": 6, "dragon": 12, "magic_portal": 6, "princess": 6}
    assert (game.tiles_left, list(game.tokens)) == (101, [])


@pytest.mark.rule("DRAG-2")
def test_a_road_runs_below_the_city() -> None:
    game = table(("X", (0, 0), 0))
    lay(game, "PD-Q", "0,1", 0, "deploy follower 0,1 road N")
    assert len({spot for spot in ("field NL", "field SL") if game.region((0, 1), spot)}) == 2
    assert game.region((0, 1), "field NL") != game.region((0, 1), "field SL")
    lay(game, "X", "0,2")
    assert game.scores == (3, 0)


@pytest.mark.rule("DRAG-2")
def test_a_cloister_in_the_city() -> None:
    game = table(("E", (0, 0), 0))
    game.play("draw PD-O")
    game.play("place PD-O 0,-1 180")
    assert len(legal(game, "deploy follower")) == 3
    game.play("deploy follower 0,-1 cloister")
    lay(game, "E", "1,-1", 270, "deploy follower 1,-1 city W")
    lay(game, "E", "-1,-1", 90)
    assert game.scores == (0, 8)
    for cell in ("0,-2", "-1,-2", "1,-2", "-1,0"):
        lay(game, "B", cell)
    assert standing(game) == {(0, "follower"): 1}
    lay(game, "B", "1,0")
    assert game.scores == (9, 8)


@pytest.mark.rule("DRAG-2", "DRAG-17")
def test_of_two_cities_one_has_the_princess() -> None:
    for turn, taken in ((0, []), (90, ["take follower 1,0 city W"])):
        game = table(("B", (2, 0), 0))
        lay(game, "E", "1,0", 270, "deploy follower 1,0 city W")
        game.play("draw PD-F")
        game.play(f"place PD-F 0,0 {turn}")
        assert legal(game, "take") == taken


# --- the dragon
@pytest.mark.rule("DRAG-4", "DRAG-5")
def test_a_volcano_calls_the_dragon_and_nothing_is_placed_there() -> None:
    game = table(("B", (0, 0), 0))
    game.play("draw PD-2")
    game.play("place PD-2 1,0 0")
    assert where(game, "dragon") == "1,0"
    assert legal(game) == ["pass"]
    with pytest.raises(IllegalAction, match="where the dragon stands"):
        game.play("deploy follower 1,0 field NL")
    game.play("pass")
    lay(game, "PD-2", "0,1")
    assert where(game, "dragon") == "0,1"
    lay(game, "B", "1,1")
    assert [figure.cell for figure in game.board.figures] == []


@pytest.mark.rule("DRAG-5", "DRAG-16")
def test_a_portal_does_not_lead_to_the_dragon() -> None:
    game = table(("D", (0, 0), 0))
    lay(game, "PD-2", "0,1")
    game.play("draw PD-U")
    game.play("place PD-U -1,0 0")
    assert legal(game, "deploy follower 0,0")
    assert legal(game, "deploy follower 0,1") == []
    assert game.explain("deploy follower 0,1 field NL") == "nothing is placed on the tile where the dragon stands"


@pytest.mark.rule("DRAG-6")
def test_no_dragon_before_a_volcano() -> None:
    game = Game(Rules.of(modules=[NAME]), draws="by hand")
    dragons = {tile.id for tile in game.rules.tiles if "dragon" in tile.marks}
    assert not dragons & {action.tile for action in game.legal}
    game.play("draw PD-2")
    game.play(legal(game, "place")[0])
    game.play("pass")
    assert dragons <= {action.tile for action in game.legal}
    weights = {str(action.tile): int(game.engine.weights[i]) for i, action in enumerate(game.legal)}
    assert sum(weights[tile] for tile in dragons) == 12


@pytest.mark.rule("DRAG-6")
def test_if_only_waiting_tiles_are_left_the_game_ends() -> None:
    rules = Rules.of(
        modules=[NAME], tile_counts="+".join(f"{v}=0" for v in ("PD-1", "PD-2", "PD-3", "PD-X", "PD-Y", "PD-Z"))
    )
    game = Game(rules, seed=2)
    rng = Rng(2)
    while not game.over:
        game.play(game.legal[rng.below(len(game.legal))])
    assert game.tiles_left == game.engine.tiles_waiting() == 12
    assert not any("dragon" in laid.tile.marks for laid in game.board.values())


@pytest.mark.rule("DRAG-8")
def test_a_dead_end_ends_the_movement() -> None:
    start = [("B", cell, 0) for cell in GRID if cell != (0, 1)]
    game = table(("B", (0, 0), 0), ("PD-2", (0, 1), 0), *[s for s in start if s[1] != (0, 0)], players=3)
    assert where(game, "dragon") == "0,1"
    game.play("draw PD-J")
    game.play("place PD-J 2,1 0")
    game.play("pass")
    seats = []
    for cell in ("-1,1", "-1,0", "0,0"):
        seats.append(game.seat)
        game.play(f"choose {cell}")
    assert seats == [0, 1, 2]
    assert (where(game, "dragon"), game.seat, game.turn) == ("0,0", CHANCE, 1)


@pytest.mark.rule("DRAG-8")
@pytest.mark.parametrize(("players", "seats"), [(2, [0, 1] * 3), (4, [0, 1, 2, 3, 0, 1]), (8, [0, 1, 2, 3, 4, 5])])
def test_six_steps_one_for_each_player_in_turn(players: int, seats: list[int]) -> None:
    row: list[Start] = [("PD-2", (0, 0), 0), *(("B", (x, 0), 0) for x in range(1, 9))]
    game = table(*row, players=players)
    lay(game, "PD-J", "9,0")
    found = []
    for x in range(1, 7):
        found.append(game.seat)
        assert legal(game) == [f"choose {x},0"]
        game.play(f"choose {x},0")
    assert found == seats
    assert (where(game, "dragon"), game.seat) == ("6,0", CHANCE)


@pytest.mark.rule("DRAG-9", "DRAG-19")
@pytest.mark.parametrize("eats", ["all", "followers"])
def test_a_builder_left_alone_returns(eats: str) -> None:
    game = table(
        ("PD-2", (0, 0), 0), ("PD-3", (0, 1), 0), ("B", (0, 2), 0), modules=("traders_and_builders",), dragon_eats=eats
    )
    assert where(game, "dragon") == "0,1"
    lay(game, "U", "1,1", 0, "deploy follower 1,1 road E")
    lay(game, "B", "-1,0")
    lay(game, "U", "2,1", 0, "deploy builder 2,1 road E")
    lay(game, "U", "3,1", 0)  # played at once: the builder's second turn
    lay(game, "B", "-1,2")
    lay(game, "PD-J", "0,3", 180)
    assert standing(game) == {(0, "follower"): 1, (0, "builder"): 1}
    game.play("choose 1,1")
    assert standing(game) == {}
    assert game.supply(0)["builder"] == 1


@pytest.mark.rule("DRAG-9")
@pytest.mark.parametrize(("eats", "stays"), [("all", False), ("followers", True)])
def test_by_option_a_builder_is_not_eaten(eats: str, stays: bool) -> None:
    game = table(
        ("PD-2", (0, 0), 0), ("PD-3", (0, 1), 0), ("B", (0, 2), 0), modules=("traders_and_builders",), dragon_eats=eats
    )
    lay(game, "U", "-1,1", 0, "deploy follower -1,1 road E")
    lay(game, "B", "-1,0")
    lay(game, "U", "1,1", 0, "deploy builder 1,1 road E")
    lay(game, "B", "-1,2")
    lay(game, "PD-J", "0,3", 180)
    game.play("choose 1,1")
    assert standing(game)[0, "builder"] == stays
    assert standing(game)[0, "follower"] == 1


@pytest.mark.rule("DRAG-10")
def test_a_shepherd_is_eaten_with_his_sheep() -> None:
    game = table(("PD-2", (0, 0), 0), modules=("hills_and_sheep",))
    game.play("draw B")
    game.play("place B 1,0 0")
    field = legal(game, "deploy shepherd")[0]
    game.play(field)
    game.play("draw sheep_3")
    assert [(t.seat, t.name, t.number) for t in game.tokens if t.where == "shepherd" and t.number] == [
        (0, "sheep_3", 1)
    ]
    lay(game, "PD-J", "0,1", 180)
    game.play("choose 1,0")
    assert [t for t in game.tokens if t.where == "shepherd" and t.number] == []
    assert (game.scores, game.supply(0)["shepherd"]) == ((0, 0), 1)


# --- the fairy
@pytest.mark.rule("DRAG-11", "DRAG-13", "DRAG-14")
def test_the_fairy_pays_at_the_turn_and_when_the_city_is_scored() -> None:
    game = table(("D", (0, 0), 0), modules=())
    lay(game, "PD-D", "1,0", 90, "deploy follower 1,0 city E")
    lay(game, "B", "0,1")
    lay(game, "F", "2,0", 0, "deploy fairy 1,0 city E")
    assert where(game, "fairy") == "1,0"
    lay(game, "F", "3,0", 0)
    assert game.scores == (0, 0)
    game.play("draw E")
    assert game.scores == (1, 0)
    game.play("place E 4,0 270")
    assert "deploy fairy 1,0 city E" not in legal(game)
    game.play("pass")
    assert game.scores == (16, 0)


@pytest.mark.rule("DRAG-12")
def test_the_dragon_does_not_enter_her_tile_and_she_stays_there() -> None:
    game = table(("PD-2", (0, 0), 0))
    lay(game, "B", "1,0", 0, "deploy follower 1,0 cloister")
    lay(game, "B", "0,1")
    lay(game, "B", "-1,0", 0, "deploy fairy 1,0 cloister")
    lay(game, "PD-J", "0,2", 180)
    assert legal(game) == ["choose -1,0", "choose 0,1"]


@pytest.mark.rule("DRAG-14")
def test_she_pays_without_the_majority() -> None:
    game = table(("B", (1, 0), 0), modules=("inns_and_cathedrals",))
    lay(game, "E", "1,-1", 270, "deploy follower 1,-1 city W")
    lay(game, "E", "0,0", 0, "deploy big_follower 0,0 city N")
    lay(game, "B", "2,0", 0, "deploy fairy 1,-1 city W")
    lay(game, "N", "0,-1", 180)
    assert game.scores == (3, 6)


@pytest.mark.rule("DRAG-14")
def test_a_farmer_beside_her_brings_three_at_the_end() -> None:
    for farmers in ("per_field", "per_city"):
        game = table(("B", (0, 0), 0), farmers=farmers)
        lay(game, "B", "1,0", 0, "deploy follower 1,0 field NL")
        lay(game, "B", "2,0")
        lay(game, "B", "3,0", 0, "deploy fairy 1,0 field NL")
        game.finish()
        assert game.scores == (3, 0)


@pytest.mark.rule("DRAG-14")
def test_an_unfinished_inn_brings_her_three_points() -> None:
    game = table(("D", (0, 0), 0), players=1, modules=("inns_and_cathedrals",))
    inn = next(
        t.id
        for t in game.rules.tiles
        if any(s.kind == "road" and "inn" in s.marks and len(s.sides) == 2 for s in t.segments)
    )
    game.play(f"draw {inn}")
    game.play(next(a for a in legal(game, "place") if " 1,0 " in a))
    road = legal(game, "deploy follower 1,0 road")[0]
    game.play(road)
    lay(game, "B", "0,1", 0, road.replace("follower", "fairy"))
    game.finish()
    assert game.scores == (3,)


@pytest.mark.rule("DRAG-15")
@pytest.mark.parametrize(("fairy", "john"), [("tile", 9), ("follower", 4)])
def test_by_option_she_stands_on_a_tile(fairy: str, john: int) -> None:
    game = table(("D", (0, 0), 0), fairy=fairy)
    lay(game, "L", "1,0", 90, "deploy follower 1,0 city E")
    game.play("draw PD-T")
    game.play("place PD-T -1,0 180")
    game.play("deploy follower 1,0 road W")
    lay(game, "F", "2,0", 0, "deploy fairy 1,0" if fairy == "tile" else "deploy fairy 1,0 city E")
    lay(game, "F", "3,0", 0)
    lay(game, "E", "4,0", 270)
    assert game.scores[0] == 16
    lay(game, "W", "-1,-1", 90)
    assert game.scores == (16, john)


# --- portal and princess
@pytest.mark.rule("DRAG-16")
def test_a_portal_leads_anywhere() -> None:
    game = table(("D", (0, 0), 0))
    game.play("draw PD-U")
    game.play("place PD-U -1,0 0")
    assert len(legal(game, "deploy follower")) == 8
    game.play("deploy follower 0,0 city N")
    assert standing(game) == {(0, "follower"): 1}


@pytest.mark.rule("DRAG-17", "DRAG-18")
@pytest.mark.parametrize("princess", ["may", "must"])
def test_a_princess_takes_a_knight(princess: str) -> None:
    game = table(("B", (1, 0), 0), princess=princess)
    lay(game, "E", "1,-1", 270, "deploy follower 1,-1 city W")
    lay(game, "E", "0,0", 0, "deploy follower 0,0 city N")
    lay(game, "B", "2,0")
    game.play("draw PD-B")
    game.play("place PD-B 0,-1 180")
    assert legal(game, "take") == ["take follower 0,0 city N", "take follower 1,-1 city W"]
    assert ("pass" in legal(game)) == (princess == "may")
    assert (len(game.legal) == 2) == (princess == "must")
    game.play("take follower 1,-1 city W")
    assert (game.scores, standing(game)) == ((0, 6), {})


@pytest.mark.rule("DRAG-20")
def test_the_dragon_walks_over_the_wheel_board_but_not_to_its_crown() -> None:
    rules = Rules.of(modules=[NAME, "wheel_of_fortune"])
    crowned = 0
    for seed in range(1, 13):
        rng = Rng(seed)
        game = Game(rules, seed=seed)
        while not game.over:
            crown = [t for t in game.tokens if t.where.startswith("crown")]
            stepped = game.legal[0].verb == "choose"
            game.play(game.legal[rng.below(len(game.legal))])
            if stepped and game.legal and game.legal[0].verb == "choose":
                assert [t for t in game.tokens if t.where.startswith("crown")] == crown
                x, y = map(int, where(game, "dragon").split(","))
                crowned += 0 <= x < 4 and 0 <= y < 4
                assert not [f for f in game.board.figures if f.cell == (x, y)]
    assert crowned > 0


@pytest.mark.rule("DRAG-21")
@pytest.mark.parametrize("other", ["hunters_and_gatherers", "over_hill_and_dale"])
def test_it_is_not_combined_with_games_of_their_own(other: str) -> None:
    with pytest.raises(Exception, match="a game of its own"):
        Rules.of(modules=[NAME, other])


@pytest.mark.rule("DRAG-22")
def test_parts_of_the_box_can_be_left_out() -> None:
    rules = Rules.of(modules=[NAME], dragons="off", fairies="off", princesses="off", portals="off")
    rng = Rng(3)
    game = Game(rules, seed=3)
    while not game.over:
        assert not legal(game, "take")
        assert not legal(game, "deploy fairy")
        assert not game.tokens
        game.play(game.legal[rng.below(len(game.legal))])


# --- bots
def worth(game: Game, player: int) -> int:
    """What the module tells bots that its things are worth to a player."""
    return sum(int(module.value(game.engine, player)) for module in game.rules.modules)


def test_bots_fear_the_dragon_the_nearer_it_is_and_like_the_fairy() -> None:
    row: list[Start] = [("PD-2", (0, 0), 0), *(("B", (x, 0), 0) for x in range(1, 9))]
    worths = []
    for x in (1, 3, 8):
        game = table(*row)
        assert worth(game, 0) == 0
        lay(game, "B", f"{x},1", 0, f"deploy follower {x},1 cloister")
        worths.append(worth(game, 0))
        assert worth(game, 1) == 0
    assert worths == sorted(worths)
    assert worths[0] < worths[1] < worths[2] == 0
    lay(game, "B", "0,1")
    lay(game, "B", "0,2", 0, "deploy fairy 8,1 cloister")
    assert worth(game, 0) > 0


def test_every_rule_has_a_test_that_names_it() -> None:
    here = Path(__file__).parent
    scenarios = here.parent / NAME / "scenarios"
    texts = [path.read_text("utf-8") for path in (*here.glob("test_*.py"), *scenarios.glob("*.txt"))]
    lines = [line for text in texts for line in re.findall(r"(?:mark\.rule|^rules)(.*)$", text, re.MULTILINE)]
    named = {rule for line in lines for rule in re.findall(r"DRAG-\d+", line)}
    assert {rule for rule, entry in load().items() if entry.module == NAME} == named


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("field fairy 0,0\nfield fairy_beside 0,0 city N", "the fairy beside a follower on her tile"),
        ("field fairy 0,0\nfield fairy_beside 0,0 city N\nfield fairy_follower 1", "a follower who stands there"),
        ("field dragon 0,0\nfield dragon_path 0,0", "without the tile where it stands"),
        ("field dragon_path 0,0", "a path while the dragon moves only"),
        ("field waiting_tiles joined 1 hidden_before 1", "as many tiles hidden before as are hidden"),
        ("field dragon 0,0", "expected a volcano, for the dragon is in the landscape"),
    ],
)
def test_a_position_with_an_impossible_dragon_or_fairy_is_refused(said: str, reason: str) -> None:
    """They were accepted, and no tile could be drawn later though the game was not over."""
    text = Game(Rules.of(modules=["princess_and_dragon"]), draws="by hand").position()
    with pytest.raises(RecordError, match=reason):
        Game.from_position(text.replace("agenda", f"{said}\nagenda"))


@pytest.mark.rule("DRAG-4", "DRAG-5", "DRAG-6")
@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("field dragon 0,0\n", "", "expected the dragon in the landscape, for a volcano lies"),
        ("field waiting_tiles joined 1\n", "", "no dragon tiles that wait"),
        ("scores", "figures red follower 0,0 field NL\nscores", "nobody on the tile of the dragon"),
        ("agenda", "field fairy 0,0\nagenda", "dragon and fairy on different tiles"),
    ],
)
def test_a_volcano_that_lies_has_called_the_dragon(old: str, new: str, reason: str) -> None:
    """Positions without it, or with somebody on its tile, were accepted."""
    text = table(("PD-2", (0, 0), 0), ("B", (1, 0), 0)).position()
    assert Game.from_position(text).position() == text
    with pytest.raises(RecordError, match=reason):
        Game.from_position(text.replace(old, new))
