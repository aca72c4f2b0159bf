"""Writes the tables of the kernel: a record for each look (a tile type in one rotation), and which look fits where."""
# interpreted: runs once, when rules are compiled

from __future__ import annotations

from itertools import product

from bastide.errors import EngineLimit
from bastide.geometry import opposite, rotate_half, rotate_side
from bastide.kernel.offsets import (
    BORDER,
    CENTRE,
    CLOSINGS,
    FLAGS,
    HEAD,
    KIND,
    LOOK_LEN,
    NCLOSING,
    NEED,
    NSEG,
    OPEN,
    P_ALSO,
    P_LAYER,
    P_LEFT,
    P_LEN,
    P_RIGHT,
    P_SIDE,
    PORT,
    SEG,
    TYPE,
)
from bastide.rules.layout import Kind, Layout
from bastide.rules.types import appearance
from bastide.tiles.model import Segment, Tile

AROUND = 8  # neighbours in which a tile may close something
MOST_FITS = 8_000_000  # entries of the table of fits


def edge(tile: Tile, side: int) -> str:
    """What a side shows to its neighbour: the kind of land, "" for a seam inside a big tile."""
    for segment in tile.segments:
        if segment.layer == 0 and side in segment.sides:
            return segment.kind
    for segment in tile.segments:
        if 2 * side in segment.halves or 2 * side + 1 in segment.halves:
            return segment.kind
    return ""


def edge_codes(tiles: list[Tile]) -> dict[str, int]:
    """A number for every kind of edge; 0 is for edges that demand nothing."""
    names = sorted({edge(tile, side) for tile in tiles for side in range(4)} - {""})
    return {"": 0, **{name: code for code, name in enumerate(names, 1)}}


def block_length(tile: Tile, stride: int) -> int:
    """How long the block of a tile is in the state."""
    return HEAD + stride * len(tile.segments)


class LookWriter:
    """Writes the records of one set of tiles; the number of their words must not differ between looks."""

    def __init__(self, tiles: list[Tile], layout: Layout, stride: int) -> None:
        self.tiles = tiles
        self.layout = layout
        self.stride = stride
        self.codes = edge_codes(tiles)
        self.radix = len(self.codes)
        self.size = SEG + stride * max(len(t.segments) for t in tiles)
        if len(tiles) * self.radix**4 > MOST_FITS:
            raise EngineLimit(
                f"{len(tiles)} tile types with {self.radix - 1} kinds of edges are more than can be tabled"
            )

    def looks(self) -> list[int]:
        """All records, one after another."""
        return [
            n for tile_type in range(len(self.tiles)) for rotation in range(4) for n in self.look(tile_type, rotation)
        ]

    def look(self, number: int, rotation: int) -> list[int]:
        """The record of one tile type in one rotation."""
        tile = self.tiles[number]
        kinds = self.layout.kinds
        out = [0] * self.size
        out[TYPE] = number
        out[NSEG] = len(tile.segments)
        out[NCLOSING] = sum(kinds[s.kind].closes for s in tile.segments)
        if out[NCLOSING] + AROUND > CLOSINGS:
            raise EngineLimit(f"tile {tile.id}: at most {CLOSINGS - AROUND} segments that close, got {out[NCLOSING]}")
        out[CENTRE] = -1
        out[LOOK_LEN] = block_length(tile, self.stride)
        out[PORT : PORT + 4 * P_LEN] = [-1] * (4 * P_LEN)
        for side in range(4):
            code = self.codes[edge(tile, (side - rotation) % 4)]
            out[NEED + side] = code * self.radix ** opposite(side)
        for i, segment in enumerate(tile.segments):
            kind = kinds[segment.kind]
            at = HEAD + i * self.stride
            self.ports(out, at, segment, kind, rotation)
            self.record(out, SEG + i * self.stride, segment, kind)
            if kind.around:
                if out[CENTRE] >= 0:
                    raise EngineLimit(f"tile {tile.id}: at most one segment that closes when it is surrounded")
                out[CENTRE] = at
        return out

    def ports(self, out: list[int], at: int, segment: Segment, kind: Kind, rotation: int) -> None:
        """Writes at which sides a segment joins its neighbours."""
        for x in segment.sides:
            out[PORT + rotate_side(x, rotation) * P_LEN + (P_LAYER if segment.layer else P_SIDE)] = at
        for x in segment.halves:
            side, right = divmod(rotate_half(x, rotation), 2)
            port = PORT + side * P_LEN
            if not kind.closes:
                out[port + (P_RIGHT if right else P_LEFT)] = at
            elif out[port + P_SIDE] in (-1, at):
                out[port + P_SIDE] = at
            else:  # a side shared by two segments: whatever lies against it joins both
                out[port + P_ALSO] = at

    def record(self, out: list[int], at: int, segment: Segment, kind: Kind) -> None:
        """Writes the record that is copied when a tile with this segment is laid."""
        edges = len(segment.sides) or len({x // 2 for x in segment.halves if kind.closes})
        out[at + KIND] = self.layout.kind_id(segment.kind)
        out[at + BORDER] = sum(1 << x for x in segment.touches)
        out[at + OPEN] = edges if kind.closes else edges + 1
        out[at + FLAGS] = sum(bit for bit, mark in kind.flags.items() if segment.marks.get(mark))
        for slot, mark in kind.slots.items():
            out[at + slot] = segment.marks.get(mark, 0)

    def fits(self) -> list[int]:
        """Per type and need: the rotations that fit; only the first of several rotations that look alike."""
        needs = self.radix**4
        out = [0] * (needs * len(self.tiles))
        for number, tile in enumerate(self.tiles):
            turns = [t for t in range(4) if appearance(tile, t) not in [appearance(tile, u) for u in range(t)]]
            for turn in turns:
                shown = [self.codes[edge(tile, (side - turn) % 4)] for side in range(4)]
                for wanted in product(*({0, code} for code in shown)):  # 0: whatever it shows
                    at = number * needs + sum(code * self.radix**side for side, code in enumerate(wanted))
                    count = out[at] >> 8
                    out[at] += (1 << 8) + (turn << 2 * count)
        return out
