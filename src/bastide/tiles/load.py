"""Reads a box of tiles from its JSON file. What README.md in this folder does not allow is refused, never repaired."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from bastide.geometry import SIDES
from bastide.tiles.check import SHAPES, TIPS, Drawing, Kind, check_count, check_drawing
from bastide.tiles.model import BigTile, Box, Segment, Square, Tile
from bastide.tiles.read import Origin, is_number

CERTAINTIES: Final = ("exact", "inferred", "chosen", "open")  # all but the first make a tile a reconstruction

# The names that must stand in an object, and those that may.
BOX_KEYS: Final = (
    {"set", "title", "count", "confidence", "sources", "kinds", "tiles"},
    {"certainty", "marks", "tokens", "extra"},
)
KIND_KEYS: Final = ({"shape"}, {"facts", "touches"})
TILE_KEYS: Final = (
    {"id", "count", "segments"},
    {"start", "certainty", "marks", "ref", "meets", "bridge", "tunnel", "tips", "split_side"},
)
BIG_KEYS: Final = ({"id", "segments", "squares"}, {"start", "certainty", "marks", "ref", "meets", "bridge"})
RIM_KEYS: Final = {"area": {"sides", "halves"}, "line": {"sides"}, "ground": {"halves"}, "inner": set[str]()}
LAYOUT: Final = ("meets", "bridge", "tunnel", "tips", "split_side")  # how the segments lie; kept among the tile's marks

# What a fact of a segment or a mark of a tile is declared as, unless by a list of words; `size`: segments of the tile.
TYPES: Final[Mapping[str, Callable[[Any, int], bool]]] = {
    "flag": lambda value, size: value is True,
    "number": lambda value, size: is_number(value) and value > 0,
    "segment": lambda value, size: is_number(value) and 0 <= value < size,
    "text": lambda value, size: isinstance(value, str),
    "object": lambda value, size: isinstance(value, dict),
}
FACTS: Final = ("flag", "number")
Declared = str | list[str]

Cells = Mapping[str, tuple[int, int]]
Joins = tuple[tuple[tuple[int, int], tuple[int, int]], ...]


def load_box(path: Path) -> Box:
    """The box in a file, checked. Raises TileError, which names file, tile and field."""
    origin = Origin(f"{path.parent.name}/{path.name}")
    raw = origin.object("box", origin.json(path), *BOX_KEYS)
    reader = TileReader(origin, raw)
    entries = origin.list("tiles", raw["tiles"])
    tiles = [reader.read(f"tiles[{number}]", entry) for number, entry in enumerate(entries)]
    for number, tile in enumerate(tiles):
        if tile.id in {other.id for other in tiles[:number]}:
            raise Origin(origin.file, tile.id).error("id", "a name of its own", f"{tile.id!r} again")
    tokens = origin.object("tokens", raw.get("tokens", {}))
    box = Box(
        name=origin.text("set", raw["set"]),
        title=origin.text("title", raw["title"]),
        confidence=origin.text("confidence", raw["confidence"]),
        sources=tuple(origin.text("sources", source) for source in origin.list("sources", raw["sources"])),
        tiles=tuple(tile for tile in tiles if isinstance(tile, Tile)),
        big=tuple(tile for tile in tiles if isinstance(tile, BigTile)),
        tokens={name: origin.count(f"tokens.{name}", number) for name, number in tokens.items()},
        extra={
            **origin.object("extra", raw.get("extra", {})),
            "refs": {entry["id"]: entry["ref"] for entry in entries if "ref" in entry},
            "shapes": {name: kind.shape for name, kind in reader.kinds.items()},
        },
    )
    check_count(origin, box, origin.count("count", raw["count"]))
    return box


class TileReader:
    """Reads the tiles of a box by what it declares: its kinds of segments, its marks, how certain it is."""

    def __init__(self, origin: Origin, box: Mapping[str, Any]) -> None:
        self.origin = origin
        kinds = origin.object("kinds", box["kinds"])
        self.kinds = {name: read_kind(origin, f"kinds.{name}", value, kinds) for name, value in kinds.items()}
        marks = origin.object("marks", box.get("marks", {}))
        self.marks = {name: read_declared(origin, f"marks.{name}", value, TYPES) for name, value in marks.items()}
        self.marks["note"] = "text"
        self.certainty = origin.word("certainty", box.get("certainty", "exact"), CERTAINTIES)

    def read(self, field: str, value: Any) -> Tile | BigTile:
        """A tile, or a big tile when it has squares."""
        big = isinstance(value, dict) and "squares" in value
        raw = self.origin.object(field, value, *(BIG_KEYS if big else TILE_KEYS))
        name = self.origin.text(f"{field}.id", raw["id"])
        origin = Origin(self.origin.file, name)
        squares = read_squares(origin, raw["squares"]) if big else {"": (0, 0)}
        drawing = self.drawing(origin, raw, rim_of(squares))
        check_drawing(drawing)
        marks = self.tile_marks(origin, raw.get("marks", {}), len(drawing.segments))
        marks.update({key: raw[key] for key in LAYOUT if key in raw})
        for system, ref in origin.object("ref", raw.get("ref", {})).items():
            origin.text(f"ref.{system}", ref)
        start = origin.flag("start", raw.get("start", False))
        certainty = origin.word("certainty", raw.get("certainty", self.certainty), CERTAINTIES)
        reconstructed = certainty != CERTAINTIES[0]
        if not big:
            count = origin.count("count", raw["count"])
            return Tile(name, count, drawing.segments, start, marks, reconstructed)
        parts, joins = cut(drawing, squares, raw["segments"])
        cells = [
            Square(x, y, Tile(f"{name}.{square}", 1, parts[square], start, {}, reconstructed))
            for square, (x, y) in squares.items()
        ]
        return BigTile(name, tuple(cells), joins, marks, reconstructed)

    def drawing(self, origin: Origin, raw: Mapping[str, Any], rim: Sequence[tuple[str, int]]) -> Drawing:
        """The segments on the rim, with what the tile declares about them."""
        sides = tuple(f"{square}.{SIDES[side]}" if square else SIDES[side] for square, side in rim)
        entries = origin.list("segments", raw["segments"])
        size = len(entries)
        meets = origin.list("meets", raw.get("meets", []))
        bridge = origin.list("bridge", raw.get("bridge", []))
        tunnel = origin.list("tunnel", raw.get("tunnel", []))
        tips = origin.list("tips", raw.get("tips", []))
        split = origin.word("split_side", raw["split_side"], SIDES) if "split_side" in raw else None
        return Drawing(
            origin,
            sides,
            self.kinds,
            tuple(self.segment(origin, f"segments[{i}]", entry, sides, size) for i, entry in enumerate(entries)),
            meets=tuple(origin.indexes("meets", group, size) for group in meets),
            bridge=tuple(read_pair(origin, "bridge", pair, size) for pair in bridge),
            tunnel=tuple(read_pair(origin, "tunnel", pair, size) for pair in tunnel),
            tips=tuple(read_tip(origin, tip, size) for tip in tips),
            split=None if split is None else SIDES.index(split),
        )

    def segment(self, origin: Origin, field: str, value: Any, sides: Sequence[str], size: int) -> Segment:
        """One segment of a tile that has `size` of them."""
        name = origin.word(f"{field}.kind", origin.object(field, value).get("kind"), self.kinds)
        kind = self.kinds[name]
        rim = RIM_KEYS[kind.shape]
        optional = {*kind.facts, *(["touches"] if kind.touches else []), *(["squares"] if len(sides) > 4 else [])}
        if kind.shape == "area":
            rim = {"halves"} if "halves" in value else {"sides"}
        raw = origin.object(field, value, {"kind", *rim}, optional)
        if raw.get("sides") == [] or (kind.shape == "area" and raw.get("halves") == []):
            raise origin.error(f"{field}.{min(rim)}", "a place on the rim", "none")
        marks: Counter[str] = Counter()
        for fact in sorted(kind.facts.keys() & raw.keys()):
            marks.update(read_fact(origin, f"{field}.{fact}", fact, raw[fact], kind.facts[fact]))
        return Segment(
            kind=name,
            sides=origin.places(f"{field}.sides", raw.get("sides", []), sides),
            halves=origin.places(
                f"{field}.halves", raw.get("halves", []), [side + half for side in sides for half in "LR"]
            ),
            touches=tuple(sorted(origin.indexes(f"{field}.touches", raw.get("touches", []), size))),
            marks=dict(marks),
        )

    def tile_marks(self, origin: Origin, value: Any, size: int) -> dict[str, Any]:
        """What is printed on the tile as a whole, as it stands in the file."""
        marks = origin.object("marks", value, (), self.marks)
        for name, mark in marks.items():
            declared = self.marks[name]
            if isinstance(declared, list):
                origin.word(f"marks.{name}", mark, declared)
            else:
                origin.typed(f"marks.{name}", mark, TYPES[declared](mark, size), f"a {declared}")
        return dict(marks)


def read_kind(origin: Origin, field: str, value: Any, kinds: Mapping[str, Any]) -> Kind:
    """What a box declares about a kind of segment."""
    raw = origin.object(field, value, *KIND_KEYS)
    facts = origin.object(f"{field}.facts", raw.get("facts", {}))
    touches = origin.list(f"{field}.touches", raw.get("touches", []))
    return Kind(
        shape=origin.word(f"{field}.shape", raw["shape"], SHAPES),
        facts={name: read_declared(origin, f"{field}.facts.{name}", fact, FACTS) for name, fact in facts.items()},
        touches=tuple(origin.word(f"{field}.touches", name, kinds) for name in touches),
    )


def read_declared(origin: Origin, field: str, value: Any, types: Mapping[str, Any] | Sequence[str]) -> Declared:
    """How a fact or mark is declared: by one of the types, or by the list of its words."""
    if isinstance(value, list):
        return [origin.text(field, word) for word in value]
    return origin.word(field, value, types)


def read_fact(origin: Origin, field: str, name: str, value: Any, declared: Declared) -> Mapping[str, int]:
    """A fact as counted marks: `true` is one, words count each, `{"deer": 2}` says how many."""
    if not isinstance(declared, list):
        origin.typed(field, value, TYPES[declared](value, 0), f"a {declared}")
        return {name: int(value)}
    if isinstance(value, dict):
        return {origin.word(field, word, declared): origin.count(f"{field}.{word}", n) for word, n in value.items()}
    return Counter(origin.word(field, word, declared) for word in origin.list(field, value))


def read_pair(origin: Origin, field: str, value: Any, size: int) -> tuple[int, int]:
    """A bridge: the segment that crosses over, and the one below. A tunnel: the line, and the area above it."""
    pair = origin.indexes(field, value, size)
    origin.typed(field, value, len(pair) == 2, "pairs of segments")
    return pair[0], pair[1]


def read_tip(origin: Origin, value: Any, size: int) -> tuple[int, int]:
    """A tip: a segment, and the corner or middle of a side that it reaches, as a point of the rim."""
    origin.typed("tips", value, len(origin.list("tips", value)) == 2, "pairs of a segment and a corner or side")
    (index,) = origin.indexes("tips", value[:1], size)
    return index, TIPS[origin.word("tips", value[1], TIPS)]


def read_squares(origin: Origin, value: Any) -> dict[str, tuple[int, int]]:
    """The squares of a big tile by name, with column and row; together they fill a rectangle."""
    squares: dict[str, tuple[int, int]] = {}
    for name, cell in origin.object("squares", value).items():
        pair = len(origin.list(f"squares.{name}", cell)) == 2 and all(is_number(n) and n >= 0 for n in cell)
        origin.typed(f"squares.{name}", cell, pair, "[column, row]")
        squares[name] = (cell[0], cell[1])
    cells = set(squares.values())
    full = (
        {(x, y) for x in range(1 + max(x for x, _ in cells)) for y in range(1 + max(y for _, y in cells))}
        if cells
        else set()
    )
    origin.typed(
        "squares", value, cells == full and len(cells) == len(squares) > 1, "a full rectangle of several squares"
    )
    return squares


def rim_of(squares: Cells) -> list[tuple[str, int]]:
    """The outer sides of a rectangle of squares, clockwise from the north-west corner."""
    names = {cell: name for name, cell in squares.items()}
    right, bottom = max(names)
    columns, rows = range(right + 1), range(bottom + 1)
    return [
        *((names[x, 0], 0) for x in columns),
        *((names[right, y], 1) for y in rows),
        *((names[x, bottom], 2) for x in reversed(columns)),
        *((names[0, y], 3) for y in reversed(rows)),
    ]


def cut(
    drawing: Drawing, squares: Cells, entries: Sequence[Mapping[str, Any]]
) -> tuple[dict[str, tuple[Segment, ...]], Joins]:
    """The segments of a big tile cut along its squares, and the joins that make their parts one again.

    A segment lies on the squares whose rim it reaches and on those that it names. Its marks stay with its first part,
    so that they count once.
    """
    rim = rim_of(squares)
    order = list(squares)
    lies: list[list[str]] = []  # per segment: its squares
    for index, (segment, entry) in enumerate(zip(drawing.segments, entries, strict=True)):
        further = drawing.origin.places(f"segments[{index}].squares", entry.get("squares", []), order)
        reached = {rim[side][0] for side in (*segment.sides, *(half // 2 for half in segment.halves))}
        lies.append([name for number, name in enumerate(order) if name in reached or number in further])
        if not lies[index]:
            raise drawing.origin.error(f"segments[{index}].squares", "the square it lies on", "none")
    for index, segment in enumerate(drawing.segments):
        for touched in segment.touches:
            if not set(lies[index]) & set(lies[touched]):
                expected = f"a square with {drawing.name(touched)}, which it touches"
                raise drawing.origin.error(f"segments[{index}].squares", expected, ", ".join(lies[index]))
    held = {name: [index for index, names in enumerate(lies) if name in names] for name in order}
    parts = {}
    for name in order:
        sides = {number: side for number, (square, side) in enumerate(rim) if square == name}
        parts[name] = tuple(
            Segment(
                kind=segment.kind,
                sides=tuple(sorted(sides[s] for s in segment.sides if s in sides)),
                halves=tuple(sorted(2 * sides[h // 2] + h % 2 for h in segment.halves if h // 2 in sides)),
                touches=tuple(held[name].index(t) for t in segment.touches if t in held[name]),
                marks=segment.marks if name == lies[index][0] else {},
            )
            for index in held[name]
            for segment in (drawing.segments[index],)
        )
    joins = tuple(
        ((order.index(one), held[one].index(index)), (order.index(other), held[other].index(index)))
        for index, names in enumerate(lies)
        for one, other in pairwise(names)
    )
    return parts, joins
