"""The one place where the server meets the drawings: addresses, sheets and data for the tiles of a choice of rules."""

from __future__ import annotations

import hashlib
import logging
import os
from contextlib import suppress
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import msgspec

import bastide.art
from bastide.art.pieces import SEATS, piece, piece_defs
from bastide.art.theme import style, themes
from bastide.art.tile import HEAD, definitions, drawing_data
from bastide.errors import OptionError
from bastide.rules import Rules
from bastide.rules.build import compiled
from bastide.rules.choose import BASE, choose
from bastide.server.outgoing import Drawings
from bastide.tiles.catalogue import boxes
from bastide.tiles.model import Tile

PATH = "/api/drawings"
KEPT = 16  # choices of rules whose drawings are kept in memory

log = logging.getLogger("bastide.server")


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
    return compiled(choose(edition, [name for name in modules.split(",") if name], 2, "", values))


@cache
def catalogued() -> dict[str, Tile]:
    """All tiles as they are printed, by name."""
    found = {tile.id: tile for box in boxes().values() for tile in box.tiles}
    return found | {
        square.tile.id: square.tile for box in boxes().values() for big in box.big for square in big.squares
    }


def printed(tile: Tile) -> Tile:
    """A tile in play as it is printed: with what only the drawing needs, and with segments that modules have added.

    The rules drop marks that mean nothing to them, and a module may name copies of a tile apart (`N.w1`).
    """
    whole = catalogued().get(tile.id) or catalogued()[tile.id.rpartition(".")[0]]
    names = [whole.spot(index) for index in range(len(whole.segments))]
    own = [tile.spot(index) for index in range(len(tile.segments))]
    added = tuple(
        replace(segment, touches=tuple(names.index(own[i]) for i in segment.touches if own[i] in names))
        for segment, name in zip(tile.segments, own, strict=True)
        if name not in names
    )
    return replace(whole, id=tile.id, segments=whole.segments + added, marks={**whole.marks, **tile.marks})


@lru_cache(maxsize=KEPT)
def _definitions(rules: Rules) -> str:
    pieces = [kind.name for kind in rules.layout.pieces]
    return definitions((printed(tile), 0) for tile in rules.tiles) + piece_defs(pieces, range(SEATS))


def sheet(rules: Rules, theme: str) -> bytes:
    """All tiles and pieces in play as definitions of one SVG."""
    if theme not in themes():
        raise OptionError(f"unknown theme {theme!r}; there are {', '.join(themes())}")
    text = (
        f'<svg {HEAD} class="bastide-{theme}" width="0" height="0"><style>{style(theme)}</style>'
        f"<defs>{_definitions(rules)}</defs></svg>"
    )
    return text.encode()


def data(rules: Rules) -> bytes:
    """Outlines and places of everything in play."""
    drawn = {kind.name: piece(kind.name) for kind in rules.layout.pieces}
    found: dict[str, Any] = {
        "tiles": {tile.id: tile_data(printed(tile)) for tile in rules.tiles},
        "pieces": {name: {"lies": shape.lies, "scale": shape.scale} for name, shape in drawn.items()},
    }
    return msgspec.json.encode(found)


def tile_data(tile: Tile) -> dict[str, Any]:
    """Outlines and places of a tile; a module may also name a kind of land as a whole (`1,0 meadow`)."""
    drawn = drawing_data(tile)
    places = drawn.setdefault("places", {})
    names = {segment["names"][0] for segment in drawn["segments"]}
    for segment in drawn["segments"]:
        if segment["kind"] not in names:
            places.setdefault(segment["kind"], segment["spots"])
    return drawn


# --- drawing takes seconds, so what was drawn once is kept on the disk until a source of the drawings changes


def made(rules: Rules, file: str) -> bytes:
    """A sheet (`day.svg`) or `data.json`, from the cache if it is there."""
    choice = f"{drawings_of(rules).data} {file}"
    kept = cache_folder() / f"{sources_hash()}-{hashlib.sha256(choice.encode()).hexdigest()[:24]}"
    with suppress(OSError):
        return kept.read_bytes()
    body = data(rules) if file == "data.json" else sheet(rules, file.removesuffix(".svg"))
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        unfinished = kept.with_suffix(f".{os.getpid()}")
        unfinished.write_bytes(body)
        unfinished.replace(kept)
    except OSError as trouble:
        log.warning("drawings are not kept: %s", trouble)
    return body


def cache_folder() -> Path:
    """Where what can be made again is kept."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "bastide" / "drawings"


@cache
def sources_hash() -> str:
    """Another one as soon as anything changes that drawings are made from."""
    home = Path(bastide.art.__file__).parents[1]
    sources = [*home.glob("art/**/*"), *home.glob("modules/*/art.py"), *home.glob("modules/*/*.json"), Path(__file__)]
    digest = hashlib.sha256()
    for file in sorted(sources):
        if file.suffix in (".py", ".json"):
            digest.update(file.read_bytes())
    return digest.hexdigest()[:24]
