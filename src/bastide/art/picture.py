"""A tile planned and painted, once for every tile: its symbol, its outlines, its spots."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from bastide.art import kit
from bastide.art.brush import Brush, paint
from bastide.art.curves import Point, Ring, add, polygon
from bastide.art.plan import Plan
from bastide.art.printed import printed, squares
from bastide.art.spots import members
from bastide.geometry import HALVES, SIDES
from bastide.homes import cleared_on_change
from bastide.tiles.model import BigTile, Tile

TURFS = 3  # kinds of meadow below everything


class Picture:
    """The drawing of a tile. `poster` is what lies on the whole big tile of which it is a square."""

    def __init__(self, tile: Tile) -> None:
        self.tile = tile
        whole = squares().get(tile.id)
        self.poster = poster_of(whole[0]) if whole else None
        obstacles: list[Ring] = []
        self.shift = (0, 0)
        if whole and self.poster:
            self.shift = (-100 * whole[1].x, -100 * whole[1].y)
            obstacles = [[(x + self.shift[0], y + self.shift[1]) for x, y in self.poster.outline(whole[0])]]
        self.plan = Plan(tile, kit.form, obstacles)
        self.brush: Brush = paint(self.plan)
        self.whole = whole[0] if whole else None

    def inside(self, rotation: int = 0) -> str:
        """The SVG of the square; symbols are upright when it is shown turned by `rotation`."""
        suffix = f"-{rotation % 4}" if rotation % 4 else ""
        turf = sum(map(ord, self.tile.id)) % TURFS
        text = f'<path class="meadow" d="M-1-1H101V101H-1z"/><use href="#s-turf{turf}{suffix}" x="50" y="50"/>'
        text += self.brush.text(rotation)
        if self.whole and self.poster:
            x, y = self.shift
            text += f'<use href="#p-{self.whole.id}" x="{x}" y="{y}"/>'
        return text

    def symbols(self) -> set[str]:
        """Names of the small drawings that stand upright on it."""
        turf = sum(map(ord, self.tile.id)) % TURFS
        return self.brush.symbols() | {f"turf{turf}"}

    def data(self) -> dict[str, Any]:
        """What a page must know to light up segments, point at them and put pieces on them."""
        return {
            "id": self.tile.id,
            "segments": [
                {
                    "kind": segment.kind,
                    "names": [self.tile.spot(index, rotation) for rotation in range(4)],
                    "sides": [SIDES[side] for side in segment.sides] + [HALVES[half] for half in segment.halves],
                    "outline": outline_text(self.outline(index)),
                    "spots": [[round(x, 1), round(y, 1)] for x, y in self.brush.spots[index]],
                }
                for index, segment in enumerate(self.tile.segments)
            ],
            "places": {name: [[round(x, 1), round(y, 1)] for x, y in points] for name, points in self.places().items()},
        }

    def places(self) -> dict[str, list[Point]]:
        """Places of pieces that belong to no segment but to what lies on the whole big tile, seen from this square."""
        if not (self.whole and self.poster):
            return {}
        return {name: [add(p, self.shift) for p in points] for name, points in self.poster.spots(self.whole).items()}

    def index(self, spot: str, rotation: int = 0) -> int:
        """The segment that a spot names when the tile is turned, -1 for none."""
        names = [self.tile.spot(index, rotation) for index in range(len(self.tile.segments))]
        return names.index(spot) if spot in names else -1

    def outline(self, index: int) -> list[Ring]:
        """The rings round a segment; what several layers share is given to each."""
        if self.tile.segments[index].layer == 0:
            return self.plan.outlines.get(index, [])
        return [ring for i in members(self.plan, index) for ring in self.plan.outlines.get(i, [])]


def outline_text(rings: list[Ring]) -> str:
    """Rings as the `d` of a path."""
    return "".join(polygon(ring) for ring in rings)


def poster_of(big: BigTile) -> kit.Poster | None:
    """What lies on a big tile as a whole."""
    return next((poster for poster in kit.posters() if poster.on(big)), None)


class Known:
    """A tile that can be looked up by what is on it."""

    def __init__(self, tile: Tile) -> None:
        self.tile = tile

    def __hash__(self) -> int:
        return hash(self.tile.id)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Known) and (self.tile is other.tile or self.tile == other.tile)


@cleared_on_change
@lru_cache(maxsize=1024)
def drawn_once(known: Known) -> Picture:
    """The drawing of a tile, made once."""
    return Picture(printed(known.tile))


def picture(tile: Tile) -> Picture:
    """The drawing of a tile, as it is printed."""
    return drawn_once(Known(tile))


def poster_text(big: BigTile) -> str:
    """The definition of what lies on a big tile; nothing for most."""
    poster = poster_of(big)
    return f'<g id="p-{big.id}">{poster.paint(big)}</g>' if poster else ""
