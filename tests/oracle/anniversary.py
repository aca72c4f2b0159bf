"""The Anniversary tiles and their symbols (ANNI-1 to ANNI-9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .board import Cell, beside
from .expansion import Asking, Effect, Expansion, Question

if TYPE_CHECKING:
    from .base import BaseGame


class Anniversary(Expansion):
    """Arrows that are activated by the tile they point to."""

    def __init__(self, game: BaseGame) -> None:
        super().__init__(game)
        game.add_tiles("anniversary")
        self.active: str | None = None  # the symbol activated in this turn

    def laid(self, cell: Cell) -> Asking:
        """ANNI-1 to ANNI-5: find the symbols that could be activated; only one is."""
        tiles = self.game.board.tiles
        # A symbol acts when its arrow points from one tile to another, and one of the two is the new tile.
        pointing = [c for c, t in tiles.items() if t.mark("symbol") and beside(c, t.mark("arrow")) in tiles]
        could = [c for c in pointing if cell in (c, beside(c, tiles[c].mark("arrow")))]
        chosen = could[0] if could else None
        if len(could) > 1:
            names = {f"choose {c[0]},{c[1]}": c for c in could}
            chosen = names[(yield Question(self.game.player, names))]
        self.active = tiles[chosen].mark("symbol") if chosen else None
        if tiles[cell].mark("symbol") and chosen != cell:
            self.game.score(self.game.player, 2, "symbol")
        if self.active == "extra_turn":
            self.game.grant_turn()  # ANNI-8

    def offers(self, cell: Cell) -> dict[str, Effect]:
        """ANNI-6, ANNI-7: instead of a piece on the new tile."""
        if self.active == "second_meeple":
            return self.companions()
        if self.active == "free_placement":
            return anywhere(self.game)
        return {}

    def companions(self) -> dict[str, Effect]:
        """ANNI-6: a follower beside one own follower, at most two side by side, nobody beside the abbot in a garden.

        ABBOT-9: by the strict reading the abbot is no companion, and has none.
        """
        game = self.game
        with_abbot = game.options["companion_abbot"] == "yes"
        offers: dict[str, Effect] = {}
        own = [figure for figure in game.board.figures if figure.player == game.player]
        followers = [figure for figure in own if figure.piece in game.strength]
        for figure in followers:
            kind = game.board.area(figure.spot).kind
            alone = sum(other.spot == figure.spot for other in followers) == 1
            if alone and (with_abbot or figure.piece != "abbot"):
                pieces = [] if kind == "garden" else list(game.walkers)
                if kind in ("cloister", "garden") and with_abbot:  # ABBOT-2; HOUSE-11: a second abbot
                    pieces.append("abbot")
                for piece in pieces:
                    if game.supply[game.player][piece]:
                        offers |= game.offer(piece, figure.spot)
        return offers


def anywhere(game: BaseGame) -> dict[str, Effect]:
    """ANNI-7: on any free and incomplete feature; fields are never complete. Other boxes offer the same."""
    offers: dict[str, Effect] = {}
    for area in game.board.all_areas():
        if not game.free(area) or (area.kind != "field" and game.board.complete(area)):
            continue
        pieces = list(game.walkers) if game.may_hold_follower(area) else []
        if area.kind in ("cloister", "garden"):
            pieces.append("abbot")
        for piece in pieces:
            if game.supply[game.player][piece]:
                for spot in area.spots:
                    offers |= game.offer(piece, spot)
    return offers
