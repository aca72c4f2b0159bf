"""Tiles, boards and pieces drawn as SVG from the segments of the tiles. docs/art.md tells how.

Needs nothing at run time; PNG and GIF need the extra `png`.
"""

from bastide.art.board import board_frames, board_svg
from bastide.art.pieces import piece_svg, piece_symbols, token_svg
from bastide.art.png import gif, png
from bastide.art.sheet import save, sheet_svg, write_sheet
from bastide.art.theme import theme_css, themes
from bastide.art.tile import big_tile_svg, drawing_data, symbols, tile_svg

__all__ = [
    "big_tile_svg",
    "board_frames",
    "board_svg",
    "drawing_data",
    "gif",
    "piece_svg",
    "piece_symbols",
    "png",
    "save",
    "sheet_svg",
    "symbols",
    "theme_css",
    "themes",
    "tile_svg",
    "token_svg",
    "write_sheet",
]
