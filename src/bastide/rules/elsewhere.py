"""Pieces on other tiles than the one just laid. Several boxes offer such actions; each is offered only once."""

from __future__ import annotations

from librt.vecs import vec

from bastide.native import i64
from bastide.rules.actions import Action
from bastide.rules.layout import Layout
from bastide.rules.module import Module
from bastide.rules.position import Position
from bastide.tiles.model import Tile


class Elsewhere(Module):
    """Targets that modules share; `Layout.elsewhere` makes it. A module calls it in its own `targets`."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.code: i64 = layout.target(self)
        self.names: list[str] = []  # of the pieces
        self.pieces_on = vec[i64]([])  # per kind of land: bits of the pieces that stand there

    def ready(self, tiles: list[Tile]) -> None:
        layout = self.layout
        pieces = layout.pieces
        self.names = [piece.name for piece in pieces]
        self.pieces_on = vec[i64](
            [sum(1 << i for i, piece in enumerate(pieces) if kind in piece.kinds) for kind in layout.kinds]
        )
        followers = sum(1 for piece in pieces if piece.weight)
        most = followers * max(len(tile.segments) for tile in tiles)
        layout.actions_a_square = max(layout.actions_a_square, most)  # `offer_anywhere` offers nearly all of them

    def followers_of(self, pos: Position, player: i64) -> i64:
        """Bits of the kinds of followers that a player has in the supply."""
        weight = pos.tables.weight
        found: i64 = 0
        for piece in range(i64(len(weight))):
            if weight[piece] and pos.supply(player, piece):
                found |= 1 << piece
        return found

    def offer(self, pos: Position, node: i64, pieces: i64, before: i64, count: i64) -> i64:
        """Adds an action for each piece (bits) that may stand on this segment, unless it is among the first `before`.

        The module itself must check whether the region may be entered. Returns how many actions there are now.
        """
        piece: i64 = 0
        while pieces >> piece:
            action = self.code | pos.pack_target(node, piece)
            if pieces >> piece & 1 and pos.why_not_stand(piece, node) == 0 and not is_among(pos, action, before):
                pos.actions[count] = action
                count += 1
            piece += 1
        return count

    def next_segment(self, pos: Position, node: i64, pieces: i64) -> i64:
        """The segment after `node` (0: the first) on whose kind of land one of the pieces (bits) can stand.

        On all tiles but the one just laid; 0 after the last.
        """
        block = pos.first_block()
        segment: i64 = 0
        if node:
            block = pos.block_of(node)
            segment = pos.segment_of(node) + 1
        last = pos.last_block()
        while block < last:
            for other in range(segment, pos.segments(block)):
                node = pos.node(block, other)
                if pieces & self.pieces_on[pos.kind_of(node)]:
                    return node
            block = pos.next_block(block)
            segment = 0
        return 0

    def offer_anywhere(self, pos: Position, count: i64) -> i64:
        """Adds every follower on everything that is unoccupied and incomplete, on all tiles but the one just laid."""
        pieces = self.followers_of(pos, pos.player())
        before = count
        node = self.next_segment(pos, 0, pieces)
        while node:
            fitting = self.may_enter(pos, pos.find(node), pieces & self.pieces_on[pos.kind_of(node)])
            count = self.offer(pos, node, fitting, before, count)
            node = self.next_segment(pos, node, pieces)
        return count

    def may_enter(self, pos: Position, root: i64, pieces: i64) -> i64:
        """Bits of those pieces that may enter a region: nobody stands there, and it is incomplete."""
        if pos.complete(root) or pos.is_occupied(root):
            return 0
        piece: i64 = 0
        while pieces >> piece:
            if pieces >> piece & 1 and pos.why_not_deploy(piece, root):
                pieces &= ~(1 << piece)
            piece += 1
        return pieces

    def deploy_at(self, pos: Position, action: i64) -> None:
        pos.deploy(pos.player(), pos.piece_of(action), pos.target_of(action))

    def action_of(self, pos: Position, frame: i64, number: i64) -> Action:
        return Action.with_piece("deploy", self.names[pos.piece_of(number)], pos.place_of(pos.target_of(number)))


def is_among(pos: Position, action: i64, count: i64) -> bool:
    """Is an action one of the first `count` that are listed?"""
    i: i64 = 0
    while i < count and pos.actions[i] != action:
        i += 1
    return i < count
