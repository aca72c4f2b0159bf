"""All boxes there are: every `tiles*.json` in the folder of a module in use is one."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from bastide.errors import ModuleError, TileError
from bastide.homes import homes, per_modules
from bastide.tiles.load import load_box
from bastide.tiles.model import Box
from bastide.tiles.read import Origin

_load = per_modules(load_box)  # boxes are immutable, so one of each is enough


def boxes() -> dict[str, Box]:
    """All boxes by name, checked against each other."""
    try:
        return gather(path for home in homes().values() for path in sorted(home.folder.glob("tiles*.json")))
    except TileError as error:
        home = homes().get(error.file.partition("/")[0])
        if home is None or not home.plugin:
            raise
        raise home.unusable(str(error)) from error


def box(name: str) -> Box:
    """The box of that name."""
    found = boxes()
    if name not in found:
        raise ModuleError(f"expected one of the boxes {', '.join(found)}, got {name!r}")
    return found[name]


def gather(paths: Iterable[Path]) -> dict[str, Box]:
    """Boxes by name. No two share a name or the name of a tile, and a kind of segment has one shape in all of them."""
    found: dict[str, Box] = {}
    shapes: dict[str, str] = {}
    owners: dict[str, str] = {}  # tile -> box
    for path in paths:
        box = _load(path)
        origin = Origin(f"{path.parent.name}/{path.name}")
        if box.name in found:
            raise origin.error("set", "a name of its own", f"{box.name!r} again")
        for name in [tile.id for tile in box.tiles] + [tile.id for tile in box.big]:
            if name in owners:
                raise Origin(origin.file, name).error("id", "a name of its own", f"one that {owners[name]} has")
            owners[name] = box.name
        for kind, shape in box.extra["shapes"].items():
            if shapes.setdefault(kind, shape) != shape:
                raise origin.error(f"kinds.{kind}.shape", f"{shapes[kind]}, as in other boxes", shape)
        found[box.name] = box
    return found
