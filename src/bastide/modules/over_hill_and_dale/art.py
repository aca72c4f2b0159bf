"""Drawings of Over Hill and Dale: crop fields and their harvest, paths, farm animals, stables."""

from __future__ import annotations

from collections.abc import Mapping

from bastide.art.brush import Brush, counted
from bastide.art.common import MEADOW, MEDAL, PERSON, medal
from bastide.art.curves import Point, add, num, path, sample
from bastide.art.kit import Kit, Land, Piece
from bastide.art.layout import Form

CROPS = ("apple", "strawberry", "pumpkin", "sunflower", "grain", "scarecrow")


def paint_cropfield(brush: Brush, index: int) -> None:
    """Golden rows behind a hedge."""
    d = path(brush.layout.area(index).outline, closed=True)
    brush.draw(35, "crop", d)
    brush.add(35.2, f'<path fill="url(#g-rows)" d="{d}"/>')
    edges = brush.edges(index)
    if edges:
        brush.draw(36, "ditch", edges)
    for edge in brush.layout.area(index).edges:
        points = sample(edge.curve, 7)
        for p in points[1:-1]:
            if not any(abs(p[0] - g[0]) + abs(p[1] - g[1]) < 9 for g, _, _ in brush.layout.gates):
                brush.put(brush.random.choice(("shrub", "shrub", "shrub2")), p, 40)


def paint_path(brush: Brush, index: int) -> None:
    """A trodden path with stones along it."""
    piece = brush.line(index)
    d = brush.stretched(piece)
    brush.draw(30, "verge", d)
    brush.draw(30.4, "trail", d)
    brush.draw(30.5, "pebble", d)
    for point, outwards, area in brush.layout.gates:
        if piece.target == area:
            brush.put("fence", add(point, outwards, 1), 61)


def paint_junction(brush: Brush, hub: Point) -> None:
    """Where paths part stands a signpost."""
    brush.add(33, f'<circle class="fork" cx="{num(hub[0])}" cy="{num(hub[1])}" r="7"/>')
    brush.put("signpost", add(hub, (0, -4)))


def paint_animals(brush: Brush, kinds: Mapping[str, int]) -> None:
    """Animals graze on the largest meadow."""
    for kind, number in kinds.items():
        brush.signs(kind, brush.ground()[0], 11, number)


SYMBOLS = {
    "shrub": '<circle class="leaf2" r="2.9"/><path class="glint" d="M-1.5-.5a1.7 1.7 0 0 1 1.5-1.3"/>',
    "shrub2": '<circle class="leaf" r="2.5"/><path class="bloom" d="M-.8-.6h0M.9.5h0"/>',
    "fence": '<path class="rail" d="M-5.4-1.6H5.4M-5.4 1.4H5.4M-4.6 4V-4M0 4V-4M4.6 4V-4"/>',
    "signpost": (
        '<path class="rail" d="M0 6V-6"/>'
        '<path class="board" d="M-.6-6H5L6.6-4.4 5-2.8H-.6zM.6-2H-5L-6.6-.4-5 1.2H.6z"/>'
    ),
    "apple": medal(
        '<path class="apple" d="M0-2.4'
        'Q-2-4.4-4.6-2.8-6.4-.6-4.8 3-2.8 6.6 0 5.2 2.8 6.6 4.8 3 6.4-.6 4.6-2.8 2-4.4 0-2.4z"/>'
        '<path class="stalk" d="M0-2.4Q-.2-5 1.6-6.4"/><path class="leaf2" d="M.8-4.4Q3.4-7 5.4-5.2 3.4-3 .8-4.4z"/>'
    ),
    "strawberry": medal(
        '<path class="berry" d="M0 6.4Q-6.4 2-5.2-2-2.6-4.4 0-2.8 2.6-4.4 5.2-2 6.4 2 0 6.4z"/>'
        '<path class="leaf2" d="M-4.6-3.4L-1.6-4 0-6.4 1.6-4 4.6-3.4 2-1.6 0-2.4-2-1.6z"/>'
        '<path class="fleck" d="M-2.6.2h0M0 .8h0M2.6.2h0M-1.2 2.8h0M1.2 2.8h0"/>'
    ),
    "pumpkin": medal(
        '<ellipse class="pumpkin" cy="1.2" rx="6.6" ry="4.8"/>'
        '<path class="rib" d="M-2.6-3.2Q-4.4 1.2-2.6 5.6M2.6-3.2Q4.4 1.2 2.6 5.6M0-3.6V6"/>'
        '<path class="stalk" d="M0-3.4Q-.2-5.4 1.8-6.4"/>'
    ),
    "sunflower": medal(
        '<path class="petal" d="M0-7.4L1.8-4.2 5.2-5.2 4.4-1.8 7.4 0 4.4 1.8 5.2 5.2'
        'L1.8 4.2 0 7.4-1.8 4.2-5.2 5.2-4.4 1.8-7.4 0-4.4-1.8-5.2-5.2-1.8-4.2z"/><circle class="seed" r="3"/>'
    ),
    "scarecrow": medal(
        '<path class="rail" d="M0 8V-2M-6.4-1H6.4"/>'
        '<path class="coat" d="M-3-2.4H3L4 4.6H-4z"/><circle class="skin" cy="-4" r="2.2"/>'
        '<path class="hat" d="M-4-4.8H4L2-5.6V-8H-2V-5.6z"/>'
    ),
    "rooster": (
        '<g transform="scale(1.2)">'
        '<path class="hen" d="M-6.6-4.6Q-7.4 1.4-3.6 3.4L2 3.6Q5.4 1.4 4.6-3L3-3.6Q1.4-.8-1-.6-4-1.2-6.6-4.6z"/>'
        '<circle class="hen" cx="3.8" cy="-4" r="2"/>'
        '<path class="comb" d="M2.6-5.8L3-7.6 3.9-6.4 4.9-7.5 5.2-5.6zM5.6-4.4L7.4-3.6 5.6-3.2z"/>'
        '<path class="leg2" d="M-1 3.4V6.4M1.4 3.4V6.4"/></g>'
    ),
    "cow": (
        '<g transform="scale(1.2)"><path class="leg" d="M-4.6 2.6V6.4M3 2.6V6.4"/>'
        '<path class="hide" d="M-7-2.8Q-6.4-4 -4.6-4L3-3.8 4.4-5.4 7.4-5 8-2.6 6-1 4.2-1.4 3.6 3.4H-6.2z"/>'
        '<path class="patch" d="M-4.6-4L-1-3.8-.8-1-3.6-.2zM.6 3.4L1.4.6 3.8 1.4 3.6 3.4z"/>'
        '<path class="leg" d="M-7-2.6L-8.2 1M4.6-5.4L4-7M7-5L8-6.6"/></g>'
    ),
    "horse": (
        '<g transform="scale(1.2)">'
        '<path class="horse" d="M-6.8 6.6L-6-.4Q-6-3-3.6-3.2L1.4-3 3.4-7.6 5-8.6 8-5.4 6.8-4 5-4.4 4 1 3.8 6.6H2.2'
        'L1.6 2H-3.6L-5.2 6.6z"/><path class="mane" d="M3.6-7.6L1.4-3M-6.2-1.6Q-8.6-.4-8 3.6"/></g>'
    ),
}
DEFS = {
    "rows": (
        '<pattern id="g-rows" width="10" height="10" patternUnits="userSpaceOnUse">'
        '<path class="row" d="M3.2 6.4L4.2 4M5 6.8V3.2M6.8 6.4L5.8 4"/></pattern>'
    ),
}
STYLES = {
    "crop": "fill:$crop",
    "row": "fill:none;stroke:$row;stroke-width:.9;stroke-linecap:round",
    "ditch": "fill:none;stroke:$leafline;stroke-width:2.4",
    "verge": "fill:none;stroke:$verge;stroke-width:8.6",
    "trail": "fill:none;stroke:$trail;stroke-width:7.2",
    "pebble": "fill:none;stroke:$verge;stroke-width:1.3;stroke-dasharray:.1 6 .1 9;stroke-linecap:round",
    "fork": "fill:$trail;stroke:$verge;stroke-width:1",
    "rail": "fill:none;stroke:$trunk;stroke-width:1.3;stroke-linecap:round",
    "board": "fill:$deck;stroke:$ink;stroke-width:.6",
    "apple": "fill:$apple;stroke:$ink;stroke-width:.7",
    "stalk": "fill:none;stroke:$leafline;stroke-width:1.1;stroke-linecap:round",
    "berry": "fill:$berry;stroke:$ink;stroke-width:.7",
    "pumpkin": "fill:$pumpkin;stroke:$ink;stroke-width:.7",
    "rib": "fill:none;stroke:$ink;stroke-width:.5",
    "petal": "fill:$petal;stroke:$ink;stroke-width:.5",
    "seed": "fill:$trunk",
    "coat": "fill:$coat;stroke:$ink;stroke-width:.6",
    "skin": "fill:$plaster;stroke:$ink;stroke-width:.5",
    "hat": "fill:$trunk;stroke:$ink;stroke-width:.5",
    "hen": "fill:$hen;stroke:$ink;stroke-width:.7;stroke-linejoin:round",
    "comb": "fill:$berry",
    "leg2": "fill:none;stroke:$petal;stroke-width:1.1",
    "hide": "fill:$fleece;stroke:$ink;stroke-width:.7;stroke-linejoin:round",
    "patch": "fill:$ink",
    "horse": "fill:$horse;stroke:$ink;stroke-width:.7;stroke-linejoin:round",
    "mane": "fill:none;stroke:$ink;stroke-width:1.2;stroke-linecap:round",
}

PIECES = {
    "meeple": Piece(
        PERSON,
        lies=True,
    ),
    "stable": Piece(
        '<path d="M-10-1L-6-7.6 0-10 6-7.6 10-1V9.4H-10z"/>',
        '<path class="trim" d="M-4.4 9.4V1.4H4.4V9.4M-4.4 1.4L4.4 9.4M4.4 1.4L-4.4 9.4M-10-1L-6-6 0-8 6-6 10-1"/>',
    ),
}

ART = Kit(
    lands={
        "cropfield": Land(Form("area", 35), paint_cropfield),
        "path": Land(Form("line", 30, 8), paint_path, crossing=paint_junction),
        "meadow": MEADOW,
    },
    marks={("cropfield", name): counted(name, MEDAL) for name in CROPS},
    prints={"animal_kinds": paint_animals},
    symbols=SYMBOLS,
    pieces=PIECES,
    defs=DEFS,
    styles=STYLES,
)
