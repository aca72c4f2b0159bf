"""Actions as people write them, and how they are read off the engine's numbers. See docs/notation.md."""
# interpreted: speaks to people

from __future__ import annotations

from typing import NamedTuple

from bastide.errors import ActionSyntaxError
from bastide.game.engine import DISCARD, PASS, TARGET, Engine
from bastide.geometry import Cell
from bastide.kernel.places import F_KIND, F_WHAT, LAST, SEGMENTS, TARGET_SHIFT, TOP
from bastide.kernel.torus import unpack
from bastide.rules.position import DEPLOY, DRAW, FIRST_FREE, PLACE

VERBS = ("draw", "place", "discard", "deploy", "take", "move", "choose", "pass")


class Action(NamedTuple):
    """A verb, a name and a place; its text is the three with single spaces between."""

    verb: str
    what: str = ""
    where: str = ""

    def __str__(self) -> str:
        return " ".join(word for word in self if word)

    @classmethod
    def parse(cls, text: str) -> Action:
        """Reads what `str` wrote; more spaces than needed are forgiven."""
        words = text.split()
        if not words:
            raise ActionSyntaxError(f"expected an action, one of {', '.join(VERBS)}; got nothing")
        if words[0] not in VERBS:
            raise ActionSyntaxError(f"an action begins with one of {', '.join(VERBS)}; got {words[0]!r}")
        if words[0] == "pass":
            if len(words) > 1:
                raise ActionSyntaxError(f"nothing may follow pass; got {' '.join(words[1:])!r}")
        elif len(words) < 2:
            raise ActionSyntaxError(f"{words[0]} needs a name after it")
        return cls(words[0], " ".join(words[1:2]), " ".join(words[2:]))


def cell_text(cell: Cell) -> str:
    """A cell as people write it."""
    return f"{cell[0]},{cell[1]}"


def action_of(engine: Engine, number: int) -> Action:
    """The action that a number of the engine stands for, now."""
    top = engine.s[TOP]
    asks = engine.s[top + F_KIND]
    rules = engine.rules
    if asks == DRAW:
        return Action("draw", rules.tiles[number].id)
    if asks == PLACE:
        tile = rules.tiles[engine.s[top + F_WHAT]].id
        if number == DISCARD:
            return Action("discard", tile)
        cell = unpack(engine.position_of(number >> 2))
        return Action("place", tile, f"{cell_text(cell)} {(number & 3) * 90}")
    if asks == DEPLOY:
        if number == PASS:
            return Action("pass")
        if number >= TARGET:
            owner = rules.target_of[(number >> TARGET_SHIFT) - 1]
            return Action(*owner.words(engine, -1, number & (TARGET - 1)))
        piece, segment = divmod(number - 1, SEGMENTS)
        return Action("deploy", rules.layout.pieces[piece].name, engine.place_of(engine.node(engine.s[LAST], segment)))
    return Action(*rules.frames[asks - FIRST_FREE].words(engine, asks, number))
