"""Where the land of a tile lies: shapes that fill the square, and the points where they meet.

Nothing here knows a tile by name. A side has fixed meeting points: lines leave at its middle, square to the rim; areas
take it from corner to corner, and their edge leaves a corner at a fixed angle. Between these points the shapes follow
from what the tile declares: which segments meet, which tips reach the rim, which line crosses over which.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from bastide.art.curves import SIZE, Curve, Point, add, band, circle, sample
from bastide.art.plane import Sheet
from bastide.tiles.model import Tile

CORNERS: tuple[Point, ...] = ((0, 0), (SIZE, 0), (SIZE, SIZE), (0, SIZE))  # where side 0, 1, 2, 3 begins
MIDDLES: tuple[Point, ...] = ((50, 0), (SIZE, 50), (50, SIZE), (0, 50))
INWARDS: tuple[Point, ...] = ((0, 1), (-1, 0), (0, -1), (1, 0))
ALONG: tuple[Point, ...] = ((1, 0), (0, 1), (-1, 0), (0, -1))
OUT = 9.0  # how far shapes reach beyond the rim


@dataclass(frozen=True)
class Form:
    """How a kind of land lies on a tile: its shape, how high above other land, how wide (lines and inner places)."""

    shape: str  # area, line, ground or inner
    height: float = 0
    width: float = 0
    room: float = 0  # radius of an inner place
    pools: tuple[tuple[str, float], ...] = ()  # marks that let a line of this kind widen at its open end, and how far
    shore: bool = False  # whether an inner place has an uneven outline, as a lake


Forms = Callable[[str], Form]  # how a kind lies


@dataclass
class Edge:
    """One inner edge of an area, over the half sides from `start` on, `count` of them."""

    start: int
    count: int
    curve: Curve = field(default_factory=list)

    def faces(self, half: int) -> bool:
        """Whether a half side lies beyond this edge."""
        return (half - self.start) % 8 < self.count


@dataclass
class Area:
    """A city, a forest ...: its outline, and the edges in it that face the tile's inside."""

    index: int
    outline: Curve = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)


@dataclass
class Line:
    """A road, a river ...: the curve along its middle, and what it comes to at its end."""

    index: int
    sides: tuple[int, ...]
    curve: Curve
    width: float
    end: str = "rim"  # or, for a line that reaches one side only: gate, hub, place, open
    target: int = -1  # the area or place where it ends
    stub: bool = False  # no segment, but a short way from a crossing to a gate; its ground belongs to the area there

    def points(self, steps: int = 8) -> list[Point]:
        """Points along the middle."""
        return sample(self.curve, steps)

    def stretched(self, steps: int) -> list[Point]:
        """Points along the middle, led beyond the rim where the line leaves the tile."""
        points = self.points(steps)
        if self.sides:
            points.insert(0, add(points[0], INWARDS[self.sides[0]], -OUT))
        if len(self.sides) == 2:
            points.append(add(points[-1], INWARDS[self.sides[1]], -OUT))
        return points


@dataclass
class Layout:
    """Everything about where things lie on a tile."""

    tile: Tile
    areas: list[Area] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    places: dict[int, tuple[Point, float]] = field(default_factory=dict)  # inner segments and pools: centre and radius
    shores: dict[int, Curve] = field(default_factory=dict)  # outlines of lakes and pools
    hubs: list[Point] = field(default_factory=list)  # crossings
    gates: list[tuple[Point, Point, int]] = field(default_factory=list)  # point, direction outwards, area
    bridges: list[tuple[int, int, Point, Point]] = field(default_factory=list)  # over, under, point, direction of over

    def area(self, index: int) -> Area:
        """The area of a segment."""
        return next(area for area in self.areas if area.index == index)

    def line(self, index: int) -> Line:
        """The line of a segment."""
        return next(line for line in self.lines if line.index == index)

    def sheets(self, forms: Forms) -> list[Sheet]:
        """The shapes as sheets of paper, ready to be cut."""
        heights = [forms(s.kind).height if s.layer == 0 else 0.0 for s in self.tile.segments]
        over = {bridge[0] for bridge in self.bridges}
        sheets = [Sheet(area.index, heights[area.index], sample(area.outline, 6)[:-1]) for area in self.areas]
        ways = max((heights[line.index] for line in self.lines if not line.stub), default=0.0)
        for number, line in enumerate(self.lines):
            height = ways - 0.5 if line.stub else heights[line.index] + number / 100
            lift = 0.5 if line.index in over else 0.0
            sheets.append(Sheet(line.index, height + lift, band(line.stretched(9), line.width)))
        for index, (centre, radius) in self.places.items():
            shore = self.shores.get(index)
            ring = sample(shore, 5)[:-1] if shore else circle(centre, radius)
            sheets.append(Sheet(index, heights[index], ring))
        return sheets
