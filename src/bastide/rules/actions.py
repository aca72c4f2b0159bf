"""Action: one thing that somebody does, as a value with fields and as the text that people write (docs/notation.md).

This is the only place where such texts are read.
"""
# interpreted: speaks to people

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Final, NamedTuple, TypedDict

from bastide.errors import ActionSyntaxError
from bastide.geometry import Cell

# What an action may have besides its verb.
FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    "draw": ("tile",),
    "place": ("tile", "cell", "rotation"),
    "discard": ("tile",),
    "deploy": ("piece", "cell", "spot"),
    "take": ("piece", "cell", "spot"),
    "move": ("piece", "cell", "spot", "to"),
    "choose": ("choice", "cell"),
    "pass": (),
}
CELL: Final = re.compile(r"(-?[0-9]{1,9}),(-?[0-9]{1,9})")
ROTATIONS: Final[Mapping[str, int]] = {"0": 0, "90": 1, "180": 2, "270": 3}
TO: Final = " to "


class Place(NamedTuple):
    """Where a piece stands: `1,0 city N`, or `crown taxes` for a spot of a module's own, which lies on no cell."""

    cell: Cell | None
    spot: str = ""

    def __str__(self) -> str:
        return f"{'' if self.cell is None else cell_text(self.cell)} {self.spot}".strip()

    @classmethod
    def parse(cls, text: str) -> Place:
        """Reads what `str` wrote."""
        first, _, rest = text.partition(" ")
        cell = read_cell(first)
        return cls(None, text) if cell is None else cls(cell, rest)


class Fields(TypedDict, total=False):
    """The fields of an action besides its verb, as `find` takes them."""

    tile: str
    cell: Cell
    rotation: int
    piece: str
    spot: str
    to: Place
    choice: str


@dataclass(frozen=True, slots=True)
class Action:
    """One action, legal or not. Only the fields that belong to its verb are set; `str` gives its text."""

    verb: str
    tile: str | None = None  # of draw, place, discard; the name of whatever else is drawn, too: `draw wolf`
    cell: Cell | None = None
    rotation: int | None = None  # quarter turns clockwise, 0 to 3
    piece: str | None = None
    spot: str | None = None  # `city N`
    to: Place | None = None  # where a `move` goes
    choice: str | None = None  # the answer to a module's question, if it is not a cell

    def __str__(self) -> str:
        words = [self.verb, self.tile, self.piece, self.choice]
        if self.cell is not None:
            words.append(cell_text(self.cell))
        if self.rotation is not None:
            words.append(str(90 * self.rotation))
        words.append(self.spot)
        if self.to is not None:
            words += ["to", str(self.to)]
        return " ".join(word for word in words if word)

    def __repr__(self) -> str:
        given = [(field.name, getattr(self, field.name)) for field in fields(self)[1:]]
        return f"Action({', '.join([repr(self.verb), *(f'{k}={v!r}' for k, v in given if v is not None)])})"

    @property
    def well_formed(self) -> bool:
        """Does it have the fields of its verb, each with what belongs there?"""
        try:
            return Action.parse(str(self)) == self
        except (ValueError, TypeError, LookupError):  # of `str`: a cell is no pair of numbers, a name no text
            return False

    @classmethod
    def with_piece(cls, verb: str, piece: str, place: Place, to: Place | None = None) -> Action:
        """A piece is put on a place, taken from it, or moved."""
        return cls(verb, piece=piece, cell=place.cell, spot=place.spot or None, to=to)

    @classmethod
    def parse(cls, text: str) -> Action:
        """Reads what `str` wrote. Extra spaces are ignored."""
        if not isinstance(text, str):
            raise ActionSyntaxError(f"expected the text of an action, got {text!r}")
        verb, *words = text.split() or [""]
        if verb not in FIELDS:
            got = repr(verb) if verb else "nothing"
            raise ActionSyntaxError(f"expected an action, which begins with one of {', '.join(FIELDS)}; got {got}")
        name, rest = " ".join(words[:1]), " ".join(words[1:])
        if verb == "pass":
            if words:
                raise ActionSyntaxError(f"nothing may follow pass; got {' '.join(words)!r}")
            return cls(verb)
        if not name:
            raise ActionSyntaxError(f"{verb} needs a name after it")
        match verb:
            case "place":
                return placing(name, words[1:])
            case "deploy" | "take" | "move":
                return handling(verb, name, rest)
        if rest:
            raise ActionSyntaxError(f"nothing may follow {verb} {name}; got {rest!r}")
        if verb == "choose":
            cell = read_cell(name)
            return cls(verb, cell=cell, choice=name if cell is None else None)
        return cls(verb, tile=name)


def placing(tile: str, words: list[str]) -> Action:
    """`place D 1,0 90`: the part after the tile."""
    cell = read_cell(words[0]) if words else None
    if cell is None or len(words) != 2 or words[1] not in ROTATIONS:
        raise ActionSyntaxError(f"place needs a tile, a cell and a rotation such as D 1,0 90; got {[tile, *words]}")
    return Action("place", tile=tile, cell=cell, rotation=ROTATIONS[words[1]])


def handling(verb: str, piece: str, rest: str) -> Action:
    """`deploy follower 1,0 city N`, or `move meeple 1,0 path E to 3,0 path W`: the part after the piece."""
    start, _, goal = rest.partition(TO)
    if verb != "move":
        start, goal = rest, ""
    if not start or (verb == "move" and not goal):
        raise ActionSyntaxError(f"{verb} {piece} needs {'two places, A to B' if verb == 'move' else 'a place'}")
    return Action.with_piece(verb, piece, Place.parse(start), Place.parse(goal) if goal else None)


def cell_text(cell: Cell) -> str:
    """A cell as people write it."""
    return f"{cell[0]},{cell[1]}"


def read_cell(text: str) -> Cell | None:
    """A cell written `x,y`, or nothing."""
    found = CELL.fullmatch(text)
    return None if found is None else (int(found[1]), int(found[2]))
