"""What the server refuses: a stable code, a sentence, and the HTTP status that goes with it (docs/protocol.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bastide.errors import (
    ActionSyntaxError,
    BastideError,
    EngineLimit,
    IllegalAction,
    ModuleError,
    OptionError,
    RecordError,
)

# In the order in which they are checked. Codes are stable: pages and programs rely on them.
REFUSALS: Final[Mapping[str, tuple[int, str]]] = {
    "shape": (400, "this is not what was expected here"),
    "too_big": (413, "this is longer than the server takes"),
    "rate": (429, "too many messages; wait a little"),
    "banned": (403, "whoever runs this server does not serve you"),
    "origin": (403, "this comes from a page of another site"),
    "version": (400, "this server speaks another version of the protocol"),
    "token": (401, "this needs a seat that you do not have"),
    "table": (404, "there is no such table"),
    "unreadable": (409, "this version of the server cannot read this table; whoever runs it has been told"),
    "closed": (409, "whoever runs this server has closed this table"),
    "waiting": (409, "the game has not begun yet"),
    "begun": (409, "the game has begun, no seat is free"),
    "over": (409, "the game is over"),
    "running": (409, "the game is not over yet"),
    "turn": (409, "another seat decides now"),
    "stale": (409, "the table has gone on since; here is the position"),
    "syntax": (400, "this text is no action"),
    "illegal": (409, "this is not legal now"),
    "undo": (409, "there is nothing that you may take back"),
    "offer": (409, "there is no such offer now"),
    "muted": (403, "whoever runs this server has muted you, or this table"),
    "aids": (403, "aids are switched off at this table"),
    "secret": (403, "this would show what is hidden while the game runs"),
    "option": (422, "there is no such option"),
    "module": (422, "there is no such module"),
    "record": (422, "this record cannot be played"),
    "limit": (422, "this is more than the engine has room for"),
    "unavailable": (503, "the server cannot store anything at the moment; try again"),
    "internal": (500, "the server made a mistake; it has been written down there"),
}

CLOSED: Final = "closed: "  # with what the reason begins that is kept of a table which was closed

_CODES: Final[tuple[tuple[type[BastideError], str], ...]] = (
    (ActionSyntaxError, "syntax"),
    (IllegalAction, "illegal"),
    (RecordError, "record"),
    (ModuleError, "module"),
    (OptionError, "option"),
    (EngineLimit, "limit"),
)


class Refusal(Exception):
    """Nothing was changed. `reason` is the engine's own code where an action was illegal.

    `re` is the number of a message that was not read to its end.
    """

    def __init__(self, code: str, message: str = "", reason: str | None = None, re: int | str | None = None) -> None:
        super().__init__(code, message)
        self.code = code
        self.status, usual = REFUSALS[code]
        self.message = message or usual
        self.reason = reason
        self.re = re

    @classmethod
    def of_table(cls, broken: str) -> Refusal:
        """Why a table is not served, by what is kept of it."""
        if broken.startswith(CLOSED):
            reason = broken.removeprefix(CLOSED)
            return cls("closed", f"whoever runs this server has closed this table: {reason}" if reason else "")
        return cls("unreadable")

    def __str__(self) -> str:
        return self.message

    @classmethod
    def of(cls, error: BastideError) -> Refusal:
        """The engine's refusal in the words of the protocol."""
        code = next((code for kind, code in _CODES if isinstance(error, kind)), "option")
        return cls(code, str(error), error.reason if isinstance(error, IllegalAction) else None)
