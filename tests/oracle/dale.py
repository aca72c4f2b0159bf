"""Over Hill and Dale (DALE-1 to DALE-14), a game of its own."""

from __future__ import annotations

from collections import Counter
from typing import Any, ClassVar

from .board import Area, Cell, Figure, Spot, around
from .expansion import Asking, Effect, Question, nothing
from .game import Game
from .tiles import box, read_box

NAME = "over_hill_and_dale"
CROPS = ("apple", "strawberry", "pumpkin", "sunflower", "grain")
SYMBOLS = (*CROPS, "scarecrow")


class DaleGame(Game):
    """Wanderers on paths, farmers in crop fields, stables in meadows."""

    ENDLESS: ClassVar[tuple[str, ...]] = ("meadow",)
    STRENGTH: ClassVar[dict[str, int]] = {"meeple": 1}
    DEFAULTS: ClassVar[dict[str, Any]] = {**Game.DEFAULTS, "meeples": 4, "stables": 2, "wandering": "on"}
    ELEMENTS: ClassVar[dict[str, tuple[str, ...]]] = {
        "crops": CROPS,
        "scarecrows": ("scarecrow",),
        "animals": ("animals",),
    }

    stables: list[tuple[int, Cell]]
    tokens: Counter[str]  # harvest tokens nobody has taken
    harvest: list[Counter[str]]

    def prepare(self) -> None:
        """DALE-1."""
        start = "OHD-START"
        copies = self.options["copies"]  # HOUSE-4
        tiles = read_box(NAME, self.printed_for)
        self.piles = [self.add_pile((tile, copies * count - (tile.name == start)) for tile, count in tiles)]
        self.change_counts(self.piles)
        for name, cell, turn in self.start or [(start, (0, 0), 0)]:
            self.board.lay(self.types[name], cell, turn // 90)
        for supply in self.supply:
            supply.update({"meeple": self.options["meeples"], "stable": self.options["stables"]})
        self.stables = []
        self.tokens = Counter(box(NAME)["tokens"])
        self.harvest = [Counter() for _ in range(self.players)]

    def turns(self) -> Asking:
        """DALE-2: a tile; a meeple, a stable or nothing; scoring; perhaps wandering."""
        cell = yield from self.lay_drawn(self.piles)
        if cell is None:
            self.ended = True
            return
        offers: dict[str, Effect] = {"pass": nothing}
        offers |= self.meeple_offers(cell)
        offers |= self.stable_offer(cell)
        answer = yield Question(self.player, offers)
        yield from offers[answer]()
        yield from self.score_completed(cell)
        if answer == "pass" and self.options["wandering"] == "on":
            yield from self.wander(cell)

    # --- pieces ---

    def meeple_offers(self, cell: Cell) -> dict[str, Effect]:
        """DALE-4: on a path or in a crop field without a meeple, never in a meadow."""
        offers: dict[str, Effect] = {}
        for index in range(len(self.board.tiles[cell].segments)):
            area = self.board.area((cell, index))
            free = area.kind in ("path", "cropfield") and not self.counting(area)
            if free and self.supply[self.player]["meeple"]:
                offers |= self.offer("meeple", (cell, index))
        return offers

    def stable_offer(self, cell: Cell) -> dict[str, Effect]:
        """DALE-10: on a meadow of the tile, if none of the eight squares around holds a stable.

        Which meadow does not matter: the stable is noted on the first.
        """
        meadows = [i for i, segment in enumerate(self.board.tiles[cell].segments) if segment.kind == "meadow"]
        near = any(other in around(cell) for _, other in self.stables)
        if not meadows or near or not self.supply[self.player]["stable"]:
            return {}

        def effect() -> Asking:
            self.put("stable", (cell, meadows[0]))
            self.stables.append((self.player, cell))
            return nothing()

        return {f"deploy stable {cell[0]},{cell[1]} meadow": effect}

    # --- scoring ---

    def score_completed(self, cell: Cell) -> Asking:
        """DALE-5, DALE-8: paths and crop fields, each field with its harvest (DALE-9)."""
        for area in self.board.areas_on(cell):
            if area.kind in ("path", "cropfield") and self.board.complete(area):
                owners = self.majority(self.counting(area))
                price = 2 if area.kind == "cropfield" else 1
                for player in owners:
                    self.score(player, price * len(area.cells), area.kind)
                self.take_back(self.board.figures_in(area))
                if area.kind == "cropfield" and owners:
                    yield from self.take_harvest(area, owners)

    def take_harvest(self, area: Area, owners: list[int]) -> Asking:
        """DALE-9: all to the sole owner; tied owners take one by one, the player whose turn it is first."""
        aside = Counter({s: min(self.board.count(area, s), self.tokens[s]) for s in SYMBOLS})
        self.tokens -= aside
        order = sorted(owners, key=lambda player: (player - self.player) % self.players)
        while aside.total():
            for player in order:
                if len(order) == 1:
                    self.harvest[player] += aside
                    aside.clear()
                elif aside.total():
                    answers = {f"choose {symbol}": symbol for symbol, number in aside.items() if number}
                    symbol = answers[(yield Question(player, answers))]
                    aside[symbol] -= 1
                    self.harvest[player][symbol] += 1

    # --- wandering ---

    def wander(self, cell: Cell) -> Asking:
        """DALE-6, DALE-7: one wanderer of a path that was continued and not completed may move along it."""
        moves: dict[str, tuple[Figure, Spot, int]] = {}
        for area in self.board.areas_on(cell):
            if area.kind == "path" and not self.board.complete(area):
                for figure in self.counting(area):
                    if figure.player == self.player:
                        moves |= self.moves_of(figure)
        if not moves:
            return
        answer = yield Question(self.player, {"pass", *moves})
        if answer != "pass":
            figure, spot, points = moves[answer]
            figure.spot = spot
            self.score(self.player, points, "wander")

    def moves_of(self, figure: Figure) -> dict[str, tuple[Figure, Spot, int]]:
        """Every stop in either direction, with a point for each tile moved onto; not beside another wanderer."""
        moves: dict[str, tuple[Figure, Spot, int]] = {}
        name = self.board.name
        for first in self.board.joined(figure.spot):
            came, here, steps = figure.spot, first, 1
            while True:
                if not self.wanderer_on(here[0]):
                    moves[f"move meeple {name(figure.spot)} to {name(here)}"] = (figure, here, steps)
                onward = [spot for spot in self.board.joined(here) if spot != came]
                if not onward:
                    break
                came, here, steps = here, onward[0], steps + 1
        return moves

    def wanderer_on(self, cell: Cell) -> bool:
        """Whether a meeple stands on a path of this tile."""
        return any(f.spot[0] == cell and self.board.area(f.spot).kind == "path" for f in self.board.figures)

    # --- the end ---

    def final_scoring(self) -> None:
        """DALE-11 to DALE-13."""
        for area in self.board.all_areas():
            if area.kind in ("path", "cropfield"):
                for player in self.majority(self.counting(area)):
                    self.score(player, len(area.cells), area.kind)
        for player, cell in self.stables:
            lying = [c for c in (cell, *around(cell)) if c in self.board.tiles]
            self.score(player, sum(self.board.tiles[c].mark("animals") or 0 for c in lying), "stable")
        for player, tokens in enumerate(self.harvest):
            self.score(player, tokens.total() + 5 * self.sets(tokens), "harvest")

    def hidden(self, player: int) -> Counter[str]:
        """DALE-9: the harvest lies face down."""
        return +self.harvest[player]

    @staticmethod
    def sets(tokens: Counter[str]) -> int:
        """DALE-13: sets of five different crops; scarecrows stand for any crop, more than one in a set allowed."""
        sets = 0
        while sum(max(0, sets + 1 - tokens[crop]) for crop in CROPS) <= tokens["scarecrow"]:
            sets += 1
        return sets
