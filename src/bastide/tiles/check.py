"""Checks that the segments of a tile fit together: from where they leave the tile follows how they divide the ground.

The rim of a tile is a ring of points, four for each side: the corner before it, its left half, its middle, its right
half. Areas, lines and inner segments are obstacles; those that meet act as one. The ground falls into the pieces
that no obstacle parts: exactly these must be listed as fields, with exactly the neighbours that they border on.
Everything unusual (a tip of a city that reaches a corner, a bridge, two cities on one side) is declared in the data.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from bastide.errors import TileError
from bastide.tiles.model import Box, Segment
from bastide.tiles.read import Origin

SHAPES: Final = {
    "area": "covers whole sides (a city)",
    "line": "leaves the tile in the middle of a side, between two pieces of ground (a road)",
    "ground": "covers the half sides that are left (a field)",
    "inner": "reaches no side (a cloister)",
}
FREE: Final = -1  # a point of the rim where open ground lies

# What the tip of an area can reach, as points of the rim of a single square.
TIPS: Final = {name: 2 * i for i, name in enumerate(("NW", "N", "NE", "E", "SE", "S", "SW", "W"))}


@dataclass(frozen=True)
class Kind:
    """What a box declares about a kind of segment: its shape, the facts it can carry, the kinds it can touch."""

    shape: str
    facts: Mapping[str, str | list[str]]
    touches: tuple[str, ...] = ()


@dataclass(frozen=True)
class Drawing:
    """The segments of a tile on its rim, whose sides are named clockwise, and what is declared about their contacts."""

    origin: Origin
    sides: tuple[str, ...]
    kinds: Mapping[str, Kind]
    segments: tuple[Segment, ...]
    meets: tuple[tuple[int, ...], ...] = ()  # segments that meet somewhere on the tile
    bridge: tuple[tuple[int, int], ...] = ()  # the first crosses over the second
    tunnel: tuple[tuple[int, int], ...] = ()  # the first, a line, passes below the second, an area
    tips: tuple[tuple[int, int], ...] = ()  # area, and the point of the rim that its tip reaches
    split: int | None = None  # the side that two areas share

    def error(self, field: str, expected: str, got: object) -> TileError:
        """The error to raise when `field` of this tile holds something else than expected."""
        return self.origin.error(field, expected, got)

    def shape(self, index: int) -> str:
        """The shape of a segment."""
        return self.kinds[self.segments[index].kind].shape

    def halves(self, index: int) -> list[int]:
        """All half sides that a segment covers."""
        segment = self.segments[index]
        whole = segment.sides if self.shape(index) == "area" else ()
        return [half for side in whole for half in (2 * side, 2 * side + 1)] + list(segment.halves)

    def half_name(self, half: int) -> str:
        """A half side in words: `NL`."""
        return self.sides[half // 2] + "LR"[half % 2]

    def half_names(self, halves: Iterable[int]) -> str:
        """Half sides in words, clockwise."""
        return " ".join(self.half_name(h) for h in sorted(halves)) or "no half side"

    def name(self, index: int) -> str:
        """A segment in words, by its first place on the rim: `city N`."""
        segment = self.segments[index]
        places = [self.sides[s] for s in segment.sides[:1]] or [self.half_name(h) for h in segment.halves[:1]]
        return " ".join([segment.kind, *places])

    def names(self, indexes: Iterable[int]) -> str:
        """Segments in words: `city N and road S`."""
        return " and ".join(self.name(i) for i in sorted(indexes)) or "nothing"


def check_drawing(drawing: Drawing) -> None:
    """Refuse a tile whose segments cannot lie as they are listed."""
    check_declared(drawing)
    cover = check_cover(drawing)
    check_sides(drawing, cover)
    rim = rim_of(drawing, cover)
    links = links_of(drawing)
    check_crossings(drawing, rim, links)
    check_ground(drawing, rim, links)


def check_declared(drawing: Drawing) -> None:
    """Contacts are declared between segments that can have them."""
    for index, segment in enumerate(drawing.segments):
        kinds = drawing.kinds[segment.kind].touches
        wrong = [i for i in segment.touches if drawing.segments[i].kind not in kinds]
        if wrong:
            expected = f"a segment of kind {' or '.join(kinds)}"
            raise drawing.error(f"segments[{index}].touches", expected, drawing.names(wrong))
    for field, can, expected, groups in (
        ("meets", ("area", "line", "inner"), "segments that part the ground", drawing.meets),
        ("bridge", ("line",), "two lines", drawing.bridge),
        ("tunnel", ("line",), "a line and the area above it", [(line,) for line, _ in drawing.tunnel]),
        ("tunnel", ("area",), "a line and the area above it", [(area,) for _, area in drawing.tunnel]),
        ("tips", ("area",), "the tip of an area", [(index,) for index, _ in drawing.tips]),
    ):
        wrong = [index for group in groups for index in group if drawing.shape(index) not in can]
        if wrong:
            raise drawing.error(field, expected, drawing.names(wrong))


def check_cover(drawing: Drawing) -> list[int]:
    """Every half side is covered exactly once: the segment that covers it, for each."""
    cover: list[int] = [FREE] * (2 * len(drawing.sides))
    for index in range(len(drawing.segments)):
        for half in drawing.halves(index):
            if cover[half] != FREE:
                field = f"segments[{index}].{'halves' if half in drawing.segments[index].halves else 'sides'}"
                both = drawing.names((cover[half], index))
                raise drawing.error(field, f"one segment on {drawing.half_name(half)}", both)
            cover[half] = index
    bare = [half for half, index in enumerate(cover) if index == FREE]
    if bare:
        raise drawing.error("segments", f"a segment on {drawing.half_names(bare)}", "none")
    return cover


def check_sides(drawing: Drawing, cover: Sequence[int]) -> None:
    """A side shows one thing: an area, open ground, or ground with one line in its middle."""
    lines: dict[int, int] = {}
    for index, segment in enumerate(drawing.segments):
        for side in segment.sides if drawing.shape(index) == "line" else ():
            if side in lines:
                two = drawing.names((lines[side], index))
                raise drawing.error(f"segments[{index}].sides", f"one line on side {drawing.sides[side]}", two)
            lines[side] = index
    for side, name in enumerate(drawing.sides):
        left, right = cover[2 * side], cover[2 * side + 1]
        split = left != right and drawing.shape(left) == drawing.shape(right) == "area"
        if drawing.segments[left].kind != drawing.segments[right].kind:
            raise drawing.error("segments", f"one kind on both halves of side {name}", drawing.names((left, right)))
        if side in lines and drawing.shape(left) != "ground":
            raise drawing.error(
                f"segments[{lines[side]}].sides",
                f"open ground left and right of the line on side {name}",
                drawing.name(left),
            )
        if split != (side == drawing.split):
            got = f"{drawing.names({left, right})} on side {name}"
            raise drawing.error("split_side", name if split else "a side with two areas", got)


def rim_of(drawing: Drawing, cover: Sequence[int]) -> list[int]:
    """For every point of the rim the obstacle that lies there, or FREE: ground goes round the mouth of a tunnel."""
    rim = [FREE] * (4 * len(drawing.sides))
    below = {line for line, _ in drawing.tunnel}
    for half, index in enumerate(cover):
        if drawing.shape(index) == "area":
            rim[2 * half + 1] = index
            if cover[half - 1] == index:  # it goes on across the middle of the side, or round the corner
                rim[2 * half] = index
    for index, segment in enumerate(drawing.segments):
        if drawing.shape(index) == "line" and index not in below:
            for side in segment.sides:
                rim[4 * side + 2] = index
    for index, point in drawing.tips:
        if rim[point] != FREE:
            raise drawing.error("tips", "a tip between open ground", f"one where {drawing.name(rim[point])} lies")
        rim[point] = index
    return rim


def links_of(drawing: Drawing) -> list[set[int]]:
    """For every segment the obstacles that it meets: nothing passes between them, nor under a bridge."""
    links: list[set[int]] = [set() for _ in drawing.segments]
    ends = [  # a river that touches a lake ends in it
        (index, touched)
        for index, segment in enumerate(drawing.segments)
        for touched in segment.touches
        if drawing.shape(index) != "ground"
    ]
    for group in (*drawing.meets, *drawing.bridge, *ends):
        for one, other in combinations(group, 2):
            links[one].add(other)
            links[other].add(one)
    return links


def check_crossings(drawing: Drawing, rim: Sequence[int], links: Sequence[set[int]]) -> None:
    """On the plane two segments can cross on a declared bridge or in a declared tunnel only."""
    points = [[p for p, owner in enumerate(rim) if owner == index] for index in range(len(drawing.segments))]
    bridges = {frozenset(pair) for pair in drawing.bridge}
    for line, area in drawing.tunnel:
        if not crosses([4 * side + 2 for side in drawing.segments[line].sides], points[area]):
            raise drawing.error("tunnel", "a line that passes below the area", drawing.names((line, area)))
    for one, other in combinations(range(len(points)), 2):
        if crosses(points[one], points[other]) and frozenset((one, other)) not in bridges:
            names = drawing.names((one, other))
            raise drawing.error("bridge", f"[{one}, {other}] or segments that do not cross", f"{names}, which cross")
    for one_blob, other_blob in combinations(blobs_of(links), 2):
        one_rim = sorted(p for index in one_blob for p in points[index])
        other_rim = sorted(p for index in other_blob for p in points[index])
        if crosses(one_rim, other_rim):
            got = f"{drawing.names(one_blob)}, which meet, across {drawing.names(other_blob)}"
            raise drawing.error("bridge", "a bridge or segments that do not cross", got)


def crosses(one: Sequence[int], other: Sequence[int]) -> bool:
    """Whether the second lies on both sides of the first, given the points of the rim that they reach."""
    return bool(one) and len({bisect(one, p) % len(one) for p in other}) > 1


def blobs_of(links: Sequence[set[int]]) -> list[set[int]]:
    """Segments grouped with all they meet, directly or through others."""
    blobs: list[set[int]] = []
    for index in range(len(links)):
        if not any(index in blob for blob in blobs):
            blob, new = {index}, {index}
            while new:
                new = set().union(*(links[i] for i in new)) - blob
                blob |= new
            blobs.append(blob)
    return blobs


def check_ground(drawing: Drawing, rim: Sequence[int], links: Sequence[set[int]]) -> None:
    """The pieces of ground are those that the obstacles leave, and touch what they border on."""
    pieces = [({p // 2 for p in piece if p % 2}, shore_of(piece, rim, links)) for piece in pieces_of(rim, links)]
    for index, segment in enumerate(drawing.segments):
        kind = drawing.kinds[segment.kind]
        if kind.shape != "ground":
            continue
        borders = [
            (halves, tuple(i for i in sorted(shore) if drawing.segments[i].kind in kind.touches))
            for halves, shore in pieces
        ]
        if segment.halves:
            number = next(n for n, (halves, _) in enumerate(borders) if segment.halves[0] in halves)
        else:
            number = next((n for n, b in enumerate(borders) if b == (set(), segment.touches)), -1)
            if number < 0:
                raise drawing.error(
                    f"segments[{index}].halves",
                    f"a half side, or ground enclosed by {drawing.names(segment.touches)}",
                    "neither",
                )
        halves, touches = borders[number]
        if halves != set(segment.halves):
            expected = f"{drawing.half_names(halves)}, as the other segments part the ground"
            raise drawing.error(f"segments[{index}].halves", expected, drawing.half_names(segment.halves))
        if touches != segment.touches:
            expected = f"{list(touches)} ({drawing.names(touches)})"
            raise drawing.error(f"segments[{index}].touches", expected, list(segment.touches))
        del pieces[number]
    if pieces:
        raise drawing.error("segments", f"ground enclosed by {drawing.names(pieces[0][1])}", "none")


def pieces_of(rim: Sequence[int], links: Sequence[set[int]]) -> list[list[int]]:
    """The pieces of open ground, each as its points of the rim: no obstacle has points on both sides of two of them."""
    blobs = [[p for p, owner in enumerate(rim) if owner in blob] for blob in blobs_of(links)]
    pieces: dict[tuple[int, ...], list[int]] = {}
    for point, owner in enumerate(rim):
        if owner == FREE:
            arcs = tuple(bisect(blob, point) % len(blob) for blob in blobs if blob)
            pieces.setdefault(arcs, []).append(point)
    return list(pieces.values())


def shore_of(piece: Sequence[int], rim: Sequence[int], links: Sequence[set[int]]) -> set[int]:
    """The obstacles along a piece of ground: between two of its points runs the way from one obstacle to another."""
    shore: set[int] = set()
    for point, following in zip(piece, [*piece[1:], piece[0]], strict=True):
        first, last = rim[(point + 1) % len(rim)], rim[following - 1]
        if first != FREE:
            shore |= way(first, last, links)
    return shore


def way(start: int, end: int, links: Sequence[set[int]]) -> set[int]:
    """The segments on a shortest way between two that meet, perhaps through others, both included."""
    ways: dict[int, tuple[int, ...]] = {start: (start,)}
    new = [start]
    while end not in ways and new:
        index = new.pop(0)
        for other in sorted(links[index]):
            if other not in ways:
                ways[other] = (*ways[index], other)
                new.append(other)
    return {start, end, *ways.get(end, ())}


def check_count(origin: Origin, box: Box, count: int) -> None:
    """The tiles add up to the number that the box declares."""
    if box.count != count:
        raise origin.error("count", f"{count} tiles, as declared", f"{box.count} in the list")
