"""What a box may add to the base game. Each hook is called at its place in the order of a turn (BASE-31)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .board import Area, Cell, Figure
from .tiles import Tile

if TYPE_CHECKING:
    from .base import BaseGame

CHANCE = -1


@dataclass
class Question:
    """Who is asked, and the answers; for a chance question each answer has a weight."""

    seat: int
    answers: Iterable[str]
    weights: dict[str, int] = field(default_factory=dict)


Tokens = Counter[tuple[int, str, str]]  # whose (-1: nobody's), what, where
Asking = Generator[Question, str, None]  # a part of the game that may ask questions while it runs
Effect = Callable[[], Asking]


def nothing() -> Asking:
    """An effect without effect."""
    yield from ()


class Expansion:
    """A box that changes nothing; the boxes override what they are about."""

    def __init__(self, game: BaseGame) -> None:
        self.game = game

    def turn_begins(self) -> None:
        """A player's turn begins: before the draw, once, not for a second turn."""

    def begin(self) -> None:
        """Lay what the game begins with, when the box has a start of its own."""

    def placements(self, tile: Tile, found: list[tuple[Cell, int]]) -> list[tuple[Cell, int]]:
        """Which of the placements that fit are allowed."""
        return found

    def drawn(self, tile: Tile) -> Asking:
        """A tile has been drawn, or is played from the hand (BASE-29); it does not lie yet."""
        yield from ()

    def lies(self, cell: Cell) -> None:
        """A tile has just been laid: what happens at once, before anybody is asked anything."""

    def laid(self, cell: Cell) -> Asking:
        """A tile has just been laid."""
        yield from ()

    def offers(self, cell: Cell) -> dict[str, Effect]:
        """More answers to the question which piece is placed, with what they do."""
        return {}

    def allowed(self, offers: dict[str, Effect], cell: Cell) -> dict[str, Effect]:
        """Which of all answers to that question are allowed."""
        return offers

    def piece_placed(self, cell: Cell) -> Asking:
        """The question which piece is placed has been answered; scoring comes next."""
        yield from ()

    def tie_break(self, tied: list[int], figures: list[Figure], kind: str) -> list[int]:
        """Who of the players tied for the majority scores."""
        return tied

    def not_counted(self, area: Area) -> int:
        """Squares of a road or city that are no tiles of their own."""
        return 0

    def price(self, area: Area, price: int, complete: bool) -> int:
        """Points for each tile (and shield) of a road or city."""
        return price

    def bonus(self, area: Area) -> int:
        """More points for a completed cloister or garden."""
        return 0

    def city_bonus(self, player: int, fields: list[Area]) -> int:
        """More points for each city that a player's farmers supply from these fields."""
        return 0

    def scored(self, area: Area) -> None:
        """An area in which somebody stands has been scored; its figures are still there."""

    def all_scored(self, cell: Cell) -> Asking:
        """Everything complete has been scored and its figures are home."""
        yield from ()

    def completed(self, area: Area) -> None:
        """An area has been completed by the tile just laid and scored."""

    def figures_left(self, figures: list[Figure]) -> None:
        """These figures have been taken from the table."""

    def final(self) -> None:
        """Final scoring, after all areas."""

    def tokens_shown(self) -> Tokens:
        """What lies open on the table besides tiles and pieces on them."""
        return Counter()
