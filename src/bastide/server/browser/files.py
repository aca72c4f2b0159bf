"""The files that bring the engine into a browser: Pyodide and its packages, and Bastide's own sources."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from bastide.errors import BastideError
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
    "server/migrations",
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


@cache
def sources() -> bytes:
    """What a browser needs of this package, packed."""
    return gzip.compress(
        zipped((f"bastide/{file.relative_to(PACKAGE).as_posix()}", file.read_bytes()) for file in needed()), mtime=0
    )


def needed() -> Iterator[Path]:
    """The sources."""
    for file in PACKAGE.rglob("*"):
        folders = f"/{file.relative_to(PACKAGE).parent.as_posix()}/"
        if file.suffix in KINDS and not any(f"/{folder}/" in folders for folder in ELSEWHERE):
            yield file
