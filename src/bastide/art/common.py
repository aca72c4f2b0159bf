"""What more than one game draws: meadows with their plants, and running water."""

from __future__ import annotations

from bastide.art.brush import Brush
from bastide.art.curves import Point, add, border, distance, left, path, walk
from bastide.art.kit import Kit, Land
from bastide.art.layout import Form

RIVER_WIDTH = 12.5


def paint_meadow(brush: Brush, index: int) -> None:
    """Calm meadow: some tufts of grass and flowers, a tree or a bush where there is much room."""
    for p in brush.space.scatter(index, 14, 5.5, 4.5, brush.random):
        roll = brush.random.random()
        if roll < 0.2 and min(brush.space.free(p), border(p)) > 8:
            brush.put(brush.random.choice(("tree", "tree2", "bush")), p)
        elif roll < 0.85:
            brush.put(brush.random.choice(("tuft", "tuft", "tuft2", "flowers")), p, 5)


def paint_river(brush: Brush, index: int) -> None:
    """Blue water between pale banks; a spring rises among stones, a mouth widens to a lake."""
    piece = brush.line(index)
    d = brush.stretched(piece)
    brush.draw(20, "bank", d)
    brush.draw(20.2, "depth", d)
    brush.draw(20.4, "water", d)
    brush.draw(20.45, "shine", d)
    if index in brush.layout.shores:
        fill_lake(brush, index)
        if "source" not in brush.tile.segments[index].marks:
            for p in brush.space.scatter(index, 10, 7, 8, brush.random):
                brush.put("wave", p, 21)
    points = piece.points(12)
    for number in range(1, 4):
        p, along = walk(points, number / 4 + brush.random.uniform(-0.06, 0.06))
        if brush.space.at(p) == index and not pooled(brush, index, p):
            brush.put("wave", add(p, left(along), brush.random.uniform(-2, 2)), 21)
    if "source" in brush.tile.segments[index].marks:
        brush.put("spring", points[-1], 50)
        brush.space.claim(points[-1], 9)


def pooled(brush: Brush, index: int, p: Point) -> bool:
    """Whether a point of a line lies in the pool at its end."""
    centre, radius = brush.layout.places.get(index, (p, -1.0))
    return distance(p, centre) < radius + 5


def paint_lake(brush: Brush, index: int) -> None:
    """A lake into which rivers run."""
    fill_lake(brush, index)
    for p in brush.space.scatter(index, 9, 4, 8, brush.random)[:4]:
        brush.put("wave", p, 21)


def fill_lake(brush: Brush, index: int) -> None:
    """A sheet of water that runs together with the rivers that reach it."""
    d = path(brush.layout.shores[index], closed=True)
    brush.draw(20, "beach", d)
    brush.draw(20.2, "shore", d)
    brush.draw(20.5, "pond", d)


MEADOW = Land(Form("ground"), paint_meadow)
RIVER = Land(Form("line", 20, RIVER_WIDTH, pools=(("source", 7), ("lake", 23))), paint_river)
LAKE = Land(Form("inner", 22, room=18, shore=True), paint_lake)


# A person who stands: the outline of most pieces.
PERSON = (
    '<path d="M0-11a4.2 4.2 0 0 1 2.9 7.2Q8-2.6 9.4 1.2L5.4 3 7.4 10H1.8L0 6.4-1.8 10H-7.4L-5.4 3-9.4 1.2'
    'Q-8-2.6-2.9-3.8A4.2 4.2 0 0 1 0-11z"/>'
)


def turf(*spots: tuple[str, int, int, int, int]) -> str:
    """Soft patches of lighter and darker grass."""
    return "".join(
        f'<ellipse class="{kind}" fill="url(#g-{kind})" cx="{x}" cy="{y}" rx="{rx}" ry="{ry}"/>'
        for kind, x, y, rx, ry in spots
    )


def medal(drawing: str) -> str:
    """A token, or its sign on a tile: a small drawing on a pale disc, large enough to be told at 40 pixels a tile."""
    return f'<g transform="scale(1.22)"><circle class="medal" r="9"/>{drawing}</g>'


MEDAL = 11.0  # radius of a medal

SYMBOLS = {
    "turf0": turf(("pale", -18, -20, 28, 22), ("dusk", 20, 16, 26, 24), ("pale", 24, -30, 18, 14)),
    "turf1": turf(("dusk", -20, -16, 24, 26), ("pale", 16, 20, 30, 22), ("dusk", 26, -28, 16, 14)),
    "turf2": turf(("pale", 4, -24, 36, 18), ("dusk", -22, 20, 22, 20), ("pale", 26, 22, 18, 20)),
    "tuft": '<path class="blade" d="M-2.4 1.4L-3.2-1M-1 1.6V-1.8M.6 1.5L1.6-1.2M2.2 1.3L3.6-.4"/>',
    "tuft2": '<path class="blade" d="M-1.2 1.2L-2.2-.8M0 1.4L.4-1.6M1.2 1.2L2.4-.2"/>',
    "flowers": (
        '<path class="blade" d="M-2 1.6V-.6M.4 1.8V-1.2M2.4 1.5V0"/><path class="bloom" d="M-2-1h0M.4-1.6h0M2.4-.4h0"/>'
    ),
    "bush": (
        '<ellipse class="shade" cx="1.4" cy="2.9" rx="4.6" ry="1.3"/>'
        '<circle class="leaf2" cx="2" cy=".8" r="2.6"/><circle class="leaf" cx="-1.4" r="3.2"/>'
        '<path class="glint" d="M-3-.6a1.9 1.9 0 0 1 1.6-1.6"/>'
    ),
    "tree": (
        '<ellipse class="shade" cx="1.6" cy="5.8" rx="4" ry="1.3"/>'
        '<path class="trunk" d="M-.8 1.5h1.6V6h-1.6z"/><circle class="leaf" cy="-1.4" r="4.4"/>'
        '<path class="dim" d="M2.2-5.2A4.4 4.4 0 0 1-2.6 2.1 5.6 5.6 0 0 0 2.2-5.2z"/>'
        '<path class="glint" d="M-2.6-2a2.8 2.8 0 0 1 2.6-2.4"/>'
    ),
    "tree2": (
        '<ellipse class="shade" cx="1.4" cy="5.9" rx="3.4" ry="1.2"/>'
        '<path class="trunk" d="M-.7 2.5h1.4V6h-1.4z"/>'
        '<path class="leaf2" d="M0-6.4C3-4 3.8-1 3.4 1.2 3 3.6-3 3.6-3.4 1.2-3.8-1-3-4 0-6.4z"/>'
        '<path class="dim" d="M.4-6C3-4 3.8-1 3.4 1.2 3.2 2.6 1 3 -.4 3 2.2 1-.4-3 .4-6z"/>'
        '<path class="glint" d="M-1.8-.2C-1.8-2-1.2-3.4-.4-4.4"/>'
    ),
    "wave": '<path class="crest" d="M-3.4.2q1.1-1.4 2.2 0t2.3 0 2.3 0"/>',
    "sheep": (
        '<path class="leg" d="M-3 3.4V6.4M2.6 3.4V6.4"/>'
        '<path class="fleece" d="M-5 3.4a2.4 2.4 0 0 1-.6-4.2A2.6 2.6 0 0 1-2-3.6a3.2 3.2 0 0 1 5.2.2'
        'A2.8 2.8 0 0 1 5 1.8a2.4 2.4 0 0 1-2.4 2.4z"/><path class="face" d="M4.2-3.4q3-.6 3.6 1.8T6 .8 3.6-1z"/>'
    ),
    "pig": (
        '<g transform="scale(1.2)"><path class="leg" d="M-3.8 3V5.8M3 3V5.8"/>'
        '<path class="swine" d="M-6.6.4Q-6-4-1-4.2 3-4.2 4.6-2.6L6-3.6 6.2-1.4 7.6-.4V1.8L5.4 2Q4 4.2-1 4-6 4-6.6.4'
        'z"/><path class="leg" d="M-6.6-.6q-2-.2-1.6-2"/><circle class="dot" cx="5" cy="-.8" r=".6"/></g>'
    ),
    "grain": medal(
        '<path class="straw" d="M-2.4 6.4L-1 1M2.4 6.4L1 1M0 6.6V1"/>'
        '<path class="ear" d="M-1 1.4Q-6.4-1-5.4-6.4-2.6-5-1 1.4zM1 1.4Q6.4-1 5.4-6.4 2.6-5 1 1.4zM0 1.6'
        'Q-2.6-3 0-7.4 2.6-3 0 1.6z"/><path class="knot" d="M-2.6 2.2H2.6"/>'
    ),
    "spring": (
        '<path class="rock" d="M-9 2.6L-7.4-2.4-3.8-4.6.2-3.4 1.4.2-1.2 2.8z"/>'
        '<path class="rock2" d="M-1.6 3.6L-.2-4.6 3.6-7.2 7.2-4 9 1.4 6 3.8z"/>'
        '<path class="rock" d="M-5.4 5.4l2-3 3.8-.4 2.2 2.6-2 2.2-4 .2z"/>'
        '<path class="crest" d="M2.6-4.4L3.4.6M5 -3l.8 3.2"/>'
    ),
}

# Soft light and shadow are white and black in every theme, for a gradient cannot take a colour from where it is used.
DEFS = {
    "pale": (
        '<radialGradient id="g-pale"><stop stop-color="#fff"/><stop offset="1" stop-color="#fff" stop-opacity="0"/>'
        "</radialGradient>"
    ),
    "dusk": '<radialGradient id="g-dusk"><stop/><stop offset="1" stop-opacity="0"/></radialGradient>',
}

STYLES = {
    "deck": "fill:$deck;stroke:$ink;stroke-width:.6",
    "side": "fill:$plaster2;stroke:$ink;stroke-width:.5",
    "front": "fill:$plaster;stroke:$ink;stroke-width:.5",
    "roof": "fill:$roof;stroke:$ink;stroke-width:.5",
    "roof2": "fill:$roof2;stroke:$ink;stroke-width:.5",
    "roof3": "fill:$roof3;stroke:$ink;stroke-width:.5",
    "slate": "fill:$slate;stroke:$ink;stroke-width:.6",
    "door": "fill:$door",
    "post": "fill:none;stroke:$ink;stroke-width:.6",
    "cross": "fill:none;stroke:$ink;stroke-width:1",
    "medal": "fill:$medal;stroke:$ink;stroke-width:1.2",
    "fleck": "fill:none;stroke:$bloom;stroke-width:1.1;stroke-linecap:round",
    "dot": "fill:$ink",
    "meadow": "fill:$meadow",
    "pale": "opacity:$pale",
    "dusk": "opacity:$dusk",
    "shade": "opacity:$shade",
    "dim": "opacity:$shade",
    "course": "fill:none;stroke:$ink;stroke-width:.35;opacity:.5",
    "blade": "fill:none;stroke:$blade;stroke-width:.8;stroke-linecap:round",
    "bloom": "fill:none;stroke:$bloom;stroke-width:1.9;stroke-linecap:round",
    "leaf": "fill:$leaf;stroke:$leafline;stroke-width:.6",
    "leaf2": "fill:$leaf2;stroke:$leafline;stroke-width:.6",
    "glint": "fill:none;stroke:$glint;stroke-width:.9;stroke-linecap:round",
    "trunk": "fill:$trunk",
    "bank": "fill:none;stroke:$bank;stroke-width:14.6",
    "depth": "fill:none;stroke:$waterline;stroke-width:12.4",
    "water": "fill:none;stroke:$water;stroke-width:10.8",
    "shine": "fill:none;stroke:$crest;stroke-width:3.6;opacity:.16",
    "beach": "fill:none;stroke:$bank;stroke-width:3.8",
    "shore": "fill:none;stroke:$waterline;stroke-width:1.6",
    "pond": "fill:$water",
    "crest": "fill:none;stroke:$crest;stroke-width:.9;stroke-linecap:round",
    "leg": "fill:none;stroke:$ink;stroke-width:1.1",
    "fleece": "fill:$fleece;stroke:$ink;stroke-width:.7",
    "face": "fill:$ink",
    "swine": "fill:$swine;stroke:$ink;stroke-width:.7;stroke-linejoin:round",
    "straw": "fill:none;stroke:$straw;stroke-width:1.2;stroke-linecap:round",
    "ear": "fill:$straw;stroke:$ink;stroke-width:.7",
    "knot": "fill:none;stroke:$ink;stroke-width:1.3",
    "hatch": "fill:none;stroke:$hatch;stroke-width:.8;stroke-linecap:round",
    "rock": "fill:$rock;stroke:$ink;stroke-width:.6;stroke-linejoin:round",
    "rock2": "fill:$rock2;stroke:$ink;stroke-width:.6;stroke-linejoin:round",
}

STYLES |= {f"seat{seat}": f"fill:$seat{seat}" for seat in range(8)}
STYLES |= {f"mark{seat}": f"fill:none;stroke:$mark{seat};stroke-width:1.3" for seat in (2, 3, 4, 5, 7)}
STYLES |= {
    "mark1": "fill:none;stroke:$mark1;stroke-width:2;stroke-linecap:round",
    "mark6": "fill:$mark6",
    "halo": "fill:none;stroke:$halo;stroke-width:3.4;stroke-linejoin:round",
    "rims": "fill:none;stroke:$pieceline;stroke-width:1.2;stroke-linejoin:round",
    "eye": "fill:$pieceline",
    "ease": "fill:none;stroke:$halo;stroke-width:3;stroke-linecap:round;stroke-linejoin:round",
    "trim": "fill:none;stroke:$pieceline;stroke-width:1.4;stroke-linecap:round;stroke-linejoin:round",
    "glow": "fill:$glow;stroke:$glowline;stroke-width:1.6",
    "label": "fill:none;stroke:$lettering;stroke-linecap:round;stroke-linejoin:round",
    "table": "fill:$table",
    "coast": "fill:$coast",
    "haze": "opacity:$dusk",
}

COMMON = Kit(symbols=SYMBOLS, defs=DEFS, styles=STYLES)
