"""Hunters and Gatherers (HUNT-1 to HUNT-19), a game of its own."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any, ClassVar

from .board import Area, Cell, Spot
from .expansion import Asking, Effect, Question, nothing
from .game import Game, Pile
from .tiles import Segment, Tile, read_box

PREY = ("deer", "mammoth", "aurochs")


def with_waters(tile: Tile) -> Tile:
    """The tile with a `waters` segment for each group of rivers and lakes that hang together on it (HUNT-11).

    Rivers meet in a lake, never in a spring. Waters lie under the rivers and lakes and join only each other.
    """
    groups: list[set[int]] = []
    for index, segment in enumerate(tile.segments):
        if segment.kind == "lake":
            groups.append({index} | {i for i, s in enumerate(tile.segments) if index in s.touches})
        elif segment.kind == "river" and not segment.touches:
            groups.append({index})
    waters = []
    for group in groups:
        parts = [tile.segments[index] for index in sorted(group)]
        fish = sum(part.mark("fish") for part in parts)
        sides = frozenset(side for part in parts for side in part.sides)
        waters.append(Segment("waters", sides, marks=(("fish", fish),) if fish else ()))
    return replace(tile, segments=(*tile.segments, *waters))


class HuntersGame(Game):
    """Men gather, fish and hunt; huts stand at river systems."""

    ENDLESS: ClassVar[tuple[str, ...]] = ("lake", "meadow", "waters")
    STRENGTH: ClassVar[dict[str, int]] = {"man": 1, "hut": 1}
    DEFAULTS: ClassVar[dict[str, Any]] = {**Game.DEFAULTS, "men": 5, "huts": 2}
    ELEMENTS: ClassVar[dict[str, tuple[str, ...]]] = {
        "nuggets": ("nuggets",),
        "mushrooms": ("mushrooms",),
        "fish": ("fish",),
        "tigers": ("tiger",),
        "fires": ("fire",),
        "shrines": ("shrine",),
    }

    bonus: Pile

    def prepare(self) -> None:
        """HUNT-1: the volcano lies in the middle; bonus tiles have a pile of their own."""
        copies = self.options["copies"]  # HOUSE-4
        land = read_box("hunters_and_gatherers", self.printed_for)
        bonus = read_box("hunters_and_gatherers_bonus", self.printed_for)
        drawn = [(with_waters(tile), copies * count - (tile.name == "hg001")) for tile, count in land]
        self.piles = [self.add_pile(drawn)]
        self.bonus = self.add_pile((with_waters(tile), copies * count) for tile, count in bonus)
        self.change_counts([*self.piles, self.bonus])
        for name, cell, turn in self.start or [("hg001", (0, 0), 0)]:
            self.board.lay(self.types[name], cell, turn // 90)
        for supply in self.supply:
            supply.update({"man": self.options["men"], "hut": self.options["huts"]})

    def turns(self) -> Asking:
        """HUNT-2, then the bonus tile of HUNT-7 and HUNT-8: one at most, and no chain."""
        cell = yield from self.lay_drawn(self.piles)
        if cell is None:
            self.ended = True
            return
        yield from self.use_tile(cell)
        if self.found_gold(cell):
            cell = yield from self.lay_drawn([self.bonus])
            if cell is not None:
                yield from self.use_tile(cell)

    def use_tile(self, cell: Cell) -> Asking:
        """A man or a hut, perhaps; then scoring (HUNT-10)."""
        offers: dict[str, Effect] = {"pass": nothing}
        for index, segment in enumerate(self.board.tiles[cell].segments):
            if segment.kind == "meadow" and not segment.halves:
                continue  # HUNT-19: a scrap that reaches no edge
            area = self.board.area((cell, index))
            for piece, kinds in {"man": ("forest", "river", "meadow"), "hut": ("waters",)}.items():
                # HUNT-4: no man at all in it; HUNT-11: no hut at all in the river system.
                if area.kind in kinds and not self.board.figures_in(area) and self.supply[self.player][piece]:
                    offers |= self.offer(piece, (cell, index))
        yield from offers[(yield Question(self.player, offers))]()
        for area in self.board.areas_on(cell):
            if area.kind in ("forest", "river") and self.board.complete(area):
                for player in self.majority(self.counting(area)):
                    self.score(player, self.worth(area), area.kind)
                self.take_back(self.board.figures_in(area))

    def found_gold(self, cell: Cell) -> bool:
        """HUNT-7: the tile completed a forest with a nugget."""
        return any(
            area.kind == "forest" and self.board.complete(area) and self.board.count(area, "nuggets")
            for area in self.board.areas_on(cell)
        )

    def worth(self, area: Area) -> int:
        """HUNT-5, HUNT-6, HUNT-18: sections are counted, not tiles; the same lake at both ends once."""
        if area.kind == "forest":
            return 2 * len(area.spots) + 2 * self.board.count(area, "mushrooms")
        lakes: set[Spot] = {
            (cell, lake) for cell, index in area.spots for lake in self.board.tiles[cell].segments[index].touches
        }
        return len(area.spots) + sum(self.board.tiles[cell].segments[lake].mark("fish") for cell, lake in lakes)

    def final_scoring(self) -> None:
        """HUNT-12 to HUNT-16: huts and hunters only."""
        for area in self.board.all_areas():
            if area.kind == "waters":
                for player in self.majority(self.counting(area)):
                    self.score(player, self.board.count(area, "fish"), "waters")
            elif area.kind == "meadow":
                for player in self.hunters_who_score(area):
                    self.score(player, 2 * self.prey(area), "meadow")

    def prey(self, meadow: Area) -> int:
        """HUNT-14 to HUNT-16: each tiger eats a deer, unless a fire drives the tigers away."""
        animals = Counter({animal: self.board.count(meadow, animal) for animal in PREY})
        if not self.board.count(meadow, "fire"):
            animals["deer"] = max(0, animals["deer"] - self.board.count(meadow, "tiger"))
        return animals.total()

    def hunters_who_score(self, meadow: Area) -> list[int]:
        """HUNT-9, and HUNT-16: the hunter on the shrine scores alone."""
        hunters = self.counting(meadow)
        for hunter in hunters:
            cell, index = hunter.spot
            if self.board.tiles[cell].segments[index].mark("shrine"):
                return [hunter.player]
        return self.majority(hunters)
