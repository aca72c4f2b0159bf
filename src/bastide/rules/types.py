"""Decides which tile types there are. Two tiles differ only if something in play differs."""
# interpreted: runs once, when rules are compiled

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches

from bastide.errors import EngineLimit, ModuleError, OptionError
from bastide.geometry import SIDES, rotate_half, rotate_side
from bastide.kernel.offsets import SEGMENTS
from bastide.rules.layout import Layout
from bastide.rules.spec import TILE_COUNTS
from bastide.tiles.model import Segment, Tile

SHOWN = 24  # most tiles that a refusal names
OUT = ""  # the pile of squares that lie from the start and are never drawn


@dataclass(frozen=True)
class Type:
    """A tile type in play: its pile, and how many of it are drawn."""

    tile: Tile
    pile: str
    drawn: int


@dataclass
class Types:
    """All types, pile after pile, and where each tile of the catalogue went."""

    types: list[Type]
    number: dict[str, int]  # catalogue id -> type
    place: dict[str, dict[int, int]]  # catalogue id -> segment there -> segment in the type


def settle(layout: Layout) -> Types:
    """Drops what is not in play, adds the segments of modules, makes one type of equal tiles, and sorts by piles."""
    listed = list(layout.tiles)
    for change in layout.alterations:
        listed = change(listed)
    listed += [(square.tile, OUT) for big in layout.big for square in big.squares]
    piles = [*layout.piles, *layout.side_piles, OUT]
    listed.sort(key=lambda entry: piles.index(entry[1]))
    settled = Types([], {}, {})
    seen: dict[tuple[str, str], int] = {}
    for raw, pile in listed:
        tile, settled.place[raw.id] = in_play(raw, layout)
        drawn = 0 if pile == OUT else raw.count - raw.start
        key = pile, face(tile) if pile != OUT else raw.id  # squares of a big tile are parts of one picture
        if raw.id in settled.number:
            raise ModuleError(f"two tiles in play have the id {raw.id!r}")
        if key in seen:
            at = seen[key]
            twin = settled.types[at]
            alike = dict(zip(sorted_segments(tile), sorted_segments(twin.tile), strict=True))
            settled.place[raw.id] = {old: alike[new] for old, new in settled.place[raw.id].items()}
            merged = replace(twin.tile, count=twin.tile.count + raw.count, start=twin.tile.start or raw.start)
            settled.types[at] = Type(merged, pile, twin.drawn + drawn)
        else:
            at = seen[key] = len(settled.types)
            settled.types.append(Type(tile, pile, drawn))
        settled.number[raw.id] = at
    apply_tile_counts(settled, layout.tile_counts)
    return settled


def apply_tile_counts(settled: Types, counts: Mapping[str, int]) -> None:
    """HOUSE-5: some types in other numbers; one that lies at the start is not counted."""
    named = {t.tile.id: number for number, t in enumerate(settled.types) if t.pile != OUT}
    for name, count in counts.items():
        if name not in named:
            some = list(named) if len(named) <= SHOWN else get_close_matches(name, named, SHOWN, cutoff=0)
            which = "there are" if len(named) <= SHOWN else "some are"
            raise OptionError(f"option {TILE_COUNTS}: no tile {name!r} is drawn; {which} {', '.join(some)}")
        old = settled.types[named[name]]
        settled.types[named[name]] = Type(replace(old.tile, count=count + old.tile.start), old.pile, count)


def in_play(tile: Tile, layout: Layout) -> tuple[Tile, dict[int, int]]:
    """The tile with what is in play only, and where its segments went. Segments that can close come first."""
    found = list(tile.segments) + [s for grower in layout.growers for s in grower(tile)]
    off = {kind for element in layout.off for kind in element.kinds}
    kept = [i for i, s in enumerate(found) if s.kind in layout.kinds and s.kind not in off]
    kept.sort(key=lambda i: not layout.kinds[found[i].kind].closes)
    if len(kept) > SEGMENTS:
        raise EngineLimit(f"tile {tile.id}: at most {SEGMENTS} segments, got {len(kept)}")
    place = {old: new for new, old in enumerate(kept)}
    segments = tuple(known(found[i], place, layout) for i in kept)
    marks = {name: tile.marks[name] for name in sorted(layout.tile_marks) if name in tile.marks}
    marks = {name: mark for name, mark in marks.items() if not is_off(name, mark, layout)}
    return replace(tile, segments=segments, marks=marks), place


def face(tile: Tile) -> str:
    """Everything that distinguishes a type, independent of the order of segments in its box."""
    return repr(([segment_face(tile, i) for i in sorted_segments(tile)], tile.marks))


def sorted_segments(tile: Tile) -> list[int]:
    """The segments in an order that depends only on their content."""
    return sorted(range(len(tile.segments)), key=lambda i: segment_face(tile, i))


def segment_face(tile: Tile, index: int) -> str:
    """Everything about one segment. The segments that it touches are given by content, not by number."""

    def itself(segment: Segment) -> tuple[object, ...]:
        return segment.kind, segment.sides, segment.halves, sorted(segment.marks.items()), segment.layer

    segment = tile.segments[index]
    return repr((itself(segment), sorted(repr(itself(tile.segments[i])) for i in segment.touches)))


def is_off(name: str, mark: object, layout: Layout) -> bool:
    """HOUSE-6: does a mark mean nothing, because its element is switched off?"""
    kind = mark.get("kind", "") if isinstance(mark, dict) else ""
    return any(name in element.marks and element.shows in ("", kind) for element in layout.off)


def known(segment: Segment, place: dict[int, int], layout: Layout) -> Segment:
    """The segment with the marks that some attribute starts from."""
    kind = layout.kinds[segment.kind]
    used = {*kind.slots.values(), *kind.flags.values()}
    touches = tuple(sorted(place[i] for i in segment.touches if i in place))
    marks = {name: mark for name, mark in segment.marks.items() if name in used and not is_off(name, mark, layout)}
    return replace(segment, touches=touches, marks=marks)


def appearance(tile: Tile, rotation: int) -> frozenset[object]:
    """Equal for rotations of a tile that look the same."""
    shown: list[object] = [
        (
            s.kind,
            tuple(sorted(s.marks.items())),
            frozenset(rotate_side(x, rotation) for x in s.sides),
            frozenset(rotate_half(x, rotation) for x in s.halves),
        )
        for s in tile.segments
    ]
    for name, mark in tile.marks.items():
        if isinstance(mark, dict) and "points_to" in mark:
            shown.append((name, rotate_side(SIDES.index(mark["points_to"]), rotation)))
    return frozenset(shown)
