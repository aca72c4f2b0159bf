"""Fights for large cities: of those in which both players had knights, how many each of two bots won, shared and lost.

    python bench/contested.py search:8000 invader --games 40

The same tiles from swapped seats. A city counts if it has five tiles or more when it is scored, complete or at the end.
"""

from __future__ import annotations

import argparse

from bastide import Game, Rules, bot
from bastide.arena.ratings import wilson
from bastide.game.events import Event, Scored
from bastide.geometry import Cell

LARGE = 5  # tiles
CITY = "city"

Fight = tuple[int, int]  # points of both seats


def fights(events: list[Event], knights: list[tuple[int, Cell]]) -> list[Fight]:
    """The points of each large city that was scored just now and in which both seats had knights."""
    found: dict[tuple[Cell, ...], list[int]] = {}
    for event in events:
        if isinstance(event, Scored) and event.kind == CITY and len(event.tiles) >= LARGE:
            found.setdefault(event.tiles, [0, 0])[event.seat] += event.points
    both = {tiles for tiles in found if len({seat for seat, cell in knights if cell in tiles}) == 2}
    return [(found[tiles][0], found[tiles][1]) for tiles in both]


def played(names: list[str], seed: int, number: int) -> tuple[list[int], list[Fight]]:
    """The scores of one game, and its fights. Nobody can be put into a city of others: knights stood there before."""
    game = Game(Rules.of(), seed=seed)
    bots = [bot(name, number + seat) for seat, name in enumerate(names)]
    found: list[Fight] = []
    while not game.over:
        action = bots[game.seat].choose(game.view(game.seat))
        knights = [(one.seat, one.cell) for region in game.regions if region.kind == CITY for one in region.figures]
        found += fights(list(game.play(action)), knights)
    return list(game.scores), found


def main() -> None:
    """Reads the command line, plays, prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    won = shared = lost = 0
    games = 0.0
    for number in range(given.games):
        seat = number % 2
        names = [given.first, given.second] if seat == 0 else [given.second, given.first]
        scores, found = played(names, given.seed * 1_000_003 + number // 2, number)
        games += (scores[seat] > scores[1 - seat]) + (scores[0] == scores[1]) / 2
        for fight in found:
            won += fight[seat] > fight[1 - seat]
            shared += fight[0] == fight[1]
            lost += fight[seat] < fight[1 - seat]
    low, high = wilson(games / given.games, given.games)
    print(f"{given.first} - {given.second}: {100 * games / given.games:.1f} % of {given.games}", end=" ")
    print(f"({100 * low:.1f} to {100 * high:.1f}); contested cities: won {won}, shared {shared}, lost {lost}")


if __name__ == "__main__":
    main()
