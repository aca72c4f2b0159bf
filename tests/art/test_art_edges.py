"""Tiles that fit also look right side by side: pixels on both sides of every shared edge agree."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from random import Random
from typing import Any

import pytest

from bastide.art import board_svg, png
from bastide.geometry import Cell, step
from bastide.tiles import boxes
from tests.art.landscape import Laid, Landscape, edge, lay

pytest.importorskip("resvg_py", reason="pixels need the extra `png`")
image = pytest.importorskip("PIL.Image", reason="pixels need the extra `png`")

SIZE = 100  # pixels a tile
MARGIN = 30
FAR = 30  # two pixels whose largest difference in a channel is more than this do not agree
CORNER = 10  # pixels at either end of an edge, where a wall or a hedge that the neighbour lacks may run into the corner
MOST = 4  # pixels between them that may not agree
TIP = 6  # the same where the tip of a city touches the rim

# What is laid together; the first box alone would have no edges for some of the others.
CHOICES = [
    [name] if name in ("base", "over_hill_and_dale") else ["base", name]
    for name in boxes()
    if not name.startswith("hunters_and_gatherers")
] + [["hunters_and_gatherers", "hunters_and_gatherers_bonus"]]


THEMES = ("day", "night", "contrast", "print")  # each with a landscape of its own


def landscape(names: list[str], number: int) -> Landscape:
    """One of four landscapes, which together show every tile."""
    chosen = [boxes()[name] for name in names]
    big = next((big for box in chosen for big in box.big), None)
    tiles = [tile for box in chosen for tile in box.tiles]
    wanted = {tile.id for tile in tiles[number::4]}
    return lay(tiles, Random(number), 40 if big is None else 48, big, 6 if big else 3, wanted)


def render(board: Landscape, theme: str) -> Any:
    """The pixels, by their place."""
    return image.open(BytesIO(png(board_svg(board, theme=theme, cell_size=SIZE)))).convert("RGB").load()


def disagreeing(picture: Any, board: Landscape, cell: Cell, side: int) -> int:
    """How many pixels along a cell's east or south edge differ from those just beyond it, corners left out.

    A line that crosses the edge aslant is found one pixel farther on the other side, so three are looked at there.
    """
    left, top = min(x for x, _ in board), min(y for _, y in board)
    x, y = (cell[0] - left) * SIZE + MARGIN, (cell[1] - top) * SIZE + MARGIN
    count = 0
    for k in range(CORNER, SIZE - CORNER):
        here = picture[(x + SIZE - 1, y + k) if side == 1 else (x + k, y + SIZE - 1)]
        beyond = [(x + SIZE, y + k + d) if side == 1 else (x + k + d, y + SIZE) for d in (0, -1, 1)]
        count += min(difference(here, picture[point]) for point in beyond) > FAR
    return count


def tipped(board: Landscape, cell: Cell, side: int) -> bool:
    """Whether a tip of one of two neighbours reaches the rim."""
    return any("tips" in board[c].tile.marks for c in (cell, step(cell, side)))


def difference(one: Sequence[int], other: Sequence[int]) -> int:
    """The largest difference in a channel."""
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("names", CHOICES, ids=lambda names: names[-1])
def test_the_landscapes_show_every_tile(names: list[str]) -> None:
    laid = {laid.tile.id for number in range(len(THEMES)) for laid in landscape(names, number).values()}
    assert {tile.id for name in names for tile in boxes()[name].tiles} - laid == set()


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("names", CHOICES, ids=lambda names: names[-1])
def test_pixels_agree_along_every_shared_edge(names: list[str], theme: str) -> None:
    board = landscape(names, THEMES.index(theme))
    picture = render(board, theme)
    edges = [
        (cell, side)
        for cell, laid in board.items()
        for side in (1, 2)
        if step(cell, side) in board and edge(laid.tile, laid.rotation, side)
    ]
    assert len(edges) > 25
    wrong = [
        f"{board[cell].tile.id} at {cell} and {board[step(cell, side)].tile.id}"
        for cell, side in edges
        if disagreeing(picture, board, cell, side) > (TIP if tipped(board, cell, side) else MOST)
    ]
    assert wrong == []


@pytest.mark.parametrize("name", ["C", "W", "RI-D", "hg012", "OHD-CjCMM-5"])
def test_edges_that_do_not_fit_are_told_apart(name: str) -> None:
    """The measure sees a mistake: a city, road, river, forest or crop field laid against a field."""
    tiles = {tile.id: tile for box in boxes().values() for tile in box.tiles}
    board = Landscape({(0, 0): Laid(tiles[name], 0), (1, 0): Laid(tiles["B"], 0)})
    assert disagreeing(render(board, "day"), board, (0, 0), 1) > MOST
