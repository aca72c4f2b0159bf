"""Confidence in who is stronger: Wilson intervals, Bradley-Terry ratings, a sequential test over pairs of games."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log, sqrt

Z95 = 1.959964  # 95 % of a normal distribution lie within so many standard deviations
ELO = 400 / log(10)  # Elo points for one unit of log odds
ROUNDS = 200


def wilson(score: float, games: int, z: float = Z95) -> tuple[float, float]:
    """The interval for a chance of winning, given the mean result of so many games (draws are half)."""
    if games == 0:
        return 0.0, 1.0
    middle = (score + z * z / (2 * games)) / (1 + z * z / games)
    width = z / (1 + z * z / games) * sqrt(score * (1 - score) / games + z * z / (4 * games * games))
    return max(0.0, middle - width), min(1.0, middle + width)


def mean_interval(values: Sequence[float], z: float = Z95) -> tuple[float, float, float]:
    """The mean and its interval, from independent values."""
    n = len(values)
    if n == 0:
        return 0.0, 0.0, 0.0
    mean = sum(values) / n
    spread = sqrt(sum((value - mean) ** 2 for value in values) / (n - 1) / n) if n > 1 else 0.0
    return mean, mean - z * spread, mean + z * spread


@dataclass(frozen=True)
class Rating:
    """Elo points against the mean of all entrants, with an interval of 95 %."""

    elo: float
    low: float
    high: float


Scores = Mapping[tuple[int, int], tuple[float, int]]  # per pairing: points of the first, games


def bradley_terry(entrants: int, scores: Scores) -> list[Rating]:
    """The strengths under which these results are most likely; one drawn game in each pairing is added to what was
    played, so that a clean sweep gives a finite rating."""
    played = {pairing: (points + 0.5, games + 1) for pairing, (points, games) in scores.items()}
    strength = [0.0] * entrants
    for _ in range(ROUNDS):  # Newton's method, the mean held at 0
        slope, curve = _derivatives(strength, played)
        step = solve(curve, slope)
        strength = [value + max(-1.0, min(1.0, change)) for value, change in zip(strength, step, strict=True)]
        if max(map(abs, step)) < 1e-10:
            break
    _, curve = _derivatives(strength, played)
    found = []
    for number, value in enumerate(strength):
        unit = [float(i == number) - 1 / entrants for i in range(entrants)]
        spread = Z95 * sqrt(max(0.0, solve(curve, unit)[number]))
        found.append(Rating(ELO * value, ELO * (value - spread), ELO * (value + spread)))
    return found


def _derivatives(strength: list[float], played: Scores) -> tuple[list[float], list[list[float]]]:
    """The slope of the log likelihood, and its curvature with the mean held at 0."""
    n = len(strength)
    slope = [-sum(strength)] * n
    curve = [[1.0] * n for _ in range(n)]
    for (one, other), (points, games) in played.items():
        chance = 1 / (1 + exp(strength[other] - strength[one]))
        slope[one] += points - games * chance
        slope[other] -= points - games * chance
        weight = games * chance * (1 - chance)
        for i, j, sign in ((one, one, 1), (other, other, 1), (one, other, -1), (other, one, -1)):
            curve[i][j] += sign * weight
    return slope, curve


def solve(matrix: list[list[float]], right: Sequence[float]) -> list[float]:
    """The solution of a small system of linear equations (Gauss, with pivots)."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    n = len(rows)
    for column in range(n):
        pivot = max(range(column, n), key=lambda row: abs(rows[row][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for row in range(n):
            if row != column:
                factor = rows[row][column] / rows[column][column]
                rows[row] = [a - factor * b for a, b in zip(rows[row], rows[column], strict=True)]
    return [rows[i][n] / rows[i][i] for i in range(n)]


@dataclass(frozen=True)
class Sequential:
    """Stops a pairing when the result is clear: the chance of winning is one half, or `target` or more for one side.

    A sequential probability ratio test on the mean result of pairs, once for each side; the spread of pairs is
    estimated from the pairs themselves. Each wrong answer happens in about `error` of all cases.
    """

    target: float = 0.55
    error: float = 0.05
    fewest: int = 16  # pairs before it says anything: less tell nothing of their spread

    def verdict(self, pairs: Iterable[float]) -> str:
        """`first` or `second` is stronger, `equal` (no such difference), or nothing yet. The first answer counts."""
        n, total, squares = 0, 1.0, 0.5  # of n + 2 pairs: one that the first won and one that it lost are added
        accept = log((1 - self.error) / (self.error / 2))
        reject = log(self.error / (1 - self.error / 2))
        gain = self.target - 0.5
        for pair in pairs:
            n += 1
            total += pair
            squares += (pair - 0.5) ** 2
            if n < self.fewest:
                continue
            lead = total / (n + 2) - 0.5
            spread = squares / (n + 2) - lead**2
            ratio = n * gain * (abs(lead) - gain / 2) / spread  # log likelihood ratio for the side that leads
            if ratio >= accept:
                return "first" if lead > 0 else "second"
            if ratio <= reject:
                return "equal"
        return ""
