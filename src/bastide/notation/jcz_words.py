"""The words of JCloisterZone's files: JSON values that know where they stand, and what the modules make of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

from bastide.errors import BastideError
from bastide.geometry import Cell
from bastide.homes import Home, homes
from bastide.rules.registry import specs

Options = Mapping[str, str | int]

FAR = 1000  # no landscape reaches so many cells


class Json:
    """A value of the file with the way to it, so that every refusal says where."""

    def __init__(self, value: Any, path: str) -> None:
        self.value = value
        self.path = path

    def refuse(self, expected: str) -> NoReturn:
        """Stop: something else was expected here."""
        raise BastideError(f"{self.path}: expected {expected}, found {json.dumps(self.value)[:60]}")

    def get(self, key: str, default: object = None) -> Json:
        """A member of an object; without a default it must be there. Null says that it is not."""
        if not isinstance(self.value, dict):
            self.refuse("an object")
        value = self.value.get(key)
        if value is None and default is None:
            raise BastideError(f"{self.path}: expected {key!r}, found none")
        return Json(default if value is None else value, key if self.path == "file" else f"{self.path}.{key}")

    def members(self) -> Iterator[tuple[str, Json]]:
        """The members of an object by name."""
        if not isinstance(self.value, dict):
            self.refuse("an object")
        return ((key, self.get(key)) for key in self.value if self.value[key] is not None)

    def items(self) -> list[Json]:
        """The items of a list."""
        if not isinstance(self.value, list):
            self.refuse("a list")
        return [Json(item, f"{self.path}[{i}]") for i, item in enumerate(self.value)]

    def text(self) -> str:
        """A text."""
        return self.value if isinstance(self.value, str) else self.refuse("a text")

    def line(self) -> str:
        """A text as one line that can be printed."""
        return " ".join("".join(c if c.isprintable() else " " for c in self.text()).split())

    def number(self) -> int:
        """A whole number; some writers say 7.0."""
        if isinstance(self.value, float) and self.value.is_integer():
            return int(self.value)
        return self.value if type(self.value) is int else self.refuse("a whole number")

    def word(self) -> str:
        """A text, a number or a truth as one word."""
        if isinstance(self.value, str | bool | int | float):
            return str(self.value).lower() if isinstance(self.value, bool) else str(self.value)
        return self.refuse("a text, a number, true or false")

    def quarter_turns(self) -> int:
        """A rotation: 0 to 3, or R0, R90, R180, R270."""
        turns = {"R0": 0, "R90": 1, "R180": 2, "R270": 3, "0": 0, "1": 1, "2": 2, "3": 3}
        if isinstance(self.value, str | int) and str(self.value) in turns:
            return turns[str(self.value)]
        return self.refuse("one of R0, R90, R180, R270")

    def fraction(self) -> float:
        """A number from 0 up to, but not including, 1."""
        if isinstance(self.value, int | float) and 0 <= self.value < 1:
            return float(self.value)
        return self.refuse("a number from 0 to 1")

    def cell(self) -> Cell:
        """A position [x, y]."""
        match self.value:
            case [int(x), int(y)] if max(abs(x), abs(y)) < FAR and not isinstance(x, bool) and not isinstance(y, bool):
                return x, y
        return self.refuse("a position [x, y]")


class Dialect:
    """What all modules together say about these files: the words of their jcz.json files."""

    def __init__(self) -> None:
        self.sets: dict[str, str] = {}  # set -> module
        self.numbers: dict[str, str] = {}  # element -> the house rule that says how many
        self.switches: dict[str, str] = {}  # element -> the house rule that switches it off
        self.without: dict[str, Options] = {}  # element -> options when it is absent
        self.module_of: dict[str, str] = {}  # element or rule -> module
        self.tile_bound: list[str] = []  # elements that act only through tiles of boxes that are not here
        self.by_message: dict[str, str] = {}  # elements that act only through messages -> their word there
        self.always: dict[str, Options] = {}  # module -> options as that program plays them
        self.rules: dict[str, Mapping[str, Options]] = {}  # rule -> value -> options
        self.pieces: dict[str, str] = {}
        self.features: dict[str, str] = {}
        self.messages: dict[str, Mapping[str, str]] = {}  # message -> its value -> the action that it means
        self.returns: dict[str, str] = {}  # why a piece is taken back -> which piece it is, if it is always the same
        self.figures: dict[str, str] = {}  # figure of nobody -> the beginning of the action that moves it to a place
        self.sources: dict[str, str] = {}  # what else brings points -> the source that it is here
        self.tokens: dict[str, int] = {}  # token -> its rank in that program's bag
        for module in specs():
            home = homes()[module]
            words = home.json("jcz.json")
            if words is not None:
                self._check(home, words)
                self._read(module, words)

    def _check(self, home: Home, words: Any) -> None:
        """Refuses words that are not in groups as below, or that another module has."""
        lists, objects = {"sets", "tile_bound"}, {*vars(self)} - {"sets", "tile_bound", "module_of"}
        if not isinstance(words, dict) or not words.keys() <= lists | objects:
            raise home.unusable(f"jcz.json: expected an object with some of {', '.join(sorted(lists | objects))}")
        for group, entries in words.items():
            if not isinstance(entries, list if group in lists else dict):
                raise home.unusable(f"jcz.json, {group}: expected {'a list' if group in lists else 'an object'}")
        for name in words.get("sets", []):
            if name in self.sets:
                raise home.unusable(
                    f"jcz.json, sets: expected sets of its own, got {name!r}, which {self.sets[name]} has"
                )

    def _read(self, module: str, words: dict[str, Any]) -> None:
        """The words of one module."""
        self.sets |= dict.fromkeys(words.pop("sets", []), module)
        self.tile_bound += words.pop("tile_bound", [])
        self.always[module] = words.pop("always", {})
        for group in ("numbers", "switches", "without", "rules"):
            self.module_of |= dict.fromkeys(words.get(group, {}), module)
        for name, entries in words.items():
            getattr(self, name).update(entries)
