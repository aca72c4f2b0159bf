"""The one place where the server meets the drawings: addresses, sheets and data for the tiles of a choice of rules."""

from __future__ import annotations

from functools import lru_cache
from typing import Any
from urllib.parse import urlencode

import msgspec

from bastide.art.pieces import SEATS, piece, piece_defs
from bastide.art.theme import style, themes
from bastide.art.tile import HEAD, definitions, drawing_data
from bastide.errors import OptionError
from bastide.rules import Rules
from bastide.rules.choose import BASE
from bastide.server.outgoing import Drawings

PATH = "/api/drawings"
KEPT = 16  # choices of rules whose drawings are kept


@lru_cache(maxsize=256)
def drawings_of(rules: Rules) -> Drawings:
    """Where the drawings of these rules are; equal choices have equal addresses."""
    modules = [name for name in rules.module_names if name != BASE]
    usual = Rules.of(rules.edition, modules, rules.players).options
    other = [f"{name}:{value}" for name, value in sorted(rules.options.items()) if usual[name] != value]
    choice = {"edition": rules.edition, "modules": ",".join(modules), "options": ",".join(other)}
    query = urlencode({name: value for name, value in choice.items() if value}, safe=",:")
    end = f"?{query}" if query else ""
    return Drawings(f"{PATH}/data.json{end}", {name: f"{PATH}/{name}.svg{end}" for name in themes()})


def rules_for(edition: str, modules: str, options: str) -> Rules:
    """The rules that an address of `drawings_of` names."""
    values: dict[str, str | int] = {}
    for option in filter(None, options.split(",")):
        name, colon, value = option.partition(":")
        if not colon:
            raise OptionError(f"options: expected NAME:VALUE, got {option!r}")
        values[name] = value
    return Rules.of(edition, [name for name in modules.split(",") if name], 2, **values)


@lru_cache(maxsize=KEPT)
def _definitions(rules: Rules) -> str:
    pieces = [kind.name for kind in rules.layout.pieces]
    return definitions((tile, 0) for tile in rules.tiles) + piece_defs(pieces, range(SEATS))


@lru_cache(maxsize=KEPT)
def sheet(rules: Rules, theme: str) -> bytes:
    """All tiles and pieces in play as definitions of one SVG."""
    if theme not in themes():
        raise OptionError(f"unknown theme {theme!r}; there are {', '.join(themes())}")
    text = (
        f'<svg {HEAD} class="bastide-{theme}" width="0" height="0"><style>{style(theme)}</style>'
        f"<defs>{_definitions(rules)}</defs></svg>"
    )
    return text.encode()


@lru_cache(maxsize=KEPT)
def data(rules: Rules) -> bytes:
    """Outlines and places of everything in play."""
    drawn = {kind.name: piece(kind.name) for kind in rules.layout.pieces}
    found: dict[str, Any] = {
        "tiles": {tile.id: drawing_data(tile) for tile in rules.tiles},
        "pieces": {name: {"lies": shape.lies, "scale": shape.scale} for name, shape in drawn.items()},
    }
    return msgspec.json.encode(found)
