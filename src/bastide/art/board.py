"""A board as SVG: what lies on it, the pieces, what is lit up.

It asks little of a board: a mapping of cells to things with `tile` and `turn`, and `figures` with `seat`, `piece`,
`cell` and `spot`. The board of a game is such a thing, and so is anything made up for a test or a puzzle.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from bastide.art.curves import Point, add, spin
from bastide.art.letters import write
from bastide.art.picture import outline_text, picture
from bastide.art.pieces import piece_defs, piece_use
from bastide.art.tile import definitions, page, use
from bastide.geometry import Cell
from bastide.tiles.model import Tile

MARGIN = 30.0
PIECE_SCALE = 0.92


class LaidTile(Protocol):
    """A tile on the board, turned by quarter turns."""

    @property
    def tile(self) -> Tile: ...
    @property
    def turn(self) -> int: ...


class Standing(Protocol):
    """A piece on the board."""

    @property
    def seat(self) -> int: ...
    @property
    def piece(self) -> str: ...
    @property
    def cell(self) -> Cell: ...
    @property
    def spot(self) -> str: ...


Spot = tuple[Cell, str]  # a segment, as actions name it


def board_svg(
    board: Mapping[Cell, LaidTile],
    figures: Sequence[Standing] | None = None,
    lit: Iterable[Spot] = (),
    theme: str = "day",
    cell_size: float = 100,
    coordinates: bool = False,
) -> str:
    """The whole board. `lit` segments are lit up; the board's own figures are drawn unless others are given."""
    if figures is None:
        figures = getattr(board, "figures", ())
    cells = list(board) or [(0, 0)]
    left, top = min(x for x, _ in cells), min(y for _, y in cells)
    right, bottom = max(x for x, _ in cells), max(y for _, y in cells)
    view = (100 * left - MARGIN, 100 * top - MARGIN, 100 * (right - left + 1) + 2 * MARGIN, 100 * (bottom - top + 1) + 2 * MARGIN)
    looks = [(laid.tile, laid.turn) for laid in board.values()]
    defs = definitions(looks) + piece_defs((f.piece for f in figures), (f.seat for f in figures))
    body = [f'<rect class="table" x="{view[0]:g}" y="{view[1]:g}" width="{view[2]:g}" height="{view[3]:g}"/>']
    land = "".join(f"M{100 * x - 1.4:g} {100 * y - 1.4:g}h102.8v102.8h-102.8z" for x, y in board)
    body.append(f'<path class="coast" d="{land}"/>')
    body += [use(laid.tile, (100 * x, 100 * y), laid.turn) for (x, y), laid in board.items()]
    body += [lit_up(board, spot) for spot in lit]
    body.append(standing(board, figures))
    if coordinates:
        body.append(labels(left, top, right, bottom))
    return page(defs, "".join(body), view, theme, view[2] * cell_size / 100)


def index_of(laid: LaidTile, spot: str) -> int:
    """The segment of a tile that a spot names, -1 for none."""
    names = [laid.tile.spot(index, laid.turn) for index in range(len(laid.tile.segments))]
    return names.index(spot) if spot in names else -1


def lit_up(board: Mapping[Cell, LaidTile], spot: Spot) -> str:
    """The outline of a segment, filled with light."""
    (x, y), name = spot
    laid = board[x, y]
    index = index_of(laid, name)
    if index < 0:
        return ""
    d = outline_text(picture(laid.tile).outline(index))
    return f'<path class="glow" d="{d}" transform="translate({100 * x} {100 * y})rotate({90 * (laid.turn % 4)} 50 50)"/>'


def place_of(board: Mapping[Cell, LaidTile], figure: Standing, number: int) -> tuple[Point, bool]:
    """Where a piece stands, the `number`th on its spot, and whether it lies down there."""
    laid = board[figure.cell]
    drawn = picture(laid.tile)
    corner = (100.0 * figure.cell[0], 100.0 * figure.cell[1])
    index = index_of(laid, figure.spot)
    if index < 0:
        poster = drawn.poster.spots(drawn.whole) if drawn.poster and drawn.whole else {}
        places = [add(p, drawn.shift) for p in poster.get(figure.spot, [(50.0, 50.0)])]
        return add(corner, places[number % len(places)]), False
    places = drawn.brush.spots[index]
    point = spin(places[number % len(places)], laid.turn)
    return add(corner, point), drawn.plan.forms[index].shape == "ground"


def standing(board: Mapping[Cell, LaidTile], figures: Iterable[Standing]) -> str:
    """All pieces, the southern ones in front."""
    counts: dict[Spot, int] = {}
    placed: list[tuple[float, str]] = []
    for figure in figures:
        here = (figure.cell, figure.spot)
        number = counts.get(here, 0)
        counts[here] = number + 1
        point, lying = place_of(board, figure, number)
        placed.append((point[1], piece_use(figure.piece, figure.seat, point, PIECE_SCALE, lying)))
    return "".join(text for _, text in sorted(placed))


def labels(left: int, top: int, right: int, bottom: int) -> str:
    """Coordinates along the north and west rim."""
    columns = [write(str(x), (100 * x + 50, 100 * top - 14), 11) for x in range(left, right + 1)]
    rows = [write(str(y), (100 * left - 14, 100 * y + 50), 11) for y in range(top, bottom + 1)]
    return "".join(columns + rows)
