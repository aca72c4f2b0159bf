"""Drawings of Hills & Sheep: hills, vineyards, sheep, the shepherd."""

from __future__ import annotations

from bastide.art import common
from bastide.art.brush import Brush
from bastide.art.common import medal
from bastide.art.kit import Kit, Piece


def paint_hill(brush: Brush, value: object) -> None:
    """A hill in the largest field; the whole tile stands on it, so its slope shows all round."""
    place = brush.room(brush.ground()[0], 15, reach=19)
    brush.put("rise", (50, 50), 2)
    brush.put("hill", place, 4)
    brush.space.claim(place, 14)


def paint_vineyard(brush: Brush, value: object) -> None:
    """In the largest field."""
    brush.sign("vineyard", brush.ground()[0], 13)


def paint_sheep(brush: Brush, number: int) -> None:
    """On the field that the tile names, or else on the largest."""
    field = brush.tile.marks.get("sheep_field", brush.ground()[0])
    for _ in range(number):
        brush.sign("sheep", field, 8)


def flock(*places: tuple[float, float]) -> str:
    """The token of a flock: so many sheep."""
    size = 0.82 if len(places) == 1 else 0.52
    sheep = common.SYMBOLS["sheep"]
    return medal("".join(f'<g transform="translate({x} {y})scale({size})">{sheep}</g>' for x, y in places))


FLOCKS = {
    "sheep_1": flock((-0.6, -0.6)),
    "sheep_2": flock((-1.8, -3.4), (0.8, 2.8)),
    "sheep_3": flock((-0.4, -4.4), (-3.8, 2.2), (3.2, 2.6)),
    "sheep_4": flock((-3.8, -3.8), (3.2, -3.8), (-3.8, 2.6), (3.2, 2.6)),
}

SYMBOLS = {
    "wolf": medal(
        '<path class="wolf" d="M-6.6-7.4L-2.4-4.4H2.4L6.6-7.4 6.4-1 4 2.6 1.6 7H-1.6'
        'L-4 2.6-6.4-1z"/><path class="fleece" d="M-4.6.6L-1.4 2.2-1.2 5.6 0 7 1.2 5.6 1.4 2.2 4.6.6 2 4.6 0 7.6-2 4.6'
        'z"/>'
        '<path class="glare" d="M-4.2-1.8L-1.6-.4M4.2-1.8L1.6-.4"/><path class="dot" d="M-1.5 5.4H1.5L0 7.4z"/>'
    ),
    "rise": (
        '<circle class="rise" r="47"/><ellipse class="rise" cx="2" cy="-1" rx="38" ry="36"/>'
        '<ellipse class="rise" cx="3" cy="-2" rx="27" ry="24"/>'
    ),
    "hill": (
        '<path class="shade" d="M-17 9L-13 11.4H20L17.6 8z"/>'
        '<path class="slope2" d="M-3 9C2 7 4.4-4.6 9-4.6S14 6 18.4 9z"/>'
        '<path class="slope" d="M-18 9.4C-12.4 7.6-9.8-10-3.4-10S6 6.4 12.6 9.4z"/>'
        '<path class="dim" d="M-3.4-10C3-10 6 6.4 12.6 9.4H3C-.6 5 1.4-6-3.4-10z"/>'
        '<path class="hatch" d="M-6.4-6.4L-7.4-1.4M-3.2-7.6L-3.4-1.6M-9.4-.4L-11 4.2M11-2L12 2M14 3L15.2 6"/>'
    ),
    "vineyard": (
        '<path class="soil" d="M-10-6.5Q0-9.5 10-6.5V7.5Q0 9.5-10 7.5z"/>'
        '<path class="vine" d="M-8.6-3.6Q0-5.6 8.6-3.6M-8.6 1Q0-.8 8.6 1M-8.6 5.6Q0 4 8.6 5.6"/>'
        '<path class="grapes" d="M-6.6-2.4h0M-2.4-3.2h0M2-3.2h0M6.4-2.4h0M-6.6 2.2h0M-2.4 1.4h0M2 1.4h0M6.4 2.2h0'
        'M-6.6 6.6h0M-2.4 6h0M2 6h0M6.4 6.6h0"/>'
    ),
}
STYLES = {
    "rise": "fill:$rise;opacity:.34",
    "slope2": "fill:$slope2;stroke:$hatch;stroke-width:.7",
    "slope": "fill:$slope;stroke:$hatch;stroke-width:.7",
    "wolf": "fill:$wolf;stroke:$ink;stroke-width:.8;stroke-linejoin:round",
    "glare": "fill:none;stroke:$gold;stroke-width:1.5;stroke-linecap:round",
    "soil": "fill:$soil;stroke:$ink;stroke-width:.7",
    "vine": "fill:none;stroke:$leafline;stroke-width:2;stroke-linecap:round",
    "grapes": "fill:none;stroke:$grapes;stroke-width:2.4;stroke-linecap:round",
}

PIECES = {
    "shepherd": Piece(
        '<path d="M-6-6.6Q-3-7-3-9.4-2.6-11.6 0-11.6T3-9.4Q3-7 6-6.6'
        'L3.6-5.4Q3.4-3.6 2.2-2.8 5.4-1.8 6 3L7 10H-7L-6 3Q-5.4-1.8-2.2-2.8-3.4-3.6-3.6-5.4z"/>',
        '<path class="trim" d="M8 10V-6Q8-9 5.8-8.6"/>',
    ),
}

ART = Kit(
    prints={"hill": paint_hill, "vineyard": paint_vineyard, "sheep": paint_sheep},
    symbols=SYMBOLS | FLOCKS,
    pieces=PIECES,
    styles=STYLES,
)
