"""Inns & Cathedrals: roads with an inn, cities with a cathedral, the big follower."""

from __future__ import annotations

from collections.abc import Mapping

from bastide.native import i64
from bastide.rules.layout import Layout
from bastide.rules.module import Module
from bastide.rules.position import Position
from bastide.rules.spec import Element, Option, PieceCount, Spec, Value


class Inns(Module):
    """Adjusts the scores of roads and cities; changes nothing for farmers (INNS-7)."""

    def __init__(self, options: Mapping[str, Value]) -> None:
        self.unfinished_count: bool = options["unfinished_inns"] == "as_usual"
        self.road: i64 = 0
        self.inn: i64 = 0
        self.cathedral: i64 = 0
        self.p_inn: i64 = 0
        self.p_no_inn: i64 = 0
        self.p_cathedral: i64 = 0
        self.p_no_cathedral: i64 = 0

    def declare(self, layout: Layout) -> None:
        self.road = layout.adjusts(self, "road")
        layout.adjusts(self, "city")
        self.inn = layout.any("road", "inn")
        self.cathedral = layout.any("city", "cathedral")
        self.p_inn = layout.part("inn", "INNS-3")
        self.p_no_inn = layout.part("unfinished inn", "INNS-4")
        self.p_cathedral = layout.part("cathedral", "INNS-5")
        self.p_no_cathedral = layout.part("unfinished cathedral", "INNS-6")
        kinds = layout.pieces[0].kinds
        layout.piece(
            self, "big_follower", layout.piece_count("big_followers"), 2, kinds
        )  # INNS-2: stands wherever a follower may, counts as two
        layout.add(layout.box("inns_and_cathedrals").tiles)

    def adjust(self, pos: Position, root: i64, kind: i64, finished: bool) -> None:
        """One more point for every tile and shield if the region is complete, no points at all if it is not."""
        if not finished and self.unfinished_count:  # HOUSE-8
            return
        if kind == self.road:
            if pos.has(root, self.inn):
                if finished:
                    pos.part(self.p_inn, pos.points, 1)
                else:
                    pos.part(self.p_no_inn, pos.points, -1)
        elif pos.has(root, self.cathedral):
            if finished:
                pos.part(self.p_cathedral, pos.points // 2, 1)
            else:
                pos.part(self.p_no_cathedral, pos.points, -1)


def make(options: Mapping[str, Value]) -> list[Module]:
    """One module."""
    return [Inns(options)]


MODULE = Spec(
    name="inns_and_cathedrals",
    make=make,
    order=20,
    prefix="INNS",
    options=(Option("unfinished_inns", ("nothing", "as_usual"), "HOUSE-8"),),
    boxes=("inns_and_cathedrals",),
    elements=(
        Element("inns", "HOUSE-8", marks=("inn",)),
        Element("cathedrals", "HOUSE-8", marks=("cathedral",)),
    ),
    pieces=(PieceCount("big_followers", "big_follower", 1),),
)
