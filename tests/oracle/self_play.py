"""Random games of the oracle alone, with what must hold after every action.

    python -m oracle.self_play              every module alone, every pair, all together, 2 to 5 players
    python -m oracle.self_play --games 5    five games of each

Run it with `tests` as the current folder. The same checks run in test_oracle_self_play.py on fewer games.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Any

from . import CHANCE, EXPANSIONS, GAMES, Oracle
from .base import BaseGame
from .hills import HillsAndSheep
from .hunters import HuntersGame
from .wheel import WheelOfFortune

# Every value of every option, besides the usual ones.
CHOICES: dict[str, tuple[Any, ...]] = {
    "small_city": ("normal", "two_points"),
    "farmers": ("per_field", "per_city", "off"),
    "farmer_points": (3, 4),
    "hand": (0, 0, 3),
    "tactical_end": ("all_placed", "last_drawn"),
    "river": ("river_i", "anniversary"),
    "river_bends": ("away", "immediate"),
    "hill_tiebreak": ("any", "most_on_hills"),
    "shepherd_action": ("before", "after"),
    "closed_flock": ("stay", "home"),
    "vineyards_for_gardens": ("off", "on"),
    "companion_abbot": ("yes", "no"),
    "wheel_board": ("squares", "one_tile"),
    "copies": (1, 1, 2),
    "first_player": ("seat_1", "random"),
    "first_player_tied": ("shares", "loses"),
}


def choices_of_modules() -> Iterator[tuple[str, ...]]:
    """The base game, every box alone, every pair, all boxes, and the two games that stand alone."""
    for size in (0, 1, 2, len(EXPANSIONS)):
        for boxes in combinations(EXPANSIONS, size):
            yield ("base", *boxes)
    for game in GAMES:
        if game != "base":
            yield (game,)


class Watch:
    """One random game, looked at after every action."""

    def __init__(self, modules: tuple[str, ...], players: int, seed: int) -> None:
        self.random = random.Random(f"{modules} {players} {seed}")
        options = {name: self.random.choice(values) for name, values in CHOICES.items()}
        self.oracle = Oracle(modules, options if modules[0] == "base" else {}, players)
        self.pieces = self.count_pieces()
        self.tiles = self.count_tiles()
        self.removed = 0
        self.points = [0] * players

    def count_pieces(self) -> Counter[tuple[int, str]]:
        """Every piece of every player, in hand, on the table, on the crown."""
        game = self.oracle.game
        pieces = Counter({(p, piece): n for p, supply in enumerate(game.supply) for piece, n in supply.items()})
        pieces.update((figure.player, figure.piece) for figure in game.board.figures)
        if isinstance(game, BaseGame):
            for box in game.boxes:
                if isinstance(box, WheelOfFortune):
                    pieces.update((crowned.player, crowned.piece) for crowned in box.crown)
        return pieces

    def count_tiles(self) -> int:
        """Tiles on the table, in hands and in the piles."""
        game = self.oracle.game
        piles = sum(pile.tiles.total() for pile in game.piles)
        hands = sum(len(hand) for hand in game.hands) if isinstance(game, BaseGame) else 0
        bonus = game.bonus.tiles.total() if isinstance(game, HuntersGame) else 0
        return len(game.board.tiles) + piles + hands + bonus

    def run(self) -> int:
        """Play to the end; the number of actions."""
        actions = 0
        while not self.oracle.over():
            self.step()
            actions += 1
        assert self.oracle.left() == 0 or self.oracle.game.ended
        return actions

    def step(self) -> None:
        """One random action, and what must hold before and after it."""
        oracle = self.oracle
        legal = sorted(oracle.legal())
        assert legal, "nothing is legal before the end"
        if oracle.seat() == CHANCE:
            weights = oracle.weights()
            assert set(weights) == set(legal)
            assert all(weight > 0 for weight in weights.values())
            text = self.random.choices(legal, [weights[text] for text in legal])[0]
        else:
            assert 0 <= oracle.seat() < len(oracle.scores())
            text = self.random.choice(legal)
        oracle.play(text)
        self.removed += text.startswith("discard")
        self.check()

    def check(self) -> None:
        """Pieces and points add up; tiles do too, when none is between pile and table."""
        oracle = self.oracle
        assert self.count_pieces() == self.pieces, "pieces are conserved"
        for player, points, _ in oracle.scored:
            self.points[player] += points
            assert points > 0
        assert oracle.scores() == self.points, "the scores are the sum of what was scored"
        if "pass" in oracle.legal() and not self.last_tile():
            assert self.count_tiles() + self.removed == self.tiles, "tiles are conserved"
        self.check_flocks()

    def last_tile(self) -> bool:
        """BASE-29: the last tile is being played, the other tiles of that hand will not be."""
        return isinstance(self.oracle.game, BaseGame) and self.oracle.game.last is not None

    def check_flocks(self) -> None:
        """Sheep lie only where a shepherd stands; tokens are conserved (HILL-5 to HILL-8)."""
        game = self.oracle.game
        if isinstance(game, BaseGame):
            for box in game.boxes:
                if isinstance(box, HillsAndSheep):
                    asked = any(text.startswith("draw sheep") for text in self.oracle.legal())
                    assert box.tokens.total() + len(box.flocks) == 18
                    for spot, _ in box.flocks:
                        assert box.shepherds(game.board.area(spot)) or asked


def main() -> None:
    """Play and tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1, help="games for each choice of modules and number of players")
    games = parser.parse_args().games
    for modules in choices_of_modules():
        actions = [Watch(modules, players, seed).run() for players in range(2, 6) for seed in range(games)]
        print(f"{' '.join(modules)}: {len(actions)} games, {sum(actions)} actions", flush=True)


if __name__ == "__main__":
    main()
