"""What one seat may know of a game. Everything that a player, a bot or a page is shown goes through here."""
# interpreted: speaks to people

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property

from bastide.errors import StaleError
from bastide.game.actions import Action
from bastide.game.board import Board, Region
from bastide.game.checked import checked_seat
from bastide.game.dealer import Rng
from bastide.game.events import Drawn, Event
from bastide.game.game import Game
from bastide.game.outcome import Outcome
from bastide.game.seats import SPECTATOR
from bastide.game.secrets import redeal
from bastide.game.state import State
from bastide.game.texts import texts

LAP = 50  # spaces of the score track (BASE-28)
HIDDEN = "?"


class View:
    """A game at one moment, through the eyes of a seat or of a spectator.

    It shows the moment when it was made. What it has not yet been asked for, it can tell only as long as
    the game stands there; afterwards it raises `StaleError`. Make a new view after every action.
    """

    def __init__(self, game: Game, seat: int = SPECTATOR) -> None:
        self._game = game
        self._moment = game.moment
        self.seat = seat if seat is SPECTATOR else checked_seat(seat, len(game.names))
        self.rules = game.rules
        self.names = game.names
        self.scores = game.scores
        self.laps = tuple(score // LAP for score in game.scores)
        self.decides = game.seat  # the seat that is asked now, or CHANCE
        self.turn = game.turn
        self.tile = game.tile
        self.tiles_left = game.tiles_left
        self.over = game.over

    def _now(self) -> Game:
        """The game; raises `StaleError` if something was played since this view was made."""
        if self._game.moment != self._moment:
            raise StaleError("this view belongs to an earlier moment of the game; make a new one")
        return self._game

    @property
    def mine(self) -> bool:
        """Is this seat asked now? Never a spectator."""
        return self.decides == self.seat and not self.over

    @cached_property
    def legal(self) -> Sequence[Action]:
        """What this seat can do now; nothing if another is asked."""
        return self._now().legal if self.mine else ()

    @cached_property
    def board(self) -> Board:
        """The tiles and pieces on the table."""
        return self._now().board

    @cached_property
    def regions(self) -> list[Region]:
        """All regions on the board."""
        return self._now().regions

    @cached_property
    def supply(self) -> tuple[dict[str, int], ...]:
        """The pieces that each player can still place."""
        return tuple(self._now().supply(seat) for seat in range(len(self.names)))

    @cached_property
    def outcome(self) -> Outcome | None:
        """The ranking, once the game is over."""
        return self._now().outcome

    @cached_property
    def unseen(self) -> dict[str, int]:
        """Tiles that this seat has not seen, by name: in the bag or waiting, under others' eyes, or hidden for good."""
        game = self._now()
        engine = game.engine
        counts = {tile.id: int(engine.s[engine.bag + number]) for number, tile in enumerate(self.rules.tiles)}
        if engine.tiles_waiting():
            for number, tile in enumerate(self.rules.tiles):
                counts[tile.id] += int(engine.tables.waits[number])
        for seat in range(len(self.names)):
            if seat != self.seat:
                for name in game.secrets(seat):
                    if name in counts:  # a secret may be something else than a tile
                        counts[name] += 1
        return {name: count for name, count in counts.items() if count > 0}

    @cached_property
    def secret(self) -> tuple[str, ...]:
        """What this seat holds hidden from the others."""
        return () if self.seat == SPECTATOR else self._now().secrets(self.seat)

    @cached_property
    def secret_counts(self) -> tuple[int, ...]:
        """How many things each player holds hidden."""
        return tuple(len(self._now().secrets(seat)) for seat in range(len(self.names)))

    @cached_property
    def history(self) -> list[tuple[int, Action]]:
        """What happened so far; secret draws of others show no name."""
        game = self._now()
        return [
            (seat, Action("draw", tile=HIDDEN) if secret and seat != self.seat else action)
            for (seat, action), secret in zip(game.history, game.secret_draws, strict=True)
        ]

    def position(self) -> str:
        """The position as text, as this seat knows it: what others hold hidden is only counted."""
        return texts().write_position(self._now(), self.seat)

    def imagine(self, rng: Rng) -> State:
        """A position that could be the real one: what this seat does not know is dealt anew."""
        engine = self._now().engine.clone()
        redeal(engine, self.seat, rng)
        return State(self.rules, engine)

    def events(self, events: Iterable[Event]) -> list[Event]:
        """What happened, as this seat may know it: of what others drew in secret only that something was drawn."""
        return [
            replace(event, name=HIDDEN)
            if isinstance(event, Drawn) and event.secret and event.seat != self.seat
            else event
            for event in events
        ]
