"""The oracle: a slow and obvious second implementation of the rules, written from the rule text alone.

It shares no code with the engine and imports nothing from it. It reads the tile files, keeps plain objects, finds
every area by flood fill, and speaks the action texts of docs/notation.md, so that engine and oracle can be compared
after every action.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from .base import BaseGame
from .board import Area, Cell, Spot
from .boxes import EXPANSIONS
from .dale import DaleGame
from .expansion import CHANCE, Tokens
from .game import Game, Regions, Start
from .hunters import HuntersGame

GAMES: dict[str, type[Game]] = {
    "base": BaseGame,
    "hunters_and_gatherers": HuntersGame,
    "over_hill_and_dale": DaleGame,
}

__all__ = ["CHANCE", "EXPANSIONS", "Oracle"]


class Oracle:
    """One game, driven and read through texts only."""

    def __init__(
        self,
        modules: tuple[str, ...] = ("base",),
        options: dict[str, Any] | None = None,
        players: int = 2,
        start: list[Start] | None = None,
        scripted: bool = False,
    ) -> None:
        alone = [name for name in modules if name in GAMES and name != "base"]
        if alone:
            modules = (alone[0],)
        unknown = set(modules) - set(GAMES) - set(EXPANSIONS)
        if unknown:
            raise ValueError(f"unknown modules {sorted(unknown)}")
        self.game = GAMES[modules[0]](tuple(modules), options or {}, players, start, scripted)

    def legal(self) -> set[str]:
        """The answers to the question now asked; none when the game is over."""
        return set(self.game.question.answers) if self.game.question else set()

    def weights(self) -> dict[str, int]:
        """For a chance question the relative weight of each draw."""
        return dict(self.game.question.weights) if self.game.question else {}

    def seat(self) -> int:
        """Who decides: a player, or CHANCE."""
        return self.game.question.seat if self.game.question else CHANCE

    def player(self) -> int | None:
        """The player who decides; nobody while chance does."""
        return None if self.seat() == CHANCE else self.seat()

    def turn(self) -> int:
        """Whose turn it is."""
        return self.game.player

    def play(self, text: str) -> None:
        """Apply one legal action."""
        self.game.answer(text)

    def over(self) -> bool:
        """Whether the game has ended."""
        return self.game.question is None

    def finish(self) -> None:
        """End a scripted game here, with final scoring."""
        self.game.finish()

    def scores(self) -> list[int]:
        """The points of each player."""
        return list(self.game.points)

    def supply(self) -> list[dict[str, int]]:
        """The pieces each player has in hand."""
        return [dict(pieces) for pieces in self.game.supply]

    def left(self) -> int:
        """Tiles still to be drawn in the main sequence."""
        return self.game.left()

    def regions(self) -> Regions:
        """Every region: kind, its segments, whether it is complete, the pieces on it with their number."""
        return self.game.regions()

    def number(self, cell: Cell, name: str) -> int:
        """The number of a segment on the tile that lies there."""
        return self.game.board.tiles[cell].spots.index(name)

    def areas(self) -> dict[Spot, Area]:
        """Every segment, by its cell and its number, with the area to which it belongs."""
        return self.game.board.areas()

    def complete(self, area: Area) -> bool:
        """Whether an area is complete; some land never is."""
        return self.game.complete(area)

    def pieces(self) -> Counter[tuple[int, str, Cell, str]]:
        """Every piece on the table: whose, what, and the segment where it stands."""
        return self.game.pieces()

    def tokens(self) -> Tokens:
        """What lies open on the table besides tiles and pieces on them: whose, what, where."""
        return self.game.tokens_shown()

    def hidden(self, player: int) -> Counter[str]:
        """What a player holds that the others do not see."""
        return self.game.hidden(player)

    def who_won(self) -> list[int]:
        """Who has won, once the game is over."""
        return self.game.who_won()

    @property
    def scored(self) -> list[tuple[int, int, str]]:
        """Player, points and kind of every score since the last play."""
        return self.game.scored
