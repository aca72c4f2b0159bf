"""Drawings of the anniversary symbols: an arrow to a side of the tile, and what it brings."""

from __future__ import annotations

from collections.abc import Mapping

from bastide.art.brush import BADGE, Brush
from bastide.art.curves import add
from bastide.art.kit import Kit
from bastide.art.layout import ALONG, INWARDS, MIDDLES
from bastide.geometry import SIDES


def paint_symbol(brush: Brush, symbol: Mapping[str, str]) -> None:
    """A banner near the side, its arrow on the rim; beside a line that leaves there, never on it."""
    side = SIDES.index(symbol["points_to"])
    taken = any(side in s.sides and brush.plan.forms[i].shape == "line" for i, s in enumerate(brush.tile.segments))
    tips = [add(MIDDLES[side], ALONG[side], aside) for aside in ((26, -26) if taken else (0,))]
    tip = max(tips, key=lambda tip: brush.space.free(add(tip, INWARDS[side], 13)))
    place = add(tip, INWARDS[side], 13)
    brush.fix("arrow", tip, 90 * side, BADGE - 1)
    brush.put(symbol["kind"], place, BADGE)
    brush.space.claim(place, 10.5)


SYMBOLS = {
    "arrow": '<path class="banner" d="M0 .8L9.2 9.6A9.4 9.4 0 1 1-9.2 9.6z"/><path class="token" d="M0 .8L5 5.6H-5z"/>',
    "second_meeple": (
        '<g transform="translate(-3.2 0)">'
        '<path class="token" d="M0-5.4a2 2 0 0 1 1.7 3q2.6.6 2.6 2l-2 .6 1.4 4H1L0 2.8-1 4.2'
        'H-3.7l1.4-4-2-.6q0-1.4 2.6-2A2 2 0 0 1 0-5.4z"/></g><g transform="translate(3 1)">'
        '<path class="token2" d="M0-5.4a2 2 0 0 1 1.7 3q2.6.6 2.6 2l-2 .6 1.4 4H1L0 2.8-1 4.2'
        'H-3.7l1.4-4-2-.6q0-1.4 2.6-2A2 2 0 0 1 0-5.4z"/></g>'
    ),
    "free_placement": (
        '<path class="token" d="M0-6.4a2.2 2.2 0 0 1 1.9 3.2q3 .7 3 2.3l-2.4.6 1.7 4.4H1.2L0 2.2-1.2 4.1'
        'H-4.2l1.7-4.4-2.4-.6q0-1.6 3-2.3A2.2 2.2 0 0 1 0-6.4z"/>'
        '<path class="burst" d="M-6.6-2.6L-8-3.2M6.6-2.6L8-3.2M-6.6 2.4L-8 3M6.6 2.4L8 3M0 6.2V7.6M-3.6 5.8L-4.2 7'
        'M3.6 5.8L4.2 7"/>'
    ),
    "extra_turn": (
        '<path class="loop" d="M4.6-2.8A5.4 5.4 0 1 0 5.3 1.2"/><path class="token" d="M2.2-3.4L6.6-5.4 6.9-.6z"/>'
        '<path class="loop2" d="M-1.8 0H1.8M0-1.8V1.8"/>'
    ),
}
STYLES = {
    "banner": "fill:$banner;stroke:$ink;stroke-width:1.1;stroke-linejoin:round",
    "token": "fill:$token;stroke:$ink;stroke-width:.5",
    "token2": "fill:$token2;stroke:$ink;stroke-width:.5",
    "burst": "fill:none;stroke:$token;stroke-width:1.1;stroke-linecap:round",
    "loop": "fill:none;stroke:$token;stroke-width:2",
    "loop2": "fill:none;stroke:$token;stroke-width:1.6",
}

ART = Kit(prints={"symbol": paint_symbol}, symbols=SYMBOLS, styles=STYLES)
