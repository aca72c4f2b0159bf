"""Drawings of Traders & Builders: the three goods, the builder and the pig."""

from __future__ import annotations

from bastide.art.brush import Brush
from bastide.art.kit import Kit


def paint_wine(brush: Brush, index: int, number: int) -> None:
    for _ in range(number):
        brush.sign("wine", index, 10)


def paint_grain(brush: Brush, index: int, number: int) -> None:
    for _ in range(number):
        brush.sign("sheaf", index, 10)


def paint_cloth(brush: Brush, index: int, number: int) -> None:
    for _ in range(number):
        brush.sign("cloth", index, 10)


SYMBOLS = {
    "wine": '<circle class="medal" r="9"/><path class="cask" d="M-4.4-5.6Q0-6.6 4.4-5.6 6.4 0 4.4 5.6 0 6.6-4.4 5.6-6.4 0-4.4-5.6z"/>'
    '<path class="hoop" d="M-5.3-2.8Q0-1.8 5.3-2.8M-5.3 2.8Q0 3.8 5.3 2.8"/><circle class="grape" cy=".6" r="1.5"/>',
    "sheaf": '<circle class="medal" r="9"/><path class="straw" d="M-2.4 6.4L-1 1M2.4 6.4L1 1M0 6.6V1"/>'
    '<path class="ear" d="M-1 1.4Q-6.4-1-5.4-6.4-2.6-5-1 1.4zM1 1.4Q6.4-1 5.4-6.4 2.6-5 1 1.4zM0 1.6Q-2.6-3 0-7.4 2.6-3 0 1.6z"/><path class="knot" d="M-2.6 2.2H2.6"/>',
    "cloth": '<circle class="medal" r="9"/><path class="silk" d="M-6-2.6Q0-6 6-2.6V3.4Q0 6.6-6 3.4z"/><path class="fold" d="M-2.6-4.2V5M1.4-4.4V5.2M4.2-3.6V4.4"/>'
    '<ellipse class="silk2" cx="-6" cy=".4" rx="1.7" ry="3"/>',
}
STYLES = {
    "medal": "fill:$medal;stroke:$ink;stroke-width:1.2",
    "cask": "fill:$wine;stroke:$ink;stroke-width:.8",
    "hoop": "fill:none;stroke:$gold;stroke-width:1.2",
    "grape": "fill:$gold",
    "straw": "fill:none;stroke:$straw;stroke-width:1.2;stroke-linecap:round",
    "ear": "fill:$straw;stroke:$ink;stroke-width:.7",
    "knot": "fill:none;stroke:$ink;stroke-width:1.3",
    "silk": "fill:$silk;stroke:$ink;stroke-width:.8",
    "silk2": "fill:$silk2;stroke:$ink;stroke-width:.7",
    "fold": "fill:none;stroke:$silk2;stroke-width:1",
}

ART = Kit(marks={"wine": paint_wine, "grain": paint_grain, "cloth": paint_cloth}, symbols=SYMBOLS, styles=STYLES)
