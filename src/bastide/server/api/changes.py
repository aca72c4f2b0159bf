"""What is new in a state since the one before: members that are different, and of long lists only where they differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeVar, get_args, get_type_hints

from msgspec import UNSET, Struct, UnsetType, defstruct

from bastide.server.api.outgoing import Fair, Game, Message, State

Item = TypeVar("Item")
SPLICED = frozenset({"tiles", "figures", "tokens", "discards", "log", "sources"})  # members of a game that grow with it
NOT_COMPARED = frozenset({"table", "n"})  # members of a state that are no part of what it shows
TIMES = frozenset({"now", "clock"})  # they go on by themselves: this alone is no change


class Splice(Struct, Generic[Item], frozen=True, gc=False):
    """What is new in a list: after the first `at` entries `drop` are gone, and `add` has come in their place."""

    at: int
    drop: int
    add: list[Item]


def members_of(whole: type[Struct], **others: Any) -> list[tuple[str, Any, Any]]:
    """The members of a message, each of which may be missing; `others` have another type than there."""
    kinds = {name: kind for name, kind in get_type_hints(whole).items() if name in shown_members(whole)}
    return [(name, others.get(name, kind) | UnsetType, UNSET) for name, kind in kinds.items()]


def splice_of(kind: Any) -> Any:
    """The type of a change of a list."""
    anything: Any = Splice
    return anything[get_args(kind)]


def shown_members(whole: type[Struct]) -> list[str]:
    """The members that are compared."""
    return [name for name in whole.__struct_fields__ if name not in NOT_COMPARED]


class Numbers(Message, kw_only=True, frozen=True, gc=False):
    """From which state of these eyes to which a change leads."""

    n: int
    after: int


spliced = {name: splice_of(kind) for name, kind in get_type_hints(Game).items() if name in SPLICED}
GameChange = defstruct("GameChange", members_of(Game, **spliced), frozen=True, gc=False)
FairChange = defstruct("FairChange", members_of(Fair), frozen=True, gc=False)
PARTS = {"game": GameChange, "fair": FairChange}
Change = defstruct("Change", members_of(State, **PARTS), bases=(Numbers,), kw_only=True, frozen=True, gc=False)
MEMBERS: dict[type[Struct], list[str]] = {kind: shown_members(kind) for kind in (State, Game, Fair)}


def find_change(old: State, new: State) -> dict[str, Any]:
    """The members that are new, to be told in a Change; none if only time has passed.

    Both are states of a game, or both of a table that waits.
    """
    found = differences(old, new)
    for name, part in PARTS.items():
        if name in found:
            found[name] = part(**differences(getattr(old, name), found[name]))
    return found if found.keys() - TIMES else {}


def differences(old: Struct, new: Struct) -> dict[str, Any]:
    """The members in which two of a kind differ, with the new values; of long lists what is new in them."""
    found = {}
    for name in MEMBERS[type(new)]:
        before, now = getattr(old, name), getattr(new, name)
        if before is not now and before != now:
            found[name] = splice(before, now) if name in SPLICED else now
    return found


def splice(old: Sequence[Item], new: Sequence[Item]) -> Splice[Item]:
    """How to get from one list to the other, in one place."""
    if new[: len(old)] == old:  # the usual case: it has grown
        return Splice(len(old), 0, list(new[len(old) :]))
    shorter = min(len(old), len(new))
    at = next((n for n in range(shorter) if old[n] is not new[n] and old[n] != new[n]), shorter)
    end = 0
    while end < shorter - at and (old[-1 - end] is new[-1 - end] or old[-1 - end] == new[-1 - end]):
        end += 1
    return Splice(at, len(old) - at - end, list(new[at : len(new) - end]))
