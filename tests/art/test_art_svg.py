"""The SVG holds together: it can be parsed, refers to what it defines, is small, and is always the same."""

from __future__ import annotations

import gzip
import subprocess
import sys
from xml.etree import ElementTree

import pytest

from bastide.art import big_tile_svg, drawing_data, kit, piece_svg, sheet_svg, symbols, themes, tile_svg
from bastide.art.pieces import SEATS
from bastide.errors import BastideError, ModuleError, OptionError
from bastide.tiles import Box, boxes

SVG = "{http://www.w3.org/2000/svg}"
EVERY_BOX = pytest.mark.parametrize("box", boxes().values(), ids=boxes().keys())


def check_references(svg: str) -> None:
    """Everything that is used is defined, and every class has its style."""
    root = ElementTree.fromstring(svg)
    ids = {element.get("id") for element in root.iter()}
    used = {href.removeprefix("#") for e in root.iter(f"{SVG}use") if (href := e.get("href"))}
    painted = {e.get("fill", "")[5:-1] for e in root.iter() if e.get("fill", "").startswith("url(#")}
    assert used | painted <= ids
    style = "".join(e.text or "" for e in root.iter(f"{SVG}style"))
    classes = {name for e in root.iter() for name in e.get("class", "").split()}
    assert {name for name in classes if f".{name}{{" not in style} == set()


@EVERY_BOX
def test_a_box_as_symbols_is_whole_and_small(box: Box) -> None:
    sheet = symbols(box)
    check_references(sheet)
    assert len(sheet.encode()) <= 250_000
    assert len(gzip.compress(sheet.encode())) <= 60_000
    for tile in box.tiles:
        assert f'id="t-{tile.id}"' in sheet


@EVERY_BOX
def test_a_contact_sheet_shows_every_tile(box: Box) -> None:
    sheet = sheet_svg(box)
    check_references(sheet)
    for tile in [*box.tiles, *(square.tile for big in box.big for square in big.squares)]:
        assert f'href="#day-t-{tile.id}"' in sheet


@pytest.mark.parametrize("theme", themes())
def test_tiles_and_pieces_alone(theme: str) -> None:
    for tile in boxes()["base"].tiles:
        check_references(tile_svg(tile, rotation=1, theme=theme))
    for name in kit.pieces():
        for seat in range(SEATS):
            check_references(piece_svg(name, seat, theme=theme))
    for box in boxes().values():
        for big in box.big:
            check_references(big_tile_svg(big, theme=theme))


def test_things_stand_upright_on_a_turned_tile() -> None:
    """A turned tile uses symbols that are turned back, each on the same place."""
    tile = next(t for t in boxes()["base"].tiles if t.id == "B")
    turned = tile_svg(tile, rotation=1)
    assert '<g id="day-s-cloister-1" transform="rotate(-90)">' in turned
    assert 'href="#day-s-cloister-1"' in turned
    assert 'transform="rotate(90 50 50)"' in turned


def test_drawing_is_the_same_in_every_process() -> None:
    """Neither the order of drawing nor the interpreter's hash seed changes a picture."""
    code = (
        "import hashlib; from bastide.art import symbols; from bastide.tiles import box;"
        "print(hashlib.sha256(symbols(box('traders_and_builders')).encode()).hexdigest())"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path), "BASTIDE_PURE": "1"},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1


def test_drawings_differ_from_tile_to_tile() -> None:
    """Tiles of one shape are alive: houses and trees stand elsewhere."""
    tiles = {t.id: t for t in boxes()["base"].tiles}
    q, r = (tile_svg(tiles[name]) for name in ("Q", "R"))
    assert q != r
    assert drawing_data(tiles["Q"]) == drawing_data(tiles["Q"])


def test_unknown_names_are_refused() -> None:
    tile = boxes()["base"].tiles[0]
    with pytest.raises(OptionError, match="unknown theme 'dusk'; there are contrast, day, night, print"):
        tile_svg(tile, theme="dusk")
    with pytest.raises(ModuleError, match="no module draws 'moor'"):
        kit.land("moor")
    with pytest.raises(BastideError, match="seats 0 to 7"):
        piece_svg("follower", 8)
