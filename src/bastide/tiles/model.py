"""What a tile is: plain, immutable facts as they are printed. No rules here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from bastide.geometry import HALVES, SIDES, rotate_half, rotate_side


@dataclass(frozen=True)
class Segment:
    """A piece of road, city, field, river ... on one tile.

    `marks` are counted facts about it (shields, inn, wine, deer, fish ...): what region attributes start from.
    A segment of layer 1 runs beside layer 0 and joins only segments of layer 1.
    """

    kind: str
    sides: tuple[int, ...] = ()  # whole sides it reaches
    halves: tuple[int, ...] = ()  # half sides it reaches
    touches: tuple[int, ...] = ()  # segments of the same tile it borders on
    marks: Mapping[str, int] = field(default_factory=dict)
    layer: int = 0


@dataclass(frozen=True)
class Tile:
    """One tile type: `count` copies of it are in the box."""

    id: str
    count: int
    segments: tuple[Segment, ...]
    start: bool = False  # one of the copies is the start tile
    marks: Mapping[str, Any] = field(default_factory=dict)  # printed on the tile as a whole: hill, vineyard, symbol ...
    reconstructed: bool = False  # its content was chosen, not seen

    def spot(self, index: int, rotation: int = 0) -> str:
        """Name of a segment on the tile after `rotation` quarter turns: `city N`, `field EL`, `cloister`, `lake 2`.

        The kind, then the first side (or half side) that it reaches, going clockwise from north.
        """
        return self._spots[rotation][index]

    @cached_property
    def _spots(self) -> tuple[tuple[str, ...], ...]:
        """The names of all segments in each rotation, cached."""
        return tuple(tuple(self._name(index, rotation) for index in range(len(self.segments))) for rotation in range(4))

    def _name(self, index: int, rotation: int) -> str:
        segment = self.segments[index]
        if segment.sides:
            return f"{segment.kind} {SIDES[min(rotate_side(s, rotation) for s in segment.sides)]}"
        if segment.halves:
            return f"{segment.kind} {HALVES[min(rotate_half(h, rotation) for h in segment.halves)]}"
        alike = [i for i, s in enumerate(self.segments) if s.kind == segment.kind and not s.sides and not s.halves]
        return segment.kind if len(alike) == 1 else f"{segment.kind} {1 + alike.index(index)}"


@dataclass(frozen=True)
class Square:
    """One square of a big tile, at column x and row y (row 0 in the north)."""

    x: int
    y: int
    tile: Tile


@dataclass(frozen=True)
class BigTile:
    """A start tile of several squares, each of which counts as a tile: the double spring, the wheel board.

    Sides between two of its squares carry nothing; `joins` lists the segments that are one across them, as pairs of
    (square, segment) indexes.
    """

    id: str
    squares: tuple[Square, ...]
    joins: tuple[tuple[tuple[int, int], tuple[int, int]], ...]
    marks: Mapping[str, Any] = field(default_factory=dict)
    reconstructed: bool = False


@dataclass(frozen=True)
class Box:
    """All tiles of one box, with where the facts come from and how sure they are."""

    name: str
    title: str
    confidence: str
    sources: tuple[str, ...]
    tiles: tuple[Tile, ...]
    big: tuple[BigTile, ...] = ()
    tokens: Mapping[str, int] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)  # other facts of the file, for the module that owns the box

    @property
    def count(self) -> int:
        """Number of tiles in the box; a big tile counts once."""
        return sum(t.count for t in self.tiles) + len(self.big)
