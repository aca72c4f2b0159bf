"""How fast search thinks: positions judged a second, and the time of a turn, in whole games against itself.

    python bench/leaves.py --positions 10000 --games 5

CPU time on one core, with the compiled package. Shown are the mean over all games, the slowest and the fastest game.
"""

from __future__ import annotations

import argparse
from time import process_time

from table import Choose, play, searcher

from bastide import Rules
from bastide.bots.evaluation import Evaluation
from bastide.bots.search import Search
from bastide.cli.bench import pin
from bastide.game import Engine

TABLES = {
    "base": Rules.of(),
    "base, 4 players": Rules.of(players=4),
    "bigbox2014": Rules.of(preset="bigbox2014"),
    "bigbox2014, 4 players": Rules.of(preset="bigbox2014", players=4),
    "hunters_and_gatherers": Rules.of(modules=["hunters_and_gatherers"]),
    "over_hill_and_dale": Rules.of(modules=["over_hill_and_dale"]),
}


def timed(search: Search, positions: int, seconds: list[float]) -> Choose:
    """A bot that searches, and notes how long each of its turns took."""
    choose = searcher(search, positions)

    def chosen(game: Engine, history: list[int]) -> int:
        before, start = search.spent(), process_time()
        action = choose(game, history)
        if search.spent() > before:
            seconds.append(process_time() - start)
        return action

    return chosen


def row(name: str, rules: Rules, positions: int, games: int) -> str:
    """A line of the table."""
    turns: list[float] = []  # seconds
    rates = []
    judged = 0
    for seed in range(1, games + 1):
        searches = [Search(Evaluation(rules), seed + seat) for seat in range(rules.players)]
        seconds: list[float] = []
        play(rules, [timed(search, positions, seconds) for search in searches], seed)
        spent = sum(int(search.spent()) for search in searches)
        rates.append(spent / sum(seconds))
        judged += spent
        turns += seconds
    return (
        f"| {name} | {judged:,} | {judged / sum(turns):,.0f} | {min(rates):,.0f} to {max(rates):,.0f} |"
        f" {1000 * sum(turns) / len(turns):.0f} | {1000 * max(turns):.0f} |"
    )


def main() -> None:
    """Reads the command line, plays, prints a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=10_000, help="of a turn")
    parser.add_argument("--games", type=int, default=5)
    given = parser.parse_args()
    pin()
    print("| rules | positions | a second | per game | ms a turn | slowest |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for name, rules in TABLES.items():
        print(row(name, rules, given.positions, given.games), flush=True)


if __name__ == "__main__":
    main()
