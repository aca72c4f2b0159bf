"""A new module brings its own drawings, and nobody else has to know of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from bastide.art import kit, theme, tile_svg, token_svg
from bastide.art.brush import Brush
from bastide.art.kit import Kit, Land
from bastide.art.layout import Form
from bastide.art.picture import drawn_once, picture
from bastide.errors import ModuleError
from bastide.tiles import Box, Segment, Tile, boxes

CANAL = Tile(
    "CANAL-1",
    1,
    (
        Segment("canal", sides=(0, 2), marks={"ferry": 1}),
        Segment("field", halves=(1, 2, 3, 4)),
        Segment("field", halves=(5, 6, 7, 0)),
    ),
    marks={"lighthouse": True},
)


def dig(brush: Brush, index: int) -> None:
    brush.draw(20, "canal", brush.stretched(brush.line(index)))


def moor(brush: Brush, index: int, number: int) -> None:
    brush.put("ferry", brush.line(index).points()[4])


def light(brush: Brush, value: object) -> None:
    brush.sign("lighthouse", brush.ground()[0], 8)


FERRIES = Kit(
    lands={"canal": Land(Form("line", height=20, width=10), dig)},
    marks={("canal", "ferry"): moor},
    prints={"lighthouse": light},
    symbols={
        "ferry": '<path class="hull" d="M-5 0H5L3 3H-3z"/>',
        "lighthouse": '<path class="hull" d="M-2 6L-1-6H1L2 6z"/>',
    },
    styles={"canal": "fill:none;stroke:$canal;stroke-width:10", "hull": "fill:$ink"},
    palette={theme: {"canal": "#336699"} for theme in ("day", "night", "contrast", "print")},
)


@pytest.fixture
def ferries(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As if a module in use had brought this kit."""
    with_ferries = {**kit.kits(), "ferries": FERRIES}
    forget()
    monkeypatch.setattr(kit, "kits", lambda: with_ferries)
    yield
    forget()


def forget() -> None:
    """Drops what was gathered from the kits before."""
    gathered: list[Any] = [kit.lands, kit.marks, kit.prints, kit.symbols, kit.defs, kit.pieces, kit.styles, kit.posters]
    gathered += [theme.themes, theme.colours, theme.style, theme.live_style, drawn_once]
    for function in gathered:
        function.cache_clear()


@pytest.mark.usefixtures("ferries")
def test_a_new_kind_of_land_is_drawn() -> None:
    svg = tile_svg(CANAL)
    assert ".day-canal{fill:none;stroke:#336699;stroke-width:10}" in svg
    assert svg.count('class="day-canal"') == 1
    assert 'href="#day-s-ferry"' in svg
    assert 'href="#day-s-lighthouse"' in svg
    assert picture(CANAL).plan.holds(0, (50, 50))


@pytest.mark.usefixtures("ferries")
def test_two_modules_cannot_draw_one_thing_differently(monkeypatch: pytest.MonkeyPatch) -> None:
    rival = Kit(symbols={"ferry": '<path class="hull" d="M-9 0H9"/>'})
    crowded = {**kit.kits(), "rival": rival}
    monkeypatch.setattr(kit, "kits", lambda: crowded)
    with pytest.raises(ModuleError, match="rival, symbols: expected 'ferry' as "):
        kit.symbols()


def test_without_it_the_land_is_unknown() -> None:
    with pytest.raises(ModuleError, match="no module draws 'canal'; drawn are city, cloister"):
        tile_svg(CANAL)


@pytest.mark.parametrize("box", boxes().values(), ids=boxes().keys())
def test_every_token_of_a_box_is_drawn(box: Box) -> None:
    """A symbol of the token's own name, so that a score panel finds it."""
    for name in box.tokens:
        assert f'<use href="#day-k-{name}"' in token_svg(name)
