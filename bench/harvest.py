"""What Over Hill and Dale brings in planned games: tokens, sets, and points by where they come from.

    python bench/harvest.py --games 100

The icons of its tiles are reconstructed; this is the measure that they were chosen by (NOTES.md in its folder).
"""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import repeat

from bastide.bots import bot
from bastide.game import Game, Scored
from bastide.rules import Rules

SOURCES = ("path", "wander", "cropfield", "tokens", "sets", "stable", "left")
HEADS = (
    "players",
    "icons a field",
    "fields with several",
    "handed out",
    "best hand",
    "other hands",
    "no set",
    "one",
    "more",
    "sets with 11 to 13 tokens",
)
POINTS = ("paths", "walks", "fields", "tokens", "sets", "stables", "unfinished", "in all")


@dataclass
class Count:
    """What was counted in some games."""

    hands: list[int] = field(default_factory=list)  # tokens of every player
    sets: list[int] = field(default_factory=list)  # of every player
    fields: list[int] = field(default_factory=list)  # icons of every field that somebody had when it was completed
    points: Counter[str] = field(default_factory=Counter)


def planned(players: int, seed: int, name: str) -> Count:
    """One game of a bot against itself."""
    game = Game(Rules.of(modules=["over_hill_and_dale"], players=players), seed=seed)
    bots = [bot(name, 8 * seed + seat) for seat in range(players)]
    count = Count(sets=[0] * players)
    while not game.over:
        events = game.play(bots[game.seat].choose(game.view(game.seat)))
        scores = [event for event in events if isinstance(event, Scored)]
        closed = {event.spot for event in scores if event.kind == "cropfield" and not event.final}
        count.fields += [icons(game, spot) for spot in closed]
        for event in scores:
            for part in event.parts:
                source = "left" if part.rule == "DALE-11" else part.name if event.kind == "harvest" else event.kind
                count.points[source] += part.count * part.each
                if source == "sets":
                    count.sets[event.seat] = part.count
    count.hands = [len(game.secrets(seat)) for seat in range(players)]
    return count


def icons(game: Game, spot: str) -> int:
    """Harvest icons of a field."""
    cell, _, rest = spot.partition(" ")
    x, y = cell.split(",")
    return sum(game.region((int(x), int(y)), rest).attributes.values())


def rows(counts: list[Count], players: int) -> tuple[str, str]:
    """A line of each of the two tables."""
    games = len(counts)
    fields = [number for count in counts for number in count.fields]
    hands = [number for count in counts for number in count.hands]
    sets = [number for count in counts for number in count.sets]
    points = sum((count.points for count in counts), Counter[str]())
    best = sum(max(count.hands) for count in counts) / games
    others = (sum(hands) - best * games) / (len(hands) - games)
    like_the_book = [made for held, made in zip(hands, sets, strict=True) if 11 <= held <= 13]
    tokens = [
        f"{mean(fields):.1f}",
        f"{mean([n > 1 for n in fields]):.0%}",
        f"{sum(hands) / games:.1f}",
        f"{best:.1f}",
        f"{others:.1f}",
        *(f"{mean([min(n, 2) == number for n in sets]):.0%}" for number in range(3)),
        f"{mean(like_the_book):.1f} ({len(like_the_book)} hands)" if like_the_book else "no such hand",
    ]
    means = [points[source] / len(hands) for source in SOURCES]
    return line(players, tokens), line(players, [f"{points:.1f}" for points in [*means, sum(means)]])


def mean(numbers: Sequence[int]) -> float:
    """The mean of some numbers."""
    return sum(numbers) / len(numbers)


def line(players: int, cells: list[str]) -> str:
    """One line of a table."""
    return f"| {players} | {' | '.join(cells)} |"


def main() -> None:
    """Plays, prints both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100, help="for each number of players (default 100)")
    parser.add_argument("--bot", default="planner")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    given = parser.parse_args()
    lines = []
    with ProcessPoolExecutor(given.workers) as pool:
        for players in range(2, 6):
            games = pool.map(planned, repeat(players), range(given.games), repeat(given.bot), chunksize=5)
            lines.append(rows(list(games), players))
    for heads, table in ((HEADS, 0), (("players", *POINTS), 1)):
        print(f"| {' | '.join(heads)} |\n|{' --- |' * len(heads)}")
        print("\n".join(row[table] for row in lines) + "\n")


if __name__ == "__main__":
    main()
