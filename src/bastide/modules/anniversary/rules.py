"""Anniversary tiles: arrows that act when a tile lies where they point."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from librt.vecs import vec

from bastide.geometry import SIDES
from bastide.native import i64
from bastide.rules.actions import Action
from bastide.rules.elsewhere import Elsewhere
from bastide.rules.layout import Layout
from bastide.rules.module import Module
from bastide.rules.position import Position
from bastide.rules.spec import Element, Spec, Value
from bastide.tiles.model import Tile

COMPANION: Final = 1
ANYWHERE: Final = 2
AGAIN: Final = 3
SYMBOLS: Final = ("none", "companion", "anywhere", "again")
PRINTED: Final[Mapping[str, int]] = {"second_meeple": COMPANION, "free_placement": ANYWHERE, "extra_turn": AGAIN}


class Anniversary(Module):
    """At most one symbol acts in a turn (ANNI-4); the tile just placed gives points if its own does not (ANNI-5)."""

    def __init__(self) -> None:
        self.elsewhere: Elsewhere | None = None
        self.symbol = vec[i64]([])  # per tile type: what its arrow shows, 0 without one
        self.arrow = vec[i64]([])  # per tile type: the side to which it points
        self.companions: i64 = 0  # bits of the pieces that may be or have a companion
        self.active: i64 = 0  # the symbol that acts in this turn
        self.choose: i64 = 0
        self.p_idle: i64 = 0
        self.from_symbol: i64 = 0

    def declare(self, layout: Layout) -> None:
        self.active = layout.field(name="symbol", values=SYMBOLS)
        self.choose = layout.frame(self, "symbol", holds="square")
        self.elsewhere = layout.elsewhere()
        self.p_idle = layout.part("symbol not activated", "ANNI-5")
        self.from_symbol = layout.source("symbol")
        layout.tile_mark("symbol")
        layout.add(layout.box("anniversary").tiles)

    def ready(self, tiles: list[Tile]) -> None:
        assert self.elsewhere is not None
        printed = [tile.marks.get("symbol") for tile in tiles]
        self.symbol = vec[i64]([PRINTED[mark["kind"]] if mark else 0 for mark in printed])
        self.arrow = vec[i64]([SIDES.index(mark["points_to"]) if mark else 0 for mark in printed])
        pieces = self.elsewhere.layout.pieces
        self.companions = sum(1 << number for number, piece in enumerate(pieces) if not piece.alone)

    # --- which symbol acts
    def placed(self, pos: Position, block: i64) -> None:
        count = self.pointing(pos, block)
        if count == 0:
            if self.symbol[pos.type_of(block)]:
                self.pay_idle_symbol(pos)
        elif count == 1:
            self.activate(pos, pos.scratch[0])
        else:
            pos.push(self.choose, pos.player(), block)

    def pointing(self, pos: Position, block: i64) -> i64:
        """ANNI-2, ANNI-3: writes the tiles whose arrows point from or to the new tile to the scratch list."""
        count: i64 = 0
        cell = pos.cell_of(block)
        for side in range(i64(4)):
            there = pos.tile_at(pos.beside(cell, side))
            if there:
                if self.points(pos, block, side):
                    pos.scratch[count] = block
                    count += 1
                if self.points(pos, there, side ^ 2):
                    pos.scratch[count] = there
                    count += 1
        return count

    def points(self, pos: Position, block: i64, side: i64) -> bool:
        """Has a tile an arrow to this side?"""
        tile_type = pos.type_of(block)
        return self.symbol[tile_type] != 0 and (self.arrow[tile_type] + pos.rotation_of(block)) & 3 == side

    def activate(self, pos: Position, block: i64) -> None:
        """The symbol of this tile acts, and no other."""
        symbol = self.symbol[pos.type_of(block)]
        pos.put(self.active, symbol)
        listener = pos.listener
        if listener is not None:
            listener.noted(pos.player(), "symbol", SYMBOLS[symbol])
        new = pos.last_block()
        if block != new and self.symbol[pos.type_of(new)]:
            self.pay_idle_symbol(pos)
        if symbol == AGAIN:
            pos.grant_extra_turn()  # ANNI-8, ANNI-9

    def pay_idle_symbol(self, pos: Position) -> None:
        """ANNI-1, ANNI-5: the symbol of the new tile does not act."""
        pos.begin_score()
        pos.part(self.p_idle, 1, 2)
        pos.gain(pos.player(), 0, self.from_symbol)

    def tile_done(self, pos: Position, player: i64) -> None:
        """ANNI-4: the next tile has symbols of its own."""
        if pos.s[self.active]:
            pos.put(self.active, 0)

    # --- the question which of several (ANNI-4)
    def legal(self, pos: Position, frame: i64) -> i64:
        count = self.pointing(pos, pos.subject())
        for i in range(count):
            pos.actions[i] = pos.scratch[i]
        return count

    def apply(self, pos: Position, frame: i64, action: i64) -> None:
        pos.pop()
        self.activate(pos, action)

    # --- the piece of this turn somewhere else
    def targets(self, pos: Position, count: i64) -> i64:
        elsewhere = self.elsewhere
        assert elsewhere is not None
        active = pos.s[self.active]
        if active == ANYWHERE:
            return elsewhere.offer_anywhere(pos, count)  # ANNI-7
        if active != COMPANION:
            return count
        player = pos.player()
        pieces = elsewhere.followers_of(pos, player) & self.companions
        before = count
        node = elsewhere.next_segment(pos, 0, pieces)
        while node:
            if self.has_room_beside(pos, node, player):
                fitting = pieces & elsewhere.pieces_on[pos.kind_of(node)]
                count = elsewhere.offer(pos, node, fitting, before, count)
            node = elsewhere.next_segment(pos, node, pieces)
        return count

    def has_room_beside(self, pos: Position, node: i64, player: i64) -> bool:
        """ANNI-6: a second may join one own follower, a third may not."""
        if pos.figures_on(node) == 0 or pos.followers_on(node, player) != 1:
            return False
        for piece in range(i64(len(pos.tables.weight))):
            if self.companions >> piece & 1 == 0 and pos.stands_on(node, player, piece):
                return False
        return True

    def why_impossible(self, pos: Position) -> str:
        if pos.question() == self.choose and (
            pos.subject() != pos.last_block() or self.pointing(pos, pos.subject()) < 2
        ):
            return "expected in 'symbol' the tile laid last, where several arrows meet"
        return ""

    def action_of(self, pos: Position, frame: i64, number: i64) -> Action:
        return Action("choose", cell=pos.coordinates_of(number))


def make(options: Mapping[str, Value]) -> list[Module]:
    """One module, without options."""
    return [Anniversary()]


MODULE = Spec(
    name="anniversary",
    make=make,
    order=35,  # its question comes before every other about the tile just placed (BASE-31)
    prefix="ANNI",
    boxes=("anniversary",),
    elements=tuple(
        Element(f"{SYMBOLS[number]}_symbol", "HOUSE-12", marks=("symbol",), shows=kind)
        for kind, number in PRINTED.items()
    ),
)
