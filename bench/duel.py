"""One bot against another: the same tiles from both seats, points and wins with their intervals.

    python bench/duel.py search:20000 planner --pairs 100
    python bench/duel.py planner greedy --modules river,abbot --players 4 --pairs 50

With more than two players the second bot has all other seats, and the first bot sits on each seat in turn.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from math import sqrt
from pathlib import Path
from time import process_time

from bastide import Game, Rules, bot
from bastide.bots import Bot
from bastide.game import Deployed, Returned, Scored

Z = 1.96  # two-sided 95 %


def wilson(wins: float, games: int) -> tuple[float, float]:
    """The interval of a share."""
    p = wins / games
    centre = p + Z * Z / (2 * games)
    half = Z * sqrt(p * (1 - p) / games + Z * Z / (4 * games * games))
    return (centre - half) / (1 + Z * Z / games), (centre + half) / (1 + Z * Z / games)


class Tally:
    """What the first bot did in all games."""

    def __init__(self) -> None:
        self.wins = 0.0
        self.games = 0
        self.margins: list[float] = []  # per deck
        self.points = [0, 0]  # of the first bot, of its best opponent
        self.seconds = 0.0
        self.turns = 0
        self.slowest = 0.0
        self.sources: Counter[str] = Counter()
        self.farmers = [0, 0]  # followers left on land that never closes, and those of them that scored nothing

    def report(self) -> str:
        """One line."""
        low, high = wilson(self.wins, self.games)
        mean = sum(self.margins) / len(self.margins)
        spread = sqrt(sum((m - mean) ** 2 for m in self.margins) / max(1, len(self.margins) - 1) / len(self.margins))
        farmers, idle = self.farmers
        return (
            f"{self.wins:g} of {self.games} = {100 * self.wins / self.games:.1f} % "
            f"[{100 * low:.1f}, {100 * high:.1f}], "
            f"margin {mean:+.1f} (s.e. {spread:.1f}), means {self.points[0] / self.games:.1f} : "
            f"{self.points[1] / self.games:.1f}, {1000 * self.seconds / max(1, self.turns):.0f} ms CPU a turn "
            f"(slowest {1000 * self.slowest:.0f}), farmers that scored nothing {idle} of {farmers}"
        )


def play(rules: Rules, first: str, second: str, seat: int, seed: int, tally: Tally) -> float:
    """One game; returns the margin of the first bot, which has the given seat."""
    game = Game(rules, seed=seed)
    bots: list[Bot] = [bot(first if i == seat else second, seed % 1000 + i) for i in range(rules.players)]
    lasting = {kind.name for kind in rules.layout.kinds.values() if not kind.closes}
    standing: Counter[str] = Counter()
    paid: set[str] = set()
    turn = 0.0
    while not game.over:
        mover = game.seat
        begun = process_time()
        action = bots[mover].choose(game.view(mover))
        if mover == seat:
            turn += process_time() - begun
            if action.verb != "place":
                tally.seconds += turn
                tally.turns += 1
                tally.slowest = max(tally.slowest, turn)
                turn = 0.0
        for event in game.play(action):
            if isinstance(event, Deployed) and event.seat == seat and kind_of(event.spot) in lasting:
                standing[event.spot] += 1
            elif isinstance(event, Returned) and event.seat == seat and kind_of(event.spot) in lasting:
                standing[event.spot] -= 1
            elif isinstance(event, Scored) and event.seat == seat:
                tally.sources[f"{event.kind}{' at the end' * event.final}"] += event.points
                if event.final and event.kind in lasting:
                    paid |= {spot for spot in standing if region_has(game, event.spot, spot)}
    for one in bots:
        one.close()
    tally.farmers[0] += sum(standing.values())
    tally.farmers[1] += sum(count for spot, count in standing.items() if spot not in paid)
    other = max(points for i, points in enumerate(game.scores) if i != seat)
    margin = game.scores[seat] - other
    tally.games += 1
    tally.wins += 1.0 if margin > 0 else 0.5 if margin == 0 else 0.0
    tally.points[0] += game.scores[seat]
    tally.points[1] += other
    return margin


def kind_of(spot: str) -> str:
    """The kind of land of a spot such as `1,0 field NL`."""
    words = spot.split()
    return words[1] if len(words) > 1 else ""


def region_has(game: Game, one: str, other: str) -> bool:
    """Do two spots belong to one region?"""
    cell, _, spot = one.partition(" ")
    wanted, _, name = other.partition(" ")
    x, y = map(int, cell.split(","))
    a, b = map(int, wanted.split(","))
    return ((a, b), name) in game.region((x, y), spot).spots


def main() -> None:
    """Reads the command line, plays, prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--pairs", type=int, default=50, help="decks; each is played from every seat")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--edition", default="")
    parser.add_argument("--preset", default="")
    parser.add_argument("--modules", default="")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="append the result here, as a line of JSON")
    given = parser.parse_args()
    modules = [name for name in given.modules.split(",") if name]
    rules = Rules.of(given.edition, modules, given.players, given.preset)
    tally = Tally()
    for deck in range(given.pairs):
        seed = (given.seed * 1_000_003 + deck) * 2_654_435_761 % (1 << 31)
        margins = [play(rules, given.first, given.second, seat, seed, tally) for seat in range(given.players)]
        tally.margins.append(sum(margins) / len(margins))
        if (deck + 1) % 10 == 0 or deck + 1 == given.pairs:
            print(f"{given.first} - {given.second}: {tally.report()}", flush=True)
    print(", ".join(f"{kind} {points / tally.games:.1f}" for kind, points in tally.sources.most_common()))
    if given.out:
        line = {"first": given.first, "second": given.second, "modules": modules, "players": rules.players}
        line |= {"preset": given.preset, "seed": given.seed, "wins": tally.wins, "games": tally.games}
        line |= {"points": [p / tally.games for p in tally.points], "farmers": tally.farmers, "text": tally.report()}
        with given.out.open("a") as file:
            file.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
