"""Drawings of Traders & Builders: the three goods, the builder and the pig."""

from __future__ import annotations

from bastide.art.brush import counted
from bastide.art.common import MEDAL, medal
from bastide.art.kit import Kit, Piece

SYMBOLS = {
    "wine": medal(
        '<path class="cask" d="M-4.4-5.6Q0-6.6 4.4-5.6 6.4 0 4.4 5.6 0 6.6-4.4 5.6-6.4 0-4.4-5.6z"/>'
        '<path class="hoop" d="M-5.3-2.8Q0-1.8 5.3-2.8M-5.3 2.8Q0 3.8 5.3 2.8"/>'
        '<circle class="grape" cy=".6" r="1.5"/>'
    ),
    "cloth": medal(
        '<path class="silk" d="M-6-2.6Q0-6 6-2.6V3.4Q0 6.6-6 3.4z"/>'
        '<path class="fold" d="M-2.6-4.2V5M1.4-4.4V5.2M4.2-3.6V4.4"/>'
        '<ellipse class="silk2" cx="-6" cy=".4" rx="1.7" ry="3"/>'
    ),
}
STYLES = {
    "cask": "fill:$wine;stroke:$ink;stroke-width:.8",
    "hoop": "fill:none;stroke:$gold;stroke-width:1.2",
    "grape": "fill:$gold",
    "silk": "fill:$silk;stroke:$ink;stroke-width:.8",
    "silk2": "fill:$silk2;stroke:$ink;stroke-width:.7",
    "fold": "fill:none;stroke:$silk2;stroke-width:1",
}

PIECES = {
    "builder": Piece(
        '<path d="M-4.6-7.4Q-4.4-11 0-11T4.6-7.4H5.4V-5.6H3.6'
        'Q3.4-3.6 2.2-2.8 7-1.6 7.6 3.4L7.8 10H-7.8L-7.6 3.4Q-7-1.6-2.2-2.8-3.4-3.6-3.6-5.6H-5.4V-7.4z"/>',
        '<path class="trim" d="M-5-5.8H5M-3.4 7L3.2.4M1.4-1.2L5 2.2"/>',
    ),
    "pig": Piece(
        '<path d="M-10-1Q-8.6-6.4-1-6.4 4-6.4 6-4.2L8.2-5.6 8.4-2.4'
        ' 10.4-1.2V2.2L7.6 2.6Q7 4 6 4.8V8.4H2.8V6H-3.8V8.4H-7V4.6Q-9.6 2.6-10-1z"/>',
        '<circle class="eye" cx="6.6" cy="-1.4" r=".9"/><path class="trim" d="M-10-1.4q-2.4-.4-1.8-3"/>',
    ),
}

ART = Kit(
    marks={
        ("city", "wine"): counted("wine", MEDAL),
        ("city", "grain"): counted("grain", MEDAL),
        ("city", "cloth"): counted("cloth", MEDAL),
    },
    symbols=SYMBOLS,
    pieces=PIECES,
    styles=STYLES,
)
