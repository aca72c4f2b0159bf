"""A quarter turn of the table: planes and window actions of the same position seen from another side."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bastide.game.planes import FITS, OTHERS, OWN, PLANES
from bastide.game.window import CELLS, SIDE


def rotated_planes(planes: NDArray[np.int8], quarters: int = 1) -> NDArray[np.int8]:
    """Planes (the last three axes) turned clockwise: cells move, and so do the sides that planes stand for."""
    count = planes.shape[-3]
    order = np.arange(count)
    turned = [*range(0, count - PLANES, 4), *(count - PLANES + first for first in (FITS, OWN, OTHERS))]
    for first in turned:  # what was at side d is at side d + 1
        order[first : first + 4] = first + (np.arange(4) - quarters) % 4
    return np.rot90(planes, -quarters, axes=(-2, -1))[..., order, :, :]


def rotated_actions(actions: NDArray[np.int64], quarters: int = 1) -> NDArray[np.int64]:
    """Window actions turned clockwise. Only places change: segments of a tile keep their numbers."""
    result = np.array(actions, dtype=np.int64)
    for _ in range(quarters % 4):
        turn, place = np.divmod(result, CELLS)
        row, column = np.divmod(place, SIDE)
        moved = (turn + 1) % 4 * CELLS + column * SIDE + (SIDE - 1 - row)
        result = np.where((result >= 0) & (result < 4 * CELLS), moved, result)
    return result
