"""The Wheel of Fortune (WHEEL-1 to WHEEL-14)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .board import Area, Cell
from .expansion import Asking, Effect, Expansion, Question, Tokens, nothing
from .tiles import Tile, box, read_big, read_box

if TYPE_CHECKING:
    from .base import BaseGame


@dataclass(eq=False)
class Crowned:
    """A follower on a crown space of the wheel."""

    player: int
    piece: str
    sector: str


class WheelOfFortune(Expansion):
    """The wheel board is the start tile; icons move the pig on it."""

    def __init__(self, game: BaseGame) -> None:
        super().__init__(game)
        data = box("wheel_of_fortune")["extra"]
        base = read_box("base", game.printed_for)
        self.printed = {tile.name: tile for tile, _ in base}
        self.copies = Counter({tile.name: count * game.options["copies"] for tile, count in base})
        for icon in data["base_icons"]["list"]:
            self.add_icon(icon["base_tile"], icon["wheel"])
        game.add_tiles("wheel_of_fortune")
        wheel = data["wheel"]["sectors_clockwise"]
        self.sectors: list[str] = [entry["sector"] for entry in wheel]  # WHEEL-3
        self.spaces: dict[str, int] = {entry["sector"]: entry["crown_spaces"] for entry in wheel}
        self.pig = 0  # WHEEL-1: on Fortune
        self.crown: list[Crowned] = []

    def add_icon(self, letter: str, number: int) -> None:
        """One copy of a base tile becomes a type of its own, `N.w1`; copies without a garden first."""
        land = self.game.land
        plain = letter if self.copies[letter] else f"{letter}g"
        self.copies[plain] -= 1
        tile = self.printed[plain]
        marked = replace(tile, name=f"{letter}.w{number}", marks=(*tile.marks, ("wheel", number)))
        self.game.shuffle_in([(marked, 1)], land)
        land.tiles[self.game.type_in(land, tile)] -= 1

    def not_counted(self, area: Area) -> int:
        """WHEEL-1: with wheel_board=one_tile all squares of the board that a road or city has are one tile."""
        if self.game.options["wheel_board"] == "squares" or self.game.start:
            return 0
        squares = [(x, y) for x, y in area.cells if 0 <= x < 4 and 0 <= y < 4]
        return max(0, len(squares) - 1)

    def begin(self) -> None:
        """WHEEL-1: the 4x4 board lies in the middle, each square a tile; its roads end at the wheel."""
        self.game.board.lay_big(read_big("wheel_of_fortune", self.game.printed_for), (0, 0))

    # --- icons ---

    def drawn(self, tile: Tile) -> Asking:
        """WHEEL-2, WHEEL-3: move the pig, do the action, score the crown; then the tile is played."""
        steps = tile.mark("wheel")
        if not steps:
            return
        self.pig = (self.pig + steps) % len(self.sectors)
        sector = self.sectors[self.pig]
        if self.game.options[sector] == "off":
            pass  # HOUSE-13: only the crown is scored
        elif sector == "plague":
            yield from self.plague()
        else:
            for player in range(self.game.players):
                self.game.score(player, self.income(sector, player), sector)
        self.score_crown(sector)

    def income(self, sector: str, player: int) -> int:
        """WHEEL-4 to WHEEL-8: what a player gets where the pig stops."""
        game = self.game
        if sector == "fortune":
            return 3 if player == game.player else 0
        if sector == "storm":
            return sum(number for piece, number in game.supply[player].items() if piece in game.strength)
        points = 0
        for area in game.board.all_areas():
            own = sum(figure.player == player for figure in game.counting(area))  # a big follower counts as one
            if sector == "taxes" and area.kind == "city":
                points += own * (game.board.count(area, "shields") + own)
            if sector == "famine" and area.kind == "field":
                points += own * sum(game.board.complete(city) for city in game.board.cities_of(area))
            if sector == "inquisition" and area.kind == "cloister":
                points += 2 * own
        return points

    def plague(self) -> Asking:
        """WHEEL-9: everybody takes a follower from the landscape, the active player first, then clockwise."""
        game = self.game
        for step in range(game.players):
            player = (game.player + step) % game.players
            figures = [f for f in game.board.figures if f.player == player and f.piece in game.strength]
            answers = {f"take {figure.piece} {game.board.name(figure.spot)}": figure for figure in figures}
            if answers:
                game.take_back([answers[(yield Question(player, answers))]])

    # --- the crown ---

    def score_crown(self, sector: str) -> None:
        """WHEEL-11: 3 each, 6 for one alone in a sector with two spaces; they return."""
        standing = [crowned for crowned in self.crown if crowned.sector == sector]
        points = 6 if len(standing) == 1 and self.spaces[sector] == 2 else 3
        for player, number in sorted(Counter(crowned.player for crowned in standing).items()):
            self.game.score(player, points * number, "crown")
        for crowned in standing:
            self.crown.remove(crowned)
            self.game.supply[crowned.player][crowned.piece] += 1

    def offers(self, cell: Cell) -> dict[str, Effect]:
        """WHEEL-10, WHEEL-13: a follower or big follower on a free crown space."""
        offers: dict[str, Effect] = {}
        for sector in self.sectors if self.game.options["crown_spaces"] == "on" else ():  # HOUSE-13
            free = self.spaces[sector] - sum(crowned.sector == sector for crowned in self.crown)
            for piece in self.game.walkers:
                if free and self.game.supply[self.game.player][piece]:
                    offers |= self.offer_crown(piece, sector)
        return offers

    def offer_crown(self, piece: str, sector: str) -> dict[str, Effect]:
        """The answer that puts a follower on the wheel."""

        def effect() -> Asking:
            self.game.supply[self.game.player][piece] -= 1
            self.crown.append(Crowned(self.game.player, piece, sector))
            return nothing()

        return {f"deploy {piece} crown {sector}": effect}

    def tokens_shown(self) -> Tokens:
        """The pig on its sector, and the followers on the crown."""
        crowned = ((one.player, one.piece, f"crown {one.sector}") for one in self.crown)
        return Counter([(-1, "pig", self.sectors[self.pig]), *crowned])
