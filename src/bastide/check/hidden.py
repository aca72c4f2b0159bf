"""What players hold hidden from each other: it decides nothing that others see"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bastide.check.finding import Broken
from bastide.check.watched import Watched
from bastide.game import CHANCE, Action, Game, Rng, View
from bastide.game.actions import action_of
from bastide.game.board import tokens_of
from bastide.game.events import Event, Noted, Scored

TWINS: Final = 3  # positions that differ only in what is hidden


class Hidden(Watched):
    """Compares a game with others that differ only in what is hidden."""

    def check_secret_actions(self, actions: Sequence[Action]) -> None:
        """What others hold hidden changes no action of the player who is asked."""
        game = self.game
        if game.rules.layout.secrets and game.seat != CHANCE:
            twin = View(game, game.seat).imagine(Rng(self.rng.x)).engine
            other = [str(action_of(twin, number)) for number in [int(twin.actions[i]) for i in range(twin.legal())]]
            if other != [str(action) for action in actions]:
                says = f"expected its legal actions to tell player {game.seat} nothing of what others hold hidden"
                raise Broken("secrets", f"{says}; they differ for {self.asked()}")

    def check_noted(self, action: Action) -> None:
        """What modules note of an action tells nobody what others hold hidden, unless it is scored."""
        game = self.game
        if not game.rules.layout.secrets:
            return
        events = game.copy().play(action)
        if any(isinstance(event, Scored) for event in events):
            return
        for seat in range(len(game.names)):
            twin = game.copy()
            twin.engine = View(game, seat).imagine(Rng(self.rng.x)).engine
            told = noted(twin.play(action)) if action in twin.legal else noted(events)
            if told != noted(events):
                says = f"expected what is noted of {str(action)!r} to tell player {seat} nothing of what others hold"
                raise Broken("secrets", f"{says} hidden; it differs: {noted(events)} and {told}")

    def check_secrets(self) -> None:
        """What others hold hidden changes neither what a seat sees nor its legal actions."""
        game = self.game
        if not game.rules.layout.secrets:
            return
        for seat in range(len(game.names)):
            seen = visible(game, seat)
            for number in range(TWINS):
                twin = game.copy()
                twin.engine = View(game, seat).imagine(Rng(self.rng.x + number)).engine
                for what, value in visible(twin, seat).items():
                    if value != seen[what]:
                        says = f"expected {what} to tell player {seat} nothing of what others hold hidden"
                        raise Broken("secrets", f"{says}; they differ: {seen[what]} and {value}")


def visible(game: Game, seat: int) -> dict[str, object]:
    """What a seat sees of a game."""
    asked = game.seat in (seat, CHANCE)
    return {
        "`tokens_on_table`": tokens_of(game.engine),
        "its legal actions": [str(action) for action in game.legal] if asked and game.seat != CHANCE else [],
        "its position": game.view(seat).position(),
    }


def noted(events: Sequence[Event]) -> list[str]:
    """What modules told of an action in words of their own."""
    return [str(event) for event in events if isinstance(event, Noted)]
