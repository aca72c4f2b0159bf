"""The base class of all modules, with every hook. An expansion overrides what it needs; other hooks cost nothing.

There are three families of hooks. Filters return 0 for yes, or the number of a reason. Contributors add actions, score
parts or winners. Reactors are told what happened and may push a frame: the engine calls the next reactor when that
question is answered. `Spec.order` decides which module is called first.

Parameters: `pos` is the position; `tile_type` the number of a tile type; `rotation` 0 to 3 quarter turns clockwise;
`cell` the number of a cell; `block` a tile on the board; `node` a segment on the board; `root` a region (the node that
stands for it); `kind` a kind of land; `piece` a kind of piece; `player` a seat; `winners` a bit for each player.
"""

from __future__ import annotations

from typing import NamedTuple

from bastide.native import i64, mypyc_attr
from bastide.rules.actions import Action, Place
from bastide.rules.layout import Layout
from bastide.rules.position import Position
from bastide.tiles.model import Tile


class Token(NamedTuple):
    """Something on the table that is neither a tile nor a piece on a segment: goods, sheep, a follower on the wheel."""

    seat: int  # whose it is, -1 for nobody's
    name: str
    where: str  # a cell `2,-1`, a place, or the piece beside which it lies; empty: in front of its owner
    number: int


@mypyc_attr(allow_interpreted_subclasses=True)
class Module:
    """The rules of one box. A module has no state of its own, only the numbers that `declare` got from the layout."""

    def declare(self, layout: Layout) -> None:
        """Reserves kinds, pieces, attributes, fields, frames, tiles. Called twice; must do the same both times."""

    def ready(self, tiles: list[Tile]) -> None:
        """Called when the tile types are known. Make tables of what is printed on each here."""

    # --- filters
    def may_place(self, pos: Position, tile_type: i64, cell: i64, rotation: i64) -> i64:
        """May this tile be laid there? Asked where the tile fits, and only for tiles named with `Layout.restricts`."""
        return 0

    def may_deploy(self, pos: Position, piece: i64, root: i64) -> i64:
        """May a follower be put into this region? Asked only while no follower is there."""
        return 0

    def may_stand(self, pos: Position, piece: i64, node: i64) -> i64:
        """May a piece of any kind be put on exactly this segment? Asked besides the questions about its region."""
        return 0

    def may_deploy_own(self, pos: Position, piece: i64, root: i64) -> i64:
        """May one of this module's own pieces that is not a follower be put into this region?"""
        return 0

    # --- contributors
    def narrow(self, pos: Position, tile_type: i64, count: i64) -> i64:
        """Shortens the list of placements of a restricted tile in `pos.actions`; returns how many remain."""
        return count

    def targets(self, pos: Position, count: i64) -> i64:
        """Adds deploy actions (`self.target_code | own number`) to `pos.actions`; returns how many there are now."""
        return count

    def deploy_at(self, pos: Position, action: i64) -> None:
        """Carries out one of the actions that `targets` added, given the module's own number of it."""

    def score(self, pos: Position, root: i64, kind: i64, finished: bool) -> None:
        """Adds the score parts of a region whose kind this module declared."""

    def adjust(self, pos: Position, root: i64, kind: i64, finished: bool) -> None:
        """Adds score parts to a region of a kind named with `Layout.adjusts`."""

    def bonus(self, pos: Position, root: i64, kind: i64, player: i64) -> None:
        """Adds score parts for one of the winners, for kinds named with `Layout.adjusts`."""

    def break_tie(self, pos: Position, root: i64, kind: i64, winners: i64) -> i64:
        """Several players are tied for a region: returns those who win.

        `pos.figure_nodes` lists the segments with figures. The root may be a temporary record that merges several
        regions.
        """
        return winners

    def final(self, pos: Position) -> None:
        """Scores at the end of the game, after all regions."""

    def value(self, pos: Position, player: i64) -> i64:
        """For bots: what this module's things are worth to a player, beyond the score. In hundredths of points."""
        return 0

    def prize(self, pos: Position, root: i64, kind: i64) -> i64:
        """For bots: what completing a region brings besides its score. In hundredths of points."""
        return 0

    def begin_turn(self, pos: Position, top: i64) -> i64:
        """A turn (or an extra turn) begins in the frame `top`.

        Returns 0 to draw as usual, 1 if this module has set the frame's question, -1 if nothing can be played.
        """
        return 0

    # --- reactors
    def game_started(self, pos: Position) -> None:
        """The start tiles lie. Deals hands, sets fields that do not begin with 0."""

    def drawn(self, pos: Position, tile_type: i64) -> None:
        """A tile was drawn and is about to be placed."""

    def placed(self, pos: Position, block: i64) -> None:
        """A tile was laid and its regions merged."""

    def deployed(self, pos: Position, piece: i64, node: i64) -> None:
        """A piece was put on a segment."""

    def piece_placed(self, pos: Position, player: i64) -> None:
        """The player has placed a piece or passed; scoring comes next."""

    def closed(self, pos: Position, root: i64, kind: i64) -> None:
        """A region closed; it is scored right after this."""

    def scored(self, pos: Position, root: i64, kind: i64, winners: i64) -> None:
        """A closed region was scored for the winners (bits); its figures are still there."""

    def scored_at_end(self, pos: Position, root: i64, kind: i64, winners: i64) -> None:
        """At the end of the game a region was scored for the winners (bits); its figures stay there."""

    def lifted(self, pos: Position, player: i64, piece: i64, node: i64) -> None:
        """A piece was taken from a segment although its region was not scored."""

    def tile_done(self, pos: Position, player: i64) -> None:
        """Everything about the tile is done. A frame pushed here continues the same turn."""

    def turn_started(self, pos: Position, player: i64) -> None:
        """The next player's turn has begun. Called once: not again after a discard, and not for extra turns.

        The first turn of the game is told by `game_started`. A frame pushed here is asked before a tile is drawn. In a
        scripted game, which may be ended between two turns, it is told at the draw.
        """

    # --- for people
    def why_narrowed(self, pos: Position, tile_type: i64, cell: i64, rotation: i64) -> i64:
        """The reason why `narrow` removes this placement, 0 if it does not."""
        return 0

    def why_not_target(self, pos: Position, piece: i64, place: Place) -> i64:
        """The reason why `targets` does not offer this spot; 0 if it does, or if the spot is not this module's."""
        return 0

    def why_impossible(self, pos: Position) -> str:
        """What cannot be about the fields and frames of this module, in a position that somebody wrote; else empty.

        Numbers are looked at before the first question is asked: whatever the other hooks rely on.
        """
        return ""

    def tokens_on_table(self, pos: Position) -> list[Token]:
        """Lists what lies on the table besides tiles, pieces on segments and supplies. Hidden things are left out."""
        return []

    # --- frames of its own
    def legal(self, pos: Position, frame: i64) -> i64:
        """Writes the actions for a frame of this module (and, for chance, their weights); returns how many."""
        return 0

    def apply(self, pos: Position, frame: i64, action: i64) -> None:
        """Carries out an action; pops the frame when the question is answered."""

    def action_of(self, pos: Position, frame: i64, number: i64) -> Action:
        """The Action for a number that `legal` wrote for a frame, or that `targets` added (frame -1)."""
        raise NotImplementedError
