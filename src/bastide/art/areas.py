"""The shapes of areas: along the rim where they cover it, and smooth edges across the tile between their sides."""

from __future__ import annotations

from itertools import pairwise

from bastide.art.curves import CENTRE, SIZE, Curve, Point, add, distance, left, line, minus, towards, turned, unit
from bastide.art.layout import ALONG, CORNERS, INWARDS, MIDDLES, OUT, Area, Edge, Layout
from bastide.art.rim import Rim

ANGLE = 37.0  # between a side and the edge of an area that leaves its corner
SLIM = 27.0  # the same where only a tip of the area reaches the corner, so that it is no thinner than need be
NOTCH = 8.0  # how far inside the rim the point of a field between two areas of one side ends
TIPS = {name: joint for joint, name in enumerate(("NW", "N", "NE", "E", "SE", "S", "SW", "W"))}

Arm = tuple[int, Point, float]  # a half side in whose direction it reaches out, where to, and how wide


class AreaPlanner:
    """Shapes the areas of a tile."""

    def __init__(self, rim: Rim, layout: Layout) -> None:
        self.rim = rim
        self.layout = layout

    def plan(self) -> None:
        """Adds all areas to the layout."""
        for index in self.rim.areas:
            self.layout.areas.append(self.shape(Area(index)))

    def shape(self, area: Area) -> Area:
        """Goes round an area clockwise: along the rim over its sides, then over the gap to its next side."""
        own = [cover == area.index for cover in self.rim.cover]
        if all(own):
            corners = [(-OUT, -OUT), (SIZE + OUT, -OUT), (SIZE + OUT, SIZE + OUT), (-OUT, SIZE + OUT)]
            area.outline = [line(p, q) for p, q in pairwise([*corners, corners[0]])]
            return area
        for start in (h for h in range(8) if own[h] and not own[h - 1]):
            run = next(n for n in range(1, 9) if not own[(start + n) % 8])
            gap = next(n for n in range(1, 9) if own[(start + run + n) % 8])
            edges = self.edges_over(area.index, (start + run) % 8, gap)
            area.edges += edges
            area.outline += self.rim_walk(start, run) + [piece for edge in edges for piece in edge.curve]
        return area

    def corner(self, half: int) -> Point:
        """Where an area's outline turns from the rim into the tile."""
        point = self.rim.joint(half)
        return add(point, INWARDS[half // 2 % 4], NOTCH) if self.rim.split_at(half) else point

    def rim_walk(self, start: int, run: int) -> Curve:
        """Along the rim and a little beyond it, over some half sides."""
        points = [self.corner(start)]
        for half in range(start, start + run):
            outwards = minus(INWARDS[half // 2 % 4])
            points += [add(self.rim.joint(half), outwards, OUT), add(self.rim.joint(half + 1), outwards, OUT)]
        points.append(self.corner(start + run))
        return [line(p, q) for p, q in pairwise(points) if p != q]

    def edges_over(self, index: int, start: int, count: int) -> list[Edge]:
        """The inner edges of an area over a gap between its sides: from tip to tip, with its arms."""
        tips = [TIPS[name] for owner, name in self.rim.tile.marks.get("tips", ()) if owner == index]
        stops = [0, *sorted((tip - start) % 8 for tip in tips if 0 < (tip - start) % 8 < count), count]
        arms = self.arms(index)
        edges = [Edge((start + a) % 8, b - a) for a, b in pairwise(stops)]
        for edge in edges:
            edge.curve = self.curve(index, edge, [arm for arm in arms if edge.faces(arm[0])])
        return edges

    def arms(self, index: int) -> list[Arm]:
        """Where an area reaches out to touch a place, a passing line or another area."""
        rim, gap = self.rim, self.rim.gap(index)
        arms: list[Arm] = []
        for place in rim.met_by(index, rim.inner):
            lines = rim.met_by(place, rim.lines)
            centre, radius = self.layout.places[place]
            arms.append((2 * rim.side(lines[0]) if lines else gap, centre, radius * 1.1))
        for other in rim.met_by(index, rim.lines):
            if rim.passes(other):
                a, b = (MIDDLES[side] for side in rim.tile.segments[other].sides)
                arms.append((gap, towards(towards(a, b, 0.5), CENTRE, 0.4), 15))
        arms += [(gap, CENTRE, 15) for _ in rim.met_by(index, rim.areas)]
        return arms

    def curve(self, index: int, edge: Edge, arms: list[Arm]) -> Curve:
        """One edge, from the joint of the rim where it begins to the one where it ends."""
        begin, end = edge.start, (edge.start + edge.count) % 8
        p, q = self.corner(begin), self.corner(end)
        if not arms and (begin % 2 or end % 2):  # from or to the middle of a side
            pull = towards(towards(p, q, 0.5), self.rim.heart(index), 0.3)
            return [(p, towards(p, pull, 0.6), towards(q, pull, 0.6), q)]
        first, last = self.leaving(index, begin, edge, 1), self.leaving(index, end, edge, -1)
        if arms:
            return self.armed(index, (p, first), (q, last), arms)
        mid, slope = self.crest(index, edge), unit(p, q)
        reach = 0.36 * distance(p, mid)
        return [
            (p, add(p, first, reach), add(mid, slope, -0.42 * distance(p, mid)), mid),
            (mid, add(mid, slope, 0.42 * distance(mid, q)), add(q, last, reach), q),
        ]

    def crest(self, index: int, edge: Edge) -> Point:
        """The middle of an edge: over one side, across a corner, or round the area's only side."""
        depth, first = self.depth(index, edge), edge.start // 2
        if edge.count == 4:
            return towards(CORNERS[(first + 3) % 4], CORNERS[(first + 1) % 4], depth)
        side = first if edge.count == 2 else (edge.start + edge.count) // 2 % 4
        middle = towards(CORNERS[side], CORNERS[(side + 1) % 4], 0.5 + self.rim.random.uniform(-0.04, 0.04))
        return add(middle, INWARDS[side], depth)

    def depth(self, index: int, edge: Edge) -> float:
        """How far into the tile an edge bulges; across a corner, at which part of the way between the corners."""
        rim = self.rim
        beyond = {rim.cover[(edge.start + n) % 8] for n in range(edge.count)}
        crowded = bool(beyond & set(rim.areas))
        busy = bool(rim.inner) or any(edge.faces(2 * side) for i in rim.lines for side in rim.tile.segments[i].sides)
        wobble = rim.random.uniform(-1.2, 1.2)
        if edge.count == 2:
            gaps = sum(rim.cover[h] == index and rim.cover[h - 1] != index for h in range(8))
            return (46 if crowded else 25 if gaps > 1 else 30) + wobble
        if edge.count == 4:
            return (0.41 if crowded else 0.43 if busy else 0.48) + wobble / 100
        return (28 if crowded else 30 if busy or rim.obstacles else 36) + wobble

    def leaving(self, index: int, half: int, edge: Edge, way: int) -> Point:
        """The direction in which an edge leaves the corner where half side `half` begins (way 1) or arrives (-1).

        It keeps its angle from the side that the area does not cover, or else from its own.
        """
        after, before = half // 2, (half // 2 - 1) % 4  # sides after and before the corner
        beyond, own = (after, before) if way > 0 else (before, after)
        neighbour = self.rim.cover[2 * beyond + (way < 0)]
        beside_own = self.rim.cover[2 * own + (way > 0)] == index
        if not beside_own and neighbour not in self.rim.areas:
            return turned(ALONG[beyond] if way > 0 else minus(ALONG[beyond]), SLIM * way)
        if not beside_own or (edge.count == 2 and neighbour not in self.rim.areas):
            return turned(ALONG[beyond] if way > 0 else minus(ALONG[beyond]), ANGLE * way)
        return turned(minus(ALONG[own]) if way > 0 else ALONG[own], -ANGLE * way)

    def armed(self, index: int, start: tuple[Point, Point], stop: tuple[Point, Point], arms: list[Arm]) -> Curve:
        """An edge with arms that reach for points of the tile; start and stop are points with directions."""
        heart = self.rim.heart(index)
        here, away = start
        curve: Curve = []
        for _, point, width in arms:
            back = unit(point, heart)
            tip = add(point, back, -3)
            near, far = add(tip, left(back), width / 2), add(tip, left(back), -width / 2)
            if distance(here, near) > distance(here, far):
                near, far = far, near
            span = distance(here, near)
            curve += [(here, add(here, away, 0.4 * span), add(near, back, 0.45 * span), near), line(near, far)]
            here, away = far, back
        end, last = stop
        span = distance(here, end)
        return [*curve, (here, add(here, away, 0.45 * span), add(end, last, 0.4 * span), end)]
