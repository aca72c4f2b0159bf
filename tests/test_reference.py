"""Random play must give the means of an independent C program (bench/limit.c): another mean is a wrong rule.

Engines of four other authors agree with it within 0.2, but for the first player without farmers: they have 27.9, the C
program (with fields closed to followers, 100,000 games) and this engine 28.2.
"""

from __future__ import annotations

from math import sqrt

import pytest

from bastide.game.benchmark import random_games
from bastide.native import compiled
from bastide.rules import Rules

GAMES = 20_000 if compiled() else 400  # uncompiled it is the same code, only slower


@pytest.mark.parametrize(
    ("options", "means"),
    [
        ({}, (19.60, 19.26)),
        ({"farmers": "off"}, (28.20, 27.61)),
        ({"small_city": "two_points"}, (19.05, 18.7)),
    ],
)
def test_random_play_has_the_reference_means(options: dict[str, str], means: tuple[float, float]) -> None:
    sums = random_games(Rules.of(**options), 2024, GAMES)  # type: ignore[arg-type]
    for seat, wanted in enumerate(means):
        mean = sums[seat] / GAMES
        error = sqrt((sums[2 + seat] / GAMES - mean**2) / GAMES)
        assert abs(mean - wanted) <= 3 * error
