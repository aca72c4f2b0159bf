"""The tile catalogue read into plain objects: only what is printed and in play, nothing about rules.

Sides are numbered clockwise from north (N 0, E 1, S 2, W 3), half sides too (NL 0, NR 1, EL 2 ... WR 7). A turn is a
number of quarter turns clockwise.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

SIDES = ("N", "E", "S", "W")
HALVES = ("NL", "NR", "EL", "ER", "SL", "SR", "WL", "WR")

MODULES = Path(__file__).resolve().parents[2] / "src" / "bastide" / "modules"
FOLDERS = [MODULES]  # where boxes are; those of plug-ins may be added

# Which modules make a printed mark mean something. Marks not named here are notes for the reader.
SEGMENT_MARKS: dict[str, set[str]] = {
    "shields": {"base"},
    "inn": {"inns_and_cathedrals"},
    "cathedral": {"inns_and_cathedrals"},
    "wine": {"traders_and_builders"},
    "grain": {"traders_and_builders", "over_hill_and_dale"},
    "cloth": {"traders_and_builders"},
    "sheep": {"hills_and_sheep"},
    "source": {"river", "hunters_and_gatherers"},
    "mouth": {"river"},
}
HUNTERS_MARKS = ("nuggets", "mushrooms", "fish", "fire", "shrine", "deer", "mammoth", "aurochs", "tiger")
DALE_MARKS = ("apple", "strawberry", "pumpkin", "sunflower", "scarecrow")
SEGMENT_MARKS |= {name: {"hunters_and_gatherers"} for name in HUNTERS_MARKS}
SEGMENT_MARKS |= {name: {"over_hill_and_dale"} for name in DALE_MARKS}
TILE_MARKS: dict[str, set[str]] = {
    "hill": {"hills_and_sheep"},
    "vineyard": {"hills_and_sheep"},
    "wheel": {"wheel_of_fortune"},
    "symbol": {"anniversary"},
    "arrow": {"anniversary"},
    "animals": {"over_hill_and_dale"},
}
NUMBERS = ["shields", "inn", "cathedral", "nuggets", "mushrooms", "fish", "fire", "shrine", "source"]
PRINTED = ["hill", "vineyard", "wheel", "animals"]  # marks of whole tiles that are read as they are
SEGMENT_KINDS = {"garden": "abbot"}  # ABBOT-8: gardens exist exactly when the abbot is in play


def without(name: str) -> str:
    """HOUSE-6: beside the modules in play stands what a house rule has switched off: marks, symbols, kinds of land."""
    return f"without {name}"


@dataclass(frozen=True)
class Segment:
    """One piece of city, road, field, river ... on a tile, as printed (not turned)."""

    kind: str
    sides: frozenset[int] = frozenset()
    halves: frozenset[int] = frozenset()
    touches: tuple[int, ...] = ()  # of the same tile: cities that a field borders on, the lake in which a river ends
    marks: tuple[tuple[str, int], ...] = ()

    @cached_property
    def reaches(self) -> frozenset[int]:
        """The sides it reaches, wholly or by half."""
        return self.sides | {half // 2 for half in self.halves}

    def mark(self, name: str) -> int:
        """How often a mark is printed on this segment."""
        return dict(self.marks).get(name, 0)

    def turned(self, turn: int) -> Segment:
        """The same segment after so many quarter turns clockwise."""
        return replace(
            self,
            sides=frozenset((side + turn) % 4 for side in self.sides),
            halves=frozenset((half + 2 * turn) % 8 for half in self.halves),
        )


@dataclass(frozen=True)
class Tile:
    """One tile type. `marks` are printed on the tile as a whole; `arrow` is the side a symbol points to."""

    name: str
    segments: tuple[Segment, ...]
    marks: tuple[tuple[str, Any], ...] = ()

    def mark(self, name: str) -> Any:
        """The value of a mark of the whole tile, None when it is not there."""
        return dict(self.marks).get(name)

    @cached_property
    def ways(self) -> tuple[Tile, ...]:
        """The tile turned by none to three quarters clockwise."""

        def marks(turn: int) -> tuple[tuple[str, Any], ...]:
            return tuple((name, (value + turn) % 4 if name == "arrow" else value) for name, value in self.marks)

        return tuple(
            replace(self, segments=tuple(segment.turned(turn) for segment in self.segments), marks=marks(turn))
            for turn in range(4)
        )

    def turned(self, turn: int) -> Tile:
        """The same tile after so many quarter turns clockwise."""
        return self.ways[turn]

    def look(self) -> tuple[Any, ...]:
        """What the eye sees: every segment with kind, marks and rim, and the marks of the tile."""
        parts = sorted((s.kind, s.marks, sorted(s.sides), sorted(s.halves)) for s in self.segments)
        return (*parts, self.marks)

    @cached_property
    def face(self) -> tuple[Any, ...]:
        """Everything in play of it, in whatever order the file lists its segments: copies of one type have the same."""

        def rim(segment: Segment) -> tuple[Any, ...]:
            return segment.kind, sorted(segment.sides), sorted(segment.halves)

        parts = sorted((*rim(s), s.marks, sorted(rim(self.segments[i]) for i in s.touches)) for s in self.segments)
        return (*parts, self.marks)

    @cached_property
    def turns(self) -> list[int]:
        """The turns that can be told apart: of turns that look alike only the first."""
        seen: list[tuple[Any, ...]] = []
        different = []
        for turn in range(4):
            look = self.turned(turn).look()
            if look not in seen:
                seen.append(look)
                different.append(turn)
        return different

    @cached_property
    def spots(self) -> list[str]:
        """The names of its segments as the tile lies: kind and the first side or half side each one reaches."""
        return [self.spot(index) for index in range(len(self.segments))]

    def spot(self, index: int) -> str:
        """The name of one segment."""
        segment = self.segments[index]
        if segment.sides:
            return f"{segment.kind} {SIDES[min(segment.sides)]}"
        if segment.halves:
            return f"{segment.kind} {HALVES[min(segment.halves)]}"
        alike = [i for i, s in enumerate(self.segments) if s.kind == segment.kind and not s.sides and not s.halves]
        return segment.kind if len(alike) == 1 else f"{segment.kind} {alike.index(index) + 1}"

    @cached_property
    def edges(self) -> list[str]:
        """What its four sides show."""
        return [self.edge(side) for side in range(4)]

    def edge(self, side: int) -> str:
        """What a side shows to its neighbour: city, road, river or field (BASE-7), and so on in the other games."""
        whole = [s.kind for s in self.segments if side in s.sides]
        if whole:
            return whole[0]
        kinds = {s.kind for s in self.segments if s.halves & {2 * side, 2 * side + 1}}
        assert len(kinds) <= 1, f"{self.name} side {SIDES[side]}: {kinds}"
        return kinds.pop() if kinds else "inside a big tile"


@cache
def box(name: str) -> dict[str, Any]:
    """The JSON file of one box, found by its `set` name."""
    for path in sorted(path for folder in FOLDERS for path in folder.glob("*/tiles*.json")):
        data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if data["set"] == name:
            return data
    raise FileNotFoundError(f"no tile file of the box {name!r} under {FOLDERS}")


def read_segment(entry: dict[str, Any], sheep: int, modules: tuple[str, ...]) -> Segment:
    """One segment of the file with the marks that are in play; `sheep` are those printed in it."""
    marks = Counter({name: int(entry.get(name, 0)) for name in NUMBERS})
    marks.update(entry.get("goods", []))
    marks.update(entry.get("crops", []))
    marks.update(entry.get("animals", {}))
    marks.update({"sheep": sheep, "mouth": int(entry.get("lake", 0))})
    return Segment(
        kind=entry["kind"],
        sides=frozenset(SIDES.index(side) for side in entry.get("sides", [])),
        halves=frozenset(HALVES.index(half) for half in entry.get("halves", [])),
        touches=tuple(entry.get("touches", [])),
        marks=tuple(
            sorted(
                (n, v) for n, v in marks.items() if v and SEGMENT_MARKS[n] & set(modules) and without(n) not in modules
            )
        ),
    )


def read_tile(entry: dict[str, Any], modules: tuple[str, ...]) -> Tile:
    """One tile of the file with what is in play of it."""
    printed = entry.get("marks", {})
    marks: dict[str, Any] = {name: printed[name] for name in PRINTED if name in printed}
    marks = {name: mark for name, mark in marks.items() if without(name) not in modules}
    if "symbol" in printed and without(printed["symbol"]["kind"]) not in modules:
        marks["symbol"] = printed["symbol"]["kind"]
        marks["arrow"] = SIDES.index(printed["symbol"]["points_to"])
    kept: dict[int, int] = {}  # index in the file -> index among the segments in play
    segments: list[Segment] = []
    for index, part in enumerate(entry["segments"]):
        if SEGMENT_KINDS.get(part["kind"], modules[0]) in modules and without(part["kind"]) not in modules:
            sheep = printed.get("sheep", 0) if printed.get("sheep_field") == index else 0
            kept[index] = len(segments)
            segments.append(read_segment(part, sheep, modules))
    return Tile(
        name=entry["id"],
        segments=tuple(replace(s, touches=tuple(kept[i] for i in s.touches if i in kept)) for s in segments),
        marks=tuple(sorted((n, v) for n, v in marks.items() if v is not False and TILE_MARKS[n] & set(modules))),
    )


@cache
def read_box(name: str, modules: tuple[str, ...]) -> list[tuple[Tile, int]]:
    """The tiles of a box with their numbers, without a big start tile (see read_big)."""
    entries = [entry for entry in box(name)["tiles"] if "squares" not in entry]
    return [(read_tile(entry, modules), entry["count"]) for entry in entries]


@dataclass
class BigTile:
    """A start tile of several squares, each of which counts as a tile (RIVER-7, WHEEL-1)."""

    squares: dict[tuple[int, int], Tile]  # by column and row
    same: list[list[tuple[tuple[int, int], int]]]  # segments that are one area across the squares
    touching: list[tuple[tuple[tuple[int, int], int], tuple[tuple[int, int], int]]]  # field and city that touch


@cache
def read_big(name: str, modules: tuple[str, ...]) -> BigTile:
    """The big tile of a box; its file writes sides and halves as `square.side`."""
    (entry,) = (entry for entry in box(name)["tiles"] if "squares" in entry)
    cells: dict[str, tuple[int, int]] = {square: (x, y) for square, (x, y) in entry["squares"].items()}
    parts: dict[tuple[int, int], list[Segment]] = {cell: [] for cell in cells.values()}
    same = []
    for whole in entry["segments"]:
        spots = []
        for square, cell in cells.items():
            here = {
                rim: [place.split(".")[1] for place in whole.get(rim, []) if place.split(".")[0] == square]
                for rim in ("sides", "halves")
            }
            if any(here.values()) or square in whole.get("squares", []):
                spots.append((cell, len(parts[cell])))
                parts[cell].append(read_segment({**whole, **here, "touches": []}, 0, modules))
        same.append(spots)
    return BigTile(
        squares={cell: Tile(entry["id"], tuple(segments)) for cell, segments in parts.items()},
        same=same,
        touching=[
            (same[i][0], same[city][0])
            for i, whole in enumerate(entry["segments"])
            for city in whole.get("touches", [])
        ],
    )
