"""How long a turn of a bot takes, the slowest and the mean of some games against itself. On a quiet machine.

python bench/pace.py bot:6 --preset bigbox2014
"""

from __future__ import annotations

import argparse
from time import perf_counter

from bastide import Game, Rules, bot


def main() -> None:
    """Reads the command line, plays, prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bot")
    parser.add_argument("--games", type=int, default=1)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--modules", default="")
    parser.add_argument("--preset", default="")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    modules = [name for name in given.modules.split(",") if name]
    rules = Rules.of(players=given.players, preset=given.preset, modules=modules)
    turns: dict[tuple[int, int], float] = {}  # seconds, by game and tiles left
    for number in range(given.games):
        game = Game(rules, seed=given.seed + number)
        bots = [bot(given.bot, given.seed + seat) for seat in range(rules.players)]
        while not game.over:
            begun = perf_counter()
            action = bots[game.seat].choose(game.view(game.seat))
            turn = (number, game.tiles_left)
            turns[turn] = turns.get(turn, 0.0) + perf_counter() - begun
            game.play(action)
    print(f"{given.bot}: {len(turns)} turns, mean {sum(turns.values()) / len(turns):.3f} s, slowest", end=" ")
    print(f"{max(turns.values()):.3f} s")


if __name__ == "__main__":
    main()
