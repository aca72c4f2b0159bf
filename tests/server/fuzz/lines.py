"""Which lines a message may leave at a table."""

from __future__ import annotations

import json

from bastide.game import Action

UNASKED = ("begin", "draw", "credit")  # brought by chance, or by a server that stood still for a while
TAKE_BACK = ("ask", "agree", "undo")  # who and how many the message does not say
MIGHT_ADD = ("link", "chain")  # what a message brings besides, or a draw that it leads to


def shown(line: str) -> str:
    """A stored line as far as a message decides it; nothing if none does."""
    word = line.split()[0]
    if word in UNASKED:
        return ""
    return word if word in TAKE_BACK else line


def lines_of(text: str | bytes, seat: int) -> list[str]:
    """The lines that a message leaves when it is accepted; none for those that change no game."""
    message = json.loads(text)
    match message["type"]:
        case "play":
            return [f"{seat} {Action.parse(message['action'])}"]
        case "undo":
            return ["undo"]
        case "answer" if message["agree"]:
            return list(TAKE_BACK)
        case "resign":
            return [f"resign {seat}"]
    return []
