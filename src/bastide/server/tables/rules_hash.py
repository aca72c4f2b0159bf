"""Which rules a table is played with: one hash of tiles, options, modules and the program itself.

A table is stored with the hash of the program that last played all its lines. When it differs from that of the program
at hand, the lines must be played again before anybody relies on them (`checks`).
"""

from __future__ import annotations

import hashlib
from functools import cache, lru_cache
from pathlib import Path

import bastide
from bastide.homes import homes
from bastide.rules import Rules

SOURCES = ("kernel", "tiles", "rules", "game", "modules")  # what decides how a line is played
KEPT = 256  # choices of rules


@lru_cache(maxsize=KEPT)
def rules_hash(rules: Rules) -> str:
    """The hash of a choice of rules in this program."""
    digest = hashlib.sha256(program_hash().encode())
    for part in (rules.edition, rules.module_names, sorted(rules.options.items()), int(rules.players), rules.scripted):
        digest.update(f"{part!r}\n".encode())
    for tile in rules.tiles:
        digest.update(f"{tile!r}\n".encode())
    return digest.hexdigest()


@cache
def program_hash() -> str:
    """Another one as soon as a source of the rules, or the version of a plug-in, changes."""
    home = Path(bastide.__file__).parent
    digest = hashlib.sha256()
    for file in sorted(file for folder in SOURCES for file in (home / folder).rglob("*")):
        if file.suffix in (".py", ".json") and file.name not in ("texts.json", "art.py"):
            digest.update(file.relative_to(home).as_posix().encode() + b"\0" + file.read_bytes())
    for plugin in sorted((home for home in homes().values() if home.plugin), key=lambda home: home.name):
        digest.update(f"{plugin.name} {plugin.version}\n".encode())
        for file in sorted(plugin.folder.rglob("*.py")) + sorted(plugin.folder.glob("tiles*.json")):
            digest.update(file.read_bytes())
    return digest.hexdigest()
