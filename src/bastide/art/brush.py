"""Painting one tile: layers of SVG by height, upright symbols in between, and room found for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random

from bastide.art import kit
from bastide.art.curves import SIZE, Curve, Point, add, distance, middle_of, num, nums, path, spin, towards
from bastide.art.layout import CORNERS, Line
from bastide.art.plan import HEM, Plan
from bastide.art.space import POINTS
from bastide.art.spots import find_spots

UPRIGHT = 60.0  # the height at which things stand that hide each other by how far south they are
BADGE = 80.0  # signs that nothing may hide


@dataclass(frozen=True)
class Upright:
    """A symbol that stays upright however the tile is turned."""

    name: str
    point: Point
    height: float


class Brush:
    """Collects the drawing of a tile. Painters of lands and marks work with one brush, in the order marks, lands."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.tile = plan.tile
        self.layout = plan.layout
        self.space = plan.space
        self.random = Random(f"{plan.tile.id} paint")
        self.layers: list[tuple[float, str]] = []
        self.standing: list[Upright] = []
        self.fixed: set[str] = set()  # symbols that turn with the tile
        self.spots: list[list[Point]] = []

    # ------------------------------------------------------------------ adding to the picture

    def add(self, height: float, text: str) -> None:
        """Adds SVG at a height."""
        self.layers.append((height, text))

    def draw(self, height: float, look: str, d: str) -> None:
        """Adds a path of a class."""
        self.layers.append((height, f'<path class="{look}" d="{d}"/>'))

    def put(self, name: str, point: Point, height: float = UPRIGHT) -> None:
        """Puts an upright symbol with its middle on a point."""
        self.standing.append(Upright(name, (round(point[0]), round(point[1])), height))

    def fix(self, name: str, point: Point, angle: float, height: float) -> None:
        """Puts a symbol that turns with the tile, as a gate does with its wall."""
        self.fixed.add(name)
        turned = f"rotate({num(angle)})" if angle else ""
        self.add(height, f'<use href="#s-{name}" transform="translate({nums(point)}){turned}"/>')

    def signs(self, name: str, index: int, radius: float, number: int) -> None:
        """Puts several signs on a segment."""
        for _ in range(number):
            self.sign(name, index, radius)

    def sign(self, name: str, index: int, radius: float, point: Point | None = None) -> Point:
        """Puts a sign that matters (a shield, an animal) where the segment has room, and keeps that room for it."""
        place = point if point is not None else self.room(index, radius)
        self.space.claim(place, radius)
        self.put(name, place, BADGE)
        return place

    def room(self, index: int, radius: float, reach: float = 0) -> Point:
        """A roomy place on a segment's land; `reach` is how far a sign extends, if farther than its radius."""
        home = self.home(index)
        hem = HEM + 2 if self.plan.forms[index].shape == "ground" else 2.5
        return self.space.find(index, radius + hem, max(radius, reach) + 1.5, lambda p: -0.35 * distance(p, home))

    def home(self, index: int) -> Point:
        """Where the signs of a segment gather: between its middle and the rim."""
        middle = middle_of([POINTS[cell] for cell in self.space.cells.get(index, ())])
        return add(middle, (9 * self.random.choice((-1, 1)), -5))

    def ground(self) -> list[int]:
        """Segments of open ground, the largest first."""
        grounds = [i for i, f in enumerate(self.plan.forms) if f.shape == "ground"]
        return sorted(grounds, key=lambda i: -len(self.space.cells.get(i, ())))

    # ------------------------------------------------------------------ what painters ask for

    def line(self, index: int) -> Line:
        return self.layout.line(index)

    @cached_property
    def over(self) -> set[int]:
        """Lines that cross over others."""
        return {over for over, _, _, _ in self.layout.bridges}

    def stretched(self, piece: Line) -> str:
        """The path of a line, led beyond the rim so that its ends are cut square."""
        curve = piece.curve
        d = path(curve)
        if piece.sides:
            start = add(curve[0][0], direction(curve, 0), -4)
            d = f"M{num(start[0])} {num(start[1])}L" + d[1:]
        if len(piece.sides) == 2:
            stop = add(curve[-1][3], direction(curve, -1), 4)
            d += f"L{num(stop[0])} {num(stop[1])}"
        return d

    def line_rim(self, index: int, things: Sequence[tuple[float, str]]) -> None:
        """Puts what stands on the half sides of an area: the tile beyond draws the same there, each its half."""
        for half in (h for h in range(8) if self.covered(h) == index):
            side = half // 2
            for offset, name in things:
                if (offset > SIZE / 2) == half % 2:
                    p = towards(CORNERS[side], CORNERS[(side + 1) % 4], offset / SIZE)
                    self.put(name, p)
                    self.space.claim(p, 3.5)

    def covered(self, half: int) -> int:
        """The area on a half side, or -1."""
        for i, segment in enumerate(self.tile.segments):
            if self.plan.forms[i].shape == "area" and (half // 2 in segment.sides or half in segment.halves):
                return i
        return -1

    def joined_corners(self, index: int) -> list[Point]:
        """Corners that an area covers from both sides."""
        return [CORNERS[c] for c in range(4) if self.covered(2 * c) == index and self.covered((2 * c - 1) % 8) == index]

    def edges(self, index: int) -> str:
        """The inner edges of an area as one path."""
        return "".join(path(edge.curve) for edge in self.layout.area(index).edges)

    # ------------------------------------------------------------------ the finished picture

    def text(self, rotation: int = 0) -> str:
        """The SVG of the tile's inside; symbols are upright when the tile is shown turned by `rotation`."""
        suffix = f"-{rotation % 4}" if rotation % 4 else ""
        parts = [(height, 0.0, text) for height, text in self.layers]
        for thing in self.standing:
            x, y = thing.point
            use = f'<use href="#s-{thing.name}{suffix}" x="{num(x)}" y="{num(y)}"/>'
            parts.append((thing.height, spin(thing.point, rotation)[1], use))
        return "".join(text for _, _, text in sorted(parts, key=lambda part: part[:2]))

    def symbols(self) -> set[str]:
        """Names of the upright symbols used."""
        return {thing.name for thing in self.standing}


def counted(name: str, radius: float) -> Callable[[Brush, int, int], None]:
    """A painter that puts as many signs on a segment as it has of a mark."""

    def paint_signs(brush: Brush, index: int, number: int) -> None:
        brush.signs(name, index, radius, number)

    return paint_signs


def direction(curve: Curve, end: int) -> Point:
    """The direction of a curve at its first or last point."""
    a, b, c, d = curve[end]
    p, q = (a, b) if end == 0 else (c, d)
    length = distance(p, q) or 1.0
    return (q[0] - p[0]) / length, (q[1] - p[1]) / length


def paint(plan: Plan) -> Brush:
    """The drawing of a tile: first what is printed on it, then room for pieces, then its land."""
    brush = Brush(plan)
    tile = plan.tile
    keep_clear(brush)
    for name, value in tile.marks.items():
        if name in kit.prints():
            kit.prints()[name](brush, value)
    for index, segment in enumerate(tile.segments):
        for name, number in segment.marks.items():
            painter = kit.marks().get((segment.kind, name))
            if painter is not None:
                painter(brush, index, number)
    brush.spots = find_spots(plan)
    for index, segment in enumerate(tile.segments):
        if segment.layer == 0:
            found = kit.land(segment.kind)
            if plan.forms[index].shape == "area":
                brush.line_rim(index, found.rim)
            found.paint(brush, index)
    for hub in plan.layout.hubs:
        for found in dict.fromkeys(kit.land(s.kind) for s in tile.segments):
            if found.crossing is not None:
                found.crossing(brush, hub)
                break
    return brush


def keep_clear(brush: Brush) -> None:
    """Keeps room for crossings, gates, bridges and the ends of lines before anything else is placed."""
    layout = brush.layout
    for hub in layout.hubs:
        brush.space.claim(hub, 13)
    for gate, _, _ in layout.gates:
        brush.space.claim(gate, 7)
    for _, _, point, _ in layout.bridges:
        brush.space.claim(point, 10)
    for piece in layout.lines:
        if piece.end == "open":
            brush.space.claim(piece.curve[-1][3], 8)
