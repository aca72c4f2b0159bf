"""Drawings of the base game: meadows, roads, walled cities, cloisters, shields and followers."""

from __future__ import annotations

from itertools import pairwise

from bastide.art.brush import BADGE, Brush, counted
from bastide.art.common import MEADOW, PERSON
from bastide.art.curves import Point, add, bearing, border, distance, left, num, path, sample, walk
from bastide.art.kit import Kit, Land, Piece
from bastide.art.layout import Form

ROAD = 8.6
WALL = 44.0  # height of walls; city ground lies at 40
TURRETS = 36.0  # how far towers on a wall are apart, about

# ---------------------------------------------------------------------- land


def paint_road(brush: Brush, index: int) -> None:
    """A pale road with dark edges and worn ruts; over another line it runs on a bridge."""
    piece = brush.line(index)
    lay_road(brush, brush.stretched(piece), 31 if index in brush.over else 30)
    if piece.end == "open":
        end = piece.curve[-1][3]
        brush.put("house2", add(end, (0, -1)))
    for stub in brush.layout.lines:
        if stub.stub:
            lay_road(brush, path(stub.curve), 29.9)
    for over, _, point, along in brush.layout.bridges:
        if over == index:
            lay_bridge(brush, point, along)
    for point, outwards, area in brush.layout.gates:
        if brush.plan.tile.segments[area].kind == "city" and piece.target == area:
            paint_gate(brush, point, outwards)
    for line, area in brush.tile.marks.get("tunnel", ()):
        if line == index:
            for point, outside in mouths(brush, line, area):
                brush.fix("mouth", point, bearing(point, outside), WALL + 3)


def lay_road(brush: Brush, d: str, height: float) -> None:
    """Kerbs, surface and ruts along a path."""
    brush.draw(height, "kerb", d)
    brush.draw(height + 0.4, "road", d)
    brush.draw(height + 0.5, "rut", d)


def lay_bridge(brush: Brush, point: Point, along: Point) -> None:
    """Stone parapets on both sides of a road that crosses over something."""
    brush.fix("bridge", point, bearing((0, 0), along), 32)


def paint_gate(brush: Brush, point: Point, outwards: Point) -> None:
    """A gate in a city wall: an opening between two towers."""
    brush.fix("gate", point, bearing((0, 0), outwards), WALL + 3)
    for side in (-6, 6):
        brush.put("turret", add(point, left(outwards), side))


def mouths(brush: Brush, line: int, area: int) -> list[tuple[Point, Point]]:
    """Where a road disappears below a city, on either side: a point in the wall, and one on the road outside."""
    course = brush.line(line).points(24)
    found = []
    for points in (course, course[::-1]):
        inside = next(k for k, point in enumerate(points) if brush.space.at(point) == area)
        found.append((points[inside], points[max(inside - 2, 0)]))
    return found


def paint_crossing(brush: Brush, hub: Point) -> None:
    """A village square where roads end, with houses between them."""
    brush.add(33, f'<circle class="square" cx="{num(hub[0])}" cy="{num(hub[1])}" r="7.5"/>')
    brush.put("well", hub)
    for dx, dy in ((-10, -9), (10, -9), (-10, 10), (10, 10)):
        p = (hub[0] + dx, hub[1] + dy)
        if brush.plan.forms[brush.space.at(p)].shape == "ground":
            brush.put(brush.random.choice(("house1", "house2")), p)


def paint_city(brush: Brush, index: int) -> None:
    """A city: sandy ground full of roofs, and a wall along every edge that is not open to the next tile."""
    area = brush.layout.area(index)
    brush.draw(40, "city", path(area.outline, closed=True))
    edges = brush.edges(index)
    if edges:
        brush.draw(41, "lee", edges)
        brush.draw(WALL, "wall", edges)
        brush.draw(WALL + 1, "stone", edges)
        brush.draw(WALL + 2, "crenel", edges)
    paint_turrets(brush, index)
    for x, y in brush.joined_corners(index):
        brush.add(WALL, f'<circle class="keep" cx="{num(x)}" cy="{num(y)}" r="4.4"/>')
        brush.space.claim((x, y), 5)
    for p in brush.space.scatter(index, 9.4, 6.9, 8.5, brush.random):
        brush.put(brush.random.choice(("house1", "house1", "house2", "house2", "house3", "house4")), p)


def paint_turrets(brush: Brush, index: int) -> None:
    """Towers on the wall, some way apart, where no gate has its own and no road goes below."""
    gates = [point for point, _, area in brush.layout.gates if area == index]
    tunnels = [line for line, area in brush.tile.marks.get("tunnel", ()) if area == index]
    gates += [point for line in tunnels for point, _ in mouths(brush, line, index)]
    for edge in brush.layout.area(index).edges:
        points = sample(edge.curve, 12)
        count = round(sum(distance(p, q) for p, q in pairwise(points)) / TURRETS)
        for k in range(count):
            place, _ = walk(points, (k + 0.5) / count)
            if border(place) > 9 and all(distance(place, gate) > 14 for gate in gates):
                brush.put("turret", add(place, (0, -0.6)))


def paint_cloister(brush: Brush, index: int) -> None:
    """A cloister within its hedge."""
    point, radius = brush.layout.places[index]
    brush.add(50, f'<circle class="yard" cx="{num(point[0])}" cy="{num(point[1])}" r="{num(radius - 0.6)}"/>')
    brush.put("cloister", point, BADGE)


LANDS = {
    "field": MEADOW,
    "road": Land(Form("line", 30, ROAD), paint_road, crossing=paint_crossing),
    "city": Land(Form("area", 40), paint_city, rim=((25, "hall"), (75, "hall"))),
    "cloister": Land(Form("inner", 50, room=20), paint_cloister),
}

# ---------------------------------------------------------------------- symbols

SYMBOLS = {
    "house1": (
        '<path class="shade" d="M-4.6 4.4L-2.8 5.4H6.2L4.6 3.2z"/>'
        '<path class="side" d="M-4.1 0H4.1V4.4H-4.1z"/><path class="roof" d="M-5.2.6L-3.2-4.6H3.2L5.2.6z"/>'
        '<path class="course" d="M-4.4-1H4.4M-3.7-2.8H3.7"/><path class="door" d="M-.9 4.4V1.9H.9V4.4z"/>'
    ),
    "house2": (
        '<path class="shade" d="M-4 4.4L-2.2 5.4H6.2L4.6 3.2z"/>'
        '<path class="front" d="M-4.2 4.4V-.4L-1.7-3.8.8-.4V4.4z"/><path class="side" d="M.8 4.4V-.4H4.4V4.4z"/>'
        '<path class="roof2" d="M-1.7-4.2L.8-.2H5.2L2.8-4.2z"/><path class="eaves" d="M-4.8.2L-1.7-4.2"/>'
        '<path class="course" d="M-.5-2.2H3.9"/><path class="door" d="M-2.5 4.4V1.8H-1V4.4zM2 2.8V1.2H3.2V2.8z"/>'
    ),
    "house3": (
        '<path class="shade" d="M-2.6 4.6L-1 5.6H4.4L2.8 3.4z"/>'
        '<path class="front" d="M-2.6 4.6V-2H2.6V4.6z"/><path class="dim" d="M.6 4.6V-2H2.6V4.6z"/>'
        '<path class="slate" d="M-3.4-1.6L0-7 3.4-1.6z"/><path class="dim" d="M.6-6L3.2-1.7H1z"/>'
        '<path class="door" d="M-.8 1.4V-.8H.8V1.4zM-.8 4.6V2.8H.8V4.6z"/>'
    ),
    "house4": (
        '<path class="shade" d="M-4.8 4.2L-3 5.2H6.4L4.8 3z"/>'
        '<path class="side" d="M-4.4.2H4.4V4.2H-4.4z"/><path class="roof3" d="M-5.4.8L-4-3.6H4.6L5.4.8z"/>'
        '<path class="course" d="M-4.6-.8H4.8M-4.2-2.3H4.6"/><path class="side" d="M1.6-2.6V-5.6H3V-2.6z"/>'
        '<path class="door" d="M-2.8 3V1.4h1.6V3zM1 3V1.4h1.6V3z"/>'
    ),
    "hall": (  # upright where the rim cuts it, so that both halves meet
        '<path class="side" d="M-4.7-2.8H4.7V4.2H-4.7z"/><path class="roof" d="M-5.9-2L-4-7.4H4L5.9-2z"/>'
        '<path class="course" d="M-5.2-3.8H5.2M-4.6-5.6H4.6"/>'
        '<path class="door" d="M-3.4 2.8V1.2h1.5v1.6zM1.9 2.8V1.2h1.5v1.6z"/>'
    ),
    "turret": (
        '<path class="shade" d="M-2.6 4L-1 5H4.4L2.8 3z"/>'
        '<path class="keep" d="M-2.7 3.6V-2.4H2.7V3.6Q0 4.8-2.7 3.6z"/><path class="dim" d="M.7 4V-2.4H2.7V3.6z"/>'
        '<path class="slate" d="M-3.6-2.2L0-7.6 3.6-2.2Q0-.9-3.6-2.2z"/>'
        '<path class="dim" d="M.5-6.8L3.4-2.2Q2.4-1.8 1-1.7z"/>'
    ),
    "well": (
        '<ellipse class="front" cy="1.6" rx="3.6" ry="2.2"/><ellipse class="pond" cy="1" rx="2.3" ry="1.2"/>'
        '<path class="slate" d="M-3.6-1.6L0-4.8 3.6-1.6z"/><path class="post" d="M-2.8 1.2v-3M2.8 1.2v-3"/>'
    ),
    "bridge": (
        '<path class="arch" d="M-11-5.5Q0-7.8 11-5.5V5.5Q0 7.8-11 5.5z"/>'
        '<path class="deck" d="M-11.5-3.4H11.5V3.4H-11.5z"/>'
        '<path class="plank" d="M-8-3.4v6.8M-4-3.4v6.8M0-3.4v6.8M4-3.4v6.8M8-3.4v6.8"/>'
    ),
    "gate": (
        '<path class="way" d="M-4-4.3H4V4.3H-4z"/><path class="arch" d="M-2.6-4.3H2.6V4.3H-2.6z"/>'
        '<path class="way" d="M-1.4-3H1.4V3H-1.4z"/>'
    ),
    "mouth": (
        '<path class="arch" d="M4.6-7.4H-2.4Q-4.6 0-2.4 7.4H4.6z"/><path class="pit" d="M5-4.4H1.4Q-2.4 0 1.4 4.4H5z"/>'
    ),
    "cloister": (
        '<path class="shade" d="M-15 15.4L-11 18H20L14.4 11z"/>'
        '<path class="front" d="M-15 15.4V4.4H5.6V15.4z"/><path class="slate" d="M-17.2 5L-12.6-4.2H3.8L7.4 5z"/>'
        '<path class="course" d="M-16 2.6H5M-14.8.2H4.6M-13.6-2.2H4"/>'
        '<path class="front" d="M3.8 15.4V-4.4H14.4V15.4z"/><path class="dim" d="M11.4 15.4V-4.4H14.4V15.4z"/>'
        '<path class="slate" d="M2.4-3.6L9.1-14.6 15.8-3.6z"/><path class="dim" d="M9.9-13.2L15.4-3.8H11.6z"/>'
        '<path class="cross" d="M9.1-14V-19.8M6.6-17.6H11.6"/>'
        '<path class="door" d="M7 15.4V9a2.1 2.1 0 0 1 4.2 0V15.4zM7.8 3V0a1.3 1.3 0 0 1 2.6 0V3zM-12.2 12'
        'V8.4a1.1 1.1 0 0 1 2.2 0V12zM-7.2 12V8.4a1.1 1.1 0 0 1 2.2 0V12zM-2.2 12V8.4a1.1 1.1 0 0 1 2.2 0V12z"/>'
    ),
    "shield": (
        '<g transform="scale(1.15)"><path class="field" d="M-6-7H6V0C6 4.4 3 6.8 0 8.4-3 6.8-6 4.4-6 0z"/>'
        '<path class="charge" d="M-1.3-6.2H1.3V-1.6H5.2V.9H1.3V7L0 7.6-1.3 7V.9H-5.2V-1.6H-1.3z"/>'
        '<path class="rimmed" d="M-6-7H6V0C6 4.4 3 6.8 0 8.4-3 6.8-6 4.4-6 0z"/></g>'
    ),
}

STYLES = {
    "kerb": "fill:none;stroke:$kerb;stroke-width:9.6",
    "road": "fill:none;stroke:$road;stroke-width:7.4",
    "way": "fill:$road",
    "rut": "fill:none;stroke:$rut;stroke-width:.7;stroke-dasharray:5 2.5 2 3",
    "square": "fill:$road;stroke:$kerb;stroke-width:1.1",
    "plank": "fill:none;stroke:$kerb;stroke-width:.6",
    "arch": "fill:$stone;stroke:$ink;stroke-width:.8",
    "pit": "fill:$ink",
    "city": "fill:$city",
    "lee": "fill:none;stroke:#000;stroke-width:11;opacity:$dusk",
    "eaves": "fill:none;stroke:$roof2;stroke-width:1.1;stroke-linecap:round",
    "wall": "fill:none;stroke:$ink;stroke-width:4.8;stroke-linecap:square",
    "stone": "fill:none;stroke:$stone;stroke-width:3.4;stroke-linecap:square",
    "crenel": "fill:none;stroke:$crenel;stroke-width:2;stroke-dasharray:2.4 1.8",
    "keep": "fill:$stone;stroke:$ink;stroke-width:.9",
    "yard": "fill:$yard;stroke:$leafline;stroke-width:1.2;stroke-dasharray:1.6 1",
    "field": "fill:$azure",
    "charge": "fill:$gold",
    "rimmed": "fill:none;stroke:$ink;stroke-width:1.1",
}

PIECES = {
    "follower": Piece(
        PERSON,
        lies=True,
    ),
}

ART = Kit(
    lands=LANDS, marks={("city", "shields"): counted("shield", 9.5)}, symbols=SYMBOLS, pieces=PIECES, styles=STYLES
)
