"""The cells of the board: a torus so wide that no landscape can meet itself.

A connected landscape of n squares never spans more than n - 1 steps (going along rows and columns), its open rim
included n + 1. Cells (x, y) are numbered (x + width * y) mod (r * r + (r + 1) * (r + 1)) with width = 2 r + 1: then
two cells share a number only if they lie at least `width` steps apart. So the board grows in every direction as far
as the tiles can reach, in half the cells that a square board would need.
"""
# interpreted: runs once, when rules are compiled

from __future__ import annotations

from bastide.geometry import STEPS, Cell
from bastide.kernel.offsets import POS_BITS

HALF = 1 << (POS_BITS - 1)


class Torus:
    """Numbers for all cells that a landscape of `tiles` squares can reach."""

    def __init__(self, tiles: int) -> None:
        radius = (tiles + 2) // 2
        self.width = 2 * radius + 1
        self.cells = radius**2 + (radius + 1) ** 2

    def number(self, cell: Cell) -> int:
        """The number of the cell at (x, y)."""
        return (cell[0] + self.width * cell[1]) % self.cells

    def steps(self) -> list[int]:
        """What to add to a number, modulo the number of cells, for its neighbours as geometry.STEPS lists them."""
        return [self.number(step) for step in STEPS]


def pack(cell: Cell) -> int:
    """A cell as one number that adds up like (x, y)."""
    return (cell[0] << POS_BITS) + cell[1]


def unpack(position: int) -> Cell:
    """The cell of a packed position."""
    x = (position + HALF) >> POS_BITS
    return x, position - (x << POS_BITS)
