"""Makes the layout of a tile: places and crossings first, then areas, then lines, which end at all of these."""

from __future__ import annotations

from random import Random

from bastide.art.areas import AreaPlanner
from bastide.art.curves import CENTRE, Curve, Point, add, smooth, towards, turned
from bastide.art.layout import Layout
from bastide.art.lines import LinePlanner
from bastide.art.rim import Rim


def lay_out(rim: Rim) -> Layout:
    """The layout of a tile."""
    layout = Layout(rim.tile)
    plan_places(rim, layout)
    hubs = plan_crossings(rim, layout)
    AreaPlanner(rim, layout).plan()
    LinePlanner(rim, layout, hubs).plan()
    plan_shores(rim, layout)
    return layout


def plan_places(rim: Rim, layout: Layout) -> None:
    """Inner segments where lines end or areas reach; the others find their place later, where there is room."""
    bound = [i for i in rim.inner if rim.met_by(i, [*rim.lines, *rim.areas])]
    for index in bound:
        lines = rim.met_by(index, rim.lines)
        if len(bound) > 1:
            lean, part = 0.62, 0.74  # several keep to their own sides, and are smaller
        else:
            lean, part = lean_of(rim, lines), 1.0
        layout.places[index] = towards(CENTRE, rim.ends(lines), lean), rim.forms[index].room * part


def lean_of(rim: Rim, lines: list[int]) -> float:
    """How far a place moves from the middle of the tile towards the lines that end there."""
    if any(over in lines for over, _ in rim.bridges):
        return -0.5  # beyond the bridge
    if len(lines) < len(rim.lines):
        return 0.28  # out of the way of a line that passes by
    return -0.06 if len(lines) == 1 else 0.0


def plan_crossings(rim: Rim, layout: Layout) -> dict[int, Point]:
    """Where several lines end together; gives the crossing of each of them."""
    hubs: dict[int, Point] = {}
    for group in rim.meets:
        if rim.is_crossing(group):
            lines = [i for i in rim.lines if i in group]
            hub = towards(CENTRE, rim.ends(lines), 0.2)
            layout.hubs.append(hub)
            hubs.update(dict.fromkeys(lines, hub))
    return hubs


def plan_shores(rim: Rim, layout: Layout) -> None:
    """Uneven outlines for lakes, and for pools at the end of a line."""
    for index, (centre, radius) in layout.places.items():
        if rim.forms[index].shore or index in rim.lines:
            layout.shores[index] = blob(centre, radius, rim.random)


def blob(centre: Point, radius: float, random: Random) -> Curve:
    """An uneven closed curve about a point."""
    spokes = [turned((radius * random.uniform(0.88, 1.06), 0), 360 * k / 9 + random.uniform(-8, 8)) for k in range(9)]
    return smooth([add(centre, spoke) for spoke in spokes], closed=True)
