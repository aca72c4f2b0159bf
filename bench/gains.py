"""How far should a trial go? What choosing by trials wins over the evaluation's first choice, by depth and number.

    python bench/gains.py trials-base.jsonl

Reads what `bench/trials.py` wrote, for two players. Some trials of a position choose among the turns that the
evaluation likes, the others say what that choice is worth: their mean after nine to twelve turns. Printed are points a
turn, in the eyes of the same evaluation, between planners: games have to show whether they are real.
"""

from __future__ import annotations

import argparse
import json
from math import sqrt
from pathlib import Path
from random import Random
from statistics import fmean, pstdev

from trials import LIKED

from bastide import Rules
from bastide.bots.evaluation import Evaluation
from bastide.game import new_engine

OTHERS = 0.88  # as in bots/weights.py
LATE = slice(8, 12)  # the turns by which a choice is judged
FIELDS = {"3rd": slice(2, 3), "8th": slice(7, 8), "1 to 4": slice(0, 4), "1 to 8": slice(0, 8), "1 to 12": slice(0, 12)}
NUMBERS = (2, 4, 8)
SPLITS = 20


class Seen:
    """A position: what the evaluation thought of its turns, and how trials went on."""

    def __init__(self, line: str, rules: Rules, evaluation: Evaluation) -> None:
        told = json.loads(line)
        game = new_engine(rules)
        for action in told["actions"]:
            game.apply(action)
        seat = game.player()
        self.first: list[float] = []
        for turn in told["turns"][:LIKED]:
            mark = game.trail_len
            for action in turn:
                game.apply(action)
            self.first.append(evaluation.lead(game, seat))
            game.undo(mark)
        deepest = LATE.stop
        padded = [[one + [one[-1]] * (deepest - len(one)) for one in trials] for trials in told["course"][:LIKED]]
        self.aims = [[[w[seat] - OTHERS * w[1 - seat] for w in one] for one in trials] for trials in padded]
        self.leads = [[[w[seat] - w[1 - seat] for w in one] for one in trials] for trials in padded]

    def gain(self, part: slice, number: int, opinion: float, random: Random) -> float:
        """What so many trials win, by the mean over a part of their turns."""
        order = random.sample(range(len(self.aims[0])), len(self.aims[0]))
        used, left = order[:number], order[max(NUMBERS) :]
        totals = [
            opinion * first + sum(fmean(course[n][part]) for n in used)
            for first, course in zip(self.first, self.aims, strict=True)
        ]
        chosen, liked = totals.index(max(totals)), self.first.index(max(self.first))
        return fmean(fmean(self.leads[chosen][n][LATE]) - fmean(self.leads[liked][n][LATE]) for n in left)


def main() -> None:
    """Reads the command line and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--opinion", type=float, default=2.0, help="trials that the first opinion is worth")
    given = parser.parse_args()
    rules = Rules.of()
    evaluation = Evaluation(rules)
    seen = [Seen(line, rules, evaluation) for line in given.file.read_text().splitlines()]
    print(f"{len(seen)} positions")
    print("| mean over turns |", " | ".join(f"{number} trials" for number in NUMBERS), "|")
    print("| --- |", " | ".join("---:" for _ in NUMBERS), "|")
    for name, part in FIELDS.items():
        cells = []
        for number in NUMBERS:
            random = Random(1)
            gains = [fmean(one.gain(part, number, given.opinion, random) for _ in range(SPLITS)) for one in seen]
            cells.append(f"{fmean(gains):+.2f} ± {pstdev(gains) / sqrt(len(gains)):.2f}")
        print(f"| {name} |", " | ".join(cells), "|", flush=True)


if __name__ == "__main__":
    main()
