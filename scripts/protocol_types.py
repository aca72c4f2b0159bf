"""Writes web/src/lib/protocol.ts, the types of the page, from what the server sends and takes (docs/protocol.md).

With --check it changes nothing and fails if the file is another one.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

from msgspec import NODEFAULT, Struct, UnsetType
from msgspec.structs import FieldInfo, fields

from bastide.geometry import Cell
from bastide.server.api import changes, contents, incoming, outgoing, responses
from bastide.server.api.changes import SPLICED, Change, FairChange, GameChange, Splice
from bastide.server.content.catalogue import VERSION

FILE = Path(__file__).parents[1] / "web/src/lib/protocol.ts"
WIDTH = 120

# The page's own words for some of them.
NAMES: dict[Any, str] = {
    outgoing.Tile: "Laid",
    outgoing.OpenCell: "Hole",
    outgoing.AidFacts: "Aids",
    outgoing.Aids: "AidsMessage",
    outgoing.RegionFacts: "Region",
    outgoing.Region: "RegionMessage",
    outgoing.ChatLine: "Chat",
    outgoing.Rules: "RulesChoice",
    outgoing.RulesInWords: "Told",
    responses.Problem: "Refusal",
    responses.MadeTable: "Created",
    responses.Chosen: "ChoiceSum",
    responses.Log: "Proof",
    responses.Position: "StoredPosition",
    responses.StoredPosition: "PositionLink",
    incoming.NewTable: "TableWish",
    incoming.NewPosition: "PositionWish",
    incoming.WantedSeat: "SeatWish",
    incoming.WantedRules: "RulesWish",
    incoming.Join: "SeatClaim",
}
# Types that have a name.
ALIASES: dict[Any, str] = {
    Cell: "Cell",
    contents.Point: "Point",
    dict[str, outgoing.Value]: "Options",
    outgoing.Status: "Status",
    outgoing.Verb: "Verb",
    outgoing.AnyEvent: "GameEvent",
}
SAME = {tuple[incoming.Coordinate, incoming.Coordinate]: Cell, incoming.Options: dict[str, outgoing.Value]}
PLAIN: dict[Any, str] = {
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    NoneType: "null",
    Any: "unknown",
}
ABSTRACT = {outgoing.Event, outgoing.Message, incoming.Message, changes.Numbers}  # what others are made of
NOT_FOR_PAGES = {responses.Spender, responses.Health}

HEAD = f"""/**
 * The messages of docs/protocol.md, as types.
 * Made by scripts/protocol_types.py from what the server declares: not to be changed by hand.
 */

export const VERSION = {VERSION};
"""


def is_struct(kind: object) -> bool:
    """A class with members, not an alias with parameters."""
    return isinstance(kind, type) and issubclass(kind, Struct)


def kinds_of(module: object) -> list[type[Struct]]:
    """The messages and their parts that a file of the server declares, in its order."""
    name = getattr(module, "__name__", "")
    found = [kind for kind in vars(module).values() if is_struct(kind) and kind.__module__ == name]
    return [kind for kind in found if kind not in ABSTRACT | NOT_FOR_PAGES]


def name_of(kind: Any) -> str:
    """What the page calls it."""
    return NAMES.get(kind) or str(kind.__name__)


def script_of(kind: Any) -> str:
    """A type of Python as one of TypeScript."""
    name = ALIASES.get(SAME.get(kind, kind))
    return written_out(kind) if name is None else name


def written_out(kind: Any) -> str:
    """The same without looking for a name."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return script_of(parts[0])
    if kind in PLAIN:
        return PLAIN[kind]
    if isinstance(kind, TypeVar):
        return kind.__name__
    if is_struct(kind):
        return name_of(kind)
    if is_struct(origin):
        return f"{name_of(origin)}<{', '.join(map(script_of, parts))}>"
    if origin is Literal:
        return " | ".join(f'"{part}"' for part in parts)
    if origin in (Union, UnionType):
        return " | ".join(dict.fromkeys(script_of(part) for part in parts if part is not UnsetType))
    if origin is list or (origin is tuple and parts[-1] is Ellipsis):
        inner = script_of(parts[0])
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if origin is tuple:
        return f"[{', '.join(map(script_of, parts))}]"
    if origin is dict:
        return f"Record<{script_of(parts[0])}, {script_of(parts[1])}>"
    raise TypeError(f"expected a type that JSON has, got {kind!r}")


def member(kind: type[Struct], field: FieldInfo) -> str:
    """A line of an interface. What is left out when it is empty, or may be by who asks, has a question mark."""
    sent = kind.__module__ != incoming.__name__ and not kind.__struct_config__.omit_defaults
    missing = UnsetType in get_args(field.type)
    optional = missing or (not sent and (field.default, field.default_factory) != (NODEFAULT, NODEFAULT))
    written = script_of(field.type)
    if optional and not missing:
        written = written.removesuffix(" | null")
    return f"{field.encode_name}{'?' if optional else ''}: {written};"


def interface(kind: type[Struct]) -> Iterator[str]:
    """An interface with all its members."""
    config = kind.__struct_config__
    said = vars(kind).get("__doc__")
    if said:
        yield f"/** {said.splitlines()[0]} */"
    parameters = getattr(kind, "__parameters__", ())
    given = f"<{', '.join(one.__name__ for one in parameters)}>" if parameters else ""
    yield f"export interface {name_of(kind)}{given} {{"
    if config.tag_field is not None:
        yield f'  {config.tag_field}: "{config.tag}";'
    for field in fields(kind):
        yield f"  {member(kind, field)}"
    yield "}"


def union(name: str, members: list[str]) -> str:
    """A type that is one of several, on one line if it fits."""
    line = f"export type {name} = {' | '.join(members)};"
    return (
        line if len(line) <= WIDTH else "\n".join([f"export type {name} =", *(f"  | {one}" for one in members)]) + ";"
    )


def sent_by_page() -> list[type[Struct]]:
    """The bodies of requests."""
    return [kind for kind in kinds_of(incoming) if not issubclass(kind, incoming.Message)]


def script() -> str:
    """The whole file."""
    kinds: list[type[Struct]] = [
        *sent_by_page(),
        *kinds_of(outgoing),
        Splice,
        GameChange,
        FairChange,
        Change,
        *kinds_of(responses),
        *kinds_of(contents),
    ]
    names = [name_of(kind) for kind in kinds]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise ValueError(f"expected names that tell types apart, got {', '.join(sorted(twice))} twice")
    parts = [
        HEAD,
        *(union(name, written_out(kind).split(" | ")) + "\n" for kind, name in ALIASES.items()),
        "/** Members of a game of which a change tells only what is new in them. */\n"
        + union("Spliced", [f'"{name}"' for name in spliced_members()])
        + "\n",
        "/** What the server says on the socket. */\n"
        + union("Message", [name_of(kind) for kind in (*get_args(outgoing.Outgoing), Change)])
        + "\n",
        *("\n".join(interface(kind)) + "\n" for kind in kinds),
    ]
    return "\n".join(parts)


def spliced_members() -> list[str]:
    """In the order of the game."""
    return [field.name for field in fields(GameChange) if field.name in SPLICED]


def main() -> None:
    """Writes or compares."""
    if "--check" not in sys.argv[1:]:
        FILE.write_text(script(), "utf-8")
    elif FILE.read_text("utf-8") != script():
        sys.exit(f"{FILE.name} is not what the server declares: run scripts/protocol_types.py")


if __name__ == "__main__":
    main()
