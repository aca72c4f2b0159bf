"""Where pieces stand on a tile: on their segment, clear of what is printed, and clear of each other."""

from __future__ import annotations

from math import dist

from bastide.art.curves import SIZE, Point, distance, middle_of, walk
from bastide.art.plan import Plan
from bastide.art.space import POINTS, Space

PIECE = 9.0  # radius of the room that a piece would like
PLACES = 3  # for pieces on one segment


def find_spots(plan: Plan) -> list[list[Point]]:
    """For every segment the places of its first, second and third piece."""
    space = plan.space.copy()
    taken: list[Point] = []
    segments = plan.tile.segments
    order = sorted(range(len(segments)), key=lambda i: roominess(plan, space, i))
    spots: list[list[Point]] = [[] for _ in segments]
    for _ in range(PLACES):
        for index in order:
            spot = (
                line_spot(plan, index, taken)
                if plan.forms[index].shape == "line"
                else land_spot(plan, space, index, taken)
            )
            spots[index].append(spot)
            taken.append(spot)
            space.claim(spot, PIECE * 0.8)
    return spots


def roominess(plan: Plan, space: Space, index: int) -> float:
    """The most room that a segment has anywhere: the narrowest choose first, above them all inner places."""
    if plan.tile.segments[index].layer:
        return SIZE
    if plan.forms[index].shape == "inner":
        return -1.0
    return max((space.room[c] for c in space.cells.get(index, ())), default=0.0)


def land_spot(plan: Plan, space: Space, index: int, taken: list[Point]) -> Point:
    """The roomiest place on an area, a piece of ground or an inner place."""
    if plan.tile.segments[index].layer:
        index = members(plan, index)[0]
        if plan.forms[index].shape == "line":
            return line_spot(plan, index, taken)
    if index in plan.layout.places and not any(space.at(p) == index for p in taken):
        return nearest_own(space, index, plan.layout.places[index][0])
    middle = middle_of([POINTS[cell] for cell in space.cells.get(index, ())])
    return space.heart(index, 1.7 * PIECE, lambda p: spread(p, taken) - 0.15 * distance(p, middle))


def nearest_own(space: Space, index: int, point: Point) -> Point:
    """The place on a segment's land nearest to a point."""
    if space.at(point) == index:
        return point
    return min((POINTS[c] for c in space.cells[index]), key=lambda p: distance(p, point))


def line_spot(plan: Plan, index: int, taken: list[Point]) -> Point:
    """A place on a line, rather in its middle than at an end."""
    points = plan.layout.line(index).points(12)
    busy = [point for _, _, point, _ in plan.layout.bridges] + plan.layout.hubs
    best, place = -SIZE, points[0]
    for part in (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.2, 0.8, 0.14, 0.86):
        p, _ = walk(points, part)
        if plan.holds(index, p):
            score = spread(p, [*taken, *busy]) - 4 * abs(part - 0.45)
            if score > best:
                best, place = score, p
    return place


def spread(p: Point, taken: list[Point]) -> float:
    """How well a place keeps apart from pieces on other places."""
    nearest = min((dist(p, q) for q in taken), default=SIZE)
    return 2 * min(nearest, 2.4 * PIECE)


def members(plan: Plan, index: int) -> list[int]:
    """The segments of the ground layer along which a segment of another layer runs: lines, and what they run into."""
    segments, own = plan.tile.segments, plan.tile.segments[index]
    lines = [i for i, s in enumerate(segments) if plan.forms[i].shape == "line" and set(s.sides) & set(own.sides)]
    further = [i for line in lines for i in segments[line].touches]
    return list(dict.fromkeys([*further, *lines, *own.touches]))
