"""Lanterns: roads with lanterns, keepers beside followers, lamps that players hold hidden, the wind."""

from __future__ import annotations

from collections.abc import Mapping

from bastide.native import i64
from bastide.rules.actions import Action
from bastide.rules.layout import Layout
from bastide.rules.module import Module, Token
from bastide.rules.position import Position
from bastide.rules.spec import Element, Option, PieceCount, Spec, Value
from bastide.tiles.model import Tile

LAMPS = ("red", "green")
WINDS = ("calm", "storm")


class Lanterns(Module):
    """A tile with a moon asks its player which lamp to light, then the wind blows."""

    def __init__(self, options: Mapping[str, Value]) -> None:
        self.blows: bool = options["wind"] == "blows"

    def declare(self, layout: Layout) -> None:
        layout.adjusts(self, "road")
        self.lanterns = layout.sum(["road"], "lantern")
        self.keeper = layout.piece(self, "keeper", layout.piece_count("keepers"), 0, ["road"])
        self.lamps = layout.secret_counts(LAMPS, "lamps")
        self.oil = layout.per_player(1, "oil")
        self.last = layout.field(1, "last_keeper", holds="segment")
        self.light = layout.frame(self, "light")
        self.wind = layout.frame(self, "wind", chance=True)
        self.target = layout.target(self)
        self.p_lantern = layout.part("lanterns", "LAMP-1")
        self.p_lamps = layout.part("lamps", "LAMP-4")
        self.from_lamps = layout.source("lamps")
        self.alone = layout.reason("keeper_alone", "a keeper stands beside an own follower")
        self.clouds = layout.reason("clouds", "a tile with a moon is never turned half round")
        layout.tile_mark("moon")
        layout.restricts(self, lambda tile: "moon" in tile.marks)
        layout.add(layout.box("lanterns").tiles)

    def ready(self, tiles: list[Tile]) -> None:
        self.moon = [int("moon" in tile.marks) for tile in tiles]

    def may_place(self, pos: Position, tile_type: i64, cell: i64, rotation: i64) -> i64:
        return self.clouds if rotation == 2 else 0

    def may_deploy_own(self, pos: Position, piece: i64, root: i64) -> i64:
        return 0 if pos.strength(root, pos.player()) else self.alone

    def targets(self, pos: Position, count: i64) -> i64:
        """LAMP-3: the keeper who came last may be taken back by his owner."""
        node = pos.s[self.last]
        if node and pos.stands_on(node, pos.player(), self.keeper):
            pos.actions[count] = self.target | node
            count += 1
        return count

    def deploy_at(self, pos: Position, action: i64) -> None:
        pos.take_back(pos.player(), self.keeper, action)
        pos.put(self.last, 0)

    def deployed(self, pos: Position, piece: i64, node: i64) -> None:
        if piece == self.keeper:
            pos.put(self.last, node)

    def scored(self, pos: Position, root: i64, kind: i64, winners: i64) -> None:
        """The keepers of a road that is scored go home with everybody else."""
        node = pos.s[self.last]
        if node and pos.find(node) == root:
            pos.put(self.last, 0)

    def adjust(self, pos: Position, root: i64, kind: i64, finished: bool) -> None:
        if pos.total(root, self.lanterns):
            pos.part(self.p_lantern, pos.total(root, self.lanterns), 1)

    def placed(self, pos: Position, block: i64) -> None:
        if self.moon[pos.type_of(block)]:
            pos.push(self.light, pos.active_player(), 0)

    def tile_done(self, pos: Position, player: i64) -> None:
        if self.blows and self.moon[pos.type_of(pos.last_block())]:
            pos.push(self.wind, player, 0)

    def legal(self, pos: Position, frame: i64) -> i64:
        for number in range(2):
            pos.actions[number] = number
            pos.weights[number] = 1 + number
        return 2

    def apply(self, pos: Position, frame: i64, action: i64) -> None:
        player = pos.player()
        if frame == self.light:
            pos.add(self.lamps + 2 * player + action, 1)
        elif action == 1:
            pos.add(self.oil + player, 1)
        pos.pop()

    def action_of(self, pos: Position, frame: i64, number: i64) -> Action:
        if frame == self.light:
            return Action("choose", choice=LAMPS[number])
        if frame == self.wind:
            return Action("draw", tile=WINDS[number])
        return Action.with_piece("take", "keeper", pos.place_of(number))

    def final(self, pos: Position) -> None:
        for player in range(pos.players):
            pos.begin_score()
            pos.part(self.p_lamps, pos.s[self.lamps + 2 * player] + pos.s[self.lamps + 2 * player + 1], 2)
            pos.gain(player, 0, self.from_lamps)

    def value(self, pos: Position, player: i64) -> i64:
        return 100 * pos.s[self.oil + player]

    def tokens_on_table(self, pos: Position) -> list[Token]:
        return [Token(player, "oil", "", pos.s[self.oil + player]) for player in range(pos.players)]


def make(options: Mapping[str, Value]) -> list[Module]:
    """One module."""
    return [Lanterns(options)]


MODULE = Spec(
    name="lanterns",
    make=make,
    order=50,
    prefix="LAMP",
    options=(Option("wind", ("blows", "still"), "LAMP-2"),),
    boxes=("lanterns",),
    elements=(Element("moons", "LAMP-2", marks=("moon",)),),
    pieces=(PieceCount("keepers", "keeper", 1, rule="LAMP-3"),),
)
