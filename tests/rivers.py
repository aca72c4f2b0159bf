"""How many games lose a river tile for want of room: `python -m tests.rivers --games 2000 --bot planner`.

Only the part of a game is played in which the river is laid. Whoever loses tiles reads the first seeds.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import repeat

from bastide.bots import bot
from bastide.bots.bot import Bot
from bastide.game import Game
from bastide.rules import Rules

WITH = {"alone": "", "wheel": "wheel_of_fortune", "everything": "everything"}
RIVERS = ("anniversary", "river_i")


@cache
def rules_of(river: str, company: str, bends: str = "away", players: int = 2) -> Rules:
    """The rules of a river alone, with the wheel, or with everything."""
    if company == "everything":
        return Rules.of(preset="everything", players=players, river=river, river_bends=bends)
    modules = ["river", WITH[company]] if WITH[company] else ["river"]
    return Rules.of(modules=modules, players=players, river=river, river_bends=bends)


def river_phase(rules: Rules, bots: list[Bot], seed: int) -> Iterator[str]:
    """Plays until the river is laid; tells every river tile that fitted nowhere."""
    game = Game(rules, seed=seed)
    river = {tile.id for tile in rules.tiles if any(segment.kind == "river" for segment in tile.segments)}
    while game.tile is None or game.tile in river:
        action = bots[game.seat].choose(game.view(game.seat))
        if action.verb == "discard":
            yield action.tile or ""
        game.play(action)


def lost(river: str, company: str, bends: str, name: str, seed: int) -> int:
    """River tiles that one game loses; 2 to 5 players by the seed."""
    rules = rules_of(river, company, bends, 2 + seed % 4)
    bots = [bot(name, seed * 8 + seat) for seat in range(rules.players)]
    return len(list(river_phase(rules, bots, seed)))


def main() -> None:
    """Reads the command line, plays, prints one line for every choice."""
    parser = argparse.ArgumentParser(prog="python -m tests.rivers", description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=200, help="for each choice (default 200)")
    parser.add_argument("--bot", default="random", help="who plays (default random)")
    parser.add_argument("--bends", default="away", choices=("away", "immediate"))
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    given = parser.parse_args()
    seeds = range(given.seed, given.seed + given.games)
    with ProcessPoolExecutor(given.workers) as pool:
        for river in RIVERS:
            for company in WITH:
                same = [repeat(value) for value in (river, company, given.bends, given.bot)]
                counts = list(pool.map(lost, *same, seeds, chunksize=20))
                bad = [seed for seed, count in zip(seeds, counts, strict=True) if count]
                print(
                    f"{river} {company}, {given.bot}, {given.bends}: {len(bad)} of {given.games} games lose"
                    f" {sum(counts)} tiles{f', seeds {bad[:5]}' if bad else ''}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
