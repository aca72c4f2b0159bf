"""Compiled files must belong to the sources beside them.

Python prefers a compiled file even if it is out of date, and without one it silently runs the much slower source. So
the build leaves a list of what it compiled, with the hashes of all sources that went into it, and every start compares.
BASTIDE_PURE=1 passes over compiled files and runs the sources: for debugging and for measuring coverage.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import sha256
from importlib.machinery import EXTENSION_SUFFIXES, SOURCE_SUFFIXES, FileFinder, ModuleSpec, SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Final, TypedDict

from bastide.errors import CompiledStale

HOME: Final = Path(__file__).parent
LIST: Final = "_compiled.json"
REMEDY: Final = "install Bastide again (pip install .), or set BASTIDE_PURE=1 to run the sources uncompiled"


class Build(TypedDict):
    """What a build did: hashes by path below the package. Compiled code has constants of `beneath` built in."""

    compiled: dict[str, str]
    beneath: dict[str, str]
    plain_because: str  # why nothing was compiled; empty when that was asked for


def begin() -> None:
    """Called once, when the package is imported. Refuses stale files, and says so if the engine runs uncompiled."""
    if pure():
        sys.meta_path.insert(0, SourcesOnly)
        return
    build = read(HOME)
    for trouble in troubles(HOME, build):
        raise CompiledStale(f"{trouble}; {REMEDY}")
    if build["plain_because"]:
        why = build["plain_because"]
        print(f"bastide: runs uncompiled and slowly: {why} (BASTIDE_PURE=1 silences this)", file=sys.stderr)


@cache
def compiled() -> bool:
    """Does the engine run compiled?"""
    return not pure() and bool(read(HOME)["compiled"])


def pure() -> bool:
    """Was it asked to run the sources?"""
    return os.environ.get("BASTIDE_PURE", "") not in ("", "0")


def read(home: Path) -> Build:
    """The record of the build of the package in this folder."""
    try:
        build: Build = json.loads((home / LIST).read_text("utf-8"))
    except FileNotFoundError:
        return {"compiled": {}, "beneath": {}, "plain_because": "these are the sources, not an installed copy"}
    return build


def troubles(home: Path, build: Build) -> Iterator[str]:
    """Every compiled file that is missing, older than a source, or not from this build."""
    extensions = dict(_extensions(home))
    for name in build["compiled"]:
        if name not in extensions:
            yield f"the compiled file of {name} is missing or was made for another Python"
    for name, file in sorted(extensions.items()):
        if name not in build["compiled"]:
            yield f"{file} is left over from another build: delete it"
    for name, hashed in (build["compiled"] | build["beneath"]).items():
        source = home / name
        if source.exists() and sha256(source.read_bytes()).hexdigest() != hashed:
            yield f"{name} has changed since it was compiled"


def _extensions(home: Path) -> Iterator[tuple[str, str]]:
    """Compiled files by the names of their sources."""
    for folder, _, files in os.walk(home):
        for file in files:
            if file.endswith(tuple(EXTENSION_SUFFIXES)):
                path = Path(folder, file).relative_to(home).as_posix()
                yield path.split(".")[0] + ".py", path


class SourcesOnly:
    """Finds the package's modules as sources, also where a compiled file lies beside."""

    @staticmethod
    def find_spec(fullname: str, path: Sequence[str] | None, target: ModuleType | None = None, /) -> ModuleSpec | None:
        """The source of a module below the package; other finders look for everything else."""
        if not fullname.startswith("bastide."):
            return None
        for folder in path or ():
            spec = FileFinder(folder, (SourceFileLoader, SOURCE_SUFFIXES)).find_spec(fullname)
            if spec is not None:
                return spec
        return None
