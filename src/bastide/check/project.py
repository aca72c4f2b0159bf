"""The project around a module: whether pip installs it as a plug-in, with its version and all of its files."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from bastide.check.finding import Finding
from bastide.homes import GROUP, OURS, Home

PROJECT: Final = "pyproject.toml"
SETUPTOOLS: Final = "setuptools"


def check_project(home: Home) -> Iterator[Finding]:
    """What pyproject.toml says of a plug-in. A folder without one is not yet a project, and nothing is wrong."""
    file = next((f for f in (home.folder.parent / PROJECT, home.folder.parent.parent / PROJECT) if f.is_file()), None)
    if file is None or home.folder.is_relative_to(OURS):
        return
    try:
        content = tomllib.loads(file.read_text("utf-8"))
    except ValueError as error:
        yield Finding("project", PROJECT, f"expected TOML; {error}")
        return
    yield from (Finding("project", PROJECT, says) for says in [*wrong_names(home, content), *left_out(file, content)])


def wrong_names(home: Home, content: Mapping[str, Any]) -> Iterator[str]:
    """The project has a name and a version, and says which package is the module."""
    project = content.get("project", {})
    for key in ("name", "version"):
        if key not in project and key not in project.get("dynamic", ()):
            yield f"expected {key} in [project], got none"
    entries = project.get("entry-points", {}).get(GROUP, {})
    if home.name not in entries:
        given = ", ".join(entries) or "none"
        yield f'expected {home.name} = "PACKAGE" in [project.entry-points."{GROUP}"], got {given}'
    elif entries[home.name].rpartition(".")[2] != home.folder.name:
        yield f"expected the package {home.folder.name} as entry point {home.name}, got {entries[home.name]!r}"


def left_out(file: Path, content: Mapping[str, Any]) -> Iterator[str]:
    """Files that are no Python are installed only if that is said."""
    builder = content.get("build-system", {}).get("build-backend", SETUPTOOLS)
    said = content.get("tool", {}).get(SETUPTOOLS, {}).get("package-data")
    manifest = [name for name in ("MANIFEST.in", "setup.py", "setup.cfg") if file.with_name(name).is_file()]
    if builder.startswith(SETUPTOOLS) and not said and not manifest:
        yield 'expected "*" = ["*"] in [tool.setuptools.package-data]: without it texts and tiles are not installed'
