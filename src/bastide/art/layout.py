"""Where the land of a tile lies: from the rim that its segments reach to smooth shapes that fill the square.

Nothing here knows a tile by name. A side has fixed meeting points: lines leave at its middle, square to the rim; areas
take it from corner to corner, and their edge leaves a corner at a fixed angle. Between these points the shapes follow
from what the tile declares: which segments meet, which tips reach the rim, which line crosses over which.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from bastide.art.curves import (
    CENTRE,
    SIZE,
    Bezier,
    Curve,
    Point,
    Ring,
    add,
    band,
    circle,
    distance,
    left,
    line,
    sample,
    smooth,
    towards,
    turned,
    unit,
    walk,
)
from bastide.art.plane import Sheet
from bastide.geometry import SIDES
from bastide.tiles.model import Segment, Tile

CORNERS: tuple[Point, ...] = ((0, 0), (SIZE, 0), (SIZE, SIZE), (0, SIZE))  # where side 0, 1, 2, 3 begins
MIDDLES: tuple[Point, ...] = ((50, 0), (SIZE, 50), (50, SIZE), (0, 50))
INWARDS: tuple[Point, ...] = ((0, 1), (-1, 0), (0, -1), (1, 0))
ALONG: tuple[Point, ...] = ((1, 0), (0, 1), (-1, 0), (0, -1))
TIPS = {name: joint for joint, name in enumerate(("NW", "N", "NE", "E", "SE", "S", "SW", "W"))}
ANGLE = 37.0  # between a side and the edge of an area that leaves its corner
SPLIT = 0.57  # where two areas that share a side part it: not in the middle, so that two such sides join all four
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


Forms = Callable[[str], Form]


@dataclass
class Area:
    """A city, a forest ...: its outline, and the edges in it that face the tile's inside."""

    index: int
    outline: Curve = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    tips: list[int] = field(default_factory=list)
    arms: list[tuple[int, Point, float]] = field(default_factory=list)  # half side in whose gap, point, width


@dataclass
class Edge:
    """One inner edge of an area, over the half sides from `start` on, `count` of them."""

    start: int
    count: int
    curve: Curve

    def faces(self, half: int) -> bool:
        return (half - self.start) % 8 < self.count


@dataclass
class Line:
    """A road, a river ...: the curve along its middle, and what it comes to at each end."""

    index: int
    sides: tuple[int, ...]
    curve: Curve = field(default_factory=list)
    width: float = 0
    end: str = "rim"  # of a line with one side: gate, hub, place, open
    target: int = -1  # the area or place where it ends
    stub: bool = False  # no segment: a short way from a crossing to a gate

    def points(self, steps: int = 8) -> list[Point]:
        return sample(self.curve, steps)


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
        return next(a for a in self.areas if a.index == index)

    def line(self, index: int) -> Line:
        return next(l for l in self.lines if l.index == index)


def lay_out(tile: Tile, forms: Forms, obstacles: Sequence[Ring] = ()) -> Layout:
    """The layout of a tile; obstacles lie on it without being part of it (the squares of a big tile have such)."""
    return Planner(tile, forms, obstacles).plan()


class Planner:
    """Makes a layout step by step: places and crossings first, then areas, then lines, which end at all of these."""

    def __init__(self, tile: Tile, forms: Forms, obstacles: Sequence[Ring]) -> None:
        self.tile = tile
        self.forms = [forms(s.kind) if s.layer == 0 else Form("") for s in tile.segments]
        self.obstacles = obstacles
        self.random = Random(tile.id)
        self.layout = Layout(tile)
        shapes = [form.shape for form in self.forms]
        self.area_indexes = [i for i, s in enumerate(shapes) if s == "area"]
        self.line_indexes = [i for i, s in enumerate(shapes) if s == "line"]
        self.inner_indexes = [i for i, s in enumerate(shapes) if s == "inner"]
        self.cover = self.covers()
        marks: Mapping[str, list[list[int]]] = tile.marks
        self.meets = [set(group) for group in marks.get("meets", [])]
        self.meets += [{i, t} for i, s in enumerate(tile.segments) if i in self.line_indexes for t in s.touches]
        self.bridge = [(over, under) for over, under in marks.get("bridge", [])]
        self.hub_of: dict[int, Point] = {}  # line -> crossing where it ends

    def covers(self) -> list[int]:
        """The segment on each half side, -1 for none."""
        cover = [-1] * 8
        for i, segment in enumerate(self.tile.segments):
            for half in halves_of(segment, self.forms[i].shape) if segment.layer == 0 else ():
                cover[half] = i
        return cover

    def plan(self) -> Layout:
        self.plan_places()
        self.plan_crossings()
        self.plan_areas()
        self.plan_lines()
        self.plan_bridges()
        self.plan_shores()
        return self.layout

    # ------------------------------------------------------------------ what meets what

    def met_by(self, index: int, others: Sequence[int]) -> list[int]:
        """Those of the others that this segment meets in a pair (not in a crossing of several)."""
        found = [i for group in self.meets if index in group and not self.is_crossing(group) for i in group]
        return [i for i in dict.fromkeys(found) if i in others and i != index]

    def is_crossing(self, group: set[int]) -> bool:
        """Whether lines come together here at a point of their own."""
        lines = [i for i in group if i in self.line_indexes]
        return len(lines) > 1 and not any(i in self.inner_indexes for i in group)

    def side(self, index: int) -> int:
        return self.tile.segments[index].sides[0]

    def through(self, index: int) -> bool:
        return len(self.tile.segments[index].sides) == 2

    # ------------------------------------------------------------------ places and crossings

    def plan_places(self) -> None:
        """Inner segments where lines end or areas reach; the others find their place later, where there is room."""
        wet = [i for i in self.inner_indexes if self.met_by(i, [*self.line_indexes, *self.area_indexes])]
        for i in wet:
            ends = [MIDDLES[self.side(k)] for k in self.met_by(i, self.line_indexes)]
            radius = self.forms[i].room
            if len(wet) > 1:
                centre = towards(CENTRE, middle_of(ends), 0.62)
                radius *= 0.74
            elif any(over in self.met_by(i, self.line_indexes) for over, _ in self.bridge):
                centre = towards(CENTRE, middle_of(ends), -0.5)  # beyond the bridge
            else:
                centre = towards(CENTRE, middle_of(ends), self.lean(i, ends))
            self.layout.places[i] = centre, radius

    def lean(self, index: int, ends: list[Point]) -> float:
        """How far a place moves from the middle of the tile towards the lines that end there."""
        met = self.met_by(index, self.line_indexes)
        if any(i not in met for i in self.line_indexes):  # out of the way of a line that passes by
            return 0.28
        return 0.0 if len(ends) != 1 else -0.06

    def plan_crossings(self) -> None:
        for group in self.meets:
            if self.is_crossing(group):
                ends = [i for i in group if i in self.line_indexes]
                hub = towards(CENTRE, middle_of([MIDDLES[self.side(i)] for i in ends]), 0.2)
                self.layout.hubs.append(hub)
                self.hub_of.update(dict.fromkeys(ends, hub))

    # ------------------------------------------------------------------ areas

    def plan_areas(self) -> None:
        tips: list[tuple[int, str]] = self.tile.marks.get("tips", [])
        for i in self.area_indexes:
            area = Area(i, tips=[TIPS[name] for owner, name in tips if owner == i])
            area.arms = self.arms_of(i)
            self.layout.areas.append(area)
            self.shape_area(area)

    def arms_of(self, index: int) -> list[tuple[int, Point, float]]:
        """Where an area reaches out to touch a place, a passing line or another area."""
        arms: list[tuple[int, Point, float]] = []
        for place in self.met_by(index, self.inner_indexes):
            sides = [self.side(k) for k in self.met_by(place, self.line_indexes)]
            centre, radius = self.layout.places[place]
            arms.append((2 * sides[0] if sides else self.gap_half(index), centre, radius * 1.1))
        for other in self.met_by(index, self.line_indexes):
            if self.through(other):
                a, b = (MIDDLES[s] for s in self.tile.segments[other].sides)
                bend = towards(towards(a, b, 0.5), CENTRE, 0.4)
                arms.append((self.gap_half(index), bend, 15))
        for _ in self.met_by(index, self.area_indexes):
            arms.append((self.gap_half(index), CENTRE, 15))
        return arms

    def gap_half(self, index: int) -> int:
        """The middle of the half sides that an area leaves free."""
        free = [h for h in range(8) if self.cover[h] != index]
        start = next(h for h in free if self.cover[h - 1] == index)
        return (start + len(free) // 2) % 8

    def shape_area(self, area: Area) -> None:
        own = [self.cover[h] == area.index for h in range(8)]
        if all(own):
            area.outline = ring_curve([(-OUT, -OUT), (SIZE + OUT, -OUT), (SIZE + OUT, SIZE + OUT), (-OUT, SIZE + OUT)])
            return
        starts = [h for h in range(8) if own[h] and not own[h - 1]]
        outline: Curve = []
        for start in starts:
            run = next(n for n in range(1, 9) if not own[(start + n) % 8])
            outline += self.rim_walk(start, run)
            gap = next(n for n in range(1, 9) if own[(start + run + n) % 8])
            for edge in self.edges_over(area, (start + run) % 8, gap):
                area.edges.append(edge)
                outline += edge.curve
        area.outline = outline

    def joint(self, half: int) -> Point:
        """The point of the rim where a half side begins."""
        side, middle = divmod(half % 8, 2)
        if not middle:
            return CORNERS[side]
        before, after = self.cover[2 * side], self.cover[2 * side + 1]
        both = before in self.area_indexes and after in self.area_indexes and before != after
        return towards(CORNERS[side], CORNERS[(side + 1) % 4], SPLIT if both else 0.5)

    def rim_walk(self, start: int, run: int) -> Curve:
        """Along the rim and a little beyond it, over some half sides."""
        points = [self.joint(start)]
        for half in range(start, start + run):
            side = half // 2 % 4
            outwards = INWARDS[side]
            points.append(add(self.joint(half), outwards, -OUT))
            points.append(add(self.joint(half + 1), outwards, -OUT))
        points.append(self.joint(start + run))
        if self.split_at(start):
            points[0] = add(points[0], INWARDS[start // 2], 8)
        if self.split_at(start + run):
            points[-1] = add(points[-1], INWARDS[(start + run) // 2 % 4], 8)
        return [line(p, q) for p, q in zip(points, points[1:], strict=False) if p != q]

    def split_at(self, half: int) -> bool:
        return half % 2 == 1 and self.joint(half) != MIDDLES[half // 2 % 4]

    def edges_over(self, area: Area, start: int, count: int) -> list[Edge]:
        """The inner edges of an area over a gap between its sides: from tip to tip, with its arms."""
        stops = [0, *sorted((tip - start) % 8 for tip in area.tips if 0 < (tip - start) % 8 < count), count]
        edges: list[Edge] = []
        for a, b in zip(stops, stops[1:], strict=False):
            edge = Edge((start + a) % 8, b - a, [])
            arms = [(p, width) for half, p, width in area.arms if edge.faces(half)]
            edge.curve = self.edge_curve(area.index, edge, arms)
            edges.append(edge)
        return edges

    def edge_curve(self, index: int, edge: Edge, arms: list[tuple[Point, float]]) -> Curve:
        begin, end = edge.start, (edge.start + edge.count) % 8
        p, q = self.joint(begin), self.joint(end)
        if self.split_at(begin):
            p = add(p, INWARDS[begin // 2], 8)
        if self.split_at(end):
            q = add(q, INWARDS[end // 2], 8)
        if arms:
            return self.armed(index, edge, p, q, arms)
        if begin % 2 or end % 2:
            pull = towards(towards(p, q, 0.5), self.heart(index), 0.3)
            return [(p, towards(p, pull, 0.6), towards(q, pull, 0.6), q)]
        first, last = self.leaving(index, begin, edge, 1), self.leaving(index, end, edge, -1)
        depth = self.depth(index, edge)
        if edge.count == 4:
            heart = opposite_corner(begin // 2)
            mid = towards(heart, gap_corner(begin // 2), depth)
            slope = unit(p, q)
        else:
            side = begin // 2 if edge.count == 2 else (end // 2) % 4
            base = towards(CORNERS[side], CORNERS[(side + 1) % 4], 0.5 + self.random.uniform(-0.04, 0.04))
            mid = add(base, INWARDS[side], depth)
            slope = unit(p, q)
        reach = 0.36 * distance(p, mid)
        return [
            (p, add(p, first, reach), add(mid, slope, -0.42 * distance(p, mid)), mid),
            (mid, add(mid, slope, 0.42 * distance(mid, q)), add(q, last, reach), q),
        ]

    def leaving(self, index: int, half: int, edge: Edge, way: int) -> Point:
        """The direction into the tile in which an edge leaves the corner where half side `half` begins."""
        after, before = half // 2, (half // 2 - 1) % 4  # sides after and before the corner
        gap_side = after if way > 0 else before
        own_side = before if way > 0 else after
        neighbour = self.cover[2 * gap_side + (0 if way > 0 else 1)]
        beside_own = self.cover[2 * own_side + (1 if way > 0 else 0)] == index
        if not beside_own or (edge.count == 2 and neighbour not in self.area_indexes):
            away = ALONG[gap_side] if way > 0 else (-ALONG[gap_side][0], -ALONG[gap_side][1])
            return turned(away, ANGLE * way)
        away = (-ALONG[own_side][0], -ALONG[own_side][1]) if way > 0 else ALONG[own_side]
        return turned(away, -ANGLE * way)

    def depth(self, index: int, edge: Edge) -> float:
        """How far into the tile an edge bulges; for a diagonal, at which part of the way between its corners."""
        inner = [self.cover[(edge.start + n) % 8] for n in range(edge.count)]
        others = any(i in self.area_indexes for i in inner)
        lines = any(2 * s in {(edge.start + n) % 8 for n in range(edge.count)} for i in self.line_indexes
                    for s in self.tile.segments[i].sides)
        busy = lines or bool(self.inner_indexes)
        wobble = self.random.uniform(-1.2, 1.2)
        if edge.count == 2:
            return (46 if others else 25 if self.two_gaps(index) else 30) + wobble
        if edge.count == 4:
            return (0.41 if others else 0.43 if busy else 0.48) + wobble / 100
        return (28 if others else 30 if busy or self.obstacles else 36) + wobble

    def two_gaps(self, index: int) -> bool:
        return sum(self.cover[h] == index and self.cover[h - 1] != index for h in range(8)) > 1

    def heart(self, index: int) -> Point:
        """A point well within an area."""
        own = [h for h in range(8) if self.cover[h] == index]
        return towards(middle_of([towards(self.joint(h), self.joint(h + 1), 0.5) for h in own]), CENTRE, 0.25)

    def armed(self, index: int, edge: Edge, p: Point, q: Point, arms: list[tuple[Point, float]]) -> Curve:
        """An edge with arms that reach for points of the tile."""
        heart = self.heart(index)
        first = self.leaving(index, edge.start, edge, 1)
        last = self.leaving(index, (edge.start + edge.count) % 8, edge, -1)
        curve: Curve = []
        here, away = p, first
        for point, width in arms:
            back = unit(point, heart)
            across = left(back)
            near, far = add(point, across, width / 2), add(point, across, -width / 2)
            if distance(here, near) > distance(here, far):
                near, far = far, near
            near, far = add(near, back, -3), add(far, back, -3)
            span = distance(here, near)
            curve.append((here, add(here, away, 0.4 * span), add(near, back, 0.45 * span), near))
            curve.append(line(near, far))
            here, away = far, back
        span = distance(here, q)
        curve.append((here, add(here, away, 0.45 * span), add(q, last, 0.4 * span), q))
        return curve

    # ------------------------------------------------------------------ lines

    def plan_lines(self) -> None:
        for i in sorted(self.line_indexes, key=self.through, reverse=True):
            segment, width = self.tile.segments[i], self.forms[i].width
            planned = Line(i, segment.sides, width=width)
            if len(segment.sides) == 2:
                planned.curve = self.passing(i)
            elif i in self.hub_of:
                planned.end = "hub"
                planned.curve = self.run_to(segment.sides[0], self.hub_of[i])
            elif places := self.met_by(i, self.inner_indexes):
                planned.end, planned.target = "place", places[0]
                planned.curve = self.run_to(segment.sides[0], self.layout.places[places[0]][0])
            elif areas := self.met_by(i, self.area_indexes):
                planned.end, planned.target = "gate", areas[0]
                planned.curve = self.run_to_edge(i, areas[0])
            else:
                planned.end = "open"
                planned.curve = self.run_free(i)
            self.layout.lines.append(planned)
        self.layout.lines.sort(key=lambda l: l.index)
        self.plan_stubs()

    def passing(self, index: int) -> Curve:
        """A line that enters at one side and leaves at another."""
        a, b = self.tile.segments[index].sides
        p, q = MIDDLES[a], MIDDLES[b]
        if (a - b) % 2:
            corner = add(p, add(q, CENTRE, -1))
            return smooth_ends([p, towards(corner, CENTRE, self.random.uniform(0.66, 0.74)), q], INWARDS[a], INWARDS[b])
        if any(index in pair for pair in self.bridge):
            return [line(p, q)]
        mid = add(CENTRE, left(unit(p, q)), self.sway(p, q))
        slope = unit(p, q)
        if mid == CENTRE:
            swing = self.random.choice((-1, 1)) * self.random.uniform(3.5, 5.5)
            bend = add(CENTRE, left(slope), swing), add(CENTRE, left(slope), -swing)
            one, two = towards(bend[0], p, 0.45), towards(bend[1], q, 0.45)
            return smooth_ends([p, one, two, q], INWARDS[a], INWARDS[b])
        return smooth_ends([p, mid, q], INWARDS[a], INWARDS[b])

    def sway(self, p: Point, q: Point) -> float:
        """How far a straight line bends to its left, away from areas on one side of it."""
        lefts = rights = False
        for i in self.area_indexes:
            heart = self.heart(i)
            lefts |= (q[0] - p[0]) * (heart[1] - p[1]) - (q[1] - p[1]) * (heart[0] - p[0]) < -400
            rights |= (q[0] - p[0]) * (heart[1] - p[1]) - (q[1] - p[1]) * (heart[0] - p[0]) > 400
        if lefts == rights:
            return 0.0
        return -5.0 if lefts else 5.0

    def run_to(self, side: int, target: Point) -> Curve:
        p = MIDDLES[side]
        span = distance(p, target)
        return [(p, add(p, INWARDS[side], 0.45 * span), towards(target, add(p, INWARDS[side], 0.4 * span), 0.3), target)]

    def run_to_edge(self, index: int, area_index: int) -> Curve:
        """A line that ends at an area's edge, square to it."""
        side = self.side(index)
        area = self.layout.area(area_index)
        facing = [e for e in area.edges if e.faces(2 * side)] or area.edges
        points = [p for e in facing for p in sample(e.curve, 12)]
        under = any(pair[0] == index for pair in self.bridge)
        start = add(MIDDLES[side], INWARDS[side], 42 if under else 22)
        here = min(range(1, len(points) - 1), key=lambda k: distance(points[k], start))
        gate = points[here]
        outwards = left(unit(points[here + 1], points[here - 1]))
        if not self.looks_open(outwards, gate, area_index):
            outwards = (-outwards[0], -outwards[1])
        self.layout.gates.append((gate, outwards, area_index))
        p = MIDDLES[side]
        span = distance(p, gate)
        end = add(gate, outwards, -5)
        return [(p, add(p, INWARDS[side], 0.42 * span), add(gate, outwards, 0.4 * span), gate), line(gate, end)]

    def looks_open(self, outwards: Point, gate: Point, area_index: int) -> bool:
        heart = self.heart(area_index)
        return outwards[0] * (heart[0] - gate[0]) + outwards[1] * (heart[1] - gate[1]) < 0

    def run_free(self, index: int) -> Curve:
        """A line that just ends: at a house, a spring, or an obstacle."""
        side = self.side(index)
        p, inwards = MIDDLES[side], INWARDS[side]
        rim = [q for ring in self.obstacles for q in ring if 0 < q[0] < SIZE and 0 < q[1] < SIZE]
        if rim and self.cover[2 * side] != self.cover[2 * side + 1]:
            near = min(rim, key=lambda q: distance(q, add(p, inwards, 30)))
            return [(p, add(p, inwards, 0.4 * distance(p, near)), towards(near, add(p, inwards, 20), 0.4), near),
                    line(near, add(near, unit(add(p, inwards, 20), near), 6))]
        reach = 30.0 if any(self.through(i) for i in self.line_indexes) else 48.0
        if any(over == index for over, _ in self.bridge):
            return [line(p, add(p, inwards, 71))]
        end = add(p, inwards, reach)
        for mark, radius in self.forms[index].pools:
            if mark in self.tile.segments[index].marks:
                self.layout.places[index] = end, radius
        bend = add(towards(p, end, 0.6), left(inwards), self.random.uniform(-5, 5))
        return smooth_ends([p, bend, end], inwards, (-inwards[0], -inwards[1]))

    def plan_shores(self) -> None:
        """Uneven outlines for lakes, and for pools at the end of a line."""
        for index, (centre, radius) in self.layout.places.items():
            if self.forms[index].shore or index in self.line_indexes:
                self.layout.shores[index] = blob(centre, radius, self.random)

    def plan_stubs(self) -> None:
        """From a crossing to the gates of areas that take part in it: ways, but nobody's segment."""
        for group in self.meets:
            if self.is_crossing(group):
                for i in sorted(group & set(self.area_indexes)):
                    hub = self.hub_of[next(k for k in group if k in self.hub_of)]
                    points = [p for e in self.layout.area(i).edges for p in sample(e.curve, 12)]
                    here = min(range(1, len(points) - 1), key=lambda k: distance(points[k], hub))
                    gate = points[here]
                    outwards = unit(gate, hub)
                    self.layout.gates.append((gate, outwards, i))
                    width = max(self.forms[k].width for k in group if k in self.line_indexes)
                    stub = Line(i, (), [line(hub, add(gate, outwards, -5))], width, "gate", i, stub=True)
                    self.layout.lines.append(stub)

    def plan_bridges(self) -> None:
        for over, under in self.bridge:
            above, below = self.layout.line(over), self.layout.line(under)
            high, low = above.points(16), below.points(16)
            k = min(range(len(high)), key=lambda k: min(distance(high[k], q) for q in low))
            ahead, back = high[min(k + 1, len(high) - 1)], high[max(k - 1, 0)]
            self.layout.bridges.append((over, under, high[k], unit(back, ahead)))


def halves_of(segment: Segment, shape: str) -> list[int]:
    """The half sides that an area or a piece of ground covers."""
    whole = [h for s in segment.sides for h in (2 * s, 2 * s + 1)] if shape == "area" else []
    return whole + list(segment.halves)


def middle_of(points: Sequence[Point]) -> Point:
    if not points:
        return CENTRE
    return sum(p[0] for p in points) / len(points), sum(p[1] for p in points) / len(points)


def opposite_corner(side: int) -> Point:
    """The corner farthest from the one between a side and the next."""
    return CORNERS[(side + 3) % 4]


def gap_corner(side: int) -> Point:
    """The corner between a side and the next one clockwise."""
    return CORNERS[(side + 1) % 4]


def ring_curve(points: Sequence[Point]) -> Curve:
    return [line(p, q) for p, q in zip(points, [*points[1:], points[0]], strict=True)]


def smooth_ends(points: list[Point], first: Point, last: Point) -> Curve:
    """A smooth curve whose ends leave in given directions."""
    curve = smooth(points)
    a, _, c, d = curve[0]
    curve[0] = (a, add(a, first, 0.38 * distance(a, d)), c, d)
    a, b, _, d = curve[-1]
    curve[-1] = (a, b, add(d, last, 0.38 * distance(a, d)), d)
    return curve


def blob(centre: Point, radius: float, random: Random) -> Curve:
    """An uneven closed curve about a point."""
    spokes = [turned((radius * random.uniform(0.88, 1.06), 0), 360 * k / 9 + random.uniform(-8, 8)) for k in range(9)]
    return smooth([add(centre, spoke) for spoke in spokes], closed=True)


def sheets_of(layout: Layout, forms: Forms) -> list[Sheet]:
    """The shapes of a layout as sheets of paper, ready to be cut."""
    tile = layout.tile
    sheets: list[Sheet] = []
    over = {o: u for o, u, _, _ in layout.bridges}
    for area in layout.areas:
        points = sample(area.outline, 6)
        sheets.append(Sheet(area.index, forms(tile.segments[area.index].kind).height, points[:-1]))
    for number, piece in enumerate(layout.lines):
        points = piece.points(9)
        lift = 0.5 if piece.index in over else 0.0
        height = forms(tile.segments[piece.index].kind).height
        if piece.stub:
            height = max(forms(tile.segments[l.index].kind).height for l in layout.lines if not l.stub) - 0.5
        sheets.append(Sheet(piece.index, height + lift + number / 100, band(stretched(piece, points), piece.width)))
    for index, (centre, radius) in layout.places.items():
        shore = layout.shores.get(index)
        ring = sample(shore, 5)[:-1] if shore else circle(centre, radius)
        sheets.append(Sheet(index, forms(tile.segments[index].kind).height, ring))
    return sheets


def stretched(piece: Line, points: list[Point]) -> list[Point]:
    """A line's points, led beyond the rim where it leaves the tile."""
    result = list(points)
    if piece.sides:
        result.insert(0, add(points[0], INWARDS[piece.sides[0]], -OUT))
    if len(piece.sides) == 2:
        result.append(add(points[-1], INWARDS[piece.sides[1]], -OUT))
    return result

