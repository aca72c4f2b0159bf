"""Is the evaluation right? What it expected of each source of points, against what came of it.

    python bench/calibration.py --games 400
    python bench/calibration.py --modules hunters_and_gatherers

Planners play for two, the base game unless modules are given. In every third position the evaluation says what the lead
will change by, from each kind of region, followers that come home, joins and followers in hand. A least-squares fit to
what it did change by gives a factor for each: 1 is right, more means that the evaluation thinks too little of it, a
dash that there was nothing of the kind.
"""

from __future__ import annotations

import argparse
from itertools import pairwise
from math import sqrt

from table import planner, positions

from bastide import Rules
from bastide.arena.ratings import solve
from bastide.bots.evaluation import Evaluation
from bastide.game import Engine
from bastide.kernel.offsets import KIND, STRENGTH
from bastide.rules.position import OVER

PHASES = (0.06, 0.28, 0.5, 0.72, 0.89, 1.0)  # shares of all squares that lie on the board
EVERY = 3

Row = list[float]


def parts(evaluation: Evaluation, game: Engine) -> Row:
    """What the first player is expected to win more than the second: kinds of regions, homecoming, joins, hands."""
    evaluation.judge(game)
    whole = evaluation.worth[0] - evaluation.worth[1] - float(game.score_of(0) - game.score_of(1))
    kinds = [0.0] * len(game.rules.layout.kinds)
    home = 0.0
    for i in range(evaluation.occupied):
        root = evaluation.roots[i]
        winners = evaluation.joins.winners[root]
        kinds[game.s[root + KIND]] += evaluation.joins.points[root] * float((winners & 1) - (winners >> 1 & 1))
        if evaluation.closes[game.s[root + KIND]]:
            strength = game.s[root + STRENGTH]
            one, other = float(strength & 255), float(strength >> 8 & 255)
            difference = one * evaluation.one_more[0] - other * evaluation.one_more[1]
            home += evaluation.weights.back * evaluation.likely[root] * difference
    for seat in range(2):
        evaluation.worth[seat] = 0.0
    evaluation.hands(game)
    hands = evaluation.worth[0] - evaluation.worth[1]
    return [*kinds, home, whole - sum(kinds) - home - hands, hands]


def played(rules: Rules, seed: int) -> list[tuple[int, Row, float]]:
    """One game: tiles on the board, what was expected, what came."""
    evaluation = Evaluation(rules)
    seen = []
    for game in positions(rules, [planner(evaluation)] * rules.players, seed):
        now = float(game.score_of(0) - game.score_of(1))
        if game.question() != OVER and game.s[0] % EVERY == 0:
            seen.append((int(game.s[0]), parts(evaluation, game), now))
    return [(tiles, row, now - then) for tiles, row, then in seen]


def fit(rows: list[Row], came: list[float]) -> list[str]:
    """The factor of each column, with its standard error; a dash for one without anything in it."""
    used = [i for i in range(len(rows[0])) if any(row[i] for row in rows)]
    found = dict(zip(used, least_squares([[row[i] for i in used] for row in rows], came), strict=True))
    return [f"{found[i][0]:.2f} ± {found[i][1]:.2f}" if i in found else "-" for i in range(len(rows[0]))]


def least_squares(rows: list[Row], came: list[float]) -> list[tuple[float, float]]:
    """The factors by which the columns together come nearest, with their standard errors."""
    n = len(rows[0])
    square = [[sum(row[i] * row[j] for row in rows) for j in range(n)] for i in range(n)]
    factors = solve(square, [sum(row[i] * y for row, y in zip(rows, came, strict=True)) for i in range(n)])
    rest = [y - sum(f * x for f, x in zip(factors, row, strict=True)) for row, y in zip(rows, came, strict=True)]
    spread = sum(r * r for r in rest) / (len(rows) - n)
    unit = [[float(i == j) for i in range(n)] for j in range(n)]
    return [(factor, sqrt(spread * solve(square, unit[i])[i])) for i, factor in enumerate(factors)]


def main() -> None:
    """Reads the command line, plays, prints a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--modules", default="")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rules = Rules.of(modules=[name for name in given.modules.split(",") if name])
    seen = [entry for game in range(given.games) for entry in played(rules, given.seed * 1_000_003 + game)]
    print("| tiles | positions |", " | ".join([*rules.layout.kinds, "homecoming", "joins", "hands"]), "|")
    bounds = [round(share * int(rules.shape.squares)) for share in PHASES]
    for first, end in pairwise(bounds):
        chosen = [(row, came) for tiles, row, came in seen if first <= tiles < end]
        factors = fit([row for row, _ in chosen], [came for _, came in chosen])
        print(f"| {first} to {end - 1} | {len(chosen)} | {' | '.join(factors)} |")


if __name__ == "__main__":
    main()
