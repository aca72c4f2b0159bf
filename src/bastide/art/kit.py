"""What a module brings to be drawn: its kinds of land, marks, symbols, pieces and colours.

The folder of every module may hold an `art.py` with a `Kit` named ART, and a `palette.json` with its colours for each
theme.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

from bastide.art.curves import Point, Ring
from bastide.art.layout import Form
from bastide.errors import ModuleError
from bastide.homes import homes, per_modules

if TYPE_CHECKING:
    from bastide.art.brush import Brush
    from bastide.tiles.model import BigTile


@dataclass(frozen=True)
class Land:
    """A kind of land: how it lies, how one segment of it is painted, and what stands on its sides.

    `rim` lists symbols by their distance from the corner; both tiles that share the side draw them, each its half.
    `crossing` paints the point where several lines of this kind end together.
    """

    form: Form
    paint: Callable[[Brush, int], None]
    rim: Sequence[tuple[float, str]] = ()
    crossing: Callable[[Brush, Point], None] | None = None


@dataclass(frozen=True)
class Piece:
    """A wooden piece, about 20 units high around (0, 0): its outline, and details drawn on it.

    One that `lies` is laid down on open ground, as farmers are.
    """

    outline: str
    details: str = ""
    lies: bool = False
    scale: float = 1.0


@dataclass(frozen=True)
class Poster:
    """What lies on a big tile: whether it is this one, its shape in tile units, and how it is painted.

    `spots` are places of pieces that are no segment, by the name in actions.
    """

    on: Callable[[BigTile], bool]
    outline: Callable[[BigTile], Ring]
    paint: Callable[[BigTile], str]
    spots: Callable[[BigTile], Mapping[str, Sequence[Point]]]


@dataclass(frozen=True)
class Kit:
    """Everything one module draws."""

    lands: Mapping[str, Land] = field(default_factory=dict)
    marks: Mapping[tuple[str, str], Callable[[Brush, int, int], None]] = field(default_factory=dict)  # (kind, mark)
    prints: Mapping[str, Callable[[Brush, Any], None]] = field(default_factory=dict)  # of whole tiles: value
    symbols: Mapping[str, str] = field(default_factory=dict)
    pieces: Mapping[str, Piece] = field(default_factory=dict)
    posters: Sequence[Poster] = ()
    defs: Mapping[str, str] = field(default_factory=dict)  # gradients and patterns, by their id
    styles: Mapping[str, str] = field(default_factory=dict)  # class -> declarations, with $colour of the palette
    palette: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # theme -> colour name -> colour


@per_modules
def kits() -> Mapping[str, Kit]:
    """All kits there are, by the name of the module that brings them."""
    found: dict[str, Kit] = {"": import_module("bastide.art.common").COMMON}
    for home in homes().values():
        if home.folder.joinpath("art.py").is_file():
            brought: object = getattr(home.load("art"), "ART", None)
            if not isinstance(brought, Kit):
                raise ModuleError(f"{home.name}/art.py: expected ART = Kit(...), got {brought!r}")
            palette = home.json("palette.json")
            if not isinstance(palette, dict | None):
                raise home.unusable("palette.json: expected an object with the colours of each theme")
            found[home.name] = brought if palette is None else replace(brought, palette=palette)
    return found


def merged(part: str) -> dict[Any, Any]:
    """One part of all kits together; what two of them bring under one name must be the same."""
    result: dict[Any, Any] = {}
    brought: dict[Any, str] = {}
    for module, kit in kits().items():
        for name, value in getattr(kit, part).items():
            if name in result and result[name] != value:
                other = brought[name] or "art/common.py"
                raise ModuleError(f"{module}, {part}: expected {name!r} as {other} has it, or another name")
            result[name] = value
            brought.setdefault(name, module)
    return result


@per_modules
def lands() -> Mapping[str, Land]:
    """All kinds of land."""
    return merged("lands")


@per_modules
def marks() -> Mapping[tuple[str, str], Callable[[Brush, int, int], None]]:
    """All painters of segments' marks."""
    return merged("marks")


@per_modules
def prints() -> Mapping[str, Callable[[Brush, Any], None]]:
    """All painters of what is printed on whole tiles."""
    return merged("prints")


@per_modules
def symbols() -> Mapping[str, str]:
    """All small drawings."""
    return merged("symbols")


@per_modules
def defs() -> Mapping[str, str]:
    """All gradients and patterns."""
    return merged("defs")


@per_modules
def pieces() -> Mapping[str, Piece]:
    """All pieces."""
    return merged("pieces")


@per_modules
def styles() -> Mapping[str, str]:
    """All classes."""
    return merged("styles")


@per_modules
def posters() -> Sequence[Poster]:
    """All that lies on big tiles."""
    return [poster for kit in kits().values() for poster in kit.posters]


def land(kind: str) -> Land:
    """How a kind of land is drawn."""
    found = lands().get(kind)
    if found is None:
        raise ModuleError(f"no module draws {kind!r}; drawn are {', '.join(sorted(lands()))}")
    return found


def form(kind: str) -> Form:
    """How a kind of land lies."""
    return land(kind).form


def symbol(name: str) -> str:
    """A small drawing."""
    found = symbols().get(name)
    if found is None:
        raise ModuleError(f"no module brings the symbol {name!r}")
    return found
