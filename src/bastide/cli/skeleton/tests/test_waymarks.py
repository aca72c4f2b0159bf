"""Waymarks keeps to everything that Bastide expects of a module, and its games can be played."""

from __future__ import annotations

from pathlib import Path

from bastide import Game, bot
from bastide.check import check_module

HOME = Path(__file__).parents[1] / "waymarks"


def test_the_module_is_sound() -> None:
    assert check_module(HOME, games=2) == []


def test_a_game_ends_with_points() -> None:
    game = Game(modules=["waymarks"], seed=1)
    players = [bot("greedy", seat) for seat in range(2)]
    while not game.over:
        game.play(players[game.seat].choose(game.view(game.seat)))
    assert sum(game.scores) > 0
