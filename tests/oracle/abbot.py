"""The Abbot and the gardens (ABBOT-1 to ABBOT-8). Gardens are read from the tiles only when this box is in play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .board import Cell, Figure
from .expansion import Asking, Effect, Expansion, nothing

if TYPE_CHECKING:
    from .base import BaseGame


class Abbot(Expansion):
    """A follower for cloisters and gardens that may be taken back."""

    def __init__(self, game: BaseGame) -> None:
        super().__init__(game)
        game.add_piece("abbot", game.options["abbots"])  # ABBOT-1
        game.strength["abbot"] = 1  # ABBOT-5: at the end it scores like a monk

    def offers(self, cell: Cell) -> dict[str, Effect]:
        """ABBOT-2: on a cloister or garden of the tile; ABBOT-4: or take the own abbot back."""
        offers: dict[str, Effect] = {}
        game = self.game
        for index in range(len(game.board.tiles[cell].segments)):
            area = game.board.area((cell, index))
            if area.kind in ("cloister", "garden") and game.free(area) and game.supply[game.player]["abbot"]:
                offers |= game.offer("abbot", (cell, index))
        for figure in game.board.figures:
            if figure.piece == "abbot" and figure.player == game.player:
                offers |= self.offer_back(figure)
        return offers

    def offer_back(self, figure: Figure) -> dict[str, Effect]:
        """ABBOT-4, ABBOT-7: only from an unfinished cloister or garden; scored at once as at the end of the game."""
        game = self.game
        area = game.board.area(figure.spot)
        if game.board.complete(area):
            return {}

        def effect() -> Asking:
            game.score(figure.player, 1 + game.board.surrounding(figure.spot[0]), area.kind)
            game.take_back([figure])
            return nothing()

        return {f"take abbot {game.board.name(figure.spot)}": effect}
