"""Anniversary tiles: arrows that act when a tile lies where they point."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from librt.vecs import vec

from bastide.geometry import SIDES
from bastide.native import i64
from bastide.rules.actions import Action
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
        self.layout: Layout | None = None
        self.symbol = vec[i64]([])  # per tile type: what its arrow shows, 0 without one
        self.arrow = vec[i64]([])  # per tile type: the side to which it points
        self.names: list[str] = []  # of the pieces ...
        self.stands_on = vec[i64]([])  # ... bits of the kinds of land on which it stands
        self.alone = vec[i64]([])  # ... 1 if it is no companion and has none
        self.active: i64 = 0  # the symbol that acts in this turn
        self.choose: i64 = 0
        self.target: i64 = 0
        self.p_idle: i64 = 0
        self.from_symbol: i64 = 0

    def declare(self, layout: Layout) -> None:
        self.layout = layout
        self.active = layout.field(name="symbol", values=SYMBOLS)
        self.choose = layout.frame(self, "symbol", holds="square")
        self.target = layout.target(self)
        self.p_idle = layout.part("symbol not activated", "ANNI-5")
        self.from_symbol = layout.source("symbol")
        layout.tile_mark("symbol")
        layout.add(layout.box("anniversary").tiles)

    def ready(self, tiles: list[Tile]) -> None:
        layout = self.layout
        assert layout is not None
        printed = [tile.marks.get("symbol") for tile in tiles]
        self.symbol = vec[i64]([PRINTED[mark["kind"]] if mark else 0 for mark in printed])
        self.arrow = vec[i64]([SIDES.index(mark["points_to"]) if mark else 0 for mark in printed])
        pieces = layout.pieces
        self.names = [piece.name for piece in pieces]
        self.stands_on = vec[i64]([sum(1 << layout.kind_id(kind) for kind in piece.kinds) for piece in pieces])
        self.alone = vec[i64]([int(piece.alone) for piece in pieces])
        followers = sum(1 for piece in pieces if piece.weight)
        most = followers * max(len(tile.segments) for tile in tiles)
        layout.actions_a_square = max(layout.actions_a_square, most)  # ANNI-7 offers nearly all of them

    # --- which symbol acts
    def placed(self, pos: Position, block: i64) -> None:
        count = self.pointing(pos, block)
        if count == 0:
            if self.symbol[pos.type_of(block)]:
                self.idle(pos)
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
            self.idle(pos)
        if symbol == AGAIN:
            pos.grant_extra_turn()  # ANNI-8, ANNI-9

    def idle(self, pos: Position) -> None:
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
        s = pos.s
        active = s[self.active]
        if active != COMPANION and active != ANYWHERE:
            return count
        block = pos.first_block()
        while block < pos.last_block():
            for segment in range(pos.segments(block)):
                node = pos.node(block, segment)
                if active == ANYWHERE or self.has_room_beside(pos, node):
                    count = self.offer(pos, node, count)
            block = pos.next_block(block)
        return count

    def has_room_beside(self, pos: Position, node: i64) -> bool:
        """ANNI-6: a second may join one own follower, a third may not."""
        player = pos.player()
        if pos.followers_on(node, player) != 1:
            return False
        for piece in range(i64(len(self.alone))):
            if self.alone[piece] and pos.stands_on(node, player, piece):
                return False
        return True

    def offer(self, pos: Position, node: i64, count: i64) -> i64:
        """Adds what the player can put on a segment: any follower that stands on such land.

        ANNI-7: anywhere means unoccupied and incomplete; fields are never complete.
        """
        player = pos.player()
        root = pos.find(node)
        anywhere = pos.s[self.active] == ANYWHERE
        if anywhere and pos.complete(root):
            return count
        weight = pos.tables.weight
        for piece in range(i64(len(weight))):
            if (
                weight[piece]
                and pos.supply(player, piece)
                and self.stands_on[piece] >> pos.kind_of(node) & 1
                and (pos.why_not_deploy(piece, root) == 0 if anywhere else self.alone[piece] == 0)
                and pos.why_not_stand(piece, node) == 0
            ):
                pos.actions[count] = self.target | pos.pack_target(node, piece)
                count += 1
        return count

    def deploy_at(self, pos: Position, action: i64) -> None:
        pos.deploy(pos.player(), pos.piece_of(action), pos.target_of(action))

    def action_of(self, pos: Position, frame: i64, number: i64) -> Action:
        if frame == self.choose:
            return Action("choose", cell=pos.coordinates_of(number))
        return Action.with_piece("deploy", self.names[pos.piece_of(number)], pos.place_of(pos.target_of(number)))


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
