"""Contact sheets: all tiles of a box on one page, with their names and numbers."""

from __future__ import annotations

from pathlib import Path

from bastide.art.curves import Point
from bastide.art.letters import width, write
from bastide.art.png import png
from bastide.art.tile import definitions, page, use
from bastide.errors import OptionError
from bastide.tiles.model import BigTile, Box, Tile

COLUMNS = 8
CELL = 116.0  # a tile and the gap to the next
LINE = 132.0  # a row with the names below
HEAD = 44.0


def sheet_svg(box: Box, theme: str = "day", tile_size: float = 100) -> str:
    """The contact sheet of a box; its big tiles come last."""
    columns = min(COLUMNS, max(len(box.tiles), 4))
    across = columns * CELL + 16
    body = [title(box, across)]
    looks = [(tile, 0) for tile in box.tiles]
    for number, tile in enumerate(box.tiles):
        row, column = divmod(number, columns)
        x, y = 16 + column * CELL, HEAD + row * LINE
        body += [frame((x, y), 1, 1), use(tile, (x, y)), write(caption(tile), (x + 50, y + 111), 8)]
    y = HEAD + -(-len(box.tiles) // columns) * LINE
    for big in box.big:
        looks += [(square.tile, 0) for square in big.squares]
        wide, high = extent(big)
        body.append(frame((16, y), wide, high))
        body += [use(square.tile, (16 + 100 * square.x, y + 100 * square.y)) for square in big.squares]
        body.append(write(big.id, (16 + 50 * wide, y + 100 * high + 11), 8))
        y += 100 * high + 32
    ground = f'<rect class="table" width="{across:g}" height="{y:g}"/>'
    return page(definitions(looks), ground + "".join(body), (0, 0, across, y), theme, across * tile_size / 100)


def frame(at: Point, wide: int, high: int) -> str:
    """A thin line round a tile of so many squares."""
    (x, y), line = at, 0.9
    size = f'width="{100 * wide + 2 * line:g}" height="{100 * high + 2 * line:g}"'
    return f'<rect class="coast" x="{x - line:g}" y="{y - line:g}" {size}/>'


def title(box: Box, across: float) -> str:
    """The box's name and how many tiles it has, as large as the page allows."""
    text = f"{box.name.replace('_', ' ')} - {box.count} tiles".upper()
    height = min(13.0, 13.0 * (across - 40) / width(text, 13.0))
    return write(text, (16 + width(text, height) / 2, 22), height)


def caption(tile: Tile) -> str:
    """A tile's name and how many there are: `D x4`."""
    return tile.id + (f" x{tile.count}" if tile.count > 1 else "")


def extent(big: BigTile) -> tuple[int, int]:
    """Columns and rows of a big tile."""
    return 1 + max(s.x for s in big.squares), 1 + max(s.y for s in big.squares)


def write_sheet(box: Box, path: Path, theme: str = "day", tile_size: float = 100) -> None:
    """Writes the contact sheet of a box as .svg or .png, by the file's ending."""
    save(sheet_svg(box, theme, tile_size), path)


def save(svg: str, path: Path) -> None:
    """Writes a picture as .svg or .png, by the file's ending."""
    if path.suffix == ".svg":
        path.write_text(svg, "utf-8")
    elif path.suffix == ".png":
        path.write_bytes(png(svg))
    else:
        raise OptionError(f"expected a file that ends in .svg or .png, got {path.name}")
