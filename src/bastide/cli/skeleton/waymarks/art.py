"""Drawings of Waymarks: a stone for each, beside the road."""

from bastide.art.brush import Brush
from bastide.art.curves import add, left, walk
from bastide.art.kit import Kit


def paint_waymarks(brush: Brush, index: int, number: int) -> None:
    """One stone after the other along the road."""
    road = brush.line(index)
    for stone in range(number):
        point, along = walk(road.points(12), (stone + 1) / (number + 1))
        brush.sign("waymarks", index, 6, add(point, left(along), road.width / 2 + 7))


ART = Kit(
    marks={("road", "waymarks"): paint_waymarks},
    symbols={"waymarks": '<path class="waymarks" d="M-4 6V-3a4 4 0 0 1 8 0V6z"/>'},
    styles={"waymarks": "fill:$waymarks;stroke:$ink;stroke-width:.7"},
)
