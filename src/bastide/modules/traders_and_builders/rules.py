"""Traders & Builders: builders and their second turns, pigs, goods."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from librt.vecs import vec

from bastide.native import i64
from bastide.rules.layout import Layout
from bastide.rules.module import Module, Token
from bastide.rules.position import Position
from bastide.rules.spec import Element, PieceCount, Spec, Value

GOODS: Final = ("wine", "grain", "cloth")
KINDS_OF_GOODS: Final = 3
MOST: Final = 10  # TRAD-12: points for the most tokens of a kind


class Traders(Module):
    """Builder and pig stand only beside an own follower and go home when it leaves them alone."""

    def __init__(self) -> None:
        self.builder: i64 = 0
        self.all_builders: i64 = 0  # that a player has
        self.pig: i64 = 0
        self.builders: i64 = 0  # flag of player 0: a builder stands in the region
        self.pigs: i64 = 0
        self.city: i64 = 0
        self.symbols = vec[i64]([])  # per kind of goods: where a city counts its symbols
        self.tokens: i64 = 0  # per player, per kind of goods
        self.p_pig: i64 = 0
        self.p_goods = vec[i64]([])
        self.from_goods: i64 = 0
        self.alone: i64 = 0

    def declare(self, layout: Layout) -> None:
        self.city = layout.kind_id("city")
        layout.adjusts(self, "field")
        self.all_builders = layout.piece_count("builders")
        self.builder = layout.piece(self, "builder", self.all_builders, 0, ["road", "city"], presence=True)  # TRAD-3
        self.pig = layout.piece(self, "pig", layout.piece_count("pigs"), 0, ["field"], presence=True)  # TRAD-10
        self.builders = layout.presence_of(self.builder)
        self.pigs = layout.presence_of(self.pig)
        self.symbols = vec[i64]([layout.sum(["city"], good) for good in GOODS])
        self.tokens = layout.per_player(KINDS_OF_GOODS, "goods", slots=GOODS)
        self.p_pig = layout.part("pig", "TRAD-10")
        self.p_goods = vec[i64]([layout.part(good, "TRAD-12") for good in GOODS])
        self.from_goods = layout.source("goods")
        self.alone = layout.reason("alone", "builder and pig are placed only where a follower of their owner stands")
        layout.add(layout.box("traders_and_builders").tiles)

    # --- builder and pig
    def may_deploy_own(self, pos: Position, piece: i64, root: i64) -> i64:
        """TRAD-3, TRAD-10: an own follower stands there already."""
        return 0 if pos.strength(root, pos.player()) else self.alone

    def placed(self, pos: Position, block: i64) -> None:
        """TRAD-4: the tile continues or completes what the own builder builds."""
        player = pos.active_player()
        if pos.supply(player, self.builder) == self.all_builders:
            return
        for segment in range(pos.segments(block)):
            if pos.has(pos.find(pos.node(block, segment)), self.builders << player):
                pos.grant_extra_turn()

    def lifted(self, pos: Position, player: i64, piece: i64, node: i64) -> None:
        """TRAD-8, TRAD-10: a builder or pig left without a follower of its colour returns."""
        root = pos.find(node)
        if pos.strength(root, player) == 0:
            if pos.has(root, self.builders << player):
                pos.take_back(player, self.builder, pos.stands_in(root, player, self.builder))
            if pos.has(root, self.pigs << player):
                pos.take_back(player, self.pig, pos.stands_in(root, player, self.pig))

    def bonus(self, pos: Position, root: i64, kind: i64, player: i64) -> None:
        """TRAD-10, TRAD-13: the pig of whoever wins the field adds a point for each city."""
        if pos.has(root, self.pigs << player):
            pos.part(self.p_pig, pos.count, 1)

    def value(self, pos: Position, player: i64) -> i64:
        """A builder on the board brings second turns: up to ten points when many are still to come."""
        if pos.supply(player, self.builder) == self.all_builders:
            return 0
        turns = pos.tiles_left(pos.tables.main_piles - 1) // pos.players
        return 1000 * turns // (turns + 6)

    # --- goods
    def closed(self, pos: Position, root: i64, kind: i64) -> None:
        """TRAD-11: the player who completes a city takes a token for each symbol in it."""
        if kind != self.city:
            return
        player = pos.active_player()
        for good in range(i64(KINDS_OF_GOODS)):
            count = pos.s[root + self.symbols[good]]
            if count:
                pos.add(self.tokens + player * KINDS_OF_GOODS + good, count)
                listener = pos.listener
                if listener is not None:
                    listener.noted(player, GOODS[good], str(count))

    def final(self, pos: Position) -> None:
        """TRAD-12: points for the most tokens of each kind, for all who are tied."""
        for good in range(i64(KINDS_OF_GOODS)):
            most: i64 = 1
            for player in range(pos.players):
                most = max(most, self.token_count(pos, player, good))
            for player in range(pos.players):
                if self.token_count(pos, player, good) == most:
                    pos.begin_score()
                    pos.part(self.p_goods[good], 1, MOST)
                    pos.gain(player, 0, self.from_goods)

    def token_count(self, pos: Position, player: i64, good: i64) -> i64:
        """Tokens of a kind that a player has."""
        return pos.s[self.tokens + player * KINDS_OF_GOODS + good]

    def tokens_on_table(self, pos: Position) -> list[Token]:
        return [
            Token(player, GOODS[good], "", self.token_count(pos, player, good))
            for player in range(pos.players)
            for good in range(KINDS_OF_GOODS)
        ]


def make(options: Mapping[str, Value]) -> list[Module]:
    """One module, without options."""
    return [Traders()]


MODULE = Spec(
    name="traders_and_builders",
    make=make,
    order=30,
    prefix="TRAD",
    boxes=("traders_and_builders",),
    elements=(Element("goods", "HOUSE-9", marks=GOODS),),
    pieces=(PieceCount("builders", "builder", 1), PieceCount("pigs", "pig", 1)),
)
