"""What a move costs without a network: bytes for one screen, and processor time to play it and tell everybody.

    python bench/wire.py [GAMES]

Random games, one screen for each seat and one that watches. Storing and sending are not in it: `bastide loadtest` has
them.
"""

from __future__ import annotations

import sys
from random import Random
from statistics import median
from time import process_time
from typing import Any

from bastide.server.api.feed import Feed
from bastide.server.api.incoming import NewTable, WantedSeat
from bastide.server.tables.setup import chairs_of, setup_of
from bastide.server.tables.show import state_of
from bastide.server.tables.table import Table

CASES: list[tuple[int, dict[str, Any]]] = [(2, {}), (8, {"preset": "everything"})]


def new_table(players: int, seed: int, **wanted: Any) -> Table:
    """A table that has begun."""
    seats = [WantedSeat("human")] * players
    chairs = chairs_of(seats)
    for chair in chairs:
        chair.entropy = f"{chair.seat:032x}"
    table = Table("bench", setup_of(NewTable(seats=seats, aids=True, **wanted)), f"{seed:064x}", "", chairs)
    table.begin(0)
    return table


def main() -> None:
    """One line for each case."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    for players, wanted in CASES:
        asked: list[int] = []
        others: list[int] = []
        moves, seconds = 0, 0.0
        screens: list[tuple[int, ...]] = [(), *((seat,) for seat in range(players))]
        for seed in range(games):
            table, random = new_table(players, seed, **wanted), Random(seed)
            feeds = {mine: Feed() for mine in screens}
            for mine, feed in feeds.items():
                feed.update(state_of(table, mine, 0))
            while table.outcome is None:
                action = str(random.choice(table.playing.legal))
                begun = process_time()
                table.copy()  # what is stored, until the move is
                table.play(action, moves)
                for mine, feed in feeds.items():
                    feed.update(state_of(table, mine, moves))
                seconds += process_time() - begun
                moves += 1
                for mine, feed in feeds.items():
                    (text,) = feed.news_after(feed.n - 1) or ("",)
                    (asked if table.decides in mine else others).append(len(text.encode()))
        bytes_told = (
            f"median {median(asked + others):.0f}, of who is asked {median(asked):.0f}, most {max(asked + others)}"
        )
        print(f"{players} players {wanted or 'base'}: {moves} moves; bytes for one screen: {bytes_told}")
        print(f"    {1000 * seconds / moves:.2f} ms of a core for each move and {players + 1} screens")


if __name__ == "__main__":
    main()
