"""Reading JSON with care: every value is asked for by its type, and an error says where it stands."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bastide.errors import TileError


def is_number(value: Any) -> bool:
    """Whether it is a whole number; JSON's true and false are none."""
    return isinstance(value, int) and not isinstance(value, bool)


@dataclass(frozen=True)
class Origin:
    """The file and tile that are being read. Its methods give back a value of `field`, or raise a TileError."""

    file: str
    tile: str = ""

    def error(self, field: str, expected: str, got: object) -> TileError:
        """The error to raise when `field` holds something else than expected."""
        return TileError(self.file, self.tile, field, f"expected {expected}, got {got}")

    def json(self, path: Path) -> Any:
        """The content of a file; a name that stands twice in one object is refused."""

        def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
            names = [name for name, _ in pairs]
            twice = [name for name in names if names.count(name) > 1]
            if twice:
                raise self.error(twice[0], "every name once in an object", f"{twice[0]!r} twice")
            return dict(pairs)

        try:
            return json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=unique)
        except (OSError, ValueError) as problem:  # ValueError: no UTF-8, or no JSON
            raise self.error("file", "a readable JSON file", problem) from None

    def typed(self, field: str, value: Any, fits: bool, expected: str) -> Any:
        """The value if it fits."""
        if not fits:
            raise self.error(field, expected, repr(value))
        return value

    def object(
        self, field: str, value: Any, required: Collection[str] = (), optional: Collection[str] | None = None
    ) -> dict[str, Any]:
        """An object with the required names and no others than the optional ones (any others when that is None)."""
        raw: dict[str, Any] = self.typed(field, value, isinstance(value, dict), "an object")
        missing = sorted(set(required) - raw.keys())
        unknown = sorted(raw.keys() - set(required) - set(optional or ())) if optional is not None else []
        if missing:
            raise self.error(f"{field}.{missing[0]}", "a value", "none")
        if unknown:
            known = ", ".join(sorted({*required, *(optional or ())}))
            raise self.error(f"{field}.{unknown[0]}", f"one of {known}", repr(unknown[0]))
        return raw

    def list(self, field: str, value: Any) -> list[Any]:
        """A list."""
        found: list[Any] = self.typed(field, value, isinstance(value, list), "a list")
        return found

    def text(self, field: str, value: Any) -> str:
        """A text that is not empty."""
        return str(self.typed(field, value, isinstance(value, str) and value != "", "a text"))

    def word(self, field: str, value: Any, words: Collection[str]) -> str:
        """One of the given words."""
        return str(self.typed(field, value, isinstance(value, str) and value in words, f"one of {', '.join(words)}"))

    def flag(self, field: str, value: Any) -> bool:
        """True or false."""
        return bool(self.typed(field, value, isinstance(value, bool), "true or false"))

    def count(self, field: str, value: Any) -> int:
        """A number from 1."""
        return int(self.typed(field, value, is_number(value) and value > 0, "a number from 1"))

    def places(self, field: str, value: Any, names: Sequence[str]) -> tuple[int, ...]:
        """A list of different names, as their numbers in order."""
        places = [self.word(field, name, names) for name in self.list(field, value)]
        self.typed(field, value, len(set(places)) == len(places), "every one once")
        return tuple(sorted(names.index(name) for name in places))

    def indexes(self, field: str, value: Any, size: int) -> tuple[int, ...]:
        """A list of different segments, by their indexes below `size`."""
        for index in self.list(field, value):
            self.typed(field, index, is_number(index) and 0 <= index < size, f"a segment from 0 to {size - 1}")
        self.typed(field, value, len(set(value)) == len(value), "every one once")
        return tuple(value)
