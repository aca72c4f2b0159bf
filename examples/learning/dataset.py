"""A data set of decisions: bots play each other, every decision becomes a row, a card says where it comes from.

    python examples/learning/dataset.py --games 100 --out build/dataset

The same arguments give the same data set. `bastide arena --verify` checks its games.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from bastide.arena import Arena, Setup, Table, executor
from bastide.arena.decisions import export, records_in
from bastide.rules import Rules


def main() -> None:
    """Plays, exports, writes the card."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", default="planner,greedy,bot:3", help="bots, everybody against everybody")
    parser.add_argument("--games", type=int, default=100, help="of each pairing; an even number")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--format", choices=["parquet", "csv", "jsonl"], default="parquet")
    parser.add_argument("--out", type=Path, default=Path("build/dataset"))
    given = parser.parse_args()
    setup = Setup(tuple(given.players.split(",")), Table.of(Rules.of()), given.seed)
    playing = executor(given.workers)
    try:
        Arena(setup, given.games, given.out).run(playing)
    finally:
        playing.close()
    file = given.out / f"decisions.{given.format}"
    games, rows = export(records_in([given.out]), file, "outlook", candidates=True)
    card = {
        "file": file.name,
        "games": games,
        "decisions": rows,
        "setup": setup.as_json(),
        "columns": "docs/learning.md",
        "license": "as Bastide's: the games were played by its bots",
    }
    (given.out / "card.json").write_text(json.dumps(card, indent=1) + "\n", "utf-8")
    print(f"{file}: {rows} decisions of {games} games")


if __name__ == "__main__":
    main()
