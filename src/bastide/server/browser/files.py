"""The files that bring the engine into a browser: Pyodide and its packages, and Bastide's own sources."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

from bastide.errors import BastideError
from bastide.homes import GROUP, Home, homes, per_modules
from bastide.server.browser.archive import zipped

ENGINE = Path(__file__).parent / "engine"  # written by scripts/engine.py when the page is built
PACKAGE = Path(__file__).parents[2]
SOURCES = "bastide.packed"

# Folders that nobody needs in a browser.
ELSEWHERE = (
    "__pycache__",
    "arena",
    "check",
    "cli",
    "env",
    "scenarios",
    "server/browser/engine",
    "server/load",
    "server/many",
    "server/storage/migrations",
    "server/static",
)
KINDS = (".py", ".json", ".md")


class NoEngine(BastideError):
    """This installation has no engine for browsers."""


def engine_files() -> dict[str, bytes]:
    """All files by name. Refused where they were not built."""
    found = {file.name: file.read_bytes() for file in sorted(ENGINE.glob("*"))} if ENGINE.is_dir() else {}
    if not found:
        raise NoEngine("the engine for browsers was not built; in a clone, scripts/play builds it where Node.js is")
    return {**found, SOURCES: sources()}


@per_modules
def sources() -> bytes:
    """What a browser needs of this package and of the plug-ins in use, packed."""
    files = {f"bastide/{file.relative_to(PACKAGE).as_posix()}": file.read_bytes() for file in needed(PACKAGE)}
    for home in homes().values():
        files |= plugin_files(home) if home.plugin else {}
    return gzip.compress(zipped(files.items()), mtime=0)


def plugin_files(home: Home) -> dict[str, bytes]:
    """A plug-in as Python finds it where it is installed: its package, its version, its entry point."""
    folder = home.package.replace(".", "/")
    files = {f"{folder}/{file.relative_to(home.folder).as_posix()}": file.read_bytes() for file in needed(home.folder)}
    info = f"{home.name}-{home.version}.dist-info"
    files[f"{info}/METADATA"] = f"Metadata-Version: 2.1\nName: {home.name}\nVersion: {home.version}\n".encode()
    files[f"{info}/entry_points.txt"] = f"[{GROUP}]\n{home.name} = {home.package}\n".encode()
    return files


def needed(top: Path) -> Iterator[Path]:
    """The sources below a folder."""
    for file in top.rglob("*"):
        folders = f"/{file.relative_to(top).parent.as_posix()}/"
        if file.suffix in KINDS and not any(f"/{folder}/" in folders for folder in ELSEWHERE):
            yield file
