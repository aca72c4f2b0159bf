"""Drawings of the Princess & the Dragon: volcanoes, dragon signs, portals, princesses; the dragon and the fairy."""

from __future__ import annotations

from bastide.art.brush import BADGE, Brush
from bastide.art.common import MEDAL, medal
from bastide.art.kit import Kit, Piece


def paint_volcano(brush: Brush, value: object) -> None:
    """Where the largest field has room; a road that just ends leads to it."""
    ends = [piece.curve[-1][3] for piece in brush.layout.lines if piece.end == "open"]
    place = (ends[0][0], ends[0][1] - 8) if ends else brush.room(brush.ground()[0], 15, reach=18)
    brush.space.claim(place, 17)
    brush.put("dragon_volcano", place, BADGE - 1)


def paint_dragon(brush: Brush, value: object) -> None:
    """On open ground; in a city where the ground is too narrow."""
    ground = brush.ground()[0]
    cities = [i for i, segment in enumerate(brush.tile.segments) if segment.kind == "city"]
    narrow = brush.space.free(brush.room(ground, MEDAL)) < MEDAL and cities
    brush.sign("dragon_sign", cities[0] if narrow else ground, MEDAL)


def paint_portal(brush: Brush, value: object) -> None:
    """On open ground."""
    brush.sign("magic_portal", brush.ground()[0], 11.5)


def paint_princess(brush: Brush, index: int, number: int) -> None:
    """In her city."""
    brush.sign("princess", index, MEDAL)


SYMBOLS = {
    "dragon_volcano": (
        '<path class="shade" d="M-16 12L-10 15.4H22L17 10.6z"/>'
        '<path class="smoke" d="M3.4-14.4a3.2 3.2 0 0 1 4-3.4 3.8 3.8 0 0 1 6.8-.6 3.4 3.4 0 0 1 3.2 5.2'
        'A3 3 0 0 1 14.4-9.8H6.6A3 3 0 0 1 3.4-14.4z"/>'
        '<path class="vent" d="M-17.6 12Q-10.4 6.4-6.4-7.4 0-4.8 6.4-7.4 10.4 6.4 17.6 12 0 17-17.6 12z"/>'
        '<path class="dim" d="M6.4-7.4Q10.4 6.4 17.6 12 11 14.2 5 14.6 7.6 4 3-6.4z"/>'
        '<path class="ember" d="M-6.4-7.4Q0-11 6.4-7.4 6 -3.6 7.6 1.4 6.6 4.6 5 1 4-3 2.2-2.4 2.4 5 .4 9.4-1.6 11-1.8 7'
        '-1.4 1-2.8-1-3.6 3.6-5.4 4.2-6.8 3-5.6-1.4-5.4-4.6-6.4-7.4z"/>'
        '<path class="ember2" d="M-3-8.2Q-5-12.6-1.8-17.4-1.2-14 .6-13 1-15 2.6-15.6 2.2-12.6 3.8-11 4.4-9.4 3.4-8z"/>'
        '<path class="ridge" d="M-10 6.6L-12.4 10.6M-7 8.4L-8 12.4M10.6 7L13 10.8"/>'
    ),
    "dragon_sign": medal(
        '<path class="drake" d="M-7.6 1.2Q-6.8-.8-3.2-1.4-3.6-3.8-1.4-5.4L-3-8.2.6-6.4 2.4-8.4 3.4-5.6Q6.8-4 7.2.2'
        ' 7.4 4.6 4.4 7.8 1 8.4-1.6 7.2.8 5.8.6 3.6L-1.8 3.4-4.8 4.4-7.2 3.4z"/>'
        '<path class="ridge" d="M-7 2.2Q-4.4 2.4-2.4 1.4M3.6-5.4Q5.4-2.4 4.8 1.6M4.4 3.2Q4 5.4 2.4 7.2"/>'
        '<circle class="ember2" cx="-.4" cy="-2.4" r="1.3"/><circle class="dot" cx="-6" cy=".9" r=".6"/>'
    ),
    "magic_portal": (
        '<path class="shade" d="M-9 10.4L-5 13H16L11 9z"/>'
        '<path class="portal" d="M-6 10.4V-1.6a6 6 0 0 1 12 0V10.4z"/>'
        '<path class="swirl" d="M.2 6.8C-4.2 6.2-4.6.6-1-1.6 2.4-3.4 5 .2 3.2 3'
        '-.0 5.6-2.4 2.8-.4 1.2.6.6 1.4 1.2 1.2 2"/>'
        '<path class="arch" d="M-10.4 10.6V-1.4a10.4 10.4 0 0 1 20.8 0V10.6H5.8V-1.6a5.8 5.8 0 0 0-11.6 0V10.6z"/>'
        '<path class="ridge" d="M-10.4 6H-5.8M-10.4 1.4H-5.8M10.4 6H5.8M10.4 1.4H5.8M-9.2-6.4L-5.2-3.8'
        'M9.2-6.4L5.2-3.8M-4.4-10.8L-2.4-7M4.4-10.8L2.4-7"/>'
        '<path class="spark" d="M-12-11.4h0M11.6-12.6h0M13-5.6h0M-13.4-3.6h0M-.2-14.8h0"/>'
    ),
    "princess": medal(
        '<path class="tress" d="M-5.2 5Q-7-5.2 0-5.6 7-5.2 5.2 5 3.4 6.6 0 6.4-3.4 6.6-5.2 5z"/>'
        '<path class="gown" d="M-6.4 7.2Q-5 3.6-1.8 3.2H1.8Q5 3.6 6.4 7.2 0 10.4-6.4 7.2z"/>'
        '<path class="cheek" d="M-3.3-1.6Q-3.3-4.2 0-4.4 3.3-4.2 3.3-1.6 3.2 2 0 3.2-3.2 2-3.3-1.6z"/>'
        '<path class="tiara" d="M-4-3.6L-4.8-8 -2.2-6 0-8.8 2.2-6 4.8-8 4-3.6Q0-5.2-4-3.6z"/>'
        '<path class="dot" d="M-1.9-1.4a.6.6 0 1 0 1.2 0a.6.6 0 1 0-1.2 0M.7-1.4a.6.6 0 1 0 1.2 0a.6.6 0 1 0-1.2 0"/>'
        '<path class="lips" d="M-1 1.1Q0 1.9 1 1.1"/>'
    ),
    "dragon": (  # the wooden figure
        '<ellipse class="shade" cx="1.4" cy="9.4" rx="11.4" ry="2.4"/>'
        '<path class="drake2" d="M1-1.4Q-.6-10.4 7.6-12.2 6.6-9.6 8.8-8.6 11.8-9.4 13.4-7.6 10.6-6.6 10.4-4.6'
        ' 7.2-4.6 6.4-1z"/>'
        '<path class="ridge" d="M2.6-2.4Q2.8-8 7-11.2M4.4-2.2Q6-6.4 12-7.4"/>'
        '<path class="drake" d="M-11.4-6.2Q-10.6-8-7.4-8.4L-7.2-11-5.2-9.2-3.6-10.6-3.4-7.6Q-1.2-5.4-2.4-2.4'
        " 2-4 6.4-1.2 9.6 1.4 9 4.6 11.4 4.8 12.4 2.6L14 5.2Q12.4 8.2 8 8.4L7.8 9.6H4.4L4.6 7.4H-1.4L-1.6 9.6H-5"
        'Q-5 6.4-6.4 4.6-8 2-6.6-2.2-7-3.8-8.6-3.6-10.4-3.2-11.6-4.4z"/>'
        '<path class="belly" d="M-5.4-1.8Q-6.4 2-4.8 4.6-3.4 6.4-1.4 6.6-3.4 2.8-3.2-1.4z"/>'
        '<path class="ridge" d="M-11-5.2Q-9.4-4.8-8-5.4"/>'
        '<circle class="ember2" cx="-6.6" cy="-6.6" r=".9"/>'
    ),
    "fairy": (  # the wooden figure
        '<ellipse class="shade" cx="1" cy="9.6" rx="6.6" ry="1.9"/>'
        '<path class="wing" d="M-1-2.4Q-5-9.6-10-8.4-10.6-3.6-6-1.6-9.4-.4-8.4 3.4-4 4-1.4.4z"/>'
        '<path class="wing" d="M1-2.4Q5-9.6 10-8.4 10.6-3.6 6-1.6 9.4-.4 8.4 3.4 4 4 1.4.4z"/>'
        '<path class="robe" d="M-1.8-3.6H1.8Q2.2 1.4 5.4 9.4 0 11-5.4 9.4-2.2 1.4-1.8-3.6z"/>'
        '<path class="dim" d="M.8-3.6H1.8Q2.2 1.4 5.4 9.4 3.4 10.2 1.6 10.2 2.2 2.6.8-3.6z"/>'
        '<circle class="cheek" cy="-6.6" r="3"/>'
        '<path class="tress" d="M-3.2-5.6Q-3.8-10.4 0-10.4T3.2-5.6Q2.2-8.2 0-8.2T-3.2-5.6z"/>'
        '<path class="wand" d="M2-2L7.4-9.6"/>'
        '<path class="tiara" d="M7.6-13L8.4-11 10.6-10.9 8.9-9.6 9.5-7.4 7.6-8.7 5.7-7.4 6.3-9.6 4.6-10.9 6.8-11z"/>'
    ),
}

STYLES = {
    "vent": "fill:$vent;stroke:$ink;stroke-width:.8;stroke-linejoin:round",
    "smoke": "fill:$ash;stroke:$ink;stroke-width:.5",
    "ember": "fill:$ember;stroke:$ink;stroke-width:.5;stroke-linejoin:round",
    "ember2": "fill:$gold;stroke:$ink;stroke-width:.5;stroke-linejoin:round",
    "ridge": "fill:none;stroke:$ink;stroke-width:.6;stroke-linecap:round",
    "drake": "fill:$drake;stroke:$ink;stroke-width:.8;stroke-linejoin:round",
    "drake2": "fill:$drake2;stroke:$ink;stroke-width:.8;stroke-linejoin:round",
    "belly": "fill:$belly;stroke:$ink;stroke-width:.5",
    "portal": "fill:$portal;stroke:$ink;stroke-width:.8",
    "swirl": "fill:none;stroke:$spark;stroke-width:1.3;stroke-linecap:round",
    "spark": "fill:none;stroke:$spark;stroke-width:1.8;stroke-linecap:round",
    "gown": "fill:$gown;stroke:$ink;stroke-width:.7",
    "cheek": "fill:$cheek;stroke:$ink;stroke-width:.6",
    "tress": "fill:$tress;stroke:$ink;stroke-width:.7",
    "tiara": "fill:$gold;stroke:$ink;stroke-width:.7;stroke-linejoin:round",
    "lips": "fill:none;stroke:$ink;stroke-width:.6;stroke-linecap:round",
    "wing": "fill:$wing;stroke:$ink;stroke-width:.7;stroke-linejoin:round",
    "robe": "fill:$robe;stroke:$ink;stroke-width:.8;stroke-linejoin:round",
    "wand": "fill:none;stroke:$ink;stroke-width:1.1;stroke-linecap:round",
}

# What a player chooses when moving the fairy: her outline.
FAIRY = Piece(
    '<path d="M0-11.6a3.4 3.4 0 0 1 2.6 5.6Q6.4-10.4 10.4-8.6 10.8-3.6 6-1.6 9.4-.4 8.4 3.4 5.4 4 3.4 2.6 4.2 6 5.6 9.6'
    'H-5.6Q-4.2 6-3.4 2.6-5.4 4-8.4 3.4-9.4-.4-6-1.6-10.8-3.6-10.4-8.6-6.4-10.4-2.6-6A3.4 3.4 0 0 1 0-11.6z"/>'
)

ART = Kit(
    marks={("city", "princess"): paint_princess},
    prints={"dragon_volcano": paint_volcano, "dragon": paint_dragon, "magic_portal": paint_portal},
    symbols=SYMBOLS,
    pieces={"fairy": FAIRY, "fairy_2": FAIRY},
    styles=STYLES,
)
