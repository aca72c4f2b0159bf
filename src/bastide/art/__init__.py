"""Tiles, boards and pieces drawn as SVG."""
