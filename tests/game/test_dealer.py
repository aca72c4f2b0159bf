"""Generators, and what the benchmark times."""

from __future__ import annotations

from bastide.game import Rng
from bastide.game.benchmark import clones, midgame, turns
from bastide.rules import Rules
from bastide.rules.position import DRAW


def test_neighbouring_seeds_begin_differently() -> None:
    assert len({Rng(seed).below(1000) for seed in range(50)}) > 40


def test_a_position_in_the_middle_of_a_game_can_be_copied_and_every_turn_undone() -> None:
    game = midgame(Rules.of(), 3, 60)
    assert game.question() == DRAW
    before = list(game.s)
    assert clones(game, 3) == 3 * game.score_of(0)
    assert turns(game, 1) > 100
    assert list(game.s)[: game.shape.blocks] == before[: game.shape.blocks]
