"""Traders & Builders (TRAD-1 to TRAD-13)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from .board import Area, Cell, Figure
from .expansion import Asking, Effect, Expansion, Tokens

if TYPE_CHECKING:
    from .base import BaseGame

GOODS = ("wine", "grain", "cloth")
PLACES = {"builder": ("road", "city"), "pig": ("field",)}  # TRAD-3, TRAD-10


class TradersAndBuilders(Expansion):
    """Builders give a second turn, pigs make fields dearer, goods are collected."""

    def __init__(self, game: BaseGame) -> None:
        super().__init__(game)
        game.add_tiles("traders_and_builders")
        game.add_piece("builder", game.options["builders"])
        game.add_piece("pig", game.options["pigs"])
        self.goods: list[Counter[str]] = [Counter() for _ in range(game.players)]

    def has_follower(self, player: int, area: Area) -> bool:
        """Whether a player has a follower in an area."""
        return any(figure.player == player for figure in self.game.counting(area))

    def laid(self, cell: Cell) -> Asking:
        """TRAD-4: the tile continues or completes the road or city with the own builder: one more turn."""
        for area in self.game.board.areas_on(cell):
            if ("builder", self.game.player) in [(f.piece, f.player) for f in self.game.board.figures_in(area)]:
                self.game.grant_turn()
        yield from ()

    def offers(self, cell: Cell) -> dict[str, Effect]:
        """TRAD-2, TRAD-3, TRAD-10: instead of a follower, where an own follower is already."""
        offers: dict[str, Effect] = {}
        for index in range(len(self.game.board.tiles[cell].segments)):
            area = self.game.board.area((cell, index))
            for piece, kinds in PLACES.items():
                if (
                    self.game.supply[self.game.player][piece]
                    and area.kind in kinds
                    and self.has_follower(self.game.player, area)
                ):
                    offers |= self.game.offer(piece, (cell, index))
        return offers

    def figures_left(self, figures: list[Figure]) -> None:
        """TRAD-8, TRAD-10: a builder or pig without a follower of its colour returns to its owner."""
        for figure in self.game.board.figures:
            if figure.piece in PLACES and not self.has_follower(figure.player, self.game.board.area(figure.spot)):
                self.game.take_back([figure])
                return  # taking it back looks again for the next

    def city_bonus(self, player: int, fields: list[Area]) -> int:
        """TRAD-10, TRAD-13: one point more for each city if the own pig stands in (one of) the fields."""
        figures = [figure for field in fields for figure in self.game.board.figures_in(field)]
        return int(any(figure.piece == "pig" and figure.player == player for figure in figures))

    def completed(self, area: Area) -> None:
        """TRAD-11: who completes a city takes a token for each symbol in it."""
        if area.kind == "city":
            for good in GOODS:
                self.goods[self.game.player][good] += self.game.board.count(area, good)

    def final(self) -> None:
        """TRAD-12: 10 points for the most of each kind, to all tied players."""
        for good in GOODS:
            most = max(tokens[good] for tokens in self.goods)
            for player, tokens in enumerate(self.goods):
                if most > 0 and tokens[good] == most:
                    self.game.score(player, 10, "goods")

    def tokens_shown(self) -> Tokens:
        """Goods lie in front of their owners."""
        return Counter({(player, good, ""): n for player, held in enumerate(self.goods) for good, n in held.items()})
