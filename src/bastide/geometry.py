"""Sides, half sides, rotations and neighbours of a square: the terms in which tiles and boards are described.

Sides are numbered clockwise from north: N 0, E 1, S 2, W 3. Every side has two halves, left then right as met going
clockwise round the tile: NL 0, NR 1, EL 2, ER 3, SL 4, SR 5, WL 6, WR 7. A turn is a number of quarter turns
clockwise. Cells are (x, y) with x growing to the east and y to the south.
"""

from typing import Final

SIDES: Final = ("N", "E", "S", "W")
HALVES: Final = ("NL", "NR", "EL", "ER", "SL", "SR", "WL", "WR")

# The four neighbours by side, then the four across the corners.
STEPS: Final = ((0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1))

Cell = tuple[int, int]


def rotate_side(side: int, rotation: int) -> int:
    """Where a side is after a rotation by quarter turns."""
    return (side + rotation) % 4


def rotate_half(half: int, rotation: int) -> int:
    """Where a half side is after a rotation by quarter turns."""
    return (half + 2 * rotation) % 8


def opposite(side: int) -> int:
    """The side of the neighbour that lies against `side`."""
    return (side + 2) % 4


def facing(half: int) -> int:
    """The half of the neighbour's side that lies against `half`: its left meets our right."""
    return opposite(half // 2) * 2 + 1 - half % 2


def step(cell: Cell, direction: int) -> Cell:
    """The neighbour of a cell; directions 0-3 are sides, 4-7 go across the corners."""
    dx, dy = STEPS[direction]
    return cell[0] + dx, cell[1] + dy
