"""The base of all kinds of observation: one block of numbers for each of several games, written in place."""

from __future__ import annotations

from bastide.game.engine import Engine
from bastide.native import i64, mypyc_attr
from bastide.rules.rules import Rules


@mypyc_attr(allow_interpreted_subclasses=True)
class ObservationWriter:
    """Writes observations of `games` games by the same rules into vectors of its own: views of them stay valid."""

    def __init__(self, rules: Rules, games: i64) -> None:
        self.rules = rules
        self.games: i64 = games
        self.players: i64 = rules.players

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.rules, self.games)  # the numbers are written anew

    def write(self, number: i64, game: Engine, seat: i64, count: i64) -> None:
        """The game as a seat may see it, to the block of game `number`.

        `count` actions are legal and stand in `game.actions`; 0 if another seat is asked, or the game is over.
        """
        raise NotImplementedError

    def invalidate(self, number: i64) -> None:
        """Another game begins in this place, or an earlier position: nothing that was written before holds."""

    def strongest_other(self, word: i64, seat: i64) -> i64:
        """The weight of the strongest other player, from the word of all players' weights."""
        best: i64 = 0
        player: i64 = 0
        while word:
            if word & 255 > best and player != seat:
                best = word & 255
            word >>= 8
            player += 1
        return best
