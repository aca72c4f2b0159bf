"""Tiles as data: what is printed on them, read from the boxes' files and checked. README.md describes the files."""

from bastide.tiles.catalogue import box, boxes
from bastide.tiles.load import load_box
from bastide.tiles.model import BigTile, Box, Segment, Square, Tile

__all__ = ["BigTile", "Box", "Segment", "Square", "Tile", "box", "boxes", "load_box"]
