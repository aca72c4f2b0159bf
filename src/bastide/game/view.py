"""What one seat may know of a game. Everything that leaves for a player, a bot or a page goes through here."""
# interpreted: speaks to people

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from bastide.game.actions import Action
from bastide.game.board import Board, Region
from bastide.game.dealer import Rng
from bastide.game.game import CHANCE, Game
from bastide.game.outcome import Outcome
from bastide.game.secrets import deal_anew
from bastide.game.state import State

LAP = 50  # spaces of the score track (BASE-28)
SPECTATOR = -1
HIDDEN = "?"


class View:
    """A game through the eyes of a seat, or of a spectator."""

    def __init__(self, game: Game, seat: int = SPECTATOR) -> None:
        self._game = game
        self.seat = seat
        self.rules = game.rules
        self.names = game.names
        self.scores = game.scores
        self.laps = tuple(score // LAP for score in game.scores)
        self.decides = game.seat  # the seat that is asked now, or CHANCE
        self.turn = game.turn
        self.tile = game.tile
        self.left = game.left
        self.over = game.over

    @property
    def mine(self) -> bool:
        """Is this seat asked now?"""
        return self.decides == self.seat and not self.over

    @cached_property
    def legal(self) -> Sequence[Action]:
        """What this seat can do now; nothing if another is asked."""
        return self._game.legal if self.mine else ()

    @cached_property
    def board(self) -> Board:
        """The tiles and pieces on the table."""
        return self._game.board

    @cached_property
    def regions(self) -> list[Region]:
        """All regions on the board."""
        return self._game.regions

    @cached_property
    def supply(self) -> tuple[dict[str, int], ...]:
        """The pieces that each player can still place."""
        return tuple(self._game.supply(seat) for seat in range(len(self.names)))

    @cached_property
    def outcome(self) -> Outcome | None:
        """The ranking, once the game is over."""
        return self._game.outcome

    @cached_property
    def unseen(self) -> dict[str, int]:
        """Tiles that this seat has not seen, by name: in the bag, under others' eyes, or hidden for good."""
        engine = self._game.engine
        counts = {tile.id: int(engine.s[engine.bag + number]) for number, tile in enumerate(self.rules.tiles)}
        for seat in range(len(self.names)):
            if seat != self.seat:
                for name in self._game.secrets(seat):
                    if name in counts:  # a secret may be something else than a tile
                        counts[name] += 1
        return {name: count for name, count in counts.items() if count > 0}

    @cached_property
    def secret(self) -> tuple[str, ...]:
        """What this seat holds hidden from the others."""
        return () if self.seat == SPECTATOR else self._game.secrets(self.seat)

    @cached_property
    def secret_counts(self) -> tuple[int, ...]:
        """How many things each player holds hidden."""
        return tuple(len(self._game.secrets(seat)) for seat in range(len(self.names)))

    @cached_property
    def history(self) -> list[tuple[int, Action]]:
        """What happened so far; secret draws of others show no name."""
        return [
            (seat, Action("draw", tile=HIDDEN) if secret and seat != self.seat else action)
            for (seat, action), secret in zip(self._game.history, self._game.secret_draws, strict=True)
        ]

    def imagine(self, rng: Rng) -> State:
        """A position that could be the real one: what this seat does not know is dealt anew."""
        engine = self._game.engine.clone()
        deal_anew(engine, self.seat, rng)
        return State(self.rules, engine)


__all__ = ["CHANCE", "SPECTATOR", "View"]
