"""A board as SVG: what lies on it, the pieces, what is lit up.

It asks little of a board: a mapping of cells to things with `tile` and `rotation`, and `figures` with `seat`, `piece`,
`cell` and `spot`. It may have `tokens` with `seat`, `name` and `where`; those on a cell or a big tile are drawn. The
board of a game is such a thing, and so is anything made up for a test or a puzzle.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Protocol

from bastide.art.curves import Point, add, nums, spin
from bastide.art.letters import write
from bastide.art.picture import outline_text, picture
from bastide.art.pieces import piece_defs, piece_use, token_def
from bastide.art.tile import definitions, page, use
from bastide.errors import BastideError
from bastide.geometry import Cell
from bastide.tiles.model import Tile

MARGIN = 30.0
PIECE_SCALE = 0.82
TOKEN_SCALE = 1.7  # what lies on a big tile is larger than on others
ASIDE = 30  # where a token stands on a tile, in either direction: pieces like to stand in the middle
BESIDE = 22  # units between two tokens on the same tile
# Below the tiles: a soft shadow, the coast, and grass that fills the seams between tiles.
SHORES = (("haze", 8.0), ("haze", 5.5), ("haze", 3.5), ("coast", 1.4), ("meadow", 0.0))


class LaidTile(Protocol):
    """A tile on the board, turned by quarter turns."""

    @property
    def tile(self) -> Tile: ...
    @property
    def rotation(self) -> int: ...


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


class Lying(Protocol):
    """A token on the table; nobody's has the seat -1."""

    @property
    def seat(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def where(self) -> str: ...


Spot = tuple[Cell, str]  # a segment, as actions name it


def board_svg(
    board: Mapping[Cell, LaidTile],
    figures: Sequence[Standing] | None = None,
    lit: Iterable[Spot] = (),
    theme: str = "day",
    cell_size: float = 100,
    coordinates: bool = False,
    frame: Iterable[Cell] = (),
) -> str:
    """The whole board. `lit` segments are lit up; the board's own figures are drawn unless others are given.

    The picture has room for the cells of the board and of `frame`; `cell_size` is in pixels.
    """
    if figures is None:
        figures = getattr(board, "figures", ())
    cells = [*board, *frame] or [(0, 0)]
    left, top = min(x for x, _ in cells), min(y for _, y in cells)
    wide, high = max(x for x, _ in cells) - left + 1, max(y for _, y in cells) - top + 1
    view = (100 * left - MARGIN, 100 * top - MARGIN, 100 * wide + 2 * MARGIN, 100 * high + 2 * MARGIN)
    tokens = list(on_tiles(board))
    defs = definitions((laid.tile, laid.rotation) for laid in board.values())
    seats = {f.seat for f in figures} | {t.seat for t, _ in tokens if t.seat >= 0}
    defs += piece_defs({f.piece for f in figures} | {t.name for t, _ in tokens if t.seat >= 0}, seats)
    defs += "".join(token_def(name) for name in sorted({t.name for t, _ in tokens if t.seat < 0}))
    body = [f'<rect class="table" x="{view[0]:g}" y="{view[1]:g}" width="{view[2]:g}" height="{view[3]:g}"/>']
    body += [f'<path class="{look}" d="{land(board, grown)}"/>' for look, grown in SHORES]
    body += [use(laid.tile, (100 * x, 100 * y), laid.rotation) for (x, y), laid in board.items()]
    body += [lit_up(board, spot) for spot in lit]
    body += [token_use(token.name, token.seat, point) for token, point in tokens]
    body.append(standing(board, figures))
    if coordinates:
        body.append(labels(left, top, wide, high))
    return page(defs, "".join(body), view, theme, view[2] * cell_size / 100)


def board_frames(boards: Sequence[Mapping[Cell, LaidTile]], theme: str = "day", cell_size: float = 100) -> list[str]:
    """The same board at several moments, all in the frame of the last, for an animation."""
    frame = [cell for board in boards for cell in board]
    return [board_svg(board, theme=theme, cell_size=cell_size, frame=frame) for board in boards]


def land(board: Iterable[Cell], grown: float) -> str:
    """All squares of the board as one path, each grown by some units."""
    side = 100 + 2 * grown
    return "".join(f"M{100 * x - grown:g} {100 * y - grown:g}h{side:g}v{side:g}h{-side:g}z" for x, y in board)


def lit_up(board: Mapping[Cell, LaidTile], spot: Spot) -> str:
    """The outline of a segment, filled with light."""
    (x, y), name = spot
    laid = board[x, y]
    drawn = picture(laid.tile)
    index = drawn.index(name, laid.rotation)
    if index < 0:
        raise BastideError(f"the tile on {x},{y} has no spot {name!r}")
    d = outline_text(drawn.outline(index))
    angle = 90 * (laid.rotation % 4)
    return f'<path class="glow" d="{d}" transform="translate({100 * x} {100 * y})rotate({angle} 50 50)"/>'


def place_of(board: Mapping[Cell, LaidTile], figure: Standing, number: int) -> tuple[Point, bool]:
    """Where a piece stands, the `number`th on its spot, and whether it lies down there."""
    laid = board.get(figure.cell)
    drawn = picture(laid.tile) if laid else None
    index = drawn.index(figure.spot, laid.rotation) if drawn and laid else -1
    if laid is None or drawn is None or index < 0:
        return poster_place(board, figure.spot, number), False
    places = drawn.brush.spots[index]
    point = spin(places[number % len(places)], laid.rotation)
    return at_cell(figure.cell, point), drawn.plan.forms[index].shape == "ground"


def poster_place(board: Mapping[Cell, LaidTile], spot: str, number: int) -> Point:
    """A place that is no segment: it lies on a big tile as a whole."""
    for cell, laid in board.items():
        places = picture(laid.tile).places().get(spot)
        if places:
            return at_cell(cell, places[number % len(places)])
    raise BastideError(f"no tile on the board has a spot {spot!r}")


def on_tiles(board: Mapping[Cell, LaidTile]) -> Iterator[tuple[Lying, Point]]:
    """The tokens that stand on a tile (their `where` is its cell) or on a big tile as a whole, with their places."""
    taken: Counter[str] = Counter()
    cells = {f"{x},{y}": (x, y) for x, y in board}
    for token in getattr(board, "tokens", ()):
        number = taken[token.where]
        if token.where in cells:
            aside = float(ASIDE + BESIDE * number)
            yield token, at_cell(cells[token.where], (aside, aside))
        else:
            with suppress(BastideError):
                yield token, poster_place(board, token.where, number)
        taken[token.where] += 1


def token_use(name: str, seat: int, at: Point) -> str:
    """A token on the board: a piece of a player, or nobody's."""
    if seat >= 0:
        return piece_use(name, seat, at, PIECE_SCALE)
    return f'<use href="#k-{name}" transform="translate({nums(at)})scale({TOKEN_SCALE})"/>'


def at_cell(cell: Cell, point: Point) -> Point:
    """A point of the tile on a cell."""
    return add((100.0 * cell[0], 100.0 * cell[1]), point)


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


def labels(left: int, top: int, wide: int, high: int) -> str:
    """Coordinates along the north and west rim."""
    columns = [write(str(x), (100 * x + 50, 100 * top - 14), 11) for x in range(left, left + wide)]
    rows = [write(str(y), (100 * left - 14, 100 * y + 50), 11) for y in range(top, top + high)]
    return "".join(columns + rows)
