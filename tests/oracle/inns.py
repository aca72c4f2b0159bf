"""Inns & Cathedrals (INNS-1 to INNS-7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .board import Area
from .expansion import Expansion

if TYPE_CHECKING:
    from .base import BaseGame


class InnsAndCathedrals(Expansion):
    """A big follower for everybody, dearer roads and cities."""

    def __init__(self, game: BaseGame) -> None:
        super().__init__(game)
        game.add_tiles("inns_and_cathedrals")  # INNS-1
        game.add_piece("big_follower", game.options["big_followers"])  # INNS-2
        game.walkers.append("big_follower")
        game.strength["big_follower"] = 2

    def price(self, area: Area, price: int, complete: bool) -> int:
        """INNS-3 to INNS-6; HOUSE-8: with unfinished_inns=as_usual only what is complete."""
        if not complete and self.game.options["unfinished_inns"] == "as_usual":
            return price
        if area.kind == "road" and self.game.board.count(area, "inn"):
            return 2 if complete else 0
        if area.kind == "city" and self.game.board.count(area, "cathedral"):
            return 3 if complete else 0
        return price
