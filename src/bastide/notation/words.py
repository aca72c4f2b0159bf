"""Reads a line word by word. Anything unexpected is refused with the line's number."""

from __future__ import annotations

import re
from typing import NoReturn

from bastide.errors import ActionSyntaxError, RecordError
from bastide.game.actions import ROTATIONS, Action, read_cell
from bastide.geometry import HALVES, SIDES, Cell

NUMBER = re.compile(r"-?[0-9]{1,9}")  # no game has longer ones


class Words:
    """The words of one line that are still to be read."""

    def __init__(self, line: int, text: str, players: tuple[str, ...] = ()) -> None:
        self.line = line
        self.players = players
        self._left = text.split()

    def refuse(self, reason: str) -> NoReturn:
        """Raises an error: the line is malformed."""
        raise RecordError(self.line, reason)

    def __bool__(self) -> bool:
        return bool(self._left)

    @property
    def text(self) -> str:
        """The words that are left, with single spaces."""
        return " ".join(self._left)

    def peek(self) -> str:
        """The next word without reading it; empty at the end of the line."""
        return self._left[0] if self._left else ""

    def word(self, expected: str) -> str:
        """The next word, whatever it is; `expected` says what should stand here."""
        if not self._left:
            self.refuse(f"expected {expected}, found the end of the line")
        return self._left.pop(0)

    def number(self, expected: str) -> int:
        """The next word as a whole number."""
        word = self.word(expected)
        if not NUMBER.fullmatch(word):
            self.refuse(f"expected {expected}, found {word!r}")
        return int(word)

    def player(self) -> int:
        """The next word as the seat of one of the players."""
        word = self.word("a player's name")
        if word not in self.players:
            self.refuse(f"expected a player ({', '.join(self.players)}), found {word!r}")
        return self.players.index(word)

    def cell(self) -> Cell:
        """The next word as a cell `x,y`."""
        word = self.word("a cell x,y")
        cell = read_cell(word)
        if cell is None:
            self.refuse(f"expected a cell x,y, found {word!r}")
        return cell

    def rotation(self) -> int:
        """The next word as a rotation in degrees; returns quarter turns."""
        word = self.word("a turn")
        if word not in ROTATIONS:
            self.refuse(f"expected a turn ({', '.join(ROTATIONS)}), found {word!r}")
        return ROTATIONS[word]

    def spot(self) -> str:
        """The next word or two as the name of a segment: `city N`, `field EL`, `cloister`, `lake 2`."""
        kind = self.word("the name of a segment")
        if self.peek() in SIDES or self.peek() in HALVES or self.peek().isdigit():
            return f"{kind} {self.word('')}"
        return kind

    def action(self) -> Action:
        """All words that are left as one action."""
        return read_action(self.line, self.rest("an action"))

    def rest(self, expected: str) -> str:
        """All words that are left, at least one."""
        if not self._left:
            self.refuse(f"expected {expected}, found the end of the line")
        text = self.text
        self._left.clear()
        return text

    def up_to(self, word: str) -> str:
        """The words before `word`, or all of them."""
        at = self._left.index(word) if word in self._left else len(self._left)
        text = " ".join(self._left[:at])
        del self._left[:at]
        return text

    def skip(self, word: str) -> bool:
        """Whether the next word is this one; it is read then."""
        found = self.peek() == word
        if found:
            del self._left[0]
        return found

    def end(self) -> None:
        """Refuses further words."""
        if self._left:
            self.refuse(f"expected the end of the line, found {self._left[0]!r}")


def read_action(line: int, text: str) -> Action:
    """An action of a record; a text that is none is refused with the line's number."""
    try:
        return Action.parse(text)
    except ActionSyntaxError as error:
        raise RecordError(line, str(error)) from error
