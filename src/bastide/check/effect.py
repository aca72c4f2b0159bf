"""An action: what it changes, what is scored, and whether it comes out the same again"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bastide.check.finding import Broken
from bastide.check.watched import Watched
from bastide.game import Action
from bastide.game.engine import Engine
from bastide.game.events import Event, Scored
from bastide.rules.listener import Listener, Part

KEPT_BY_ENGINE: Final = "bag"  # a field that is no part of positions, for the engine itself keeps it


class Effects(Watched):
    """Looks at what an action does."""

    def carry_out(self, action: Action) -> Sequence[Event]:
        """Plays an action, takes it back, and plays it again; before in copies, to one of which nobody listens."""
        game = self.game
        before, fields = game.engine.key(), self.fields()
        quiet, number = game.engine.clone(), game.legal.number(action)
        assert number is not None
        heard = Scores.of(quiet.clone(), number)
        events = game.play(action)
        key = game.engine.key()
        self.compare_quiet(quiet, number, key, str(action))
        self.check_scores(events, heard)
        game.undo()
        if game.engine.key() != before:
            name = next((name for name, values in self.fields().items() if values != fields[name]), "")
            what = f"the field {name!r}" if name else "something"
            says = f"expected undo to restore everything after {str(action)!r}, but {what} stays changed"
            raise Broken("undo", f"{says}; write with `pos.put`")
        again = game.play(action)
        if game.engine.key() != key or str(events) != str(again):
            raise Broken(
                "undo", f"expected {str(action)!r} to have the same effect again, got another position or event"
            )
        return again

    def compare_quiet(self, quiet: Engine, number: int, key: bytes, action: str) -> None:
        """An action has the same effect where nobody listens, and where fields that hold nothing are empty."""
        empty = quiet.clone()
        listed = [int(quiet.actions[i]) for i in range(quiet.legal())]
        quiet.apply(number)
        if quiet.key() != key:
            says = f"expected {action!r} to have the same effect in a copy without a listener, got another position"
            raise Broken("listener", says)
        layout = self.game.rules.layout
        scratch = [field for field in layout.fields if field.holds == "nothing" and field.name != KEPT_BY_ENGINE]
        if not scratch:
            return
        for field in scratch:
            for i in range(field.size * (len(self.game.names) if field.per_player else 1)):
                empty.s[field.at + i] = 0
        alike = listed == [int(empty.actions[i]) for i in range(empty.legal())]
        if alike:
            empty.apply(number)
        if not alike or empty.key() != key:
            names = " or ".join(repr(field.name) for field in scratch)
            says = f"expected {action!r} to depend on no field that holds nothing; {names} must hold something"
            raise Broken("position", says)

    def check_scores(self, events: Sequence[Event], heard: Scores) -> None:
        """Every score is begun, has parts that add up, and is a player's."""
        if heard.unbegun:
            raise Broken(
                "points", f"expected `begin_score` before a new score, got {heard.unbegun} added to the last one"
            )
        for event in events:
            if not isinstance(event, Scored):
                continue
            if not 0 <= event.seat < len(self.game.names):
                raise Broken("points", f"expected points for one of the players, got player {event.seat}")
            parts = sum(part.count * part.each for part in event.parts)
            if parts != event.points:
                said = ", ".join(map(str, event.parts)) or "none"
                raise Broken("points", f"expected parts that add up to {event.points} points, got {parts} ({said})")


class Scores(Listener):
    """Listens to the scores of one action: whether each was begun anew."""

    def __init__(self) -> None:
        self.parts: list[Part] = []  # of the last score
        self.length = 0
        self.unbegun = ""

    @classmethod
    def of(cls, engine: Engine, number: int) -> Scores:
        """What is scored when this action is carried out."""
        listener = engine.listener = cls()
        engine.apply(number)
        return listener

    def scored(self, player: int, points: int, root: int, source: int, parts: list[Part]) -> None:
        if parts is self.parts and len(parts) > self.length:
            self.unbegun = self.unbegun or str(parts[-1])
        self.parts, self.length = parts, len(parts)
