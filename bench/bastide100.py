"""Bastide-100: a bot against fixed opponents on 100 fixed decks, each played twice with seats swapped.

    python bench/bastide100.py "mason=python:my_bot.py"

docs/learning.md has the rules of the benchmark and the table of entries.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory

from bastide.arena import Arena, Setup, Table, executor
from bastide.arena.control import Control
from bastide.rules import Rules

OPPONENTS = ("random", "greedy", "planner")
DECKS = 100
SEED = 100
CONTROL = Control(move=2.0)


def row(bot: str, opponents: list[str], workers: int, folder: Path) -> str:
    """The line of the table for a bot."""
    cells = []
    playing = executor(workers)
    try:
        for opponent in opponents:
            setup = Setup((bot, opponent), Table.of(Rules.of(), CONTROL), SEED)
            found = Arena(setup, 2 * DECKS, folder / opponent.replace(":", "-")).run(playing)
            duel = found.duels[0]
            lost = next(standing.faults for standing in found.ladder if standing.name == duel.one)
            cells.append(
                f"{100 * duel.score:.1f} % ({100 * duel.low:.1f} to {100 * duel.high:.1f}), {duel.margin:+.1f}"
                f"{f', {lost} lost by faults' if lost else ''}"
            )
    finally:
        playing.close()
    return f"| {duel.one} | {' | '.join(cells)} |"


def main() -> None:
    """Prints a line for each bot."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bots", nargs="+", help="NAME=BOT, as bastide arena takes them")
    parser.add_argument("--opponents", default=",".join(OPPONENTS))
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--out", type=Path, help="keep the games here, for others to verify")
    given = parser.parse_args()
    opponents = given.opponents.split(",")
    print(f"| bot | {' | '.join(opponents)} |\n| --- |{' --- |' * len(opponents)}")
    with TemporaryDirectory() as place:
        for number, bot in enumerate(given.bots):
            print(row(bot, opponents, given.workers, (given.out or Path(place)) / str(number)), flush=True)


if __name__ == "__main__":
    main()
