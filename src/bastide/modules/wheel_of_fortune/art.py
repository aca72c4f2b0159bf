"""Drawings of the Wheel of Fortune: the number icons on tiles and the wheel on its board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import cos, pi, sin

from bastide.art.brush import Brush
from bastide.art.curves import Point, Ring, circle, nums
from bastide.art.kit import Kit, Poster
from bastide.tiles.model import BigTile

HUB: Point = (200.0, 200.0)
RADIUS = 165.0
CROWN = 148.0  # distance of the crown spaces from the hub
# Clockwise from three o'clock: name, number of crown spaces.
SECTORS = (("fortune", 1), ("taxes", 2), ("famine", 1), ("storm", 2), ("inquisition", 1), ("plague", 2))


def paint_number(brush: Brush, number: int) -> None:
    """A little wheel with one to three spokes marked, where most room is."""
    owners = [i for i, form in enumerate(brush.plan.forms) if form.shape in ("ground", "area")]
    index = max(owners, key=lambda i: brush.space.free(brush.room(i, 10)))
    brush.sign(f"wheel{number}", index, 10)


def has_wheel(big: BigTile) -> bool:
    """Whether roads of this big tile end at a wheel."""
    return any("wheel" in segment.marks for square in big.squares for segment in square.tile.segments)


def rim(big: BigTile) -> Ring:
    """The outline of the wheel."""
    return circle(HUB, RADIUS, 72)


def on_wheel(angle: float, distance: float) -> Point:
    """A point of the wheel; angles in degrees, clockwise from three o'clock."""
    return HUB[0] + distance * cos(angle * pi / 180), HUB[1] + distance * sin(angle * pi / 180)


def crowns(number: int, spaces: int) -> list[Point]:
    """Where the crown spaces of a sector lie."""
    spread = [0.0] if spaces == 1 else [-13.0, 13.0]
    return [on_wheel(60 * number + turn, CROWN) for turn in spread]


def spots(big: BigTile) -> Mapping[str, Sequence[Point]]:
    """Places of pieces on the wheel, by the name of their spot; `wheel NAME` is where the pig stands."""
    places: dict[str, Sequence[Point]] = {}
    for number, (name, spaces) in enumerate(SECTORS):
        places[f"crown {name}"] = crowns(number, spaces)
        places[f"wheel {name}"] = [on_wheel(60 * number, 48)]
    return places


def paint_wheel(big: BigTile) -> str:
    """The wheel: six sectors with their pictures, crowns along the rim, a hub."""
    x, y = HUB
    out = [f'<circle class="tyre" cx="{x:g}" cy="{y:g}" r="{RADIUS:g}"/>']
    for number in range(len(SECTORS)):
        a, b = on_wheel(60 * number - 30, 132), on_wheel(60 * number + 30, 132)
        out.append(f'<path class="sector{number % 2}" d="M{nums((x, y))}L{nums(a)}A132 132 0 0 1 {nums(b)}z"/>')
    for number in range(len(SECTORS)):
        a, b = on_wheel(60 * number - 30, 20), on_wheel(60 * number - 30, RADIUS)
        out.append(f'<path class="spoke" d="M{nums(a)}L{nums(b)}"/>')
    for number, (name, spaces) in enumerate(SECTORS):
        out.append(f'<use href="#s-{name}" transform="translate({nums(on_wheel(60 * number, 92))})scale(2.6)"/>')
        for p in crowns(number, spaces):
            out.append(f'<use href="#s-crown" transform="translate({nums(p)})"/>')
    out += [f'<circle class="{look}" cx="{x:g}" cy="{y:g}" r="{r}"/>' for look, r in (("hub", 19), ("hub2", 9))]
    return "".join(out)


WHEEL = '<circle class="medal" r="9.4"/><circle class="felloe" r="7"/>'
SYMBOLS = {
    "wheel1": WHEEL + '<path class="digit" d="M-1.8-2.2L.6-4V4.2"/>',
    "wheel2": WHEEL + '<path class="digit" d="M-2.4-2Q-2-4.2.2-4T2.4-1.6Q2.2.4-2.4 4H2.8"/>',
    "wheel3": WHEEL + '<path class="digit" d="M-2.2-3.4Q0-4.8 1.8-3.4 3-1 -.2-.2 3.6.4 2.4 3 .6 5-2.4 3.4"/>',
    "crown": '<circle class="space" r="13"/><path class="crown" d="M-7 5L-8-4-3.6-.6 0-6.6 3.6-.6 8-4 7 5z"/>',
    "fortune": (
        '<path class="coin2" d="M-8 5a4 1.8 0 0 0 8 0V1a4 1.8 0 0 0-8 0z"/>'
        '<path class="coin2" d="M0 6.4a4 1.8 0 0 0 8 0V-2a4 1.8 0 0 0-8 0z"/>'
        '<ellipse class="coin3" cx="4" cy="-2" rx="4" ry="1.8"/>'
        '<ellipse class="coin3" cx="-4" cy="1" rx="4" ry="1.8"/>'
        '<path class="lead" d="M0 .8a4 1.8 0 0 0 8 0M0 3.6a4 1.8 0 0 0 8 0"/>'
    ),
    "taxes": (
        '<path class="purse" d="M-2.6-4.6Q-8.6 0-6.4 5.4-3.6 8 0 8T6.4 5.4Q8.6 0 2.6-4.6z"/>'
        '<path class="purse" d="M-2.6-4.6L-4-8 0-6.6 4-8 2.6-4.6z"/><path class="cord" d="M-3-4.4H3"/>'
        '<circle class="coin3" cy="2" r="2.6"/>'
    ),
    "famine": (
        '<path class="withered" d="M-3 8Q-2 0-6-5M0 8Q0-1 2-7M3 8Q3 2 7-2"/>'
        '<path class="husk" d="M-6-5Q-9-3-8.4.4-5.6-1.6-6-5zM2-7Q5.4-6 5.4-2.6 2.4-3.6 2-7zM7-2Q9.4 0 8.4 3 6 1 7-2'
        'z"/>'
    ),
    "storm": (
        '<path class="cloud" d="M-7 1.6a3.4 3.4 0 0 1 .6-6.6A5 5 0 0 1 3.4-6.6 4.2 4.2 0 0 1 7 1.6z"/>'
        '<path class="bolt" d="M1.6 1L-2.6 5H.2L-1.6 9 4 3.6H1.2L3.6 1z"/>'
        '<path class="rain" d="M-5.4 3.2L-6.4 6M5.8 3.2L4.8 6"/>'
    ),
    "inquisition": (
        '<path class="scroll" d="M-6-6.6H5V6.6H-6z"/>'
        '<path class="scroll" d="M-7.4 5H3.6V8H-7.4zM-4.6-8H6.4V-5H-4.6z"/>'
        '<path class="rood" d="M-.4-3.4V4M-3-.8H2.2"/>'
    ),
    "plague": (
        '<path class="rat" d="M-8 4.6Q-7.4-2.6 0-3 3.6-3 5-1.4L8.6 2.6 6 4.6z"/>'
        '<circle class="rat" cx="3.4" cy="-2.8" r="1.8"/><path class="tail" d="M-8 4.4Q-11 4-9.4 0"/>'
        '<circle class="lit2" cx="5.6" cy="1" r=".8"/>'
    ),
}
STYLES = {
    "felloe": "fill:none;stroke:$felloe;stroke-width:2.4;stroke-dasharray:1.4 .8",
    "digit": "fill:none;stroke:$ink;stroke-width:1.9;stroke-linecap:round;stroke-linejoin:round",
    "tyre": "fill:$tyre;stroke:$ink;stroke-width:3",
    "sector0": "fill:$sector0;stroke:$ink;stroke-width:1.2",
    "sector1": "fill:$sector1;stroke:$ink;stroke-width:1.2",
    "spoke": "fill:none;stroke:$felloe;stroke-width:5",
    "hub": "fill:$felloe;stroke:$ink;stroke-width:2",
    "hub2": "fill:$gold;stroke:$ink;stroke-width:1.4",
    "space": "fill:$medal;stroke:$ink;stroke-width:1.4",
    "crown": "fill:$gold;stroke:$ink;stroke-width:1",
    "coin2": "fill:$gold;stroke:$ink;stroke-width:.6",
    "coin3": "fill:$coin;stroke:$ink;stroke-width:.5",
    "lead": "fill:none;stroke:$ink;stroke-width:.5",
    "purse": "fill:$purse;stroke:$ink;stroke-width:.7",
    "cord": "fill:none;stroke:$gold;stroke-width:1.4",
    "withered": "fill:none;stroke:$withered;stroke-width:.9;stroke-linecap:round",
    "husk": "fill:$withered;stroke:$ink;stroke-width:.4",
    "cloud": "fill:$cloud;stroke:$ink;stroke-width:.7",
    "bolt": "fill:$gold;stroke:$ink;stroke-width:.5",
    "rain": "fill:none;stroke:$waterline;stroke-width:1;stroke-linecap:round",
    "scroll": "fill:$medal;stroke:$ink;stroke-width:.7",
    "rood": "fill:none;stroke:$purse;stroke-width:1.4",
    "rat": "fill:$rat;stroke:$ink;stroke-width:.7",
    "tail": "fill:none;stroke:$rat;stroke-width:1.1;stroke-linecap:round",
    "lit2": "fill:$coin",
}

ART = Kit(
    prints={"wheel": paint_number},
    posters=(Poster(has_wheel, rim, paint_wheel, spots),),
    symbols=SYMBOLS,
    styles=STYLES,
)
