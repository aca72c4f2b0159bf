"""The numbering of cells: no landscape can reach two cells of the same number."""

import pytest

from bastide.geometry import STEPS
from bastide.kernel.torus import Torus, pack, unpack


@pytest.mark.parametrize("tiles", [1, 2, 5, 8, 13])
def test_cells_that_one_landscape_can_reach_have_different_numbers(tiles: int) -> None:
    """n tiles in a row and their open rim span n + 1 steps: within that distance no number comes twice."""
    torus = Torus(tiles)
    reach = tiles + 1
    near = [(x, y) for x in range(-reach, reach + 1) for y in range(-reach, reach + 1) if abs(x) + abs(y) <= reach]
    assert all(torus.number(cell) != torus.number((0, 0)) for cell in near if cell != (0, 0))


def test_a_row_of_all_tiles_fits_in_any_direction() -> None:
    torus = Torus(72)
    for dx, dy in STEPS[:4]:
        row = [(n * dx, n * dy) for n in range(-1, 73)]
        assert len({torus.number(cell) for cell in row}) == len(row)


def test_the_board_needs_half_the_cells_of_a_square() -> None:
    assert Torus(72).cells == 2813 < 74 * 74 / 1.9


def test_neighbours_are_those_of_the_plane() -> None:
    torus = Torus(4)
    for x in range(-3, 4):
        for y in range(-3, 4):
            beside = [(torus.number((x, y)) + step) % torus.cells for step in torus.steps()]
            assert beside == [torus.number((x + dx, y + dy)) for dx, dy in STEPS]


@pytest.mark.parametrize("cell", [(0, 0), (1, 0), (-1, 0), (0, -1), (-70, 71), (200, -200)])
def test_a_packed_position_can_be_unpacked(cell: tuple[int, int]) -> None:
    assert unpack(pack(cell)) == cell
