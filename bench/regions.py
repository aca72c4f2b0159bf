"""Region by region: the points that the evaluation expects of it, and what it brought in the end.

    python bench/regions.py --games 400

Two planners play; one turn in ten they take any of their six best. Regions of some positions are followed to the end of
the game. A line has those alike: `leader` is the player with most followers in it, alone or with others behind; `net`
is what the leader got minus what the other got. The chance of completion is compared with how many were completed.
Means over games between planners: what happens, not what a follower more or less would change.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from bastide import Rules
from bastide.bots.evaluation import Evaluation
from bastide.bots.search import Search
from bastide.game import Dealer, Engine, Rng, new_engine
from bastide.kernel.offsets import KIND, OPEN, STRENGTH
from bastide.rules.listener import Listener, Part
from bastide.rules.position import OVER

BEST = 6  # turns that a slip is taken from
SLIP = 0.1  # share of turns that are slips
LOOK = 0.35  # share of positions whose regions are followed
LEFT = (12, 30)  # tiles left at which a new line begins ...
POINTS = (4, 8, 14)  # ... and points expected
HEADINGS = ("kind", "leader", "left", "points", "regions", "expected", "own", "other", "net", "chance", "completed")
FEWEST = 80  # regions of a line that is shown


@dataclass(frozen=True)
class Seen:
    """A region as it was."""

    line: tuple[str, str, int, int]
    root: int
    leader: int
    expected: float
    likely: float


class Scores(Listener):
    """Who got how much for which region."""

    def __init__(self) -> None:
        self.found: list[tuple[int, int, int]] = []

    def scored(self, player: int, points: int, root: int, source: int, parts: list[Part]) -> None:
        self.found.append((player, points, root))


def step(value: float, steps: tuple[int, ...]) -> int:
    """The last of these steps that a value reaches, 0 if none."""
    return max((at for at in steps if value >= at), default=0)


def regions(game: Engine, evaluation: Evaluation) -> Iterator[Seen]:
    """All regions with followers of a position."""
    evaluation.judge(game)
    names = list(evaluation.rules.layout.kinds)
    for i in range(int(evaluation.occupied)):
        root = int(evaluation.roots[i])
        kind = int(game.s[root + KIND])
        strengths = [int(game.s[root + STRENGTH]) >> 8 * seat & 255 for seat in (0, 1)]
        leader = int(strengths[1] > strengths[0])
        behind = strengths[1 - leader]
        standing = "tied" if behind == strengths[leader] else "ahead" if behind else "alone"
        expected = float(evaluation.joins.points[root])
        line = (names[kind], standing, step(float(evaluation.draws), LEFT), step(expected, POINTS))
        likely = float(evaluation.likely[root]) if evaluation.closes[kind] else 0.0
        yield Seen(line, root, leader, expected, likely)


def one_game(evaluation: Evaluation, random: Random) -> Iterator[tuple[Seen, list[float], bool]]:
    """Regions seen in one game, what each seat got for them, and whether they were completed."""
    search = Search(evaluation, 1)
    game = new_engine(evaluation.rules)
    dealer = Dealer(Rng(random.randrange(1 << 31)))
    scores = Scores()
    seen: list[Seen] = []
    while game.question() != OVER:
        if game.chance():
            actions = [int(dealer.deal(game))]
        else:
            search.all = []
            search.list_turns(game, game.player(), [])
            race = sorted(search.all, key=lambda turn: -turn.lead)[:BEST]
            actions = (random.choice(race) if random.random() < SLIP else race[0]).actions
        game.listener = scores
        for action in actions:
            game.apply(action)
        game.listener = None
        game.trail_len = 0
        if game.chance() and random.random() < LOOK:
            seen += regions(game, evaluation)
    got: dict[int, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for player, points, root in scores.found:
        got[int(game.find(root))][player] += points
    for region in seen:
        root = int(game.find(region.root))
        yield region, got[root], bool(game.s[root + OPEN] == 0)


def main() -> None:
    """Reads the command line, plays, prints a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--modules", default="")
    parser.add_argument("--seed", type=int, default=3)
    given = parser.parse_args()
    random = Random(given.seed)
    evaluation = Evaluation(Rules.of(modules=[name for name in given.modules.split(",") if name]))
    lines: dict[tuple[str, str, int, int], list[tuple[float, ...]]] = defaultdict(list)
    for _game in range(given.games):
        for region, got, completed in one_game(evaluation, random):
            own, other = got[region.leader], got[1 - region.leader]
            lines[region.line].append((region.expected, own, other, own - other, region.likely, completed))
    print("|", " | ".join(HEADINGS), "|")
    print("| --- | --- |", " | ".join(["---:"] * (len(HEADINGS) - 2)), "|")
    for (kind, standing, left, points), rows in sorted(lines.items()):
        if len(rows) >= FEWEST:
            means = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
            shown = [*(f"{mean:.1f}" for mean in means[:4]), *(f"{100 * mean:.0f} %" for mean in means[4:])]
            print(f"| {kind} | {standing} | {left} + | {points} + | {len(rows)} |", " | ".join(shown), "|")


if __name__ == "__main__":
    main()
