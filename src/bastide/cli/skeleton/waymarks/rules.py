"""The rules of Waymarks: a finished road scores one point more for every waymark beside it."""

from collections.abc import Mapping

from bastide.native import i64
from bastide.rules.layout import Layout
from bastide.rules.module import Module
from bastide.rules.position import Position
from bastide.rules.spec import Option, Spec, Value


class Waymarks(Module):
    """Adjusts the scores of roads."""

    def __init__(self, options: Mapping[str, Value]) -> None:
        self.unfinished_count: bool = options["unfinished_waymarks"] == "count"
        self.waymarks: i64 = 0
        self.p_waymarks: i64 = 0

    def declare(self, layout: Layout) -> None:
        layout.adjusts(self, "road")
        self.waymarks = layout.sum(["road"], "waymarks")
        self.p_waymarks = layout.part("waymarks", "WAYMARKS-2")
        layout.add(layout.box("waymarks").tiles)

    def adjust(self, pos: Position, root: i64, kind: i64, finished: bool) -> None:
        """WAYMARKS-2, WAYMARKS-3: one point for each, at the end of the game only by an option."""
        count = pos.total(root, self.waymarks)
        if count and (finished or self.unfinished_count):
            pos.part(self.p_waymarks, count, 1)


def make(options: Mapping[str, Value]) -> list[Module]:
    """One module."""
    return [Waymarks(options)]


MODULE = Spec(
    name="waymarks",
    make=make,
    order=50,
    prefix="WAYMARKS",
    options=(Option("unfinished_waymarks", ("nothing", "count"), "WAYMARKS-3"),),
    boxes=("waymarks",),
)
