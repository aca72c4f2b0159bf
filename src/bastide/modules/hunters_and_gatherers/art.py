"""Drawings of Hunters and Gatherers: forests, lakes, game, nuggets and mushrooms, men and huts."""

from __future__ import annotations

from collections.abc import Sequence

from bastide.art.brush import BADGE, Brush, counted
from bastide.art.common import LAKE, MEADOW, PERSON, RIVER
from bastide.art.curves import Point, add, path
from bastide.art.kit import Kit, Land, Piece
from bastide.art.layout import Form

TREES = ("fir", "fir", "oak", "oak", "birch")


def paint_forest(brush: Brush, index: int) -> None:
    """Dark ground under close trees, which also stand along its edge."""
    brush.draw(10, "forest", path(brush.layout.area(index).outline, closed=True))
    for p in brush.space.scatter(index, 8.2, 3, 7.9, brush.random):
        brush.put(brush.random.choice(TREES), p)


def paint_volcano(brush: Brush, value: object) -> None:
    """On the roomiest ground."""
    place = brush.room(brush.ground()[0], 13, reach=16)
    brush.put("volcano", place, BADGE - 1)
    brush.space.claim(place, 13)


def paint_fish(brush: Brush, index: int, number: int) -> None:
    """A shoal round the middle of its lake, which stays free for a hut."""
    centre, radius = brush.layout.places[index]
    for offset in SHOALS[number - 1]:
        brush.sign("fish", index, 6, add(centre, offset, radius))


# Places of one to four fish, in parts of the lake's radius.
SHOALS: Sequence[Sequence[Point]] = (
    [(-0.1, -0.44)],
    [(-0.2, -0.46), (0.2, 0.46)],
    [(-0.42, -0.48), (0.42, -0.48), (0, 0.52)],
    [(-0.42, -0.5), (0.42, -0.5), (-0.42, 0.5), (0.42, 0.5)],
)

SYMBOLS = {
    "fir": (
        '<path class="trunk" d="M-.7 3.4h1.4V6h-1.4z"/>'
        '<path class="fir" d="M0-6.6L2.6-2H1.5L4 2.2H2.2L4.4 4.4H-4.4L-2.2 2.2H-4L-1.5-2H-2.6z"/>'
    ),
    "oak": (
        '<path class="trunk" d="M-.8 2h1.6V5.8h-1.6z"/>'
        '<path class="oak" d="M-3.6 2.6a2.7 2.7 0 0 1-.6-4.4'
        'A3.4 3.4 0 0 1 0-5.6a3.4 3.4 0 0 1 4.2 3.8 2.7 2.7 0 0 1-.6 4.4z"/>'
        '<path class="moss" d="M-2.4-1.4a2.6 2.6 0 0 1 2.4-2.2"/>'
    ),
    "birch": (
        '<path class="trunk" d="M-.6 2.5h1.2V6h-1.2z"/>'
        '<path class="birch" d="M0-6C2.8-3.6 3.6-1 3.2 1.2 2.8 3.4-2.8 3.4-3.2 1.2-3.6-1-2.8-3.6 0-6z"/>'
        '<path class="moss" d="M-1.6 0C-1.6-1.6-1-3-.2-4"/>'
    ),
    "fish": (
        '<g transform="scale(1.25)"><path class="fish" d="M-5.4 0Q-1.6-3.8 3-.6L5.6-2.8V2.8L3 .6Q-1.6 3.8-5.4 0z"/>'
        '<circle class="dot" cx="-3" cy="-.6" r=".6"/></g>'
    ),
    "nuggets": (
        '<g transform="scale(1.35)"><path class="nugget" d="M-5.6 3.4L-4.8-1.4-1.2-4.6 3-3.8 5.6-.4 4.6 3.8-.6 5z"/>'
        '<path class="gleam" d="M-2.8-.8L-.4-2.6M2-1.4L3.4.6"/></g>'
    ),
    "mushrooms": (
        '<g transform="scale(1.2)"><circle class="clearing" r="8.6"/>'
        '<path class="stem" d="M-4.8 4.6V.6H-2V4.6zM1.2 5V1H4.4V5z"/>'
        '<path class="cap" d="M-7.2 1A3.8 3.8 0 0 1 .4 1zM-.6 1.4A3.5 3.5 0 0 1 6.4 1.4z"/>'
        '<path class="fleck" d="M-4.6-.9h0M-2.2-.4h0M2-.4h0M4.2-.1h0"/></g>'
    ),
    "deer": (
        '<g transform="scale(1.25)">'
        '<path class="deer" d="M-5.6 6.4L-5-.2Q-5.4-2-3.8-2.4L2-2.2 3.6-5.4 6-5.8 7.4-4 5.4-3.2 4.2.6 3.8 6.4H2.6'
        'L2.2 1.6H-3L-4.2 6.4z"/><path class="antler" d="M4-5.6L3-9.4M3.4-7.8L1.4-8.8M5-6L6.4-9.6M5.8-7.8L7.8-8.8"/>'
        "</g>"
    ),
    "mammoth": (
        '<g transform="scale(1.25)">'
        '<path class="mammoth" d="M-8.6 7.4L-8.2-.6Q-7.6-6-2-6 0-9 4-8 7.8-7 7.8-2.6L8.4 5.4'
        'Q8.6 7 7.2 6.8 6.4 6.6 6.4 5L5.6 1.4 4 2.4V7.4H.8V3H-4.2V7.4z"/>'
        '<path class="tusk" d="M5 .4Q4.4 4.4 8.2 4.2"/><circle class="dot" cx="4.4" cy="-4" r=".7"/></g>'
    ),
    "tiger": (
        '<g transform="scale(1.25)">'
        '<path class="tiger" d="M-6.4 5.8L-6-.4Q-9-2.2-8.4-5.4-6.4-2.6-4.4-2.8L2-2.8Q3-6 6.2-5.8'
        'L7.6-3.6 7.8-1 5.2.2 4.6 5.8H3L2.2 1.8H-3L-4.6 5.8z"/>'
        '<path class="stripe" d="M-4-2.4V.4M-1.6-2.4V1M.8-2.4V.4"/><path class="fang" d="M6 .2V2.4M7.4-.6V1.6"/></g>'
    ),
    "aurochs": (
        '<g transform="scale(1.25)">'
        '<path class="aurochs" d="M-8 6.4L-7.4-1.4Q-6.6-4 -3.6-3.8L1-4.8Q3.4-6.2 6-4.6L7.8-.8 6.4 1 4.4.6 3.8 6.4H2'
        'L1.4 2.2H-4L-5.6 6.4z"/><path class="horn" d="M3.4-5Q1.6-8.4 4-9M6-4.8Q9-7 7.6-9"/></g>'
    ),
    "fire": (
        '<g transform="scale(1.2)"><path class="char" d="M-6.6 6.4L6.6 3.6M-6.6 3.6L6.6 6.4"/>'
        '<path class="blaze" d="M0-9.4Q6.4-3 5 2.4 3.8 5.6 0 5.6T-5 2.4Q-5.6-1-3-3.6-2.4-1.6-1.2-1.4-2.2-5.6 0-9.4'
        'z"/><path class="flame" d="M.2-3Q3 .6 2.4 3 1.8 5 0 5T-2.4 3Q-2.4 1.2-.8-.2-.4.8.4.6-.4-1.2.2-3z"/></g>'
    ),
    "shrine": (
        '<path class="rock" d="M-8.4 7.4V-3.6H-4.4V7.4zM4.4 7.4V-3.6H8.4V7.4z"/>'
        '<path class="rock2" d="M-10-3.4L-9-7.6H9L10-3.4z"/><circle class="flame" cy="2.6" r="2.6"/>'
        '<path class="rock" d="M-3.4 7.4V5.2H3.4V7.4z"/>'
    ),
    "volcano": (
        '<path class="lava" d="M-4.6-6.6Q-1-9.6-2.2-13 1-11.4.4-9 3.4-11.6 2.8-14.4 6-10 4.4-6.6z"/>'
        '<path class="cone" d="M-17 11L-5.4-7.4Q0-5 5.4-7.4L17 11Q0 15-17 11z"/>'
        '<path class="lava" d="M-5.2-7.4Q0-5 5.2-7.4L3.6-1.4 2.2-3.4.8 3.6-1.2-2.6-2.6 0z"/>'
        '<path class="hatch" d="M-9.4 5.4L-11.6 9.6M8.6 4L11.2 9M-4.6 7L-5 10.6M4.4 7.4L5 10.8"/>'
    ),
}
STYLES = {
    "forest": "fill:$forest;stroke:$leafline;stroke-width:1",
    "fir": "fill:$fir;stroke:$barkline;stroke-width:.5",
    "oak": "fill:$oak;stroke:$barkline;stroke-width:.5",
    "birch": "fill:$birch;stroke:$barkline;stroke-width:.5",
    "moss": "fill:none;stroke:$moss;stroke-width:.8;stroke-linecap:round",
    "fish": "fill:$fish;stroke:$ink;stroke-width:.6",
    "nugget": "fill:$nugget;stroke:$ink;stroke-width:1.1;stroke-linejoin:round",
    "gleam": "fill:none;stroke:$bloom;stroke-width:1;stroke-linecap:round",
    "clearing": "fill:$meadow;stroke:$leafline;stroke-width:.7",
    "stem": "fill:$bloom;stroke:$ink;stroke-width:.6",
    "cap": "fill:$cap;stroke:$ink;stroke-width:.7",
    "deer": "fill:$deer;stroke:$ink;stroke-width:.7;stroke-linejoin:round",
    "antler": "fill:none;stroke:$ink;stroke-width:.9;stroke-linecap:round",
    "mammoth": "fill:$mammoth;stroke:$ink;stroke-width:.8;stroke-linejoin:round",
    "tusk": "fill:none;stroke:$bloom;stroke-width:1.3;stroke-linecap:round",
    "tiger": "fill:$tiger;stroke:$ink;stroke-width:.7;stroke-linejoin:round",
    "stripe": "fill:none;stroke:$ink;stroke-width:.9;stroke-linecap:round",
    "fang": "fill:none;stroke:$bloom;stroke-width:1;stroke-linecap:round",
    "aurochs": "fill:$aurochs;stroke:$ink;stroke-width:.7;stroke-linejoin:round",
    "horn": "fill:none;stroke:$bloom;stroke-width:1.2;stroke-linecap:round",
    "char": "fill:none;stroke:$trunk;stroke-width:1.8;stroke-linecap:round",
    "blaze": "fill:$blaze;stroke:$ink;stroke-width:.7",
    "flame": "fill:$flame",
    "lava": "fill:$blaze;stroke:$ink;stroke-width:.5",
    "cone": "fill:$cone;stroke:$ink;stroke-width:.8",
}
RIM = ((9, "oak"), (25, "fir"), (41, "oak"), (59, "oak"), (75, "fir"), (91, "oak"))

PIECES = {
    "man": Piece(
        PERSON,
        '<path class="trim" d="M9-9L9 10"/>',
        lies=True,
    ),
    "hut": Piece(
        '<path d="M0-9.6L10 2.4 7.8 4V9.4H-7.8V4L-10 2.4z"/>',
        '<path class="eye" d="M-2.4 9.4V3.6a2.4 2.4 0 0 1 4.8 0V9.4z"/>',
    ),
}

ART = Kit(
    lands={"forest": Land(Form("area", 10), paint_forest, rim=RIM), "meadow": MEADOW, "river": RIVER, "lake": LAKE},
    marks={
        ("forest", "nuggets"): counted("nuggets", 9),
        ("forest", "mushrooms"): counted("mushrooms", 10.5),
        ("lake", "fish"): paint_fish,
        ("meadow", "deer"): counted("deer", 11),
        ("meadow", "mammoth"): counted("mammoth", 12),
        ("meadow", "tiger"): counted("tiger", 11),
        ("meadow", "aurochs"): counted("aurochs", 12),
        ("meadow", "fire"): counted("fire", 10),
        ("meadow", "shrine"): counted("shrine", 10),
    },
    prints={"volcano": paint_volcano},
    symbols=SYMBOLS,
    pieces=PIECES,
    styles=STYLES,
)
