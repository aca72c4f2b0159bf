"""Cuts the square of a tile along overlapping shapes, so that every point of it has exactly one owner.

Shapes lie on top of each other like paper. Their edges and the square's are split where they cross; walking round
every piece and asking which shape is on top gives the piece its owner; pieces of one owner are then joined again.
What no shape covers is open ground; each piece of it that hangs together is a piece of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import atan2

from bastide.art.curves import SIZE, Point, Ring, area, inside, left, unit

OPEN = -1  # owner of what no shape covers; further pieces of open ground are -2, -3 ...
NOBODY = 10**6  # owner of what lies beyond the square
GRAIN = 1000.0  # points closer than one part of this are the same point

Node = tuple[int, int]


@dataclass
class Sheet:
    """A shape laid on the tile: its polygon, whose it is and how high it lies."""

    owner: int
    height: float
    ring: Ring
    box: tuple[float, float, float, float] = field(init=False)

    def __post_init__(self) -> None:
        xs, ys = [p[0] for p in self.ring], [p[1] for p in self.ring]
        self.box = min(xs), min(ys), max(xs), max(ys)

    def covers(self, p: Point) -> bool:
        """Whether a point lies below this sheet."""
        x0, y0, x1, y1 = self.box
        return x0 <= p[0] <= x1 and y0 <= p[1] <= y1 and inside(p, self.ring)


def node(p: Point) -> Node:
    """A point on the grid on which equal points are found."""
    return round(p[0] * GRAIN), round(p[1] * GRAIN)


def point(n: Node) -> Point:
    """A point of the grid in tile units."""
    return n[0] / GRAIN, n[1] / GRAIN


def cut(sheets: Sequence[Sheet]) -> dict[int, list[Ring]]:
    """Outlines by owner, as rings (holes run the other way round); open pieces have the owners -1, -2, -3 ..."""
    ordered = sorted(sheets, key=lambda s: -s.height)
    square: Ring = [(0, 0), (SIZE, 0), (SIZE, SIZE), (0, SIZE)]
    links = split([square, *(s.ring for s in ordered)])
    cycles = trace(links)
    owners: dict[tuple[Node, Node], int] = {}
    ground: list[tuple[int, Ring]] = []
    loose: list[list[Node]] = []  # rims of islands that lie in open ground
    for cycle in cycles:
        ring = [point(n) for n in cycle]
        owner = owner_of(ring, ordered)
        if owner == OPEN:
            if area(ring) < 0:
                loose.append(cycle)
                continue
            owner = OPEN - len(ground)
            ground.append((owner, ring))
        mark(owners, cycle, owner)
    for cycle in loose:
        ring = [point(n) for n in cycle]
        beside = probe(ring)
        around = [(abs(area(g)), owner) for owner, g in ground if inside(beside, g)]
        mark(owners, cycle, min(around)[1] if around else NOBODY)
    return rejoin(owners)


def mark(owners: dict[tuple[Node, Node], int], cycle: list[Node], owner: int) -> None:
    """Notes who owns the piece to the right of every edge of a walk round it."""
    for a, b in zip(cycle, [*cycle[1:], cycle[0]], strict=True):
        owners[a, b] = owner


def probe(ring: Ring) -> Point:
    """A point just to the right of the ring's longest edge: within the piece that the ring runs round."""
    edges = zip(ring, [*ring[1:], ring[0]], strict=True)
    p, q = max(edges, key=lambda e: (e[0][0] - e[1][0]) ** 2 + (e[0][1] - e[1][1]) ** 2)
    n = left(unit(p, q))
    return (p[0] + q[0]) / 2 - 0.02 * n[0], (p[1] + q[1]) / 2 - 0.02 * n[1]


def owner_of(ring: Ring, ordered: list[Sheet]) -> int:
    """Who is on top within a ring; beyond the square it is nobody (a large number)."""
    p = probe(ring)
    if not (0 < p[0] < SIZE and 0 < p[1] < SIZE):
        return NOBODY
    return next((s.owner for s in ordered if s.covers(p)), OPEN)


def split(rings: list[Ring]) -> dict[Node, set[Node]]:
    """All edges of the rings, split where they meet, as a graph of neighbours."""
    edges: list[tuple[float, float, float, float, float, float, float, float, int]] = []
    for number, ring in enumerate(rings):
        snapped = [point(node(p)) for p in ring]
        for (x0, y0), (x1, y1) in zip(snapped, [*snapped[1:], snapped[0]], strict=True):
            if (x0, y0) != (x1, y1):
                lo_x, hi_x = (x0, x1) if x0 < x1 else (x1, x0)
                lo_y, hi_y = (y0, y1) if y0 < y1 else (y1, y0)
                edges.append((lo_x, hi_x, lo_y, hi_y, x0, y0, x1, y1, number))
    edges.sort()
    stops: list[list[tuple[float, Node]]] = [[] for _ in edges]
    active: list[int] = []
    for i, (lo_x, _, lo_y, hi_y, x0, y0, x1, y1, number) in enumerate(edges):
        active = [j for j in active if edges[j][1] >= lo_x - 0.01]
        for j in active:
            e = edges[j]
            if e[8] != number and e[2] <= hi_y + 0.01 and e[3] >= lo_y - 0.01:
                meet(x0, y0, x1, y1, e[4], e[5], e[6], e[7], stops[i], stops[j])
        active.append(i)
    links: dict[Node, set[Node]] = {}
    for edge, on_way in zip(edges, stops, strict=True):
        chain = [node((edge[4], edge[5])), *(n for _, n in sorted(on_way)), node((edge[6], edge[7]))]
        for a, b in pairwise(chain):
            if a != b:
                links.setdefault(a, set()).add(b)
                links.setdefault(b, set()).add(a)
    return links


def meet(
    ax: float, ay: float, bx: float, by: float, cx: float, cy: float, dx: float, dy: float,
    first: list[tuple[float, Node]], second: list[tuple[float, Node]],
) -> None:  # fmt: skip
    """Notes on both edges where a-b and c-d meet; an end that lies on the other edge counts."""
    ux, uy, vx, vy = bx - ax, by - ay, dx - cx, dy - cy
    turn = ux * vy - uy * vx
    if abs(turn) < 1e-9:
        return
    s = ((cx - ax) * vy - (cy - ay) * vx) / turn
    t = ((cx - ax) * uy - (cy - ay) * ux) / turn
    if not (-1e-4 < s < 1 + 1e-4 and -1e-4 < t < 1 + 1e-4):
        return
    n = node((ax + s * ux, ay + s * uy))
    first.append((s, n))
    second.append((t, n))


def trace(links: dict[Node, set[Node]]) -> list[list[Node]]:
    """Walks round every piece of the plane, keeping it on the right hand."""
    after: dict[tuple[Node, Node], Node] = {}
    for n, around in links.items():
        ring = sorted(around, key=lambda m: atan2(m[1] - n[1], m[0] - n[0]))
        for k, m in enumerate(ring):
            after[m, n] = ring[k - 1]
    return cycles_of(after)


def cycles_of(after: dict[tuple[Node, Node], Node]) -> list[list[Node]]:
    """All walks, when every edge says where it goes on."""
    cycles: list[list[Node]] = []
    todo = dict.fromkeys(after)
    while todo:
        a, b = next(iter(todo))
        cycle: list[Node] = []
        while (a, b) in todo:
            del todo[a, b]
            cycle.append(a)
            a, b = b, after[a, b]
        cycles.append(cycle)
    return cycles


def rejoin(owners: dict[tuple[Node, Node], int]) -> dict[int, list[Ring]]:
    """Drops the edges between pieces of one owner and walks round what is left."""
    kept = {edge: owner for edge, owner in owners.items() if owners[edge[1], edge[0]] != owner and owner != NOBODY}
    leaving: dict[tuple[Node, int], list[Node]] = {}
    for (a, b), owner in kept.items():
        leaving.setdefault((a, owner), []).append(b)
    after: dict[tuple[Node, Node], Node] = {}
    for (a, b), owner in kept.items():
        out = leaving[b, owner]
        after[a, b] = out[0] if len(out) == 1 else sharpest(a, b, out)
    result: dict[int, list[Ring]] = {}
    for cycle in cycles_of(after):
        result.setdefault(kept[cycle[0], cycle[1]], []).append([point(n) for n in cycle])
    return result


def sharpest(a: Node, b: Node, out: list[Node]) -> Node:
    """Where a walk from a over b goes on when several edges leave b: the one that keeps closest to the right."""
    back = atan2(a[1] - b[1], a[0] - b[0])
    return max(out, key=lambda c: (atan2(c[1] - b[1], c[0] - b[0]) - back) % 6.283185307179586)
