"""The contract of a module: every hook there is. An expansion overrides what it needs; the rest costs nothing.

Hooks come in three families. Filters answer 0 for yes or a reason why not. Contributors add to what the engine makes:
actions, score parts, winners. Reactors are told what happened and may push a frame: the engine then goes on with the
next reactor only when the question is answered. The order of modules is declared (`Spec.order`).
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
    where: str  # a place, or the piece beside which it lies; empty: in front of its owner
    number: int


@mypyc_attr(allow_interpreted_subclasses=True)
class Module:
    """Rules of one box. Keeps no state of its own: only the places and numbers that `declare` was given."""

    def declare(self, layout: Layout) -> None:
        """Reserve kinds, pieces, attributes, fields, frames, tiles. Called twice; must do the same both times."""

    def ready(self, tiles: list[Tile]) -> None:
        """The tile types are settled: make tables of what is printed on each."""

    # --- filters
    def may_place(self, game: Position, kind: i64, cell: i64, turn: i64) -> i64:
        """Asked for the tiles named with `Layout.restricts`, for every place where they fit."""
        return 0

    def may_deploy(self, game: Position, piece: i64, root: i64) -> i64:
        """Asked for every follower in a free region."""
        return 0

    def welcomes(self, game: Position, piece: i64, root: i64) -> i64:
        """Asked for this module's own pieces that are no followers, in every region of a kind where they stand."""
        return 0

    # --- contributors
    def narrow(self, game: Position, kind: i64, count: i64) -> i64:
        """Shortens the list of places of a restricted tile in `game.actions`; returns how many are left."""
        return count

    def targets(self, game: Position, count: i64) -> i64:
        """Adds deploy actions (`self.target_code | own number`) to `game.actions`; returns how many there are now."""
        return count

    def deploy_at(self, game: Position, action: i64) -> None:
        """Carries out one of the actions that `targets` added, given its own number."""

    def score(self, game: Position, root: i64, kind: i64, finished: bool) -> None:
        """Score parts of a region of a kind that this module declared."""

    def adjust(self, game: Position, root: i64, kind: i64, finished: bool) -> None:
        """More score parts, for kinds that this module asked to adjust."""

    def bonus(self, game: Position, root: i64, kind: i64, who: i64) -> None:
        """More score parts for one of the winners, for kinds that this module asked to adjust."""

    def break_tie(self, game: Position, root: i64, kind: i64, winners: i64) -> i64:
        """Several players are tied for a region (bits): who of them wins? `game.found` lists where the figures stand;
        the root may be a passing record of several regions."""
        return winners

    def final(self, game: Position) -> None:
        """Score at the end of the game, after all regions."""

    def value(self, game: Position, who: i64) -> i64:
        """What bots should think of this module's things that no score shows yet: hundredths of points for a player."""
        return 0

    def prize(self, game: Position, root: i64, kind: i64) -> i64:
        """What bots should think that completing a region will bring besides its score: hundredths of points."""
        return 0

    def turn_begins(self, game: Position, top: i64) -> i64:
        """A turn (or an extra one) begins in the frame `top`: 0 draw as usual, 1 this module has set the frame's
        question, -1 there is nothing to play any more."""
        return 0

    # --- reactors
    def begun(self, game: Position) -> None:
        """The start tiles lie; deal hands, set what is not zero."""

    def drawn(self, game: Position, kind: i64) -> None:
        """A tile was drawn and is about to be placed."""

    def placed(self, game: Position, block: i64) -> None:
        """A tile was laid and its regions merged."""

    def deployed(self, game: Position, piece: i64, node: i64) -> None:
        """A piece was put on a segment."""

    def part_settled(self, game: Position, who: i64) -> None:
        """The player has placed a piece or passed; scoring comes next."""

    def closed(self, game: Position, root: i64, kind: i64) -> None:
        """A region closed; it is scored right after this."""

    def scored(self, game: Position, root: i64, kind: i64, winners: i64) -> None:
        """A closed region was scored for the winners (bits); its figures are still there."""

    def lifted(self, game: Position, who: i64, piece: i64, node: i64) -> None:
        """A piece was taken back from a segment without its region being scored."""

    def part_ended(self, game: Position, who: i64) -> None:
        """A tile was laid and everything about it is done; push a frame to go on with the same turn."""

    def turn_ended(self, game: Position, who: i64) -> None:
        """The turn passes to the next player."""

    # --- for people
    def why_narrowed(self, game: Position, kind: i64, cell: i64, turn: i64) -> i64:
        """Why `narrow` leaves out this place; 0: it does not, or has nothing to say about it."""
        return 0

    def refuses(self, game: Position, piece: i64, place: Place) -> i64:
        """Why a piece is not put on a spot that only `targets` can offer; 0: it is no such spot, or free."""
        return 0

    def shows(self, game: Position) -> list[Token]:
        """What lies on the table besides tiles, pieces on segments and supplies; hidden things are not shown."""
        return []

    # --- frames of its own
    def legal(self, game: Position, frame: i64) -> i64:
        """Write the actions for a frame of this module (and, for chance, their weights); returns how many."""
        return 0

    def apply(self, game: Position, frame: i64, action: i64) -> None:
        """Carry one out; pop the frame when it is done."""

    def action_of(self, game: Position, frame: i64, number: i64) -> Action:
        """What a number means that `legal` wrote for one of its frames, or that `targets` added (frame -1)."""
        raise NotImplementedError
