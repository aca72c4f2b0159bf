"""What a module says about itself before any rule is compiled: its name, options, editions, boxes, house rules."""
# interpreted: runs once, when rules are compiled

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from bastide.errors import OptionError

if TYPE_CHECKING:
    from bastide.rules.module import Module

Value = str | int

BASE = "base"  # the game that expansions expand
ON, OFF = "on", "off"
MOST_PIECES = 15  # of one kind that a player can have
MOST_COPIES = 3  # of one box
MOST_OF_A_TILE = 20
MORE_PLAYERS = "more_players"  # a house rule: as many players as the engine has room for
TILE_COUNTS = "tile_counts"  # a house rule: other numbers of single tiles
PRINTED = "printed"  # ... or as the boxes have them


@dataclass(frozen=True)
class Option:
    """An option of the rules. The first of its values is the default."""

    name: str
    values: tuple[Value, ...]
    rule: str  # where the book speaks of it

    def check(self, value: Value) -> Value:
        """The value, if it is one of those allowed; digits may come as text."""
        for allowed in self.values:
            if str(value) == str(allowed):
                return allowed
        raise OptionError(f"option {self.name}: expected {self.expected}, got {value!r}")

    @property
    def expected(self) -> str:
        """The values in words."""
        numbers = [value for value in self.values if isinstance(value, int)]
        if len(numbers) == len(self.values) > 4:
            return f"{min(numbers)} to {max(numbers)}"
        return f"one of {', '.join(str(value) for value in self.values)}"


@dataclass(frozen=True)
class TileCounts(Option):
    """How many of single tiles are in the bag, `D=2+E=0`, start tiles not counted; `printed` for all as they are."""

    def check(self, value: Value) -> Value:
        if value == PRINTED:
            return PRINTED
        counts = tile_counts(str(value))
        return "+".join(f"{name}={counts[name]}" for name in sorted(counts)) or PRINTED


def tile_counts(text: str) -> dict[str, int]:
    """The numbers of single tiles that a value of the option `tile_counts` says."""
    counts: dict[str, int] = {}
    for part in text.split("+") if text != PRINTED else ():
        name, _, number = part.rpartition("=")
        if not re.fullmatch(r"[\w.-]+", name, re.ASCII) or not re.fullmatch(r"\d{1,3}", number, re.ASCII):
            raise OptionError(f"option {TILE_COUNTS}: expected TILE=NUMBER+TILE=NUMBER, got {text!r}")
        if name in counts or int(number) > MOST_OF_A_TILE:
            raise OptionError(f"option {TILE_COUNTS}: expected each tile once, 0 to {MOST_OF_A_TILE}, got {part!r}")
        counts[name] = int(number)
    return counts


@dataclass(frozen=True)
class Element:
    """Something of a box that a house rule can switch off.

    Its marks then mean nothing, and its kinds of land are not on the tiles. For anything else its module reads the
    option of this name.
    """

    name: str
    rule: str
    marks: tuple[str, ...] = ()  # of segments or of whole tiles
    shows: str = ""  # only marks that show this: the kind of a symbol
    kinds: tuple[str, ...] = ()  # of land


@dataclass(frozen=True)
class PieceCount:
    """How many of a piece every player has; a house rule can set another number. 0: the piece is not in the game."""

    name: str
    piece: str
    usual: int
    least: int = 0
    rule: str = "HOUSE-3"


@dataclass(frozen=True)
class Spec:
    """One module, as its folder's rules.py declares it under the name MODULE."""

    name: str
    make: Callable[[Mapping[str, Value]], list[Module]]  # from the resolved options: usually one Module
    order: int  # hooks of modules with smaller numbers are called first ...
    prefix: str  # of the ids of its rules
    options: tuple[Option, ...] = ()
    boxes: tuple[str, ...] = ()  # names of the catalogue's boxes that it uses
    standalone: bool = False  # a complete game, not combined with others
    players: tuple[int, int] = (2, 8)
    # Named sets of its options. Which editions there are the base game says; others may suit their options to them.
    editions: Mapping[str, Mapping[str, Value]] = field(default_factory=dict, hash=False)
    edition_players: Mapping[str, tuple[int, int]] = field(default_factory=dict, hash=False)  # where not `players`
    elements: tuple[Element, ...] = ()
    pieces: tuple[PieceCount, ...] = ()
    orders: Mapping[str, int] = field(default_factory=dict, hash=False)  # ... other numbers for single hooks

    @property
    def game(self) -> bool:
        """Is it a complete game, not an expansion?"""
        return self.standalone or self.name == BASE

    @cached_property
    def house_rules(self) -> tuple[Option, ...]:
        """The options that are in no rulebook: elements, numbers of pieces, copies of the box, those of the game."""
        found = [Option(element.name, (ON, OFF), element.rule) for element in self.elements]
        for piece in self.pieces:
            others = (n for n in range(piece.least, MOST_PIECES + 1) if n != piece.usual)
            found.append(Option(piece.name, (piece.usual, *others), piece.rule))
        if self.boxes:
            fewest = 1 if self.game else 0
            copies = (1, *(n for n in range(fewest, MOST_COPIES + 1) if n != 1))
            found.append(Option(self.copies, copies, "HOUSE-4"))
        if self.game:
            found.append(TileCounts(TILE_COUNTS, (PRINTED,), "HOUSE-5"))
            found.append(Option(MORE_PLAYERS, (OFF, ON), "HOUSE-1"))
        return tuple(found)

    @property
    def all_options(self) -> tuple[Option, ...]:
        """The options of the rulebook and the house rules."""
        return (*self.options, *self.house_rules)

    @property
    def copies(self) -> str:
        """The name of the option that says how many copies of its box are in play."""
        return "copies" if self.game else f"{self.name}_copies"

    def fewest_and_most(self, edition: str) -> tuple[int, int]:
        """The numbers of players for which the box of an edition is made."""
        return self.edition_players.get(edition, self.players)


def wrong_type(spec: Spec) -> str:
    """What in a Spec is not of the type that it must have, such as a tuple without its comma; empty if nothing."""
    wanted: dict[str, tuple[object, type]] = {
        "options": (spec.options, Option),
        "elements": (spec.elements, Element),
        "pieces": (spec.pieces, PieceCount),
        "boxes": (spec.boxes, str),
        "players": (spec.players, int),
    }
    for name, (value, kind) in wanted.items():
        if not is_tuple_of(value, kind):
            return f"{name}: expected a tuple of {kind.__name__}, such as (a, b) or (a,); got {value!r}"
    if len(spec.players) != 2:
        return f"players: expected the fewest and the most, got {spec.players!r}"
    for element in spec.elements:
        for name, names in (("marks", element.marks), ("kinds", element.kinds)):
            if not is_tuple_of(names, str):
                return f"element {element.name!r}, {name}: expected a tuple of names, such as (a,); got {names!r}"
    for option in spec.options:
        if not isinstance(option.values, tuple):
            return f"option {option.name!r}: expected a tuple of values, such as (a, b); got {option.values!r}"
    if type(spec.order) is not int:
        return f"order: expected a number, got {spec.order!r}"
    if not callable(spec.make):
        return f"make: expected a function, got {spec.make!r}"
    return ""


def is_tuple_of(value: object, kind: type) -> bool:
    """Is it a tuple of such things?"""
    return isinstance(value, tuple) and all(isinstance(item, kind) for item in value)


@dataclass(frozen=True)
class Choice:
    """Everything that decides how rules are compiled: equal choices give equal rules."""

    edition: str
    specs: tuple[Spec, ...]
    players: int
    options: tuple[tuple[str, Value], ...]
    scripted: bool = False  # any tile may be drawn, in any number

    def with_scripted(self, scripted: bool) -> Choice:
        """The same choice, scripted or not."""
        return replace(self, scripted=scripted)
