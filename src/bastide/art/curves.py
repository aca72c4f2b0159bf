"""Points, smooth curves and how they are written in SVG. A tile is the square from (0, 0) to (100, 100)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import atan2, cos, hypot, pi, sin

Point = tuple[float, float]
Ring = list[Point]  # a closed polygon; the last point joins the first
Bezier = tuple[Point, Point, Point, Point]
Curve = list[Bezier]  # pieces that follow each other

SIZE = 100.0
CENTRE: Point = (50.0, 50.0)


def add(p: Point, q: Point, times: float = 1.0) -> Point:
    """p + times * q."""
    return p[0] + times * q[0], p[1] + times * q[1]


def minus(p: Point) -> Point:
    """The opposite direction."""
    return -p[0], -p[1]


def towards(p: Point, q: Point, part: float) -> Point:
    """The point that lies `part` of the way from p to q."""
    return p[0] + part * (q[0] - p[0]), p[1] + part * (q[1] - p[1])


def middle_of(points: Sequence[Point]) -> Point:
    """The mean of some points; the middle of the tile if there are none."""
    if not points:
        return CENTRE
    return sum(p[0] for p in points) / len(points), sum(p[1] for p in points) / len(points)


def distance(p: Point, q: Point) -> float:
    """How far two points are apart."""
    return hypot(p[0] - q[0], p[1] - q[1])


def border(p: Point) -> float:
    """How far a point is from the tile's rim."""
    return min(p[0], p[1], SIZE - p[0], SIZE - p[1])


def unit(p: Point, q: Point) -> Point:
    """Direction from p to q, of length 1."""
    length = distance(p, q) or 1.0
    return (q[0] - p[0]) / length, (q[1] - p[1]) / length


def left(direction: Point) -> Point:
    """The direction a quarter turn to the left on the picture (y grows downwards)."""
    return direction[1], -direction[0]


def turned(p: Point, angle: float) -> Point:
    """A direction turned clockwise on the picture by an angle in degrees."""
    c, s = cos(angle * pi / 180), sin(angle * pi / 180)
    return p[0] * c - p[1] * s, p[0] * s + p[1] * c


def spin(p: Point, rotation: int) -> Point:
    """A point of the tile after quarter turns clockwise about the tile's centre."""
    for _ in range(rotation % 4):
        p = (SIZE - p[1], p[0])
    return p


def at(piece: Bezier, t: float) -> Point:
    """The point of a Bezier curve at parameter t."""
    a, b, c, d = piece
    s = 1 - t
    i, j, k, m = s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t
    return i * a[0] + j * b[0] + k * c[0] + m * d[0], i * a[1] + j * b[1] + k * c[1] + m * d[1]


def sample(curve: Curve, steps: int = 7) -> list[Point]:
    """Points along a curve, both ends included."""
    points = [curve[0][0]]
    for piece in curve:
        points.extend(at(piece, k / steps) for k in range(1, steps))
        points.append(piece[3])
    return points


def line(p: Point, q: Point) -> Bezier:
    """A straight piece."""
    return p, towards(p, q, 1 / 3), towards(p, q, 2 / 3), q


def smooth(points: Sequence[Point], closed: bool = False) -> Curve:
    """A curve through the points that bends gently at each of them."""
    n = len(points)
    curve: Curve = []
    for i in range(n if closed else n - 1):
        p, q = points[i], points[(i + 1) % n]
        before = points[i - 1] if closed or i else p
        after = points[(i + 2) % n] if closed or i + 2 < n else q
        curve.append(
            (
                p,
                add(p, (q[0] - before[0], q[1] - before[1]), 1 / 6),
                add(q, (after[0] - p[0], after[1] - p[1]), -1 / 6),
                q,
            )
        )
    return curve


def walk(points: Sequence[Point], part: float) -> tuple[Point, Point]:
    """The point at a part (0..1) of a polyline's length, and the direction there."""
    lengths = [distance(p, q) for p, q in pairwise(points)]
    rest = part * sum(lengths)
    for (p, q), length in zip(pairwise(points), lengths, strict=True):
        if rest <= length and length > 0:
            return towards(p, q, rest / length), unit(p, q)
        rest -= length
    return points[-1], unit(points[-2], points[-1])


def band(points: Sequence[Point], width: float) -> Ring:
    """The outline of a stroke of this width along a polyline."""
    sides: tuple[list[Point], list[Point]] = ([], [])
    for i, p in enumerate(points):
        before, after = points[max(i - 1, 0)], points[min(i + 1, len(points) - 1)]
        normal = left(unit(before, after))
        sides[0].append(add(p, normal, width / 2))
        sides[1].append(add(p, normal, -width / 2))
    return sides[0] + sides[1][::-1]


def circle(centre: Point, radius: float, corners: int = 20) -> Ring:
    """A circle as a polygon."""
    return [
        (centre[0] + radius * cos(2 * pi * k / corners), centre[1] + radius * sin(2 * pi * k / corners))
        for k in range(corners)
    ]


def area(ring: Sequence[Point]) -> float:
    """Signed area: positive when the ring runs clockwise on the picture."""
    return sum(p[0] * q[1] - q[0] * p[1] for p, q in zip(ring, [*ring[1:], ring[0]], strict=True)) / 2


def inside(p: Point, ring: Sequence[Point]) -> bool:
    """Whether a point lies within a closed polygon."""
    x, y = p
    result = False
    x0, y0 = ring[-1]
    for x1, y1 in ring:
        if (y0 > y) != (y1 > y) and x < (x1 - x0) * (y - y0) / (y1 - y0) + x0:
            result = not result
        x0, y0 = x1, y1
    return result


def bearing(p: Point, q: Point) -> float:
    """Angle of the direction from p to q in degrees, 0 to the east, clockwise."""
    return atan2(q[1] - p[1], q[0] - p[0]) * 180 / pi


def num(value: float) -> str:
    """A number as short as SVG allows, with one decimal at most."""
    text = f"{value:.1f}"
    if text.endswith(".0"):
        text = text[:-2]
    return "0" if text == "-0" else text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def nums(values: Iterable[float]) -> str:
    """Several numbers, separated only where SVG needs it."""
    out = ""
    for text in map(num, values):
        out += text if not out or text.startswith("-") else " " + text
    return out


def path(curve: Curve, closed: bool = False) -> str:
    """The `d` of a curve, in relative steps, which pack best."""
    x, y = (round(v, 1) for v in curve[0][0])
    out = "M" + nums((x, y))
    for _, b, c, d in curve:
        step = [round(v, 1) for v in (*b, *c, *d)]
        out += "c" + nums(v - (x if i % 2 == 0 else y) for i, v in enumerate(step))
        x, y = step[4], step[5]
    return out + ("z" if closed else "")


def polygon(points: Sequence[Point], closed: bool = True) -> str:
    """The `d` of straight lines through the points."""
    return "M" + "L".join(nums(p) for p in points) + ("z" if closed else "")
