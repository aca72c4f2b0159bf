"""What can be done now: the legal actions of each question, as numbers."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec

from bastide.kernel.offsets import F_PLAYER, HEAD, KIND, LAST, LOOK, NSEG, PIECES, SEGMENTS, STRENGTH, SUPPLY, TOP
from bastide.native import i64
from bastide.rules.position import DEPLOY, DRAW, FIRST_FREE, OVER, PLACE, Position
from bastide.rules.rules import Rules

DISCARD: Final = -1  # the only action when a tile fits nowhere
PASS: Final = 0  # deploy nothing; otherwise 1 + piece * SEGMENTS + segment, or a module's target
TRAIL_ROOM: Final = 512


class Choices(Position):
    """A position with its rules, which say what can be done."""

    def __init__(self, rules: Rules, state: vec[i64]) -> None:
        super().__init__(rules.shape, state, TRAIL_ROOM, rules.players, rules.tables)
        self.rules = rules

    def legal(self) -> i64:
        """Writes the actions for the frame on top to `actions`; returns how many. 0: the game is over."""
        question = self.question()
        if question == PLACE:
            return self.places(self.subject())
        if question == DEPLOY:
            return self.spots()
        if question == DRAW:
            return self.draws(self.subject())
        if question == OVER:
            return 0
        return self.rules.frames[question - FIRST_FREE].legal(self, question)

    def chance(self) -> bool:
        """Does the dealer decide next?"""
        question = self.question()
        return question == DRAW or (question >= FIRST_FREE and self.rules.chance[question - FIRST_FREE] == 1)

    def places(self, tile_type: i64) -> i64:
        """Where a tile can be laid; it is discarded if it fits nowhere."""
        actions = self.actions
        n = self.fitting(tile_type, actions)
        filters = self.rules.may_place[tile_type]
        if len(filters) > 0:
            kept: i64 = 0
            for i in range(n):
                move = actions[i]
                if self.why_not_place(tile_type, move >> 2, move & 3) == 0:
                    actions[kept] = move
                    kept += 1
            n = kept
            for m in filters:
                n = m.narrow(self, tile_type, n)
        if n == 0:
            actions[0] = DISCARD
            return 1
        return n

    def fitting_places(self, tile_type: i64) -> list[i64]:
        """Every cell * 4 + rotation where a tile of this type fits, whatever modules say; `actions` is written over."""
        count = self.fitting(tile_type, self.actions)
        return [self.actions[i] for i in range(count)]

    def why_not_place(self, tile_type: i64, cell: i64, rotation: i64) -> i64:
        """The first reason that a module has against this place, 0 for none."""
        for m in self.rules.may_place[tile_type]:
            reason = m.may_place(self, tile_type, cell, rotation)
            if reason:
                return reason
        return 0

    def spots(self) -> i64:
        """Where the player can put a piece: on the tile just laid, and wherever modules allow besides."""
        s = self.s
        rules = self.rules
        actions = self.actions
        actions[0] = PASS
        n: i64 = 1
        supply = SUPPLY + s[s[TOP] + F_PLAYER] * PIECES
        available: i64 = 0  # bits of the pieces that the player has
        for piece in range(rules.pieces):
            if s[supply + piece]:
                available |= 1 << piece
        limited = len(rules.may_stand) > 0
        node = s[LAST] + HEAD
        for seg in range(self.looks[s[s[LAST] + LOOK] + NSEG]):
            fitting_pieces = available & rules.pieces_on[s[node + KIND]]
            if fitting_pieces:
                root = self.find(node)
                piece = 0
                while fitting_pieces:
                    if (
                        fitting_pieces & 1
                        and self.why_not_deploy(piece, root) == 0
                        and (not limited or self.why_not_stand(piece, node) == 0)
                    ):
                        actions[n] = 1 + piece * SEGMENTS + seg
                        n += 1
                    fitting_pieces >>= 1
                    piece += 1
            node += self.stride
        for m in rules.targets:
            n = m.targets(self, n)
        return n

    def why_not_deploy(self, piece: i64, root: i64) -> i64:
        """Why a piece may not be put into a region: 0 it may, -1 a follower is there already, or a module's reason."""
        rules = self.rules
        if self.tables.weight[piece] == 0:
            return rules.piece_owner[piece].may_deploy_own(self, piece, root)
        if self.s[root + STRENGTH]:
            return -1
        for m in rules.may_deploy:
            reason = m.may_deploy(self, piece, root)
            if reason:
                return reason
        return 0

    def why_not_stand(self, piece: i64, node: i64) -> i64:
        """Why a piece may not be put on this very segment, whatever is in its region: 0, or a module's reason."""
        for m in self.rules.may_stand:
            reason = m.may_stand(self, piece, node)
            if reason:
                return reason
        return 0
