"""The command line `bastide`: one file a command, imported only when it is needed. Alone it opens the game."""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper
from typing import Final

# Commands by name, with the module below this package whose `command` it is.
COMMANDS: Final = {
    "play": "play",
    "replay": "replay",
    "import": "import_",
    "rules": "rules",
    "tiles": "tiles",
    "module": "module",
    "par": "par",
    "perft": "perft",
    "bench": "bench",
    "arena": "arena",
    "analyse": "analyse",
    "export": "export",
    "serve": "serve",
    "site": "site",
    "work": "work",
    "admin": "admin",
    "loadtest": "loadtest",
}


def main() -> None:
    """What the installed script `bastide` runs."""
    speak_every_language()
    try:
        from bastide.cli.group import group
    except ModuleNotFoundError as missing:
        if missing.name not in ("click", "rich"):
            raise
        sys.exit(f"bastide: the command line needs {missing.name}: pip install 'bastide[play]'")
    group(prog_name="bastide")


def speak_every_language() -> None:
    """Texts go out as UTF-8, also where the system has a small alphabet (pipes of Windows); others can be asked for."""
    if "PYTHONIOENCODING" not in os.environ:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(encoding="utf-8")
