"""The Abbot: gardens, and a follower for them and for cloisters that its owner may take back."""

from __future__ import annotations

from collections.abc import Mapping

from bastide.native import i64
from bastide.rules.actions import Action
from bastide.rules.layout import Layout
from bastide.rules.module import Module
from bastide.rules.position import Position
from bastide.rules.spec import Element, Option, PieceCount, Spec, Value


class Abbot(Module):
    """A garden is scored as a cloister is, but only an abbot stands on it."""

    def __init__(self, options: Mapping[str, Value]) -> None:
        self.alone: bool = options["companion_abbot"] == "no"
        self.abbot: i64 = 0
        self.abbots: i64 = 0  # that a player has
        self.target: i64 = 0
        self.p_garden: i64 = 0
        self.p_left_garden: i64 = 0
        self.p_taken_back: i64 = 0

    def declare(self, layout: Layout) -> None:
        layout.kind(self, "garden", around=True)  # ABBOT-3, ABBOT-8
        self.abbots = layout.piece_count("abbots")
        kinds = ["cloister", "garden"]
        # ABBOT-1, ABBOT-2, ABBOT-9
        self.abbot = layout.piece(self, "abbot", self.abbots, 1, kinds, alone=self.alone)
        self.target = layout.target(self)
        self.p_garden = layout.part("tiles", "ABBOT-3")
        self.p_left_garden = layout.part("tiles", "ABBOT-5")
        self.p_taken_back = layout.part("abbot taken back", "ABBOT-4")

    def score(self, pos: Position, root: i64, kind: i64, finished: bool) -> None:
        pos.part(self.p_garden if finished else self.p_left_garden, 9 - pos.open_edges(root), 1)

    def targets(self, pos: Position, count: i64) -> i64:
        """ABBOT-4, ABBOT-7: instead of placing anything the abbot may come back from what is not finished."""
        player = pos.player()
        if pos.supply(player, self.abbot) == self.abbots:
            return count
        for i in range(pos.standing_count()):
            node = pos.standing_node(i)
            if pos.stands_on(node, player, self.abbot) and not pos.complete(node):
                pos.actions[count] = self.target | node
                count += 1
        return count

    def deploy_at(self, pos: Position, action: i64) -> None:
        """Its cloister or garden is scored for its owner alone, as at the end of the game."""
        player = pos.player()
        pos.begin_score()
        pos.part(self.p_taken_back, 9 - pos.open_edges(action), 1)
        pos.gain(player, action, pos.kind_of(action))
        pos.take_back(player, self.abbot, action)

    def value(self, pos: Position, player: i64) -> i64:
        """An abbot on the board can be taken back at any time: that is worth half of one in hand."""
        if pos.supply(player, self.abbot) == self.abbots:
            return 0
        turns = pos.tiles_left(pos.land_pile()) // pos.players
        return 600 * turns // (turns + 4)

    def action_of(self, pos: Position, frame: i64, number: i64) -> Action:
        return Action.with_piece("take", "abbot", pos.place_of(number))


def make(options: Mapping[str, Value]) -> list[Module]:
    """One module; of its options one is for whoever scores vineyards."""
    return [Abbot(options)]


MODULE = Spec(
    name="abbot",
    make=make,
    order=25,
    prefix="ABBOT",
    options=(
        Option("vineyards_for_gardens", ("off", "on"), "ABBOT-6"),
        Option("companion_abbot", ("yes", "no"), "ABBOT-9"),
    ),
    elements=(Element("gardens", "HOUSE-11", kinds=("garden",)),),
    pieces=(PieceCount("abbots", "abbot", 1),),
)
