"""The box in the oracle: DRAG-1 to DRAG-22 once more, from the rule text alone, without a line of the engine."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from tests.oracle import tiles
from tests.oracle.anniversary import anywhere
from tests.oracle.base import BaseGame
from tests.oracle.board import Area, Cell, Figure, beside
from tests.oracle.boxes import EXPANSIONS
from tests.oracle.expansion import Asking, Effect, Expansion, Question, Tokens, nothing
from tests.oracle.tiles import read_box

NAME = "princess_and_dragon"
ELEMENTS = {
    "dragons": ("dragon_volcano", "dragon"),
    "fairies": (),
    "princesses": ("princess",),
    "portals": ("magic_portal",),
}
DEFAULTS = {
    "dragon_moves": "before_scoring",
    "dragon_eats": "all",
    "fairy": "follower",
    "princess": "may",
    f"{NAME}_copies": 1,
}
RANKS = ("follower", "big_follower", "abbot")


def add_to_oracle() -> None:
    """From now on the oracle knows the box. It acts after the others: the dragon moves when shepherds have acted."""
    if NAME in EXPANSIONS:
        return
    EXPANSIONS[NAME] = PrincessAndDragon
    BaseGame.DEFAULTS.update(DEFAULTS)
    BaseGame.ELEMENTS.update(ELEMENTS)
    tiles.FOLDERS.append(Path(__file__).resolve().parents[1])
    tiles.NUMBERS.append("princess")
    tiles.PRINTED.extend(("dragon_volcano", "dragon", "magic_portal"))
    tiles.SEGMENT_MARKS["princess"] = {NAME}
    tiles.TILE_MARKS.update({mark: {NAME} for mark in ("dragon_volcano", "dragon", "magic_portal")})


class PrincessAndDragon(Expansion):
    """A dragon and a fairy on the table."""

    def __init__(self, game: BaseGame) -> None:
        super().__init__(game)
        self.dragon: Cell | None = None
        self.fairy: Cell | None = None
        self.friend: Figure | None = None  # the follower beside her
        copies = game.options[f"{NAME}_copies"]
        for tile, number in read_box(NAME, game.printed_for):
            if tile.mark("dragon"):  # DRAG-6
                game.types[tile.name] = tile
                game.land.waiting[tile.name] += copies * number
            else:
                game.shuffle_in([(tile, copies * number)], game.land)

    def mark(self, cell: Cell, name: str) -> bool:
        """Whether a tile has a symbol."""
        return bool(self.game.board.tiles[cell].mark(name))

    # --- the dragon ---

    def lies(self, cell: Cell) -> None:
        """DRAG-4, DRAG-6: a volcano calls the dragon; with the first one its tiles are shuffled in."""
        if self.mark(cell, "dragon_volcano"):
            self.dragon = cell
            if self.game.land.waiting.total():
                self.game.land.release_waiting_tiles()

    def piece_placed(self, cell: Cell) -> Asking:
        """DRAG-7: before scoring."""
        if self.game.options["dragon_moves"] == "before_scoring":
            yield from self.move(cell)

    def all_scored(self, cell: Cell) -> Asking:
        """DRAG-3: by option after it."""
        if self.game.options["dragon_moves"] == "after_scoring":
            yield from self.move(cell)

    def move(self, cell: Cell) -> Asking:
        """DRAG-8: six steps, one for each player in turn."""
        if self.dragon is None or not self.mark(cell, "dragon"):
            return
        been = {self.dragon}
        for number in range(6):
            goals = [beside(self.dragon, side) for side in range(4)]
            goals = [c for c in goals if c in self.game.board.tiles and c not in been and c != self.fairy]
            if not goals:
                return
            names = {f"choose {x},{y}": (x, y) for x, y in goals}
            self.dragon = names[(yield Question((self.game.player + number) % self.game.players, names))]
            been.add(self.dragon)
            self.eat(self.dragon)

    def eat(self, cell: Cell) -> None:
        """DRAG-9, DRAG-10: everybody on the tile goes home without points."""
        food = [figure for figure in self.game.board.figures if figure.spot[0] == cell]
        if self.game.options["dragon_eats"] == "followers":
            food = [figure for figure in food if figure.piece in (*self.game.strength, "shepherd")]
        self.game.take_back(food)

    # --- the fairy ---

    def paid(self, area: Area | None) -> set[int]:
        """Whom she pays: the owners of the followers beside her, of those in an area only if one is named."""
        if self.game.options["fairy"] == "tile":  # DRAG-15
            near = [f for f in self.game.board.figures if f.spot[0] == self.fairy and f.piece in self.game.strength]
        else:
            near = [self.friend] if self.friend else []
        return {figure.player for figure in near if area is None or figure.spot in area.spots}

    def turn_begins(self) -> None:
        """DRAG-13."""
        if self.game.player in self.paid(None):
            self.game.score(self.game.player, 1, "fairy")

    def scored(self, area: Area) -> None:
        """DRAG-14."""
        for player in sorted(self.paid(area)):
            self.game.score(player, 3, "fairy")

    def figures_left(self, figures: list[Figure]) -> None:
        """DRAG-12: she is left alone, unless a companion of the same kind is still there."""
        if self.friend in figures:
            old = self.friend
            alike = [f for f in self.game.board.figures if old and (f.spot, f.piece) == (old.spot, old.piece)]
            self.friend = alike[0] if alike else None

    # --- what can be done ---

    def offers(self, cell: Cell) -> dict[str, Effect]:
        """DRAG-11, DRAG-16, DRAG-17."""
        offers = self.taking(cell)
        if self.mark(cell, "magic_portal"):
            offers |= anywhere(self.game)  # DRAG-16: a follower or an abbot
        if self.game.options["fairies"] == "on":
            offers |= self.walking()
        return offers

    def allowed(self, offers: dict[str, Effect], cell: Cell) -> dict[str, Effect]:
        """DRAG-18: a knight must be taken; DRAG-4, DRAG-5: nothing is put where the dragon stands."""
        if self.game.options["princess"] == "must" and self.taking(cell):
            return self.taking(cell)
        if self.dragon is None:
            return offers
        here = f"{self.dragon[0]},{self.dragon[1]}"
        return {text: effect for text, effect in offers.items() if text.split()[0::2][:2] != ["deploy", here]}

    def taking(self, cell: Cell) -> dict[str, Effect]:
        """DRAG-17: any knight of the city with the princess."""
        game = self.game
        offers: dict[str, Effect] = {}
        for index, segment in enumerate(game.board.tiles[cell].segments):
            if segment.mark("princess"):
                for knight in game.counting(game.board.area((cell, index))):
                    offers[f"take {knight.piece} {game.board.name(knight.spot)}"] = self.taken(knight)
        return offers

    def taken(self, knight: Figure) -> Effect:
        def effect() -> Asking:
            # Of two alike the one who stays is beside the fairy (DRAG-12).
            self.game.take_back([knight])
            return nothing()

        return effect

    def walking(self) -> dict[str, Effect]:
        """DRAG-11, DRAG-15: where the fairy can go."""
        game = self.game
        own = [f for f in game.board.figures if f.player == game.player and f.piece in game.strength]
        if game.options["fairy"] == "tile":
            cells = {figure.spot[0] for figure in own} - {self.fairy}
            return {f"deploy fairy {x},{y}": self.walk((x, y), None) for x, y in cells}
        offers: dict[str, Effect] = {}
        for figure in own:
            kinds = {other.piece for other in own if other.spot == figure.spot}
            rank = sorted(kinds, key=RANKS.index).index(figure.piece)
            already = self.friend and (self.friend.spot, self.friend.piece) == (figure.spot, figure.piece)
            if not already:
                name = ("fairy", "fairy_2")[rank]
                offers[f"deploy {name} {game.board.name(figure.spot)}"] = self.walk(figure.spot[0], figure)
        return offers

    def walk(self, cell: Cell, friend: Figure | None) -> Effect:
        def effect() -> Asking:
            self.fairy, self.friend = cell, friend
            return nothing()

        return effect

    def tokens_shown(self) -> Tokens:
        """Where dragon and fairy stand."""
        found = (("dragon", self.dragon), ("fairy", self.fairy))
        return Counter((-1, name, f"{cell[0]},{cell[1]}") for name, cell in found if cell)
