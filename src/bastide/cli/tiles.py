"""`bastide tiles`: the boxes, the tiles of a box, or one tile with its picture."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console
from rich.table import Column, Table

from bastide.art import write_sheet
from bastide.errors import TileError
from bastide.geometry import HALVES, SIDES
from bastide.tiles import BigTile, Box, Tile, box, boxes

WIDTH: Final = 17  # of a picture; both odd, so that a side has a middle
HEIGHT: Final = 9
RIM: Final = {  # where the picture names the segment that lies at a side or half side: column, row
    "N": (8, 0), "E": (16, 4), "S": (8, 8), "W": (0, 4),
    "NL": (4, 0), "NR": (12, 0), "EL": (16, 2), "ER": (16, 6), "SL": (12, 8), "SR": (4, 8), "WL": (0, 6), "WR": (0, 2),
}  # fmt: skip
BOX_HEADS: Final = ("box", "tiles", "certainty", "title")
TILE_HEADS: Final = ("tile", "count", "N E S W", "segments", "marks", "certainty")
DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
STROKES: Final = {"river": "~~~~"}  # a line upright, level, rising and falling; others:
STROKE: Final = "|=/\\"
TIP: Final = {"NW": (0, 0), "NE": (16, 0), "SE": (16, 8), "SW": (0, 8)} | {side: RIM[side] for side in SIDES}


@click.command(name="tiles")
@click.argument("box_name", metavar="[BOX]", required=False)
@click.argument("tile_id", metavar="[TILE]", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print it for programs.")
@click.option("--sheet", is_flag=True, help="Draw all tiles of BOX on one page; needs --output.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Where to write, .svg or .png.")
@click.option("--theme", default="day", show_default=True, help="Colours of the sheet.")
def command(
    box_name: str | None, tile_id: str | None, as_json: bool, sheet: bool, output: Path | None, theme: str
) -> None:
    """List the boxes of tiles, the tiles of BOX, or show one TILE.

    What is not known from the printed tiles, but inferred or chosen, is marked as reconstructed.
    """
    found = box(box_name) if box_name else None
    if sheet:
        if found is None or output is None:
            raise click.UsageError("--sheet needs a BOX and --output FILE")
        write_sheet(found, output, theme)
        return
    shown: Any
    if found is None:
        shown = [box_facts(b) for b in boxes().values()] if as_json else table(BOX_HEADS, box_rows(boxes().values()))
    elif tile_id is None:
        shown = box_facts(found, tiles=True) if as_json else table(TILE_HEADS, tile_rows(found))
    else:
        tile = find(found, tile_id)
        shown = tile_facts(tile) if as_json else "\n".join(describe(tile, found.extra["shapes"]))
    if isinstance(shown, Table):
        if found:
            click.echo(f"{found.title}\n\nCertainty: {found.confidence}\n")
        Console(markup=False, highlight=False).print(shown)
    else:
        click.echo(json.dumps(shown, ensure_ascii=False, indent=1) if as_json else shown)


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
    """Rows under their heads."""
    first, *others = heads
    shown = Table(Column(first, no_wrap=True), *others, box=None, header_style="bold", pad_edge=False)
    for row in rows:
        shown.add_row(*row)
    return shown


def find(box: Box, name: str) -> Tile | BigTile:
    """The tile of that name."""
    tiles: dict[str, Tile | BigTile] = {tile.id: tile for tile in box.tiles} | {tile.id: tile for tile in box.big}
    if name not in tiles:
        raise TileError(box.name, name, "id", f"expected one of {', '.join(tiles)}, got {name!r}")
    return tiles[name]


def box_rows(boxes: Iterable[Box]) -> list[tuple[str, ...]]:
    """The boxes: name, number of tiles, how certain, title."""
    return [(b.name, str(b.count), certainty(b), b.title) for b in boxes]


def certainty(box: Box) -> str:
    """How many tiles of a box are reconstructed."""
    unsure = reconstructed(box)
    return "exact" if not unsure else f"{'all' if unsure == box.count else unsure} reconstructed"


def reconstructed(box: Box) -> int:
    """The number of tiles whose content was not seen."""
    return sum(t.count for t in box.tiles if t.reconstructed) + sum(t.reconstructed for t in box.big)


def tile_rows(box: Box) -> list[tuple[str, ...]]:
    """The tiles of a box: name, count, what the sides show, segments, marks, whether reconstructed."""
    ground = next((kind for kind, shape in box.extra["shapes"].items() if shape == "ground"), "")
    rows: list[tuple[str, ...]] = [
        (t.id, str(t.count), " ".join(edges(t, ground)), ", ".join(segment_texts(t)), marks_text(t), sure(t))
        for t in box.tiles
    ]
    rows += [(t.id, "1", "", f"{len(t.squares)} squares", marks_text(t), sure(t)) for t in box.big]
    return rows


def sure(tile: Tile | BigTile) -> str:
    """How certain a tile is."""
    return "reconstructed" if tile.reconstructed else "exact"


def edges(tile: Tile, ground: str) -> list[str]:
    """What each side shows to its neighbour."""
    shown = [ground] * len(SIDES)
    for segment in tile.segments:
        for side in (*segment.sides, *(half // 2 for half in segment.halves if segment.kind != ground)):
            shown[side] = segment.kind
    return shown


def segment_texts(tile: Tile) -> list[str]:
    """The segments by name, each with its marks: `city N (shields 1)`."""
    return [
        tile.spot(index) + (f" ({counts(segment.marks)})" if segment.marks else "")
        for index, segment in enumerate(tile.segments)
    ]


def counts(marks: Mapping[str, Any]) -> str:
    """Marks in words: `hill`, `fish 2`."""
    return ", ".join(name if value is True else f"{name} {value}" for name, value in marks.items())


def marks_text(tile: Tile | BigTile) -> str:
    """What is printed on a tile as a whole, without the note and without how its segments meet."""
    marks = {name: mark for name, mark in tile.marks.items() if name not in ("note", "meets")}
    for name, mark in marks.items():
        if isinstance(mark, dict):
            marks[name] = " ".join(str(value) for pair in mark.items() for value in pair)
        elif isinstance(mark, list):
            marks[name] = " ".join("-".join(str(part) for part in group) for group in mark)
    return counts({**({"start": True} if isinstance(tile, Tile) and tile.start else {}), **marks})


def describe(tile: Tile | BigTile, shapes: Mapping[str, str]) -> list[str]:
    """A tile as lines of text: its picture and its segments, numbered as in the picture."""
    about = [line for line in (marks_text(tile), tile.marks.get("note", "")) if line]
    if isinstance(tile, Tile):
        return [f"{tile.id}  {sure(tile)}, copies: {tile.count}", *about, "", *drawn(tile, shapes)]
    lines = [f"{tile.id}  {sure(tile)}, squares: {len(tile.squares)}", *about]
    for square in tile.squares:
        lines += ["", f"{square.tile.id}  column {square.x}, row {square.y}", "", *drawn(square.tile, shapes)]
    return lines


def drawn(tile: Tile, shapes: Mapping[str, str]) -> list[str]:
    """The picture of a tile and its segments."""
    return [*picture(tile, shapes), "", *(f"{DIGITS[i]}  {text}" for i, text in enumerate(segment_texts(tile)))]


def picture(tile: Tile, shapes: Mapping[str, str]) -> list[str]:
    """A tile in plain text: areas `#`, lines, ground `.`, and on the rim the number of the segment that lies there."""
    grid = [["." if tile.segments else " "] * WIDTH for _ in range(HEIGHT)]
    inner = [segment.kind[0].upper() for segment in tile.segments if shapes[segment.kind] == "inner"]
    for index, segment in enumerate(tile.segments):
        shape = shapes[segment.kind]
        if shape == "area":
            halves = {*segment.halves, *(half for side in segment.sides for half in (2 * side, 2 * side + 1))}
            tips = [TIP[place] for i, place in tile.marks.get("tips", ()) if i == index]
            arms = [*tips, *(RIM[SIDES[side]] for side in segment.sides if tips)]
            for column, row in [c for c in CELLS if in_area(halves, c)] + [c for arm in arms for c in ray(arm)]:
                grid[row][column] = "#"
    for segment in tile.segments:
        if shapes[segment.kind] == "line":
            for (column, row), stroke in strokes(segment.sides):
                if grid[row][column] != "#":
                    grid[row][column] = STROKES.get(segment.kind, STROKE)[stroke]
    for place, letter in enumerate(inner):
        grid[HEIGHT // 2][WIDTH // 2 + 2 * place] = letter
    for index, segment in enumerate(tile.segments):
        for name in [SIDES[side] for side in segment.sides] + [HALVES[half] for half in segment.halves]:
            column, row = RIM[name]
            grid[row][column] = DIGITS[index]
    return ["".join(line) for line in grid]


CELLS: Final = [(column, row) for row in range(HEIGHT) for column in range(WIDTH)]


def in_area(halves: set[int], cell: tuple[int, int]) -> bool:
    """Whether an area that reaches these half sides covers a cell of the picture."""
    x, y = cell[0] - WIDTH // 2, 2 * (cell[1] - HEIGHT // 2)  # from the centre; a character is twice as high as wide
    if abs(x) > abs(y):
        side, depth, along = (1, WIDTH // 2 - x, y) if x > 0 else (3, WIDTH // 2 + x, -y)
    else:
        side, depth, along = (2, WIDTH // 2 - y, -x) if y > 0 else (0, WIDTH // 2 + y, x)
    sides = {half // 2 for half in halves}
    if 2 * side + (along > 0) in halves:
        return len(sides) > 1 or depth < 4  # a single side is a cap, several meet in the centre
    return any((s + 2) % 4 in sides for s in sides) and depth > 4


def strokes(sides: Sequence[int]) -> list[tuple[tuple[int, int], int]]:
    """The cells that a line runs through, each with the direction of its stroke there."""
    if len(sides) == 2 and (sides[0] + sides[1]) % 2:  # a bend keeps clear of the centre
        (x0, y0), (x1, y1) = sorted(RIM[SIDES[side]] for side in sides)
        steps = [(x, y0 + (y1 - y0) * (x - x0) // (x1 - x0)) for x in range(x0, x1 + 1)]
        return [(cell, 2 if y1 < y0 else 3) for cell in steps]
    return [(cell, side % 2) for side in sides for cell in ray(RIM[SIDES[side]])]


def ray(start: tuple[int, int]) -> list[tuple[int, int]]:
    """The cells from a place on the rim to the centre."""
    x, y = WIDTH // 2 - start[0], HEIGHT // 2 - start[1]
    steps = max(abs(x), abs(y))
    return [(start[0] + x * i // steps, start[1] + y * i // steps) for i in range(steps + 1)]


def box_facts(box: Box, tiles: bool = False) -> dict[str, Any]:
    """A box for programs, with or without its tiles."""
    facts: dict[str, Any] = {
        "name": box.name,
        "title": box.title,
        "count": box.count,
        "reconstructed": reconstructed(box),
        "confidence": box.confidence,
        "sources": list(box.sources),
        "tokens": dict(box.tokens),
    }
    return {**facts, "tiles": [*map(tile_facts, box.tiles), *map(tile_facts, box.big)]} if tiles else facts


def tile_facts(tile: Tile | BigTile) -> dict[str, Any]:
    """A tile for programs."""
    facts: dict[str, Any] = {"id": tile.id, "reconstructed": tile.reconstructed, "marks": dict(tile.marks)}
    if isinstance(tile, BigTile):
        squares = [{"x": square.x, "y": square.y, "tile": tile_facts(square.tile)} for square in tile.squares]
        return {**facts, "squares": squares, "joins": tile.joins}
    segments = [
        {
            "spot": tile.spot(index),
            "kind": segment.kind,
            "sides": [SIDES[side] for side in segment.sides],
            "halves": [HALVES[half] for half in segment.halves],
            "touches": list(segment.touches),
            "marks": dict(segment.marks),
        }
        for index, segment in enumerate(tile.segments)
    ]
    return {**facts, "count": tile.count, "start": tile.start, "segments": segments}
