"""Boards that more than one test of the bots starts from."""

from __future__ import annotations

from bastide import Game, Rules


def gold_in_a_forest(*actions: str) -> Game:
    """Hunters and Gatherers: red stands in a forest with gold."""
    game = Game(Rules.of(modules=["hunters_and_gatherers"]), scripted=True, start=[("hg012", (-1, 0), 0)])
    for action in ("draw hg018", "place hg018 -1,1 0", "deploy man -1,1 forest N", *actions):
        game.play(action)
    return game
