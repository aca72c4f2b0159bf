"""Intervals, ratings and the sequential test, on numbers that can be checked by hand or by counting."""

from __future__ import annotations

from math import log10
from random import Random

import pytest

from bastide.arena.ratings import Sequential, bradley_terry, mean_interval, solve, wilson


@pytest.mark.parametrize(
    ("score", "games", "low", "high"),
    [(0.5, 100, 0.4038, 0.5962), (1.0, 10, 0.7225, 1.0), (0.0, 10, 0.0, 0.2775), (0.55, 400, 0.5010, 0.5980)],
)
def test_wilson(score: float, games: int, low: float, high: float) -> None:
    assert wilson(score, games) == pytest.approx((low, high), abs=1e-4)


def test_wilson_of_nothing_is_everything() -> None:
    assert wilson(0.5, 0) == (0, 1)


def test_the_interval_of_a_mean() -> None:
    mean, low, high = mean_interval([1, 2, 3, 4])
    assert mean == 2.5
    assert (high - mean, mean - low) == pytest.approx([1.959964 * (5 / 3 / 4) ** 0.5] * 2)
    assert mean_interval([7]) == (7, 7, 7)
    assert mean_interval([]) == (0, 0, 0)


def test_solving_needs_pivots() -> None:
    assert solve([[0, 2], [1, 1]], [4, 5]) == pytest.approx([3, 2])


def test_two_players_differ_by_the_log_odds_of_the_score() -> None:
    stronger, weaker = bradley_terry(2, {(0, 1): (75, 99)})  # and one draw: 75.5 of 100
    assert stronger.elo - weaker.elo == pytest.approx(400 * log10(75.5 / 24.5))
    assert stronger.elo == pytest.approx(-weaker.elo)
    assert stronger.low < stronger.elo < stronger.high


def test_a_clean_sweep_has_a_finite_rating_and_a_wide_interval() -> None:
    winner, _ = bradley_terry(2, {(0, 1): (10, 10)})
    assert 200 < winner.elo < 300
    assert winner.high - winner.low > 400


def test_a_chain_of_results_orders_those_who_never_met() -> None:
    found = bradley_terry(3, {(0, 1): (60, 100), (1, 2): (60, 100), (0, 2): (0, 0)})
    assert found[0].elo > found[1].elo > found[2].elo
    assert found[1].elo == pytest.approx(0, abs=1e-6)


def test_more_games_make_the_interval_narrow() -> None:
    widths = [bradley_terry(2, {(0, 1): (n / 2, n)})[0] for n in (100, 400)]
    assert (widths[0].high - widths[0].low) / (widths[1].high - widths[1].low) == pytest.approx(2, rel=0.01)


def answers(chance: float, runs: int) -> dict[str, int]:
    """What the test says of simulated matches of 400 pairs, each game won with this chance."""
    rng, test = Random(11), Sequential(0.55)
    found = {"first": 0, "second": 0, "equal": 0, "": 0}
    for _ in range(runs):
        found[test.verdict((rng.random() < chance) / 2 + (rng.random() < chance) / 2 for _ in range(2000))] += 1
    return found


def test_equal_players_are_rarely_told_apart() -> None:
    found = answers(0.5, 400)
    assert found["first"] + found["second"] <= 0.08 * 400
    assert found["equal"] >= 0.9 * 400


def test_a_stronger_player_is_found() -> None:
    found = answers(0.55, 400)
    assert found["first"] >= 0.92 * 400
    assert found["second"] == 0


def test_the_test_answers_soon_when_the_difference_is_large() -> None:
    test = Sequential(0.55)
    assert test.verdict([1.0] * 15) == ""
    assert test.verdict([1.0] * 16) == "first"
    assert test.verdict([0.0] * 16) == "second"
    assert test.verdict([]) == ""
