"""The command line `bastide`: one file a command, imported only when it is needed. Alone it opens the game."""

from __future__ import annotations

import sys
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
    try:
        from bastide.cli.group import group
    except ModuleNotFoundError as missing:
        if missing.name not in ("click", "rich"):
            raise
        sys.exit(f"bastide: the command line needs {missing.name}: pip install 'bastide[play]'")
    group(prog_name="bastide")
