"""Drawings of the Wheel of Fortune: the number icons on tiles and the wheel on its board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import cos, pi, sin

from bastide.art.brush import Brush
from bastide.art.common import MEDAL, medal
from bastide.art.curves import Point, Ring, circle, num, nums
from bastide.art.kit import Kit, Poster
from bastide.tiles.model import BigTile

HUB: Point = (200.0, 200.0)
RADIUS = 165.0
INNER = 132.0  # of the sectors
CROWN = 148.0  # distance of the crown spaces from the hub
# Clockwise from three o'clock: name, number of crown spaces.
SECTORS = (("fortune", 1), ("taxes", 2), ("famine", 1), ("storm", 2), ("inquisition", 1), ("plague", 2))


def paint_number(brush: Brush, number: int) -> None:
    """A little wheel with one to three spokes marked, where most room is."""
    owners = [i for i, form in enumerate(brush.plan.forms) if form.shape in ("ground", "area")]
    index = max(owners, key=lambda i: brush.space.free(brush.room(i, MEDAL)))
    brush.sign(f"wheel{number}", index, MEDAL)


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
    """Places of pieces on the wheel, by the name of their spot; the pig stands on `wheel NAME` or just `NAME`."""
    places: dict[str, Sequence[Point]] = {}
    for number, (name, spaces) in enumerate(SECTORS):
        places[f"crown {name}"] = crowns(number, spaces)
        places[f"wheel {name}"] = places[name] = [on_wheel(60 * number, 48)]
    return places


def paint_wheel(big: BigTile) -> str:
    """The wheel: six sectors with their pictures, a wooden rim with crowns and bolts, a hub."""
    x, y = HUB
    out = [disc("shade", RADIUS + 3, (x + 2, y + 4)), disc("tyre", RADIUS)]
    out += [disc("ring", r) for r in (RADIUS - 7, RADIUS - 27)]
    for number in range(len(SECTORS)):
        a, b = on_wheel(60 * number - 30, INNER), on_wheel(60 * number + 30, INNER)
        out.append(f'<path class="sector{number}" d="M{nums((x, y))}L{nums(a)}A{INNER:g} {INNER:g} 0 0 1 {nums(b)}z"/>')
    out += [disc("inlay", r) for r in (INNER - 5, 66)]
    out.append(disc("felly", INNER))
    for number in range(len(SECTORS)):
        a, b = on_wheel(60 * number - 30, 20), on_wheel(60 * number - 30, RADIUS - 1)
        out += [f'<path class="{look}" d="M{nums(a)}L{nums(b)}"/>' for look in ("spoke2", "spoke")]
        out += [disc("bolt2", 3, on_wheel(60 * number - 30, r)) for r in (INNER + 6, RADIUS - 7)]
    for number, (name, spaces) in enumerate(SECTORS):
        out.append(f'<use href="#s-{name}" transform="translate({nums(on_wheel(60 * number, 94))})scale(3.1)"/>')
        out += [f'<use href="#s-crown" transform="translate({nums(p)})"/>' for p in crowns(number, spaces)]
    return "".join([*out, disc("hub", 20), disc("hub2", 11), disc("bolt2", 3.4)])


def disc(look: str, radius: float, centre: Point = HUB) -> str:
    """A circle, about the hub if nothing else is said."""
    return f'<circle class="{look}" cx="{num(centre[0])}" cy="{num(centre[1])}" r="{num(radius)}"/>'


WHEEL = '<circle class="felloe" r="7"/>'
SYMBOLS = {
    "wheel1": medal(WHEEL + '<path class="digit" d="M-1.8-2.2L.6-4V4.2"/>'),
    "wheel2": medal(WHEEL + '<path class="digit" d="M-2.4-2Q-2-4.2.2-4T2.4-1.6Q2.2.4-2.4 4H2.8"/>'),
    "wheel3": medal(WHEEL + '<path class="digit" d="M-2.2-3.4Q0-4.8 1.8-3.4 3-1 -.2-.2 3.6.4 2.4 3 .6 5-2.4 3.4"/>'),
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
        '<path class="soil2" d="M-9 8.6Q-4 5.6 0 6.6T9 8.6z"/>'
        '<path class="withered" d="M-4 7Q-3.4-1-6.4-4M0 7Q.2-3 2.4-6.4M4 7Q4.2 2.4 7-1"/>'
        '<path class="husk" d="M-6-4.4Q-10-3.2-9 2.2-5.6-.4-6-4.4zM2.2-7Q7-6.6 6.6-1.8 2.6-3 2.2-7z'
        'M6.6-1.6Q10.4.2 9 4.4 5.8 2 6.6-1.6z"/>'
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
    "ring": "fill:none;stroke:$felloe;stroke-width:.8;stroke-dasharray:46 9 23 14;opacity:.6",
    "inlay": "fill:none;stroke:$coin;stroke-width:1.6;opacity:.7",
    "felly": "fill:none;stroke:$ink;stroke-width:2.4",
    "spoke2": "fill:none;stroke:$ink;stroke-width:7.6",
    "spoke": "fill:none;stroke:$felloe;stroke-width:5.4",
    "bolt2": "fill:$gold;stroke:$ink;stroke-width:.9",
    "hub": "fill:$felloe;stroke:$ink;stroke-width:2",
    "hub2": "fill:$gold;stroke:$ink;stroke-width:1.4",
    "space": "fill:$medal;stroke:$ink;stroke-width:1.4",
    "crown": "fill:$gold;stroke:$ink;stroke-width:1",
    "coin2": "fill:$gold;stroke:$ink;stroke-width:.6",
    "coin3": "fill:$coin;stroke:$ink;stroke-width:.5",
    "lead": "fill:none;stroke:$ink;stroke-width:.5",
    "purse": "fill:$purse;stroke:$ink;stroke-width:.7",
    "cord": "fill:none;stroke:$gold;stroke-width:1.4",
    "withered": "fill:none;stroke:$withered;stroke-width:1.5;stroke-linecap:round",
    "soil2": "fill:$withered;opacity:.5",
    "husk": "fill:$straw;stroke:$ink;stroke-width:.6;stroke-linejoin:round",
    "cloud": "fill:$cloud;stroke:$ink;stroke-width:.7",
    "bolt": "fill:$gold;stroke:$ink;stroke-width:.5",
    "rain": "fill:none;stroke:$waterline;stroke-width:1;stroke-linecap:round",
    "scroll": "fill:$medal;stroke:$ink;stroke-width:.7",
    "rood": "fill:none;stroke:$purse;stroke-width:1.4",
    "rat": "fill:$rat;stroke:$ink;stroke-width:.7",
    "tail": "fill:none;stroke:$rat;stroke-width:1.1;stroke-linecap:round",
    "lit2": "fill:$coin",
}

STYLES |= {f"sector{number}": f"fill:$sector{number}" for number in range(len(SECTORS))}

ART = Kit(
    prints={"wheel": paint_number},
    posters=(Poster(has_wheel, rim, paint_wheel, spots),),
    symbols=SYMBOLS,
    styles=STYLES,
)
