"""The finished ground plan of a tile: whose every point of the square is, and where there is room for more."""

from __future__ import annotations

from collections.abc import Sequence

from bastide.art.curves import CENTRE, SIZE, Point, Ring, area, circle, distance, inside
from bastide.art.layout import Forms, Layout
from bastide.art.plane import Sheet, cut
from bastide.art.planner import lay_out
from bastide.art.rim import Rim, halves_of
from bastide.art.space import Space
from bastide.tiles.model import Tile

HEM = 4.0  # room for what an area draws beyond its edge: a wall, overhanging trees
SMALLEST = 0.7  # part of the room that it wants with which an inner segment is content
OBSTACLE = 900_000  # owner of what lies on a tile without being part of it


class PlanError(ValueError):
    """The shapes of a tile do not part its ground as its segments say."""


class Plan:
    """Layout, outlines and free space of one tile."""

    def __init__(self, tile: Tile, forms: Forms, obstacles: Sequence[Ring] = ()) -> None:
        self.tile = tile
        rim = Rim(tile, forms, obstacles)
        self.forms = rim.forms
        self.layout: Layout = lay_out(rim)
        sheets = self.layout.sheets(forms)
        sheets += [Sheet(OBSTACLE, 100, ring) for ring in obstacles]
        self.outlines = self.assign(cut(sheets))
        self.space = Space(self.outlines)
        homeless = [i for i, f in enumerate(self.forms) if f.shape == "inner" and i not in self.layout.places]
        for index in homeless:
            self.settle(index)
            centre, radius = self.layout.places[index]
            sheets.append(Sheet(index, self.forms[index].height, circle(centre, radius)))
        if homeless:
            self.outlines = self.assign(cut(sheets))
            self.space = Space(self.outlines)

    def settle(self, index: int) -> None:
        """Finds an inner segment's place: where the ground has most room, or an area, if no ground is large enough."""
        want = self.forms[index].room
        for hub in self.layout.hubs:
            self.space.claim(hub, 12)
        place = self.roomiest("ground", want)
        if self.space.free(place) < SMALLEST * want:
            place = self.roomiest("area", want)
        radius = min(want, max(self.space.free(place) - 2, SMALLEST * want))
        self.layout.places[index] = place, radius
        self.space.claim(place, radius)

    def roomiest(self, shape: str, want: float) -> Point:
        """The place with the most room on segments of a shape, near the middle if that is all the same."""
        lands = [i for i, f in enumerate(self.forms) if f.shape == shape]
        places = [self.space.find(i, want + HEM, want, lambda p: -0.3 * distance(p, CENTRE)) for i in lands]
        return max(places, key=lambda p: min(self.space.free(p), want + HEM) - 0.03 * distance(p, CENTRE))

    def assign(self, pieces: dict[int, list[Ring]]) -> dict[int, list[Ring]]:
        """Gives every piece of open ground to the segment that lists its half sides."""
        tile = self.tile
        grounds = [i for i, f in enumerate(self.forms) if f.shape == "ground"]
        of_half = {h: i for i in grounds for h in halves_of(tile.segments[i], "ground")}
        outlines = {owner: rings for owner, rings in pieces.items() if owner >= 0}
        enclosed: list[list[Ring]] = []
        for rings in (rings for owner, rings in pieces.items() if owner < 0):
            owners = {of_half[h] for ring in rings for h in rim_halves(ring) if h in of_half}
            if len(owners) > 1:
                raise PlanError(f"tile {tile.id}: segments {sorted(owners)} run together")
            if owners:
                outlines.setdefault(owners.pop(), []).extend(rings)
            else:
                enclosed.append(rings)
        waiting = [i for i in grounds if i not in outlines]
        for rings in sorted(enclosed, key=lambda rings: -sum(area(r) for r in rings)):
            outlines.setdefault(waiting.pop(0) if waiting else self.around(grounds), []).extend(rings)
        if waiting:
            raise PlanError(f"tile {tile.id}: no ground is left for segments {waiting}")
        return outlines

    def holds(self, index: int, p: Point) -> bool:
        """Whether a point lies within a segment's outline."""
        return sum(inside(p, ring) for ring in self.outlines.get(index, ())) % 2 == 1

    def around(self, grounds: list[int]) -> int:
        """The one piece of ground that a square of a big tile has, which takes what reaches no rim there."""
        if len(grounds) != 1:
            raise PlanError(f"tile {self.tile.id}: ground is enclosed that belongs to no segment")
        return grounds[0]


def rim_halves(ring: Ring) -> set[int]:
    """The half sides along which a ring runs."""
    halves: set[int] = set()
    for p, q in zip(ring, [*ring[1:], ring[0]], strict=True):
        side = side_of(p, q)
        if side >= 0:
            middle = ((p[0] + q[0]) / 2, (p[1] + q[1]) / 2)
            along = (middle[0], middle[1], SIZE - middle[0], SIZE - middle[1])[side]
            halves.add(2 * side + (along > SIZE / 2))
    return halves


def side_of(p: Point, q: Point) -> int:
    """The side of the tile on which an edge lies, -1 for none; edges shorter than a touch do not count."""
    if abs(p[0] - q[0]) + abs(p[1] - q[1]) < 0.5:
        return -1
    for side, (axis, value) in enumerate(((1, 0.0), (0, SIZE), (1, SIZE), (0, 0.0))):
        if abs(p[axis] - value) < 1e-6 and abs(q[axis] - value) < 1e-6:
            return side
    return -1
