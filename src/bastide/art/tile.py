"""Tiles as SVG: alone, or as symbols that a page or board uses again and again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from bastide.art import kit
from bastide.art.picture import picture, poster_of, poster_text
from bastide.art.theme import LIVE, live_style, prefixed, style
from bastide.tiles.model import BigTile, Box, Tile

BLEED = 0.2  # units by which a tile that is shown reaches over its neighbours
HEAD = 'xmlns="http://www.w3.org/2000/svg"'


def symbol_id(tile: Tile, rotation: int = 0) -> str:
    """The id of a tile's symbol: `t-D`, or `t-D-1` for one whose things stand upright when it is turned once."""
    return f"t-{tile.id}" + (f"-{rotation % 4}" if rotation % 4 else "")


def symbol(tile: Tile, rotation: int = 0) -> str:
    """A tile as `<symbol>`."""
    return f'<symbol id="{symbol_id(tile, rotation)}" viewBox="0 0 100 100">{picture(tile).inside(rotation)}</symbol>'


def definitions(tiles: Iterable[tuple[Tile, int]]) -> str:
    """Everything that drawing these tiles with these turns needs: small drawings, posters and the tiles themselves."""
    looks = sorted({(tile.id, rotation % 4): tile for tile, rotation in tiles}.items())
    needed: dict[int, set[str]] = {0: set()}
    fixed: set[str] = set()
    wholes: dict[str, BigTile] = {}
    for (_, rotation), tile in looks:
        drawn = picture(tile)
        needed.setdefault(rotation, set()).update(drawn.symbols())
        fixed |= drawn.brush.fixed
        if drawn.whole is not None:
            wholes[drawn.whole.id] = drawn.whole
    if any(poster_of(big) for big in wholes.values()):
        fixed |= {name for brought in kit.kits().values() if brought.posters for name in brought.symbols}
    out = list(kit.defs().values())
    out += [f'<g id="s-{name}">{kit.symbol(name)}</g>' for name in sorted(fixed - needed[0])]
    for rotation, names in sorted(needed.items()):
        out += [small(name, rotation) for name in sorted(names)]
    out += [poster_text(big) for big in wholes.values()]
    out += [symbol(tile, rotation) for (_, rotation), tile in looks]
    return "".join(out)


def small(name: str, rotation: int) -> str:
    """A small drawing; for turned tiles it is turned back."""
    drawn = kit.symbol(name)
    if rotation:
        return f'<g id="s-{name}-{rotation}" transform="rotate({-90 * rotation})">{drawn}</g>'
    return f'<g id="s-{name}"><g class="up">{drawn}</g></g>'


def tile_svg(tile: Tile, rotation: int = 0, theme: str = "day", size: int = 200) -> str:
    """One tile as a picture of its own."""
    return page(definitions([(tile, rotation)]), use(tile, (0, 0), rotation), (0, 0, 100, 100), theme, size)


def big_tile_svg(big: BigTile, theme: str = "day", size: int = 200) -> str:
    """A big tile as a picture of its own; `size` is that of one square."""
    wide, high = 1 + max(s.x for s in big.squares), 1 + max(s.y for s in big.squares)
    body = "".join(use(square.tile, (100 * square.x, 100 * square.y)) for square in big.squares)
    defs = definitions((square.tile, 0) for square in big.squares)
    return page(defs, body, (0, 0, 100 * wide, 100 * high), theme, size * wide)


def use(tile: Tile, at: tuple[float, float], rotation: int = 0) -> str:
    """A tile's symbol with its north-west corner at a point, turned; a hair larger, so that no seam shows."""
    x, y = (round(v, 1) for v in at)
    turned = f' transform="rotate({90 * (rotation % 4)} {x + 50:g} {y + 50:g})"' if rotation % 4 else ""
    left, top, side = x - BLEED, y - BLEED, 100 + 2 * BLEED
    box = f'x="{left:g}" y="{top:g}" width="{side:g}" height="{side:g}"'
    return f'<use href="#{symbol_id(tile, rotation)}" {box}{turned}/>'


def page(defs: str, body: str, view: Sequence[float], theme: str, width: float) -> str:
    """A whole SVG file: `view` is x, y, width and height in tile units, `width` in pixels."""
    x, y, w, h = view
    return (
        f'<svg {HEAD} viewBox="{x:g} {y:g} {w:g} {h:g}" width="{width:g}" height="{width * h / w:g}">'
        f"<style>{style(theme, f'{theme}-')}</style>"
        f"{prefixed(f'<defs>{defs}</defs>{body}', f'{theme}-', f'{theme}-')}</svg>"
    )


def symbols(box: Box) -> str:
    """A whole box as one sheet of `<symbol>`s for a page, each named `t-` and the tile's name."""
    tiles = [*box.tiles, *(square.tile for big in box.big for square in big.squares)]
    return symbol_sheet(definitions((tile, 0) for tile in tiles))


def symbol_sheet(defs: str) -> str:
    """Definitions as a sheet for a page, which chooses the theme with `theme_css`.

    Whoever shows a tile turned by k quarter turns sets the custom property `--turn: k` beside the rotation, and
    houses and trees stay upright.
    """
    body = prefixed(f"<defs>{defs}</defs>", LIVE)
    return f'<svg {HEAD} width="0" height="0"><style>{live_style()}</style>{body}</svg>'


def drawing_data(tile: Tile) -> dict[str, Any]:
    """What belongs to a tile's drawing, ready for JSON: for every segment outline, names and spots."""
    return picture(tile).data()
