"""Inputs made from real ones by a few changes, from a seed. A thousandth of the work that hypothesis puts into one."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

LETTERS = ["a", "9", '"', "\\", "{", " ", "\n", "\t", "\0", "é", "ß", "٣", "²", "\u202e", "\ud800", "\ufeff", "𝕏", ":"]
NUMBERS = [0, 1, -1, 2, 7, 8, 255, 2**31, -(2**31), 2**63, -(2**63) - 1, 10**30, 0.5, -0.0, 1e300, 1e-300]
NAMES = ["id", "seat", "seq", "type", "x", "", "kind", "text", "é", "__class__"]
SCRAPS = [b'"', b"{", b"}", b"[", b"]", b",", b":", b"\\u", b"\\ud800", b"\xff", b"-", b"\x00", b"e9", b"null", b"\xc3"]


class Mutants:
    """What a seed makes of real inputs."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    # --- values
    def value(self, depth: int = 0) -> Any:
        """Any value of JSON."""
        pick = self.random.randrange(9 if depth < 3 else 6)
        match pick:
            case 0:
                return None
            case 1:
                return self.random.random() < 0.5
            case 2 | 3:
                return self.random.choice(NUMBERS)
            case 4 | 5:
                return self.words()
            case 6 | 7:
                return [self.value(depth + 1) for _ in range(self.random.randrange(4))]
        return {self.name(): self.value(depth + 1) for _ in range(self.random.randrange(4))}

    def words(self) -> str:
        """A short text of letters that are seldom seen; now and then a long one."""
        count = self.random.choice((0, 1, 2, 5, 20, 65, 310))
        return "".join(self.random.choices(LETTERS, k=min(count, 8))) * max(1, count // 8)

    def name(self) -> str:
        """The name of a member."""
        return self.random.choice(NAMES) if self.random.random() < 0.8 else self.words()

    def changed(self, value: Any) -> Any:
        """The same value with something wrong in it: here, or deeper down."""
        if isinstance(value, dict) and value:
            return self._changed_members(value)
        if isinstance(value, list) and value and self.random.random() < 0.8:
            return self.shuffled(value, self.changed)
        if isinstance(value, str) and value and self.random.random() < 0.5:
            return self.text(value, LETTERS)
        if isinstance(value, int) and self.random.random() < 0.5:
            return value + self.random.choice((-1, 1, 2, 100, -value, 2**63))
        return self.value()

    def _changed_members(self, members: dict[str, Any]) -> dict[str, Any]:
        found = dict(members)
        name = self.random.choice(list(found))
        match self.random.randrange(5):
            case 0:
                del found[name]
            case 1:
                found[self.name()] = self.value()
            case 2:
                found[name] = found[self.random.choice(list(found))]
            case _:
                found[name] = self.changed(found[name])
        return found

    # --- what has parts
    def shuffled(self, parts: Sequence[Any], other: Callable[[Any], Any]) -> list[Any]:
        """The parts with one lost, doubled, moved or made another; or without their end."""
        found = list(parts)
        if not found:
            return [other("")]
        at, place = self.random.randrange(len(found)), self.random.randrange(len(found))
        match self.random.randrange(6):
            case 0:
                del found[at]
            case 1:
                found.insert(place, found[at])
            case 2:
                found[at], found[place] = found[place], found[at]
            case 3:
                del found[at:]
            case _:
                found[at] = other(found[at])
        return found

    def text(self, text: str, scraps: Sequence[str]) -> str:
        """The text with a line, a word or a letter lost, doubled, moved, or one of the scraps in its place."""
        unit = self.random.choice(("\n", " ", ""))
        parts = text.split(unit) if unit else list(text)
        return unit.join(self.shuffled(parts, lambda _: self.random.choice(scraps)))

    def mangled(self, message: Any) -> bytes:
        """A message as JSON, with a few bytes replaced."""
        text = json.dumps(message).encode()
        for _ in range(self.random.randrange(1, 4)):
            at = self.random.randrange(len(text) + 1)
            end = at + self.random.choice((0, 0, 1, 2, 10))
            scrap = self.random.choice(SCRAPS) if self.random.random() < 0.7 else self.random.randbytes(2)
            text = text[:at] + scrap + text[end:]
        return text

    def sometimes(self, share: float) -> bool:
        """True that often."""
        return self.random.random() < share
