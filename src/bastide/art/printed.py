"""Tiles as they are printed. The rules drop what is not in play; a drawing needs it."""

from __future__ import annotations

from dataclasses import replace

from bastide.homes import per_modules
from bastide.tiles.catalogue import boxes
from bastide.tiles.model import BigTile, Segment, Square, Tile


@per_modules
def catalogue() -> dict[str, Tile]:
    """All tiles and squares of big tiles, by name."""
    tiles = [tile for box in boxes().values() for tile in box.tiles]
    return {tile.id: tile for tile in tiles} | {name: square.tile for name, (_, square) in squares().items()}


@per_modules
def squares() -> dict[str, tuple[BigTile, Square]]:
    """Squares of big tiles by name."""
    return {square.tile.id: (big, square) for box in boxes().values() for big in box.big for square in big.squares}


def printed(tile: Tile) -> Tile:
    """A tile in play as it is printed.

    Inner places that are not in play (a garden without its abbot) are left out; segments and marks that the rules
    added are kept. A copy that the rules tell apart has the name of its tile and a dot before its own: `N.w1`.
    """
    whole = catalogue().get(tile.id) or catalogue().get(tile.id.rpartition(".")[0])
    if whole is None or whole is tile:
        return tile
    in_play = [tile.spot(index) for index in range(len(tile.segments))]
    names = [whole.spot(index) for index in range(len(whole.segments))]
    kept = [i for i, s in enumerate(whole.segments) if s.sides or s.halves or s.kind in kinds(tile) or bounds(whole, i)]
    place = {old: new for new, old in enumerate(kept)}
    segments = [renumbered(whole.segments[old], place) for old in kept]
    added = [s for s, name in zip(tile.segments, in_play, strict=True) if name not in names]
    back = {i: place[names.index(name)] for i, name in enumerate(in_play) if name in names}
    segments += [renumbered(segment, back) for segment in added]
    marks = {**whole.marks, **tile.marks}
    for name in ("meets", "bridge", "tunnel"):
        if name in marks:
            marks[name] = [[place[i] for i in group] for group in marks[name]]
    if "tips" in marks:
        marks["tips"] = [[place[i], tip] for i, tip in marks["tips"]]
    return replace(tile, segments=tuple(segments), marks=marks)


def kinds(tile: Tile) -> set[str]:
    """The kinds of segments on a tile."""
    return {segment.kind for segment in tile.segments}


def bounds(tile: Tile, index: int) -> bool:
    """Whether a segment without a rim parts the land all the same: it is ground, or something meets it."""
    meets = [i for group in tile.marks.get("meets", ()) for i in group]
    touched = [i for segment in tile.segments if segment.sides for i in segment.touches]
    ground = any(s.halves and s.kind == tile.segments[index].kind for s in tile.segments)
    return ground or bool(tile.segments[index].touches) or index in meets or index in touched


def renumbered(segment: Segment, place: dict[int, int]) -> Segment:
    """A segment whose neighbours have other numbers."""
    return replace(segment, touches=tuple(place[i] for i in segment.touches if i in place))
