"""What a module says about itself before any rule is compiled: its name, options, editions, boxes."""
# interpreted: runs once, when rules are compiled

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from bastide.errors import OptionError

if TYPE_CHECKING:
    from bastide.rules.module import Module

Value = str | int


@dataclass(frozen=True)
class Option:
    """A switch in the rules. The first of its values is the default."""

    name: str
    values: tuple[Value, ...]
    rule: str  # where the book speaks of it

    def check(self, value: Value) -> Value:
        """The value, if it is one of those allowed; digits may come as text."""
        for allowed in self.values:
            if str(value) == str(allowed):
                return allowed
        expected = ", ".join(str(v) for v in self.values)
        raise OptionError(f"option {self.name}: expected one of {expected}, got {value!r}")


@dataclass(frozen=True)
class Spec:
    """One module, as its folder's rules.py declares it under the name MODULE."""

    name: str
    make: Callable[[Mapping[str, Value]], list[Module]]  # from the resolved options: usually one Module
    order: int  # hooks of modules with smaller numbers are called first
    prefix: str  # of the ids of its rules
    options: tuple[Option, ...] = ()
    boxes: tuple[str, ...] = ()  # names of the catalogue's boxes that it uses
    standalone: bool = False  # a base of its own, not combined with others
    players: tuple[int, int] = (2, 8)
    # Named sets of its options. Which editions there are the base game says; others may suit their options to them.
    editions: Mapping[str, Mapping[str, Value]] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Choice:
    """Everything that decides how rules are compiled: equal choices give equal rules."""

    edition: str
    specs: tuple[Spec, ...]
    players: int
    options: tuple[tuple[str, Value], ...]
    scripted: bool = False  # any tile may be drawn, in any number

    def retold(self, scripted: bool) -> Choice:
        """The same choice, scripted or not."""
        return replace(self, scripted=scripted)
