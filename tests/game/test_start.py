"""Games that begin with other tiles: refused with a sentence, or played to the end."""

from __future__ import annotations

from typing import Any

import pytest

from bastide.bots import bot
from bastide.errors import EngineLimit, OptionError
from bastide.game import Game, Rng, State
from bastide.game.start import Start
from bastide.rules import Rules

CHOICES = {
    "base": Rules.of(),
    "hand": Rules.of(hand=3),
    "bigbox": Rules.of(preset="bigbox2014", players=3),
    "hunters": Rules.of(modules=["hunters_and_gatherers"]),
    "dale": Rules.of(modules=["over_hill_and_dale"]),
    "river": Rules.of(modules=["river"]),
}


def random_start(rules: Rules, count: int, seed: int) -> list[Start]:
    """Tiles of a random game as they lie after so many placements, the usual start left out where one tile suffices."""
    rng, game = Rng(seed), Game(rules, seed=seed)
    start: list[Start] = []
    while len(start) < count and not game.over:
        action = game.legal[rng.below(len(game.legal))]
        game.play(action)
        if action.verb == "place" and action.tile and action.cell and action.rotation is not None:
            start.append((action.tile, action.cell, action.rotation))
    usual = list(game.board.values())[: len(Game(rules, seed=0).board)]
    return [(laid.tile.id, laid.cell, laid.rotation) for laid in usual] + start


def played_out(game: Game, seed: int) -> Game:
    rng = Rng(seed)
    while not game.over:
        game.play(game.legal[rng.below(len(game.legal))])
    return game


@pytest.mark.parametrize("tile", ["X", "W", "D", "N", "C", "A"])
def test_a_game_that_begins_with_a_larger_tile_is_played_to_its_end(tile: str) -> None:
    """It died with IndexError at the 71st tile: the bag still held what lay at the start."""
    game = Game(seed=3, start=[(tile, (0, 0), 0)])
    kind = game.rules.type_named(tile)
    usual = tile == "D"
    unseen = game.view().unseen.get(tile, 0) + (game.tile == tile)
    assert unseen == game.rules.tiles[kind].count - 1
    assert game.tiles_left == (70 if usual else 69)
    assert played_out(game, 3).over
    assert len(game.board) <= 72


@pytest.mark.parametrize("count", [2, 3, 5, 10, 20, 40])
def test_a_game_with_several_start_tiles_is_played_to_its_end(count: int) -> None:
    """An ordinary game with two start tiles stopped with EngineLimit, `a scripted game has room for 72 tiles`."""
    for seed in range(3):
        start = random_start(CHOICES["base"], count - 1, seed)
        assert len(start) == count
        game = played_out(Game(seed=seed, start=start), seed)
        assert list(game.board)[:count] == [cell for _, cell, _ in start]


@pytest.mark.parametrize("name", CHOICES)
def test_any_start_that_is_accepted_is_played_to_its_end(name: str) -> None:
    rules = CHOICES[name]
    accepted = 0
    for seed in range(12):
        start = random_start(rules, seed * 5 + 1, seed)
        if rules.layout.big:  # it cannot be said as tiles
            with pytest.raises(OptionError, match="start: expected a tile in play"):
                Game(rules, seed=seed, start=start)
            start = [(tile, (x - start[0][1][0], y), turn) for tile, (x, y), turn in start[len(start) // 2 :][:1]]
        try:
            game = Game(rules, seed=seed, start=start)
        except OptionError:
            continue
        accepted += 1
        played_out(game, seed)
    assert accepted >= 9


def test_what_is_in_the_bag_and_on_the_table_is_what_is_in_the_box() -> None:
    rules = CHOICES["base"]
    start = random_start(rules, 15, 4)
    game = Game(rules, draws="by hand", start=start)
    for number, tile in enumerate(rules.tiles):
        lies = sum(one == tile.id for one, *_ in start)
        assert game.engine.s[game.engine.bag + number] + lies == tile.count
    assert game.tiles_left == 72 - len(start)


@pytest.mark.parametrize("tiles", [100, 300])
def test_more_start_tiles_than_there_are_is_refused(tiles: int) -> None:
    """300 were accepted, and the landscape met itself."""
    start: list[Start] = [("X", (x, 0), 0) for x in range(tiles)]
    with pytest.raises(OptionError, match="start: "):
        Game(seed=1, start=start)


def test_more_start_tiles_than_a_scripted_game_has_room_for_is_refused() -> None:
    with pytest.raises(OptionError, match="start: there is room for 257 tiles, got 300"):
        Game(scripted=True, start=[("X", (x, 0), 0) for x in range(300)])
    game = Game(scripted=True, start=[("X", (x, 0), 0) for x in range(257)])
    game.play("draw X")
    with pytest.raises(EngineLimit):
        game.play("place X 0,1 0")
    assert len(game.finish()) == 1


@pytest.mark.parametrize(
    ("tile", "cell", "turn", "reason"),
    [
        ("U", (0, 600_000), 1, "no farther than 1000"),  # became 1,-448576
        ("U", (-1001, 0), 1, "no farther than 1000"),
        ("U", (0.0, 0), 1, "no farther than 1000"),
        ("ZZ", (0, 0), 0, "a tile in play"),
        ("U", (0, 0), 4, "a rotation of 0 to 3"),
        ("U", (0, 0), True, "a rotation of 0 to 3"),
    ],
)
def test_a_start_tile_that_cannot_lie_is_refused(tile: str, cell: tuple[int, int], turn: int, reason: str) -> None:
    with pytest.raises(OptionError, match=reason):
        Game(seed=1, start=[(tile, cell, turn)])


@pytest.mark.parametrize(
    "tile", ["D", None, 5, ("D",), ("D", (0, 0)), ("D", 3, 0), ("D", (0, 0, 0), 0), (1, (0, 0), 0)]
)
def test_what_is_no_start_tile_is_refused(tile: Any) -> None:
    with pytest.raises(OptionError, match="expected a tile such as"):
        Game(seed=1, start=[tile])


def test_a_start_tile_that_the_bag_does_not_have_is_refused() -> None:
    with pytest.raises(OptionError, match="no X is left in the bag"):
        Game(seed=1, start=[("X", (0, 0), 0), ("X", (1, 0), 0)])


def test_a_start_that_leaves_nothing_to_draw_is_refused() -> None:
    start = random_start(CHOICES["base"], 71, 1)
    assert len(start) == 72
    with pytest.raises(OptionError, match="no tile is left to draw"):
        Game(seed=1, start=start)


def test_squares_of_a_big_tile_are_no_start_tiles() -> None:
    rules = Rules.of(modules=["wheel_of_fortune"])
    square = rules.layout.big[0].squares[0].tile.id
    with pytest.raises(OptionError, match="a tile in play"):
        Game(rules, seed=1, start=[(square, (0, 0), 0)])


@pytest.mark.parametrize("name", ["planner", "search"])
def test_bots_play_on_from_a_long_start(name: str) -> None:
    start = random_start(CHOICES["base"], 55, 2)
    game = Game(seed=2, start=start)
    players = [bot(name, seat) for seat in range(2)]
    moves = 0
    while not game.over and moves < 12:
        game.play(players[game.seat].choose(game.view(game.seat)))
        moves += 1
    state: State = game.state()
    assert state.key()
