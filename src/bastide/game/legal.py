"""What can be done now, as a sequence of actions. Each knows its number in the engine."""
# interpreted: speaks to people

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Unpack, overload

from bastide.errors import ActionSyntaxError, IllegalAction, OptionError, StaleError
from bastide.game.actions import FIELDS, Action, Fields, action_of
from bastide.game.checked import checked_fields

if TYPE_CHECKING:
    from bastide.game.game import Game


class LegalActions(Sequence[Action]):
    """The legal actions of one moment, in the engine's order. An action is made only when somebody looks at it."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._moment = game.moment
        self._numbers = [int(n) for n in game.engine.actions[: game.engine.legal()]]
        self._actions: list[Action | None] = [None] * len(self._numbers)
        self._number_of: dict[Action, int] = {}  # of those that are made

    def number(self, action: Action) -> int | None:
        """The number of an action in the engine; None if it is not legal. Anything that is not an action is refused."""
        try:
            found = self._number_of.get(action)
        except TypeError:  # a list among its fields
            found = None
        if found is None:
            checked_fields(action)
            self._all()
            found = self._number_of.get(action)
        return found

    def find(self, verb: str, **fields: Unpack[Fields]) -> Action:
        """The one action that has these fields; refused if there is none, or several."""
        if verb not in tuple(FIELDS):
            raise OptionError(f"expected one of {', '.join(FIELDS)}, got {verb!r}")
        for name in fields:
            if name not in FIELDS[verb]:
                raise OptionError(f"{verb} has the fields {', '.join(FIELDS[verb]) or 'none'}, got {name}")
        found = [
            action
            for action in self
            if action.verb == verb and all(getattr(action, name) == value for name, value in fields.items())
        ]
        if len(found) != 1:
            wanted = ", ".join([verb, *(f"{name}={value!r}" for name, value in fields.items())])
            raise IllegalAction("find", f"expected one legal action that matches {wanted}; {len(found)} do")
        return found[0]

    def _make(self, index: int) -> Action:
        """The action at an index of the list."""
        action = self._actions[index]
        if action is None:
            if self._game.moment != self._moment:
                raise StaleError("these legal actions belong to an earlier moment of the game; ask game.legal again")
            number = self._numbers[index]
            action = self._actions[index] = action_of(self._game.engine, number)
            self._number_of.setdefault(action, number)
        return action

    def _all(self) -> list[Action]:
        return [self._make(index) for index in range(len(self._numbers))]

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, index: int) -> Action: ...
    @overload
    def __getitem__(self, index: slice) -> list[Action]: ...
    def __getitem__(self, index: int | slice) -> Action | list[Action]:
        return self._all()[index] if isinstance(index, slice) else self._make(index)

    def __iter__(self) -> Iterator[Action]:
        return iter(self._all())

    def __contains__(self, action: object) -> bool:
        """Is an action, or the action of a text, legal? Anything that is not an action is not."""
        try:
            if isinstance(action, str):
                action = Action.parse(action)
            return isinstance(action, Action) and self.number(action) is not None
        except ActionSyntaxError:
            return False

    def __repr__(self) -> str:
        return f"<{len(self)} legal actions: {', '.join(map(str, self[:3]))}{', ...' if len(self) > 3 else ''}>"
