"""Drawings of Inns & Cathedrals: inns beside their road, cathedrals, the big follower."""

from __future__ import annotations

from bastide.art.brush import Brush
from bastide.art.common import PERSON
from bastide.art.curves import add, border, left, walk
from bastide.art.kit import Kit, Piece


def paint_inn(brush: Brush, index: int, number: int) -> None:
    """Beside its own road, where that is far from every other one."""
    piece = brush.line(index)
    points = piece.points(12)
    best, place = -1.0, points[0]
    for part in (0.3, 0.4, 0.5, 0.6, 0.7):
        p, along = walk(points, part)
        for side in (-1, 1):
            beside = add(p, left(along), side * (piece.width / 2 + 7))
            inside = border(beside) - 9
            land = brush.plan.forms[max(brush.space.at(beside), 0)].shape
            score = min(brush.space.free(beside), 7.5, inside + 7.5) - abs(part - 0.45)
            if land == "ground" and score > best:
                best, place = score, beside
    brush.sign("inn", index, 8, place)


def paint_cathedral(brush: Brush, index: int, number: int) -> None:
    """It takes the middle of its tile."""
    brush.sign("cathedral", index, 25, (50, 50))


SYMBOLS = {
    "inn": (
        '<ellipse class="tread" cy="6" rx="9.5" ry="4"/><path class="front" d="M-6.5 7V-2H5.5V7z"/>'
        '<path class="inn" d="M-8.4-1.2L-5.6-9H4.6L7.4-1.2z"/><path class="front" d="M1.6-8.2V-12H4V-7.4z"/>'
        '<path class="door" d="M-1.8 7V2.6a1.6 1.6 0 0 1 3.2 0V7z"/><path class="lit" d="M-5 4V1h2v3zM2.6 4V1h2v3z"/>'
        '<path class="post" d="M9 8V-4H5"/><circle class="coin" cx="8.6" cy="-1.6" r="2.4"/>'
    ),
    "cathedral": (
        '<path class="side" d="M-13 20V-2L0-14 13-2V20z"/>'
        '<path class="slate" d="M-15-1L0-16.4 15-1 12.4 1.4 0-10.6-12.4 1.4z"/>'
        '<path class="front" d="M-22 20V-8H-11V20zM11 20V-8H22V20z"/>'
        '<path class="slate" d="M-23.4-7.4L-16.5-23-9.6-7.4zM9.6-7.4L16.5-23 23.4-7.4z"/>'
        '<path class="cross" d="M-16.5-22.6V-28M-18.6-26H-14.4M16.5-22.6V-28M14.4-26H18.6"/>'
        '<circle class="pane" cy="-1.6" r="4.6"/>'
        '<path class="lead" d="M-4.6-1.6H4.6M0-6.2V3M-3.2-4.8L3.2 1.6M3.2-4.8L-3.2 1.6"/>'
        '<path class="door" d="M-4.4 20V11.4a4.4 4.4 0 0 1 8.8 0V20z"/>'
        '<path class="pane" d="M-18 6V-1a1.5 1.5 0 0 1 3 0V6zM15 6V-1a1.5 1.5 0 0 1 3 0V6zM-18 16'
        'V10.4a1.5 1.5 0 0 1 3 0V16zM15 16V10.4a1.5 1.5 0 0 1 3 0V16z"/>'
    ),
}
STYLES = {
    "inn": "fill:$inn;stroke:$ink;stroke-width:.7",
    "tread": "fill:$tread;opacity:.9",
    "lit": "fill:$lit",
    "coin": "fill:$gold;stroke:$ink;stroke-width:.7",
    "pane": "fill:$pane;stroke:$ink;stroke-width:.6",
    "lead": "fill:none;stroke:$ink;stroke-width:.5",
}

PIECES = {
    "big_follower": Piece(
        PERSON,
        '<path class="trim" d="M-4.4 2.6H4.4"/>',
        lies=True,
        scale=1.32,
    ),
}

ART = Kit(
    marks={("road", "inn"): paint_inn, ("city", "cathedral"): paint_cathedral},
    symbols=SYMBOLS,
    pieces=PIECES,
    styles=STYLES,
)
