"""Games that are gone leave no memory behind, though their states are vectors of the compiled world."""

from __future__ import annotations

import gc
import resource

import pytest

from bastide.game import Game
from bastide.native import compiled

ROUNDS = 400  # a state has about 50 kB: kept ones would take 20 MB and more


def grown(make: object) -> int:
    """By how many kB the process grows while many games are made and dropped."""
    assert callable(make)
    for _ in range(ROUNDS):
        make()
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(ROUNDS):
        make()
    gc.collect()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before


@pytest.mark.skipif(not compiled(), reason="only compiled vectors can leak")
def test_games_and_copies_that_are_dropped_are_freed() -> None:
    game = Game(seed=1)
    assert grown(Game) < 5000
    assert grown(game.copy) < 5000
    assert grown(lambda: Game(scripted=True, start=[("D", (0, 0), 1)])) < 5000
