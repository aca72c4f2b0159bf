"""Better weights for the evaluation: change a few at random, keep the change if it wins against the weights before.

    python bench/tune.py --seconds 600 --seed 3 --presets bigbox2014,anniversary2021

Planners play each other with the same tiles from both seats. The base game is always among the rules; margins of other
rules are scaled by what is usual there. Prints every change that was kept, and all weights in the end.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from math import exp
from random import Random
from time import monotonic

from table import planner, play, with_weights

from bastide import Rules
from bastide.arena.ratings import mean_interval
from bastide.bots.weights import Weights

LOOKS = (25, 60, 100, 160)  # pairs after which a change may be given up
DOUBT = 0.2  # standard errors that it must be ahead of nothing until the last look ...
SURE = 1.3  # ... and at the last
STEP = 0.4  # how much a weight changes, as the standard deviation of its logarithm

Named = dict[str, float]


def margins(table: list[Rules], new: Named, old: Named, random: Random) -> Iterator[float]:
    """Margins of the new weights, deck after deck, as shares of the points usual with these rules."""
    pairs = [(rules, planner(with_weights(rules, new)), planner(with_weights(rules, old))) for rules in table]
    while True:
        for rules, one, other in pairs:
            seed = random.randrange(1 << 31)
            a, b = play(rules, [one, other], seed), play(rules, [other, one], seed)
            yield 100 * (a[0] - a[1] + b[1] - b[0]) / max(1, a[0] + a[1] + b[0] + b[1])


def is_better(table: list[Rules], new: Named, old: Named, random: Random) -> str:
    """By how much the new weights win, as text; empty if they do not."""
    found: list[float] = []
    for margin in margins(table, new, old, random):
        found.append(margin)
        if len(found) in LOOKS:
            last = len(found) == LOOKS[-1]
            mean, low, _ = mean_interval(found, SURE if last else DOUBT)
            if low < 0:
                return ""
            if last:
                return f"{mean:+.2f} % (s.e. {(mean - low) / SURE:.2f})"
    return ""


def main() -> None:
    """Reads the command line and tunes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--presets", default="", help="other rules besides the base game")
    given = parser.parse_args()
    random = Random(given.seed)
    table = [Rules.of(), *(Rules.of(preset=name) for name in given.presets.split(",") if name)]
    best = {name: float(value) for name, value in vars_of(Weights()).items()}
    until = monotonic() + given.seconds
    while monotonic() < until:
        new = dict(best)
        for name in random.sample(sorted(best), random.choice([1, 2, 3])):
            new[name] = float(f"{new[name] * exp(random.gauss(0, STEP)):.3g}")
        if new["hand_decay"] < 1.0 and (gain := is_better(table, new, best, random)):
            changed = {name: (best[name], new[name]) for name in best if best[name] != new[name]}
            print(f"{gain}: {changed}", flush=True)
            best = new
    print(best)


def vars_of(weights: Weights) -> Named:
    """All weights by name; a compiled class has no __dict__."""
    return {name: getattr(weights, name) for name in dir(weights) if not name.startswith("_")}


if __name__ == "__main__":
    main()
