"""Drawings of Lanterns."""

from __future__ import annotations

from bastide.art.brush import Brush
from bastide.art.common import PERSON
from bastide.art.kit import Kit, Piece


def paint_lantern(brush: Brush, index: int, number: int) -> None:
    """In the middle of its road."""
    brush.put("lantern", brush.line(index).points(12)[4])


def paint_moon(brush: Brush, value: object) -> None:
    """On open ground."""
    brush.sign("moon", brush.ground()[0], 6)


ART = Kit(
    marks={("road", "lantern"): paint_lantern},
    prints={"moon": paint_moon},
    symbols={
        "lantern": '<path class="lantern" d="M-2 5H2V-3H-2z"/>',
        "moon": '<circle class="lantern" r="4"/>',
    },
    pieces={"keeper": Piece(PERSON)},
    styles={"lantern": "fill:$lantern"},
)
