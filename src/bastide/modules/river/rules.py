"""The River and the Anniversary River: tiles from piles of their own that continue the river before any other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from librt.vecs import vec

from bastide.geometry import SIDES, opposite
from bastide.kernel.places import LAST, POS, TILES_LEN
from bastide.native import i64
from bastide.rules.layout import Layout, Start
from bastide.rules.module import Module
from bastide.rules.position import Position
from bastide.rules.spec import Option, Spec, Value
from bastide.rules.types import OUT
from bastide.tiles.model import Box, Tile

BOXES: Final[Mapping[str, str]] = {"river_i": "river_i", "anniversary": "river_anniversary"}
COURSE: Final = "river"  # the pile of all river tiles between the spring and ...
MOUTH: Final = "mouth"  # ... the mouth or the lakes, which come last
WEST: Final = SIDES.index("W")


def river_sides(tile: Tile) -> tuple[int, ...]:
    """The sides that the river of a tile reaches; none if there is no river. No tile has two."""
    return next((segment.sides for segment in tile.segments if segment.kind == "river"), ())


class River(Module):
    """A river tile is laid against an open end of the river; the other rules of placing hold as well."""

    def __init__(self, options: Mapping[str, Value]) -> None:
        self.box: str = BOXES[str(options["river"])]
        self.two_ends: bool = options["river"] == "anniversary"
        self.sides = vec[i64]([])  # per tile type: bits of the sides that its river reaches
        self.elsewhere: i64 = 0
        self.back: i64 = 0

    def declare(self, layout: Layout) -> None:
        layout.kind(self, "river")  # no piece ever stands on it (RIVER-4)
        layout.pile_before(COURSE)
        layout.pile_before(MOUTH)
        self.elsewhere = layout.reason("river_continues", "a river tile continues the river at one of its open ends")
        self.back = layout.reason("river_turns_back", "the river does not bend the same way on two tiles in a row")
        box = layout.box(self.box)
        for tile in box.tiles:
            pile = OUT if tile.start else MOUTH if "lake" in tile.marks else COURSE  # RIVER-1, RIVER-2, RIVER-7
            layout.add([tile], pile)
        layout.big += box.big
        self.lay_spring(layout, box)
        layout.restricts(self, lambda tile: bool(river_sides(tile)))

    def lay_spring(self, layout: Layout, box: Box) -> None:
        """RIVER-1, RIVER-7: it replaces the start tile. WHEEL-12: if another box lies at the start, the spring lies
        beside that and flows away; the double spring touches it with a short side, and both its ends run past."""
        if self.two_ends:
            name = box.big[0].id
            docks = [dock for dock in layout.docks if dock.side == WEST]
            turn = 0
        else:
            spring = next(tile for tile in box.tiles if tile.start)
            name = spring.id
            docks = layout.docks
            turn = (opposite(docks[0].side) - river_sides(spring)[0]) % 4 if docks else 0
        if layout.docks:
            layout.start.append(Start(name, docks[0].cell, turn))
        else:
            layout.start = [Start(name, (0, 0))]

    def ready(self, tiles: list[Tile]) -> None:
        self.sides = vec[i64]([sum(1 << side for side in river_sides(tile)) for tile in tiles])

    def ends(self, kind: i64, turn: i64) -> i64:
        """Bits of the sides that the river of a tile reaches as the tile lies."""
        return (self.sides[kind] << turn | self.sides[kind] >> (4 - turn)) & 15

    def may_place(self, game: Position, kind: i64, cell: i64, turn: i64) -> i64:
        """RIVER-3, RIVER-8: it continues the river. Two bends in a row go the same way, and the river turns back, when
        the far ends of both tiles look in the same direction."""
        ends = self.ends(kind, turn)
        continues = False
        for side in range(i64(4)):
            block = game.tile_at(game.beside(cell, side))
            if ends >> side & 1 and block:
                continues = True
                before = self.ends(game.type_of(block), game.turn_of_tile(block))
                if before & ~(1 << (side ^ 2)) & ends & ~(1 << side):
                    return self.back
        return 0 if continues else self.elsewhere

    def narrow(self, game: Position, kind: i64, count: i64) -> i64:
        """RIVER-9: no bend towards river tiles, as long as there is another place."""
        if not self.two_ends:
            return count
        actions = game.actions
        kept: i64 = 0
        for i in range(count):
            move = actions[i]
            if not self.bends_towards_river(game, kind, move >> 2, move & 3):
                actions[i] = actions[kept]  # swapped, not dropped: all of them stay if none is better
                actions[kept] = move
                kept += 1
        return kept if kept else count

    def bends_towards_river(self, game: Position, kind: i64, cell: i64, turn: i64) -> bool:
        """Is the tile a bend, and does a river tile lie straight ahead of its open end, at any distance?"""
        ends = self.ends(kind, turn)
        if ends == 5 or ends == 10 or ends & (ends - 1) == 0:
            return False  # straight on, or the last tile
        for side in range(i64(4)):
            if ends >> side & 1 and game.tile_at(game.beside(cell, side)) == 0 and self.looks_at(game, cell, side):
                return True
        return False

    def looks_at(self, game: Position, cell: i64, side: i64) -> bool:
        """Does a river tile lie in this direction, in the cell's row or column?"""
        s = game.s
        here = game.position_of(cell)
        step = game.step[side]
        block = game.shape.blocks
        while block <= s[LAST]:
            steps = (s[block + POS] - here) // step
            if self.sides[game.type_of(block)] and 0 < steps <= s[TILES_LEN] and here + steps * step == s[block + POS]:
                return True
            block = game.after(block)
        return False


def make(options: Mapping[str, Value]) -> list[Module]:
    """One of the two rivers; they are not played together (RIVER-10)."""
    return [River(options)]


MODULE = Spec(
    name="river",
    make=make,
    order=70,  # after every box that lies at the start, for the spring lies beside it (WHEEL-12)
    prefix="RIVER",
    options=(Option("river", ("river_i", "anniversary"), "RIVER-10"),),
    boxes=("river_i", "river_anniversary"),
    editions={"anniversary2021": {"river": "anniversary"}},
)
