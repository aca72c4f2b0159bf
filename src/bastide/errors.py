"""Everything that Bastide refuses, and why.

    BastideError
    ├── TileError            a tile's data is wrong: file, tile and field
    ├── OptionError          an option or its value does not exist, or a number is out of range
    ├── ModuleError          a box is unknown, given twice, or cannot be combined with another one
    ├── EngineLimit          a choice of rules or a position is larger than the engine has room for
    ├── ActionSyntaxError    a text is not an action
    ├── IllegalAction        an action is not allowed now: reason code and sentence
    ├── RecordError          a record is broken: line and reason
    ├── StaleError           something that belongs to an earlier moment of a game is used
    ├── BotError             a bot gave no answer, or one that its contract forbids
    └── CompiledStale        a compiled file does not belong to its source

A refusal changes nothing. Its message is one line for people; what a program needs stands in the attributes. What is
wrong with something that was handed in is a ValueError, too.
"""

from collections.abc import Mapping
from typing import Final

# The engine's own reasons why an action is illegal. A module declares its own codes and sentences with
# `Layout.reason`. Codes are stable: records and messages to the page use them.
REASONS: Final[Mapping[str, str]] = {
    "over": "the game has ended",
    "question": "another decision is due now",
    "nothing": "there is no action to take back",
    "scripted": "only a scripted game can be ended by hand",
    "unknown": "this game has nothing of that name",
    "bag": "no such tile is left in the bag",
    "tile": "another tile was drawn",
    "fits": "the tile fits somewhere and must be placed",
    "place": "this is no place",
    "taken": "a tile lies there already",
    "apart": "no tile lies beside this cell",
    "edge": "the sides do not match",
    "alike": "this rotation looks like an earlier one; use that one",
    "narrowed": "another place must be taken first",
    "spot": "there is no such spot",
    "elsewhere": "only the tile just placed takes a piece",
    "land": "such a piece does not stand on this land",
    "piece": "the player has no such piece left",
    "occupied": "somebody stands in this region",
}


class BastideError(Exception):
    """The root of all refusals."""


class TileError(BastideError, ValueError):
    """A tile's data is wrong."""

    def __init__(self, file: str, tile: str, field: str, message: str) -> None:
        super().__init__(file, tile, field, message)
        self.file, self.tile, self.field, self.message = file, tile, field, message

    def __str__(self) -> str:
        where = [self.file, f"tile {self.tile}" if self.tile else "", self.field]
        return f"{', '.join(part for part in where if part)}: {self.message}"


class OptionError(BastideError, ValueError):
    """An option or its value does not exist, or a number (of players, say) is out of range."""


class ModuleError(BastideError, ValueError):
    """A box is unknown, given twice, or cannot be combined with another one."""


class EngineLimit(BastideError):
    """A choice of rules or a position is larger than the engine has room for."""


class ActionSyntaxError(BastideError, ValueError):
    """A text is not an action. docs/notation.md has the grammar."""


class IllegalAction(BastideError, ValueError):
    """An action is not allowed now. `reason` is a code of REASONS, or of a module that gives its own sentence."""

    def __init__(self, reason: str, sentence: str = "") -> None:
        super().__init__(reason, sentence)
        self.reason, self.sentence = reason, sentence or REASONS[reason]

    def __str__(self) -> str:
        return self.sentence


class RecordError(BastideError, ValueError):
    """A record is broken at a line, counted from 1."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(line, message)
        self.line, self.message = line, message

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}"


class StaleError(BastideError, RuntimeError):
    """A view or a list of legal actions belongs to an earlier moment of the game."""


class BotError(BastideError):
    """A bot gave no answer, or one that its contract forbids."""


class CompiledStale(BastideError):
    """A compiled file does not belong to its source: it is older, missing, or left over from another build."""
