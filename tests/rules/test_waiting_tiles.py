"""Tiles that cannot be drawn yet: what `Layout.waiting_tiles` and `Position.release_waiting_tiles` promise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from random import Random

import pytest

from bastide import bot
from bastide.errors import EngineLimit, OptionError
from bastide.game import CHANCE, Dealer, Game, Rng
from bastide.game.engine import Engine, new_engine
from bastide.notation.position import position_lines
from bastide.notation.record import PositionLine
from bastide.notation.restore import restore
from bastide.rules import Layout, Module, Position, Rules, Spec
from bastide.tiles.model import Tile

WAIT = ("H", "J", "K")  # 3 + 3 + 3 tiles that wait for the first cloister


class Patience(Module):
    """Some tiles wait until a cloister lies."""

    def declare(self, layout: Layout) -> None:
        layout.waiting_tiles(lambda tile: tile.id in WAIT)
        self.cloister = layout.kind_id("cloister")

    def ready(self, tiles: list[Tile]) -> None:
        self.calls = [any(segment.kind == "cloister" for segment in tile.segments) for tile in tiles]

    def placed(self, pos: Position, block: int) -> None:
        if self.calls[pos.type_of(block)]:
            pos.release_waiting_tiles()


def spec_of(name: str) -> Spec:
    def made(options: Mapping[str, object]) -> list[Module]:
        return [Patience()]

    return Spec(name=name, make=made, order=90, prefix="HOOK")


@cache
def rules(*modules: str, tile_counts: str = "printed") -> Rules:
    return Rules.of(modules=[*modules, spec_of("patience")], tile_counts=tile_counts)


def chances(game: Game) -> dict[str, Fraction]:
    """How likely each draw is."""
    drawn = {str(action.tile): int(game.engine.weights[i]) for i, action in enumerate(game.legal)}
    return {tile: Fraction(weight, sum(drawn.values())) for tile, weight in drawn.items()}


def again(game: Game) -> Engine:
    """The position after it was written as text."""
    words = [line.partition(" ") for line in position_lines(game.engine, game.names)]
    lines = [PositionLine(name, text, number) for number, (name, _, text) in enumerate(words)]
    engine = new_engine(game.rules)
    restore(engine, game.names, lines, None)
    return engine


def test_nothing_that_waits_is_drawn_before_it_may_join() -> None:
    game = Game(rules(), draws="by hand")
    assert not set(WAIT) & set(chances(game))
    assert game.tiles_left == 71
    assert game.view(0).unseen["K"] == 3
    game.play("draw B")
    assert game.engine.tiles_waiting() == 9
    game.play("place B 0,1 0")
    assert game.engine.tiles_waiting() == 0
    assert (game.tiles_left, game.view(0).unseen["K"]) == (70, 3)
    game.play("pass")
    assert chances(game)["K"] == Fraction(3, 70)
    assert "field waiting_tiles joined 1" in position_lines(game.engine, game.names)
    game.undo()
    game.undo()
    assert game.engine.tiles_waiting() == 9


@pytest.mark.parametrize("modules", [(), ("hills_and_sheep",)])
def test_games_deal_every_tile_once_and_positions_come_back(modules: tuple[str, ...]) -> None:
    for seed in range(1, 4):
        rng = Rng(seed)
        game = Game(rules(*modules), seed=seed)
        joined = False
        while not game.over:
            game.play(game.legal[rng.below(len(game.legal))])
            joined = joined or game.engine.tiles_waiting() == 0
            if len(game.board) in (3, 30):
                assert again(game).key() == game.engine.key()
        laid = Counter(tile.tile.id for tile in game.board.values())
        assert joined
        assert all(laid[name] <= 3 for name in WAIT)
        assert modules or sum(laid[name] for name in WAIT) > 6  # some may have fitted nowhere


def test_a_tile_that_was_hidden_before_is_none_of_those_that_waited() -> None:
    """Every draw has the chance that it has when the hidden tile is really drawn blindly from the old pile."""
    game = Game(rules("hills_and_sheep"), draws="by hand")
    hill = next(tile.id for tile in game.rules.tiles if "hill" in tile.marks)
    for tile in (hill, "B"):
        game.play(f"draw {tile}")
        game.play(game.legal[0])
        game.play("pass")
    engine = game.engine
    found = chances(game)
    counts = {tile.id: int(engine.s[engine.bag + number]) for number, tile in enumerate(engine.rules.tiles)}
    old = {name: count for name, count in counts.items() if count and name not in WAIT}
    first = sum(old.values())
    left = first - 1 + 9  # one of the old tiles lies under the hill
    expected = {name: Fraction(count, left) * Fraction(first - 1, first) for name, count in old.items()}
    expected |= {name: Fraction(3, left) for name in WAIT}
    assert found == expected
    assert sum(expected.values()) == 1
    dealer = Dealer(Rng(1))
    dealt = Counter(engine.rules.tiles[dealer.draw(engine)].id for _ in range(20_000))
    share = sum(dealt[name] for name in WAIT) / 20_000
    assert abs(share - float(Fraction(9, left))) < 0.01
    assert again(game).key() == engine.key()


def test_when_only_hidden_old_tiles_are_unseen_none_of_them_can_be_drawn() -> None:
    game = Game(rules("hills_and_sheep"), draws="by hand")
    random = Random(4)
    hidden = 0
    while not game.over:
        if game.seat == CHANCE and game.legal[0].tile in {tile.id for tile in game.rules.tiles}:
            names = [str(action.tile) for action in game.legal]
            old = [name for name in names if name not in WAIT]
            game.play(f"draw {random.choice(old or names)}")  # those that waited come last
            hidden = max(hidden, int(game.engine.hidden_before(0)))
        else:
            game.play(random.choice(game.legal))
    assert game.tiles_left == 0 or game.engine.tiles_waiting()


def test_bots_think_with_tiles_that_wait() -> None:
    game = Game(rules("hills_and_sheep"), seed=4)
    players = [bot("search:4", 0), bot("planner", 1)]
    for _ in range(24):
        game.play(players[game.seat].choose(game.view(game.seat)))
    assert len(game.board) > 5


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(EngineLimit, match="one group of tiles can wait"):
        Rules.of(modules=[spec_of("patience"), spec_of("more_patience")])
    tiles = Rules.of().tiles
    none = "+".join(f"{tile.id}=0" for tile in tiles if tile.id not in WAIT)
    with pytest.raises(OptionError, match="at least 1 of the tiles must be left"):
        rules(tile_counts=none)


def test_a_scripted_game_draws_what_it_likes() -> None:
    game = Game(rules(), scripted=True)
    game.play("draw K")
    game.play(game.legal[0])
    game.play("pass")
    assert again(game).key() == game.engine.key()
    game.play("draw B")
    game.play(game.legal[0])
    assert again(game).key() == game.engine.key()
