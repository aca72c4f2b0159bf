"""Tiles as SVG: alone, or as symbols that a page or board uses again and again."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from bastide.art import kit
from bastide.art.brush import Brush, paint
from bastide.art.plan import Plan
from bastide.art.theme import style
from bastide.tiles.model import Tile

HEAD = 'xmlns="http://www.w3.org/2000/svg"'


class Picture:
    """A tile planned and painted."""

    def __init__(self, tile: Tile) -> None:
        self.tile = tile
        self.plan = Plan(tile, kit.form)
        self.brush: Brush = paint(self.plan)
        self.tile_number = sum(map(ord, tile.id))

    def inside(self, turn: int = 0) -> str:
        turf = f'<use href="#b-turf{self.tile_number % 3}{"-" + str(turn % 4) if turn % 4 else ""}" x="50" y="50"/>'
        return '<path class="meadow" d="M-1-1H101V101H-1z"/>' + turf + self.brush.text(turn)


@lru_cache(maxsize=1024)
def cached(key: str, tile_box: TileBox) -> Picture:
    return Picture(tile_box.tile)


class TileBox:
    """Makes a tile hashable by what is on it."""

    def __init__(self, tile: Tile) -> None:
        self.tile, self.key = tile, repr(tile)

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TileBox) and self.key == other.key


def picture(tile: Tile) -> Picture:
    box = TileBox(tile)
    return cached(box.key, box)


def symbol_id(tile: Tile, turn: int = 0) -> str:
    return f"t-{tile.id}" + (f"-{turn % 4}" if turn % 4 else "")


def symbol(tile: Tile, turn: int = 0) -> str:
    """A tile as `<symbol>`, as it looks when shown turned by `turn`."""
    return f'<symbol id="{symbol_id(tile, turn)}" viewBox="0 0 100 100">{picture(tile).inside(turn)}</symbol>'


def defs(names: Iterable[str], turns: Iterable[int] = (0,)) -> str:
    """The small drawings that tiles use, for tiles turned in these ways."""
    out: list[str] = list(kit.defs().values())
    drawn = kit.symbols()
    for name in sorted(set(names)):
        out.append(f'<g id="b-{name}"><g class="up">{drawn[name]}</g></g>')
        for turn in sorted({t % 4 for t in turns} - {0}):
            out.append(f'<g id="b-{name}-{turn}" transform="rotate({-90 * turn})">{drawn[name]}</g>')
    return "".join(out)
