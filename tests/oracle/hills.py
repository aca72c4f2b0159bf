"""Hills & Sheep (HILL-1 to HILL-12). Split sides (HILL-1) are in the tiles and in the flood fill."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from typing import TYPE_CHECKING

from .board import Area, Cell, Figure, Spot, around
from .expansion import CHANCE, Asking, Effect, Expansion, Question, Tokens
from .tiles import Tile, box

if TYPE_CHECKING:
    from .base import BaseGame


class HillsAndSheep(Expansion):
    """Hills break ties, shepherds keep flocks, vineyards serve cloisters."""

    def __init__(self, game: BaseGame) -> None:
        super().__init__(game)
        game.add_tiles("hills_and_sheep")
        game.add_piece("shepherd", game.options["shepherds"])
        self.tokens: Counter[str] = Counter(box("hills_and_sheep")["tokens"])  # face down, mixed
        self.flocks: list[tuple[Spot, str]] = []  # sheep tokens that lie beside a shepherd
        self.numbers: dict[Spot, int] = {}  # where shepherds stand, and which of their owner's they are
        self.extended: list[Figure] = []  # own shepherds whose fields the new tile extends, one for each field

    # --- hills ---

    def drawn(self, tile: Tile) -> Asking:
        """HILL-2: another tile goes unseen under the hill; if none is left the hill lies on nothing."""
        if tile.mark("hill") and self.game.land.left() > 0:
            self.game.land.hidden += 1
        yield from ()

    def tie_break(self, tied: list[int], figures: list[Figure], kind: str) -> list[int]:
        """HILL-3: of the tied players those with a follower of this feature on a hill; not for cloisters."""
        if kind not in ("city", "road", "field"):
            return tied
        tiles = self.game.board.tiles
        on_hills = Counter(f.player for f in figures if f.player in tied and tiles[f.spot[0]].mark("hill"))
        if not on_hills:
            return tied
        if self.game.options["hill_tiebreak"] == "most_on_hills":
            return [player for player in tied if on_hills[player] == max(on_hills.values())]
        return [player for player in tied if on_hills[player]]

    # --- vineyards ---

    def bonus(self, area: Area) -> int:
        """HILL-10: 3 points for each vineyard around a completed cloister; ABBOT-6: gardens only by option."""
        if area.kind == "garden" and self.game.options["vineyards_for_gardens"] != "on":
            return 0
        ((cell, _),) = area.spots
        tiles = self.game.board.tiles
        return 3 * sum(bool(tiles[c].mark("vineyard")) for c in around(cell) if c in tiles)

    # --- shepherds ---

    def shepherds(self, area: Area) -> list[Figure]:
        """The shepherds in a field."""
        return [figure for figure in self.game.board.figures_in(area) if figure.piece == "shepherd"]

    def laid(self, cell: Cell) -> Asking:
        """HILL-6: the tile extends the field with the own shepherd."""
        board = self.game.board
        self.extended = []
        own = [f for f in board.figures if f.piece == "shepherd" and f.player == self.game.player]
        for shepherd in sorted(own, key=lambda figure: self.numbers[figure.spot]):
            area = board.area(shepherd.spot)
            asked = [board.area(figure.spot) for figure in self.extended]
            if area in board.areas_on(cell) and area not in asked:
                self.extended.append(shepherd)  # HOUSE-10: the lowest number speaks for the field
        if self.game.options["shepherd_action"] == "before":
            yield from self.tend(cell)

    def piece_placed(self, cell: Cell) -> Asking:
        """HILL-6 with shepherd_action=after: after step 2 and before scoring."""
        if self.game.options["shepherd_action"] == "after":
            yield from self.tend(cell)

    def tend(self, cell: Cell) -> Asking:
        """HILL-6 for one field after another; HILL-12 for every other field that the tile has closed."""
        self.close_all(cell)
        while self.extended:
            shepherd = self.extended[0]
            answer = yield Question(self.game.player, ["choose grow", "choose home"])
            if answer == "choose home":
                self.drive_home(self.game.board.area(shepherd.spot))
            else:
                yield from self.grow(shepherd)
            self.extended.pop(0)
            self.close_all(cell)

    def close_all(self, cell: Cell) -> None:
        """HILL-12 with closed_flock=home: the flocks of closed fields are driven home, if nobody is asked for them."""
        board = self.game.board
        asked = [board.area(figure.spot) for figure in self.extended]
        for area in board.areas_on(cell):
            closed = area.kind == "field" and board.complete(area) and area not in asked
            if closed and self.game.options["closed_flock"] == "home":
                self.drive_home(area)

    def draw_token(self) -> Generator[Question, str, str]:
        """Chance draws one of the tokens that lie face down."""
        weights = {f"draw {token}": count for token, count in self.tokens.items() if count}
        token = (yield Question(CHANCE, weights, weights)).removeprefix("draw ")
        self.tokens[token] -= 1
        return token

    def grow(self, own: Figure) -> Asking:
        """HILL-7: a token more, beside the own shepherd; a wolf chases everybody away."""
        area = self.game.board.area(own.spot)
        token = yield from self.draw_token()
        if token == "wolf":
            self.tokens["wolf"] += 1
            self.empty(area)
        else:
            self.flocks.append((own.spot, token))

    def drive_home(self, area: Area) -> None:
        """HILL-8: every shepherd scores all sheep of the field, printed ones (RIVER-6) too."""
        sheep = sum(int(token.removeprefix("sheep_")) for spot, token in self.flocks if spot in area.spots)
        sheep += self.game.board.count(area, "sheep")
        for player in sorted({shepherd.player for shepherd in self.shepherds(area)}):  # HOUSE-10: each player once
            self.game.score(player, sheep, "flock")
        self.empty(area)

    def empty(self, area: Area) -> None:
        """Shepherds go back to their owners, with their tokens."""
        self.game.take_back(self.shepherds(area))

    def figures_left(self, figures: list[Figure]) -> None:
        """The sheep of a shepherd who leaves, whoever sends him, go back among the others."""
        gone = {figure.spot for figure in figures if figure.piece == "shepherd"}
        self.tokens.update(token for spot, token in self.flocks if spot in gone)
        self.flocks = [(spot, token) for spot, token in self.flocks if spot not in gone]

    def offers(self, cell: Cell) -> dict[str, Effect]:
        """HILL-4: on a field of the tile that holds no other shepherd; farmers do not matter."""
        offers: dict[str, Effect] = {}
        for index in range(len(self.game.board.tiles[cell].segments)):
            area = self.game.board.area((cell, index))
            if area.kind == "field" and not self.shepherds(area) and self.game.supply[self.game.player]["shepherd"]:
                offers |= self.offer_shepherd((cell, index))
        return offers

    def offer_shepherd(self, spot: Spot) -> dict[str, Effect]:
        """HILL-5: the shepherd comes with a token; a wolf sends it straight back."""

        def effect() -> Asking:
            own = [f for f in self.game.board.figures if f.piece == "shepherd" and f.player == self.game.player]
            taken = {self.numbers[figure.spot] for figure in own}
            self.numbers[spot] = min(set(range(len(own) + 1)) - taken)
            yield from self.grow(self.game.put("shepherd", spot))
            if self.game.options["shepherd_action"] == "before":
                self.close_all(spot[0])

        return {f"deploy shepherd {self.game.board.name(spot)}": effect}

    def tokens_shown(self) -> Tokens:
        """The sheep beside each shepherd."""
        owners = {figure.spot: figure.player for figure in self.game.board.figures if figure.piece == "shepherd"}
        return Counter((owners[spot], token, "shepherd") for spot, token in self.flocks)
