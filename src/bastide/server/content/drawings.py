"""The one place where the server meets the drawings: addresses, sheets and data for the tiles of a choice of rules."""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Callable
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path
from tempfile import NamedTemporaryFile
from urllib.parse import urlencode

import msgspec

from bastide.art import kit
from bastide.art.pieces import SEATS, piece, piece_defs
from bastide.art.theme import theme_css, themes
from bastide.art.tile import definitions, drawing_data, small, symbol_sheet
from bastide.errors import OptionError
from bastide.homes import homes
from bastide.rules import Rules
from bastide.rules.build import compiled
from bastide.rules.choose import BASE, choose, unusual
from bastide.server.api.contents import DrawingData, KindDrawing, PieceDrawing, TileDrawing
from bastide.server.api.outgoing import Drawings
from bastide.tiles.model import Tile

PATH = "/api/drawings"
KEPT = 16  # choices of rules whose drawings are kept in memory
CACHE_BYTES = 200 * 2**20  # of drawings on the disk
UNFINISHED = "unfinished-"

log = logging.getLogger("bastide.server")


@lru_cache(maxsize=256)
def drawings_of(rules: Rules) -> Drawings:
    """Where the drawings of these rules are; equal choices have equal addresses."""
    query = urlencode({name: value for name, value in choice_of(rules).items() if value}, safe=",:")
    end = f"?{query}" if query else ""
    return Drawings(f"{PATH}/data.json{end}", {name: f"{PATH}/{name}.svg{end}" for name in themes()})


def choice_of(rules: Rules) -> dict[str, str]:
    """A choice of rules in the words of an address."""
    modules = [name for name in rules.module_names if name != BASE]
    other = [f"{name}:{value}" for name, value in sorted(unusual(rules.choice).items())]
    return {"edition": rules.edition, "modules": ",".join(modules), "options": ",".join(other)}


def look_of(rules: Rules) -> str:
    """A hash of all that is drawn for these rules. Most options change nothing about it."""
    tiles = [(tile.id, tile.segments, sorted(tile.marks.items(), key=str), tile.start) for tile in rules.tiles]
    pieces = [kind.name for kind in rules.layout.pieces]
    kinds = [(kind.name, kind.around) for kind in rules.layout.kinds.values()]
    return hashlib.sha256(repr((tiles, pieces, kinds, rules.module_names)).encode()).hexdigest()[:24]


def rules_for(edition: str, modules: str, options: str) -> Rules:
    """The rules that an address of `drawings_of` names."""
    values: dict[str, str | int] = {}
    for option in filter(None, options.split(",")):
        name, colon, value = option.partition(":")
        if not colon:
            raise OptionError(f"options: expected NAME:VALUE, got {option!r}")
        values[name] = value
    return compiled(choose(edition, [name for name in modules.split(",") if name], 2, "", values))


@lru_cache(maxsize=KEPT)
def _definitions(rules: Rules) -> str:
    """Tiles, pieces in all colours, and small drawings (tokens, say) of the modules in play."""
    drawn = definitions((tile, 0) for tile in rules.tiles)
    drawn += piece_defs((kind.name for kind in rules.layout.pieces), range(SEATS))
    for module in ("", *rules.module_names):
        for name in kit.kits().get(module, kit.Kit()).symbols:
            if f'id="s-{name}"' not in drawn:
                drawn += small(name, 0)
    return drawn


def sheet(rules: Rules, theme: str) -> bytes:
    """Everything in play as definitions of one SVG, which also brings the colours of the theme."""
    if theme not in themes():
        raise OptionError(f"unknown theme {theme!r}; there are {', '.join(themes())}")
    return symbol_sheet(_definitions(rules)).replace("<style>", f"<style>{theme_css(theme)}", 1).encode()


def data(rules: Rules) -> bytes:
    """Outlines and places of everything in play."""
    drawn = {kind.name: piece(kind.name) for kind in rules.layout.pieces}
    return msgspec.json.encode(
        DrawingData(
            tiles={tile.id: tile_data(tile) for tile in rules.tiles},
            kinds={
                kind.name: KindDrawing(kit.form(kind.name).shape == "ground", kind.around)
                for kind in rules.layout.kinds.values()
                if kind.name in kit.lands()
            },
            pieces={name: PieceDrawing(shape.lies, shape.scale) for name, shape in drawn.items()},
        )
    )


def tile_data(tile: Tile) -> TileDrawing:
    """Outlines and places of a tile, and what is printed on it; a module may also name a kind of land as a whole
    (`1,0 meadow`)."""
    drawn = drawing_data(tile)
    for segment, printed in zip(drawn["segments"], tile.segments, strict=True):
        if printed.marks:
            segment["marks"] = dict(printed.marks)
    if tile.marks:
        drawn["marks"] = dict(tile.marks)
    names = {segment["names"][0] for segment in drawn["segments"]}
    for segment in drawn["segments"]:
        if segment["kind"] not in names:
            drawn["places"].setdefault(segment["kind"], segment["spots"])
    return msgspec.convert(drawn, TileDrawing)


def render(rules: Rules, file: str) -> bytes:
    """A sheet (`day.svg`) or `data.json`."""
    return data(rules) if file == "data.json" else sheet(rules, file.removesuffix(".svg"))


def draw_file(data: bytes) -> str:
    """A file for an address of drawings, whose words are in the data. Runs where it disturbs nobody."""
    wanted = msgspec.json.decode(data, type=dict[str, str])
    rules = rules_for(wanted["edition"], wanted["modules"], wanted["options"])
    return render(rules, wanted["file"]).decode()


# --- drawing takes seconds, so what was drawn once is kept on the disk until a source of the drawings changes


def from_cache(name: str, make: Callable[[], bytes]) -> bytes:
    """What was made under this name, from the cache if it is there."""
    body = read_cached(name)
    if body is None:
        body = make()
        write_cached(name, body)
    return body


def cached_file(name: str) -> Path:
    """Where something of this name is kept."""
    return cache_folder() / f"{sources_hash()}-{hashlib.sha256(name.encode()).hexdigest()[:24]}"


def read_cached(name: str) -> bytes | None:
    """What is kept under this name; it counts as used now."""
    file = cached_file(name)
    with suppress(OSError):
        body = file.read_bytes()
        file.touch()
        return body
    return None


def write_cached(name: str, body: bytes) -> None:
    """Keeps something; what was not used for longest goes if there is too much."""
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=folder, prefix=UNFINISHED, delete=False) as unfinished:  # a name of its own
            unfinished.write(body)
        Path(unfinished.name).replace(cached_file(name))
        files = sorted((file.stat().st_mtime, file.stat().st_size, file) for file in folder.iterdir())
        room = CACHE_BYTES - sum(size for _, size, _ in files)
        for _, size, file in files:
            if room >= 0:
                break
            file.unlink(missing_ok=True)
            room += size
    except OSError as trouble:
        log.warning("drawings are not kept: %s", trouble)


def cache_folder() -> Path:
    """Where what can be made again is kept."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "bastide" / "drawings"


@cache
def sources_hash() -> str:
    """Another one as soon as anything changes that drawings are made from."""
    home = Path(kit.__file__).parents[1]
    own = Path(__file__).parent
    sources = [
        *home.glob("art/**/*"),
        *(file for module in homes().values() for file in module.folder.glob("*")),
        own / "drawings.py",
        own / "pictures.py",
        own / "rule_pictures.py",
    ]
    digest = hashlib.sha256()
    for file in sorted(sources):
        if file.suffix in (".py", ".json"):
            digest.update(file.read_bytes())
    return digest.hexdigest()[:24]
