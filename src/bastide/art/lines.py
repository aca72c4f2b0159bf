"""The course of lines: through the tile, or to a crossing, a place, the edge of an area, or just an end."""

from __future__ import annotations

from bastide.art.curves import (
    CENTRE,
    SIZE,
    Curve,
    Point,
    add,
    distance,
    left,
    line,
    minus,
    sample,
    smooth,
    towards,
    unit,
)
from bastide.art.layout import INWARDS, MIDDLES, Layout, Line
from bastide.art.rim import Rim

BEHIND = 5.0  # how far a line goes on behind the edge where it ends


class LinePlanner:
    """Draws the middle of every line of a tile, when areas and places are there."""

    def __init__(self, rim: Rim, layout: Layout, hubs: dict[int, Point]) -> None:
        self.rim = rim
        self.layout = layout
        self.hubs = hubs  # line -> the crossing where it ends

    def plan(self) -> None:
        """Adds all lines to the layout, with their gates and bridges."""
        for index in self.rim.lines:
            self.layout.lines.append(self.course(index))
        for group in self.rim.meets:
            if self.rim.is_crossing(group):
                for area in sorted(group & set(self.rim.areas)):
                    self.add_stub(group, area)
        for over, under in self.rim.bridges:
            self.add_bridge(over, under)

    def course(self, index: int) -> Line:
        """The course of a line, by what it meets."""
        rim, sides, width = self.rim, self.rim.tile.segments[index].sides, self.rim.forms[index].width
        if rim.passes(index):
            return Line(index, sides, self.passing(index), width)
        if index in self.hubs:
            return Line(index, sides, self.run_to(sides[0], self.hubs[index]), width, "hub")
        for place in rim.met_by(index, rim.inner):
            return Line(index, sides, self.run_to(sides[0], self.layout.places[place][0]), width, "place", place)
        for area in rim.met_by(index, rim.areas):
            return Line(index, sides, self.run_to_edge(index, area), width, "gate", area)
        return Line(index, sides, self.run_free(index), width, "open")

    def passing(self, index: int) -> Curve:
        """A line that enters at one side and leaves at another."""
        random = self.rim.random
        a, b = self.rim.tile.segments[index].sides
        p, q = MIDDLES[a], MIDDLES[b]
        if (a - b) % 2:
            corner = add(p, add(q, CENTRE, -1))
            return smooth_ends([p, towards(corner, CENTRE, random.uniform(0.66, 0.74)), q], INWARDS[a], INWARDS[b])
        if any(index in pair for pair in self.rim.bridges):
            return [line(p, q)]
        across, sway = left(unit(p, q)), self.sway(p, q)
        if sway:
            return smooth_ends([p, add(CENTRE, across, sway), q], INWARDS[a], INWARDS[b])
        swing = random.choice((-1, 1)) * random.uniform(3.5, 5.5)
        one, two = (towards(add(CENTRE, across, side * swing), end, 0.45) for side, end in ((1, p), (-1, q)))
        return smooth_ends([p, one, two, q], INWARDS[a], INWARDS[b])

    def sway(self, p: Point, q: Point) -> float:
        """How far a straight line bends to its left, away from areas on one side of it."""
        hearts = [self.rim.heart(i) for i in self.rim.areas]
        sides = [(q[0] - p[0]) * (h[1] - p[1]) - (q[1] - p[1]) * (h[0] - p[0]) for h in hearts]
        lefts, rights = any(s < -400 for s in sides), any(s > 400 for s in sides)
        return 0.0 if lefts == rights else -5.0 if lefts else 5.0

    def run_to(self, side: int, target: Point) -> Curve:
        """A line from a side to a point."""
        p, inwards = MIDDLES[side], INWARDS[side]
        span = distance(p, target)
        return [(p, add(p, inwards, 0.45 * span), towards(target, add(p, inwards, 0.4 * span), 0.3), target)]

    def run_to_edge(self, index: int, area: int) -> Curve:
        """A line that ends at an area's edge, square to it, at a gate."""
        side = self.rim.side(index)
        p, inwards = MIDDLES[side], INWARDS[side]
        bridge = any(over == index for over, _ in self.rim.bridges)
        gate, outwards = self.nearest_gate(area, add(p, inwards, 42 if bridge else 22), side)
        self.layout.gates.append((gate, outwards, area))
        span = distance(p, gate)
        course = (p, add(p, inwards, 0.42 * span), add(gate, outwards, 0.4 * span), gate)
        return [course, line(gate, add(gate, outwards, -BEHIND))]

    def nearest_gate(self, area: int, point: Point, side: int | None = None) -> tuple[Point, Point]:
        """The point of an area's edge nearest to a point, and the direction out of the area there."""
        edges = self.layout.area(area).edges
        if side is not None:
            edges = [edge for edge in edges if edge.faces(2 * side)] or edges
        points = [p for edge in edges for p in sample(edge.curve, 12)]
        here = min(range(1, len(points) - 1), key=lambda k: distance(points[k], point))
        gate, outwards = points[here], left(unit(points[here + 1], points[here - 1]))
        heart = self.rim.heart(area)
        inwards = outwards[0] * (heart[0] - gate[0]) + outwards[1] * (heart[1] - gate[1]) > 0
        return gate, minus(outwards) if inwards else outwards

    def run_free(self, index: int) -> Curve:
        """A line that just ends: at a house, a spring, a lake, or an obstacle that parts the ground beside it."""
        rim, side = self.rim, self.rim.side(index)
        p, inwards = MIDDLES[side], INWARDS[side]
        stops = [q for ring in rim.obstacles for q in ring if 0 < q[0] < SIZE and 0 < q[1] < SIZE]
        if stops and rim.cover[2 * side] != rim.cover[2 * side + 1]:
            near = min(stops, key=lambda q: distance(q, add(p, inwards, 30)))
            start = add(p, inwards, 20)
            course = (p, add(p, inwards, 0.4 * distance(p, near)), towards(near, start, 0.4), near)
            return [course, line(near, add(near, unit(start, near), BEHIND))]
        if any(over == index for over, _ in rim.bridges):
            return [line(p, add(p, inwards, 71))]
        end = add(p, inwards, 30 if any(rim.passes(i) for i in rim.lines) else 48)
        for mark, radius in rim.forms[index].pools:
            if mark in rim.tile.segments[index].marks:
                self.layout.places[index] = end, radius
        bend = add(towards(p, end, 0.6), left(inwards), rim.random.uniform(-5, 5))
        return smooth_ends([p, bend, end], inwards, minus(inwards))

    def add_stub(self, group: set[int], area: int) -> None:
        """A short way from a crossing to the gate of an area that takes part in it."""
        lines = [i for i in self.rim.lines if i in group]
        hub = self.hubs[lines[0]]
        gate, _ = self.nearest_gate(area, hub)
        outwards = unit(gate, hub)
        self.layout.gates.append((gate, outwards, area))
        course = [line(hub, add(gate, outwards, -BEHIND))]
        self.layout.lines.append(Line(area, (), course, self.rim.forms[lines[0]].width, "gate", area, stub=True))

    def add_bridge(self, over: int, under: int) -> None:
        """Where one line crosses over another."""
        high, low = self.layout.line(over).points(16), self.layout.line(under).points(16)
        here = min(range(len(high)), key=lambda k: min(distance(high[k], q) for q in low))
        along = unit(high[max(here - 1, 0)], high[min(here + 1, len(high) - 1)])
        self.layout.bridges.append((over, under, high[here], along))


def smooth_ends(points: list[Point], first: Point, last: Point) -> Curve:
    """A smooth curve whose ends leave in given directions."""
    curve = smooth(points)
    a, _, c, d = curve[0]
    curve[0] = (a, add(a, first, 0.38 * distance(a, d)), c, d)
    a, b, _, d = curve[-1]
    curve[-1] = (a, b, add(d, last, 0.38 * distance(a, d)), d)
    return curve
