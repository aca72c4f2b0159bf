"""A small table for the oracle's own tests: scripted draws, told turn by turn."""

from __future__ import annotations

from typing import Any

from . import CHANCE, Oracle
from .game import Start

RED, BLUE, YELLOW = 0, 1, 2


class Table:
    """A scripted game: any tile may be drawn at any time, other start tiles may lie."""

    def __init__(
        self, *start: Start, modules: tuple[str, ...] = (), players: int = 2, game: str = "base", **options: Any
    ) -> None:
        self.oracle = Oracle((game, *modules), options, players, list(start) or None, scripted=True)

    def play(self, *texts: str) -> Table:
        """Play these actions."""
        for text in texts:
            self.oracle.play(text)
        return self

    def put(self, tile: str, cell: str, turn: int = 0) -> Table:
        """Draw and lay a tile."""
        return self.play(f"draw {tile}", f"place {tile} {cell} {turn}")

    def lay(self, tile: str, cell: str, turn: int = 0, piece: str = "", spot: str = "") -> Table:
        """Draw and lay a tile and put a piece on one of its spots, or none."""
        return self.put(tile, cell, turn).play(f"deploy {piece} {cell} {spot}" if piece else "pass")

    @property
    def scores(self) -> list[int]:
        """The points of each player."""
        return self.oracle.scores()

    @property
    def scored(self) -> list[tuple[int, int, str]]:
        """What was scored by the last action."""
        return sorted(self.oracle.scored)

    @property
    def legal(self) -> set[str]:
        """The answers to the question now asked."""
        return self.oracle.legal()

    def spots(self, piece: str = "follower") -> set[str]:
        """Where a piece may be deployed now, without the cell."""
        head = f"deploy {piece} "
        return {text.removeprefix(head).split(" ", 1)[1] for text in self.legal if text.startswith(head)}

    def supply(self, player: int, piece: str = "follower") -> int:
        """How many of a piece a player has in hand."""
        return self.oracle.supply()[player][piece]

    def end(self) -> list[int]:
        """End the game here and give the final scores."""
        self.oracle.finish()
        return self.scores

    @property
    def asks_chance(self) -> bool:
        """Whether chance is asked."""
        return self.oracle.seat() == CHANCE
