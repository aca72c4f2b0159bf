"""What the segments of a tile say about its layout: who lies on which half side, and what meets what."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from bastide.art.curves import CENTRE, Point, Ring, middle_of, towards
from bastide.art.layout import CORNERS, MIDDLES, Form, Forms
from bastide.tiles.model import Segment, Tile

SPLIT = 0.57  # where two areas that share a side part it: not in the middle, so that two such sides join all four


class Rim:
    """The facts from which a layout is made. Obstacles lie on the tile without being part of it."""

    def __init__(self, tile: Tile, forms: Forms, obstacles: Sequence[Ring] = ()) -> None:
        self.tile = tile
        self.obstacles = obstacles
        self.random = Random(tile.id)
        self.forms = [forms(s.kind) if s.layer == 0 else Form("") for s in tile.segments]
        self.areas = [i for i, form in enumerate(self.forms) if form.shape == "area"]
        self.lines = [i for i, form in enumerate(self.forms) if form.shape == "line"]
        self.inner = [i for i, form in enumerate(self.forms) if form.shape == "inner"]
        self.cover = self.covers()
        self.meets = [set(group) for group in tile.marks.get("meets", ())]
        self.meets += [{i, other} for i in self.lines for other in tile.segments[i].touches]
        self.bridges: list[tuple[int, int]] = [(over, under) for over, under in tile.marks.get("bridge", ())]

    def covers(self) -> list[int]:
        """The segment on each half side, -1 for none."""
        cover = [-1] * 8
        for index, form in enumerate(self.forms):
            for half in halves_of(self.tile.segments[index], form.shape):
                cover[half] = index
        return cover

    def joint(self, half: int) -> Point:
        """The point of the rim where a half side begins."""
        side, middle = divmod(half % 8, 2)
        if not middle:
            return CORNERS[side]
        return towards(CORNERS[side], CORNERS[(side + 1) % 4], SPLIT if self.split_at(half) else 0.5)

    def split_at(self, half: int) -> bool:
        """Whether two areas share a side and part it where this half side begins."""
        before, after = self.cover[(half - 1) % 8], self.cover[half % 8]
        return half % 2 == 1 and before != after and before in self.areas and after in self.areas

    def met_by(self, index: int, others: Sequence[int]) -> list[int]:
        """Those of the others that this segment meets in a pair (not in a crossing of several)."""
        found = [i for group in self.meets if index in group and not self.is_crossing(group) for i in group]
        return [i for i in dict.fromkeys(found) if i in others and i != index]

    def is_crossing(self, group: set[int]) -> bool:
        """Whether lines come together here at a point of their own."""
        return len(group & set(self.lines)) > 1 and not group & set(self.inner)

    def side(self, index: int) -> int:
        """The first side that a segment reaches."""
        return self.tile.segments[index].sides[0]

    def passes(self, index: int) -> bool:
        """Whether a line enters and leaves the tile."""
        return len(self.tile.segments[index].sides) == 2

    def ends(self, lines: Sequence[int]) -> Point:
        """The middle of the points where lines leave the tile."""
        return middle_of([MIDDLES[self.side(i)] for i in lines])

    def heart(self, index: int) -> Point:
        """A point well within an area."""
        own = [h for h in range(8) if self.cover[h] == index]
        return towards(middle_of([towards(self.joint(h), self.joint(h + 1), 0.5) for h in own]), CENTRE, 0.25)

    def gap(self, index: int) -> int:
        """The middle one of the half sides that an area leaves free."""
        free = [h for h in range(8) if self.cover[h] != index]
        start = next(h for h in free if self.cover[h - 1] == index)
        return (start + len(free) // 2) % 8


def halves_of(segment: Segment, shape: str) -> list[int]:
    """The half sides that an area or a piece of ground covers."""
    whole = [h for s in segment.sides for h in (2 * s, 2 * s + 1)] if shape == "area" else []
    return whole + (list(segment.halves) if shape else [])
