"""Are the levels evenly spread? Each against the next, on the same tiles from all seats; 20 % to 30 % is wanted.

    python bench/levels.py --games 200
    python bench/levels.py --games 100 --players 4 --modules hunters_and_gatherers --levels 1,2,3,4,5

With four players each has two seats, so that one half is what equals would get.
"""

from __future__ import annotations

import argparse
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from bastide.arena import Arena, InProcess, Setup, Table
from bastide.rules import Rules


def main() -> None:
    """Reads the command line, plays, prints a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--levels", default="1,2,3,4,5,6")
    parser.add_argument("--modules", default="")
    parser.add_argument("--preset", default="")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    modules = [name for name in given.modules.split(",") if name]
    rules = Rules.of(players=given.players, preset=given.preset, modules=modules)
    print("| weaker - stronger | games | won | interval | margin |")
    print("| --- | ---: | ---: | --- | ---: |")
    for weaker, stronger in pairwise(given.levels.split(",")):
        setup = Setup((f"bot:{weaker}", f"bot:{stronger}"), Table.of(rules), given.seed)
        with TemporaryDirectory() as folder:
            (duel,) = Arena(setup, given.games, Path(folder)).run(InProcess()).duels
        print(
            f"| {duel.one} - {duel.other} | {duel.games} | {100 * duel.score:.1f} % |"
            f" {100 * duel.low:.1f} to {100 * duel.high:.1f} | {duel.margin:+.1f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
