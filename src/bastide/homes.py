"""Where modules live: a folder each in bastide/modules, and every package that announces itself as a plug-in.

A plug-in is a Python package that looks like one of our folders: rules.py, tiles.json, texts.json, art.py and so on.
Its distribution names it in the entry point group `bastide.modules`, as `ferries = "ferries"`: the module's name, and
the package. Nothing else has to be told; docs/writing-a-module.md says what may lie in the folder.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.machinery import ModuleSpec
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, Final, TypeVar, cast

from bastide.errors import ModuleError

OURS: Final = Path(__file__).parent / "modules"
GROUP: Final = "bastide.modules"  # entry points of other packages
PLUGINS: Final = "BASTIDE_PLUGINS"  # names of the plug-ins in use, with commas; not set: all that are installed
UNRELEASED: Final = "unreleased"  # the version of a module that is read from a folder and not installed

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Home:
    """Where a module comes from: its folder, the Python package that the folder is, and the version of a plug-in."""

    name: str
    package: str
    folder: Path
    version: str = ""  # empty for our own modules

    @property
    def plugin(self) -> bool:
        """Does another package bring it?"""
        return bool(self.version)

    def load(self, part: str) -> ModuleType:
        """Imports one of its Python files: `rules`, `art`."""
        try:
            return importlib.import_module(f"{self.package}.{part}")
        except Exception as wrong:
            if not self.plugin:
                raise
            raise self.unusable(f"{part}.py: {type(wrong).__name__}: {wrong}") from wrong

    def unusable(self, why: str) -> ModuleError:
        """The error that a module cannot be used; for a plug-in with what can be done about it."""
        if self.version in ("", UNRELEASED):
            return ModuleError(f"the module {self.name} cannot be loaded: {why}")
        remedy = f"repair or uninstall it, or leave it out of {PLUGINS}"
        return ModuleError(f"the plug-in {self.name} {self.version} cannot be loaded: {why}; {remedy}")

    def json(self, file: str) -> Any:
        """The content of one of its JSON files, nothing if there is no such file."""
        path = self.folder / file
        if not path.is_file():
            return None
        try:
            return json.loads(path.read_text("utf-8"), object_pairs_hook=without_repeats)
        except ValueError as wrong:
            raise self.unusable(f"{file}: expected JSON; {wrong}") from wrong


def without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON. A name that stands there twice is refused: the first one would be lost."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"{next(name for name in names if names.count(name) > 1)!r} stands twice in one object")
    return found


_forget: list[Callable[[], None]] = []
_added: dict[str, Home] = {}  # folders in use that are not installed


def per_modules(function: Function) -> Function:
    """Like `functools.cache`, for what depends on which modules there are: cleared when that changes."""
    return cleared_on_change(cast(Function, cache(function)))


def cleared_on_change(cached: Function) -> Function:
    """Marks a cache to be cleared when the modules in use change."""
    _forget.append(cast(Any, cached).cache_clear)
    return cached


@per_modules
def homes() -> Mapping[str, Home]:
    """All modules in use, by name: ours, the plug-ins, and folders that `using_folder` added."""
    found = {
        folder.name: Home(folder.name, f"bastide.modules.{folder.name}", folder)
        for folder in sorted(OURS.iterdir())
        if folder.joinpath("rules.py").is_file()
    }
    for home in [*plugins(), *_added.values()]:
        known = found.get(home.name)
        if known is not None and known.folder.resolve() == home.folder.resolve():
            continue  # a folder in use, beside which an installation left its entry point
        if known is not None:
            raise home.unusable(f"there is a module {home.name} already, in {known.folder}")
        found[home.name] = home
    return found


def plugins() -> list[Home]:
    """The plug-ins that are installed and in use."""
    listed = os.environ.get(PLUGINS)
    wanted = None if listed is None else {name.strip() for name in listed.split(",") if name.strip()}
    entries = sorted(entry_points(group=GROUP), key=lambda entry: entry.name)
    unknown = (wanted or set()) - {entry.name for entry in entries}
    if unknown:
        raise ModuleError(f"{PLUGINS} lists {', '.join(sorted(unknown))}, which no installed package brings")
    return [plugin_home(entry) for entry in entries if wanted is None or entry.name in wanted]


def use_listed_only() -> None:
    """From now on only plug-ins that BASTIDE_PLUGINS lists are in use, none if it is not set. Servers call this.

    It holds for processes that are started later, too.
    """
    os.environ.setdefault(PLUGINS, "")
    clear_caches()


def plugin_home(entry: EntryPoint) -> Home:
    """The home of a plug-in."""
    version = entry.dist.version if entry.dist else UNRELEASED
    try:
        found = None if ":" in entry.value else find_package(entry.value)
    except ImportError:
        found = None
    if found is None or found.origin is None or not found.submodule_search_locations:
        found_nothing = f"expected the name of its package in the entry point {GROUP}, got {entry.value!r}"
        raise Home(entry.name, entry.value, Path(), version).unusable(found_nothing)
    return Home(entry.name, entry.value, Path(found.submodule_search_locations[0]), version)


def find_package(name: str) -> ModuleSpec | None:
    """Where a package is.

    A project that is installed to be edited has its package in a folder of the same name as itself. Where Python runs
    beside that folder it would take the outer one, which is no package, and not find the inner one.
    """
    found = find_spec(name)
    if found is None or found.origin is not None:
        return found
    for outer in found.submodule_search_locations or ():
        for inner in (Path(outer), Path(outer) / "src"):
            if (inner / name / "__init__.py").is_file():
                sys.path.insert(0, str(inner))
                importlib.invalidate_caches()
                return find_spec(name)
    return found


@contextmanager
def using_folder(folder: Path) -> Iterator[Home]:
    """In this block the module in a folder is in use, although it is not installed."""
    folder = folder.resolve()
    known = next((home for home in homes().values() if home.folder.resolve() == folder), None)
    if known is not None:
        yield known
        return
    home = Home(folder.name, folder.name, folder, UNRELEASED)
    imported = set(sys.modules)
    sys.path.insert(0, str(folder.parent))
    _added[home.name] = home
    clear_caches()
    try:
        yield home
    finally:
        del _added[home.name]
        sys.path.remove(str(folder.parent))
        for name in set(sys.modules) - imported:
            if name.partition(".")[0] == home.package:
                del sys.modules[name]
        importlib.invalidate_caches()
        clear_caches()


def clear_caches() -> None:
    """Drops everything that was remembered about the modules in use."""
    for clear in _forget:
        clear()
