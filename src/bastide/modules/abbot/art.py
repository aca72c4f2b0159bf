"""Drawings of the Abbot: gardens and the abbot himself."""

from __future__ import annotations

from bastide.art.brush import BADGE, Brush
from bastide.art.kit import Kit, Land, Piece
from bastide.art.layout import Form


def paint_garden(brush: Brush, index: int) -> None:
    """A round garden behind its hedge."""
    point, _ = brush.layout.places[index]
    brush.put("garden", point, BADGE - 5)


SYMBOLS = {
    "garden": (
        '<circle class="hedge" r="10.4"/><circle class="gravel" r="8.2"/>'
        '<path class="bed" d="M-1.4-7.4A7.5 7.5 0 0 0-7.4-1.4H-3.2L-1.4-3.2zM1.4-7.4A7.5 7.5 0 0 1 7.4-1.4H3.2'
        'L1.4-3.2zM-1.4 7.4A7.5 7.5 0 0 1-7.4 1.4H-3.2L-1.4 3.2zM1.4 7.4A7.5 7.5 0 0 0 7.4 1.4H3.2L1.4 3.2z"/>'
        '<path class="rose" d="M-4-5.2h0M-5.2-3.2h0M4-5.2h0M5.2-3.2h0M-3.6 5.2h0M-5.4 3.4h0M3.6 5.2h0M5.4 3.4h0"/>'
        '<path class="lily" d="M-3-3.8h0M3-3.8h0M-3 3.6h0M3 3.6h0"/><circle class="pond" r="1.9"/>'
    ),
}
STYLES = {
    "hedge": "fill:$leaf2;stroke:$leafline;stroke-width:.8",
    "gravel": "fill:$gravel",
    "bed": "fill:$leaf",
    "rose": "fill:none;stroke:$rose;stroke-width:2.7;stroke-linecap:round",
    "lily": "fill:none;stroke:$bloom;stroke-width:1.8;stroke-linecap:round",
}

PIECES = {
    "abbot": Piece(
        '<path d="M-3.4-7Q-3-10.4 0-12.4 3-10.4 3.4-7V-5.4Q3.2-3.4 2-2.6 6-1 7 5'
        'L7.8 10H-7.8L-7 5Q-6-1-2-2.6-3.2-3.4-3.4-5.4z"/>',
        '<path class="trim" d="M-3.2-6.4H3.2M0-11V-7.4M0 0V7.4M-2.4 2.6H2.4"/>',
    ),
}

ART = Kit(
    lands={"garden": Land(Form("inner", 50, room=11), paint_garden)}, symbols=SYMBOLS, pieces=PIECES, styles=STYLES
)
