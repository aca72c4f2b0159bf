"""Random landscapes for the drawing tests: tiles laid side by side so that their edges match."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from bastide.geometry import Cell, opposite, rotate_half, rotate_side, step
from bastide.tiles.model import BigTile, Tile


@dataclass(frozen=True)
class Laid:
    tile: Tile
    rotation: int


@dataclass(frozen=True)
class Figure:
    seat: int
    piece: str
    cell: Cell
    spot: str


class Landscape(dict[Cell, Laid]):
    """What lies on which cell, and the pieces."""

    def __init__(self, tiles: Mapping[Cell, Laid] | None = None) -> None:
        super().__init__(tiles or {})
        self.figures: list[Figure] = []


def edge(tile: Tile, turn: int, side: int) -> str:
    """What a side shows, "" for the seam inside a big tile."""
    before = rotate_side(side, -turn)
    for segment in tile.segments:
        if segment.layer == 0 and before in segment.sides:
            return segment.kind
    for segment in tile.segments:
        if rotate_half(2 * side, -turn) in segment.halves or rotate_half(2 * side + 1, -turn) in segment.halves:
            return segment.kind
    return ""


def lay(
    tiles: Sequence[Tile], random: Random, count: int, big: BigTile | None, reach: int, wanted: Container[str]
) -> Landscape:
    """A landscape of about `count` tiles within a square, from a bag that never runs out.

    Tiles that are wanted are tried first, those that lie already last.
    """
    board = Landscape()
    if big is not None:
        for square in big.squares:
            board[square.x, square.y] = Laid(square.tile, 0)
    else:
        board[0, 0] = Laid(random.choice(tiles), random.randrange(4))
    bag = [tile for tile in tiles for _ in range(tile.count)]
    for _ in range(count * 6):
        if len(board) >= count:
            break
        open_cells = sorted({step(c, s) for c in board for s in range(4)} - set(board))
        near = [c for c in open_cells if abs(c[0]) <= reach and abs(c[1]) <= reach]
        if not near:
            break
        cell = max(random.sample(near, min(4, len(near))), key=lambda c: sum(step(c, s) in board for s in range(4)))
        used = {laid.tile.id for laid in board.values()}
        random.shuffle(bag)
        for tile in sorted(bag, key=lambda tile: (tile.id in used, tile.id not in wanted)):
            turns = [t for t in range(4) if fits(board, tile, t, cell)]
            if turns:
                board[cell] = Laid(tile, random.choice(turns))
                break
    return board


def fits(board: Mapping[Cell, Laid], tile: Tile, turn: int, cell: Cell) -> bool:
    for side in range(4):
        other = board.get(step(cell, side))
        if other is not None and edge(other.tile, other.rotation, opposite(side)) != edge(tile, turn, side):
            return False
    return True
