"""The River and the Anniversary River: tiles from piles of their own that continue the river before any other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from librt.vecs import vec

from bastide.geometry import SIDES, opposite
from bastide.native import i64
from bastide.rules.layout import Layout, Start
from bastide.rules.module import Module
from bastide.rules.position import Position
from bastide.rules.spec import OFF, Element, Option, Spec, Value
from bastide.rules.types import OUT
from bastide.tiles.model import Box, Tile

BOXES: Final[Mapping[str, str]] = {"river_i": "river_i", "anniversary": "river_anniversary"}
COURSE: Final = "river"  # the pile of all river tiles between the spring and ...
MOUTH: Final = "mouth"  # ... the mouth or the lakes, which come last
WEST: Final = SIDES.index("W")
WHILE: Final = ", as long as there is another place"
PRINTED: Final = {"river_sheep": "sheep", "river_vineyards": "vineyard"}  # house rule -> mark (RIVER-6)
MARGIN: Final = 2  # rows or columns on either side that a bend keeps free of tiles (RIVER-9)


def river_sides(tile: Tile) -> tuple[int, ...]:
    """The sides that the river of a tile reaches; none if there is no river. No tile has two."""
    return next((segment.sides for segment in tile.segments if segment.kind == "river"), ())


class River(Module):
    """A river tile is laid against an open end of the river; the other rules of placing hold as well."""

    def __init__(self, options: Mapping[str, Value]) -> None:
        self.box: str = BOXES[str(options["river"])]
        self.two_ends: bool = options["river"] == "anniversary"
        self.off: set[str] = {mark for name, mark in PRINTED.items() if options[name] == OFF}  # HOUSE-16
        self.sides = vec[i64]([])  # per tile type: bits of the sides that its river reaches
        self.away: bool = options["river_bends"] == "away"
        self.looks_ahead: bool = False
        self.elsewhere: i64 = 0
        self.back: i64 = 0
        self.ahead: i64 = 0
        self.meets: i64 = 0

    def declare(self, layout: Layout) -> None:
        layout.kind(self, "river")  # no piece ever stands on it (RIVER-4)
        layout.pile_before(COURSE)
        layout.pile_before(MOUTH)
        self.elsewhere = layout.reason("river_continues", "a river tile continues the river at one of its open ends")
        self.back = layout.reason("river_turns_back", "the river does not bend the same way on two tiles in a row")
        self.ahead = layout.reason("river_ahead", "the river does not bend to a side where tiles lie already" + WHILE)
        self.meets = layout.reason("river_ends_meet", "the two ends of the river do not run to one square" + WHILE)
        # RIVER-3, RIVER-9: River I needs it only where something else lies at the start.
        self.looks_ahead = self.away and (self.two_ends or bool(layout.docks))
        box = layout.box(self.box)
        for tile in box.tiles:
            pile = OUT if tile.start else MOUTH if "lake" in tile.marks else COURSE  # RIVER-1, RIVER-2, RIVER-7
            marks = {name: mark for name, mark in tile.marks.items() if name not in self.off}
            layout.add([replace(tile, marks=marks)], pile, once=pile != COURSE)  # HOUSE-4: one spring, one mouth
        layout.big += box.big
        self.lay_spring(layout, box)
        layout.restricts(self, lambda tile: bool(river_sides(tile)))

    def lay_spring(self, layout: Layout, box: Box) -> None:
        """RIVER-1, RIVER-7: it replaces the start tile. WHEEL-12: if another box lies at the start, the spring lies
        beside that and flows away; the double spring touches it with a short side, and both its ends run past."""
        if self.two_ends:
            name = box.big[0].id
            docks = [dock for dock in layout.docks if dock.side == WEST]
            rotation = 0
        else:
            spring = next(tile for tile in box.tiles if tile.start)
            name = spring.id
            docks = layout.docks
            rotation = (opposite(docks[0].side) - river_sides(spring)[0]) % 4 if docks else 0
        if layout.docks:
            layout.start.append(Start(name, docks[0].cell, rotation))
        else:
            layout.start = [Start(name, (0, 0))]

    def ready(self, tiles: list[Tile]) -> None:
        self.sides = vec[i64]([sum(1 << side for side in river_sides(tile)) for tile in tiles])

    def ends(self, tile_type: i64, rotation: i64) -> i64:
        """Bits of the sides that the river of a tile reaches as the tile lies."""
        return (self.sides[tile_type] << rotation | self.sides[tile_type] >> (4 - rotation)) & 15

    def may_place(self, pos: Position, tile_type: i64, cell: i64, rotation: i64) -> i64:
        """RIVER-3, RIVER-8: it continues the river. Two bends in a row go the same way, and the river turns back, when
        the far ends of both tiles look in the same direction."""
        ends = self.ends(tile_type, rotation)
        continues = False
        for side in range(i64(4)):
            block = pos.tile_at(pos.beside(cell, side))
            if ends >> side & 1 and block:
                continues = True
                before = self.ends(pos.type_of(block), pos.rotation_of(block))
                if before & ~(1 << (side ^ 2)) & ends & ~(1 << side):
                    return self.back
        return 0 if continues else self.elsewhere

    def narrow(self, pos: Position, tile_type: i64, count: i64) -> i64:
        """RIVER-9: neither towards tiles on the board nor towards the other end, if there is another place."""
        if not self.looks_ahead or count == 1:
            return count
        actions = pos.actions
        kept: i64 = 0
        for i in range(count):
            move = actions[i]
            if self.why_narrowed(pos, tile_type, move >> 2, move & 3) == 0:
                actions[i] = actions[kept]  # swapped, not dropped: all of them stay if none is better
                actions[kept] = move
                kept += 1
        return kept if kept else count

    def why_narrowed(self, pos: Position, tile_type: i64, cell: i64, rotation: i64) -> i64:
        """RIVER-9: the reason against a place, as long as there is another place."""
        ends = self.ends(tile_type, rotation)
        bend = ends & (ends - 1) and ends != 5 and ends != 10  # neither the last tile nor straight on
        for side in range(i64(4)):
            if ends >> side & 1 and pos.tile_at(pos.beside(cell, side)) == 0:
                if bend and pos.tile_towards(cell, side, MARGIN):
                    return self.ahead
                if self.two_ends and self.ends_meet(pos, pos.beside(cell, side), cell):
                    return self.meets
        return 0

    def ends_meet(self, pos: Position, cell: i64, before: i64) -> bool:
        """Does the river run into an empty cell from a tile besides the one at `before`?"""
        for side in range(i64(4)):
            other = pos.beside(cell, side)
            block = pos.tile_at(other)
            if other != before and block and self.ends(pos.type_of(block), pos.rotation_of(block)) >> (side ^ 2) & 1:
                return True
        return False


def make(options: Mapping[str, Value]) -> list[Module]:
    """One of the two rivers; they are not played together (RIVER-10)."""
    return [River(options)]


MODULE = Spec(
    name="river",
    make=make,
    order=70,  # after every box that lies at the start, for the spring lies beside it (WHEEL-12)
    prefix="RIVER",
    options=(
        Option("river", ("river_i", "anniversary"), "RIVER-10"),
        Option("river_bends", ("away", "immediate"), "RIVER-9"),
    ),
    boxes=("river_i", "river_anniversary"),
    editions={"anniversary2021": {"river": "anniversary"}},
    elements=tuple(Element(name, "HOUSE-16") for name in PRINTED),
)
