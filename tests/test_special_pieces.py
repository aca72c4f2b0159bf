"""BASE-30 without any box: a piece that is no follower, brought by a module of a few lines of plain Python."""

from __future__ import annotations

import pytest

from bastide.game import Game
from bastide.rules import Layout, Module, Spec


class Carts(Module):
    """Every player has a cart for roads; it weighs nothing, so it is no follower."""

    def declare(self, layout: Layout) -> None:
        layout.piece(self, "cart", 1, 0, ["road"])


CARTS = Spec(name="carts", make=lambda options: [Carts()], order=90, prefix="CART")


@pytest.mark.rule("BASE-30")
def test_a_special_piece_occupies_nothing_and_counts_for_no_majority() -> None:
    game = Game(modules=[CARTS], scripted=True)
    assert game.supply(0) == {"follower": 7, "cart": 1}
    for action in ("draw W", "place W 1,0 0", "deploy cart 1,0 road W"):
        game.play(action)
    # The road holds red's cart only: blue's follower may go there, and alone scores it.
    for action in ("draw W", "place W -1,0 0", "deploy follower -1,0 road E"):
        game.play(action)
    assert game.scores == (0, 3)
    assert game.supply(0) == {"follower": 7, "cart": 1}
    assert game.supply(1) == {"follower": 7, "cart": 1}


@pytest.mark.rule("BASE-30")
def test_a_special_piece_alone_scores_nothing() -> None:
    game = Game(modules=[CARTS], scripted=True)
    for action in ("draw W", "place W 1,0 0", "deploy cart 1,0 road W", "draw W", "place W -1,0 0", "pass"):
        game.play(action)
    assert game.scores == (0, 0)
