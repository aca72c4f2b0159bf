"""Themes are complete, and roads, rivers and fields stay apart for eyes that see colours differently."""

from __future__ import annotations

import re
from itertools import combinations
from math import dist

import pytest

from bastide.art import kit, themes
from bastide.art.common import COMMON
from bastide.art.theme import style

EVERY_THEME = pytest.mark.parametrize("theme", themes())

# How eyes without one kind of cone see linear red, green and blue (Machado, Oliveira, Fernandes 2009, severity 1).
EYES = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}


def linear(colour: str) -> tuple[float, ...]:
    values = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return tuple(v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values)


def lab(rgb: tuple[float, ...]) -> tuple[float, float, float]:
    """Lightness and colour in steps that look alike (CIE 1976)."""
    r, g, b = (min(max(v, 0.0), 1.0) for v in rgb)
    x, y, z = (
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
        0.2126 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089,
    )
    f = [v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in (x, y, z)]
    return 116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])


def seen(colour: str, eyes: str) -> tuple[float, float, float]:
    rgb = linear(colour)
    return lab(tuple(sum(m * v for m, v in zip(row, rgb, strict=True)) for row in EYES[eyes]))


@EVERY_THEME
def test_a_theme_has_every_colour(theme: str) -> None:
    assert set(themes()[theme]) == set(themes()["day"])
    strengths = {"pale", "dusk", "shade"}  # of light and shadow on meadows
    colours = [value for name, value in themes()[theme].items() if name not in strengths]
    assert all(re.fullmatch(r"#[0-9a-f]{6}([0-9a-f]{2})?", colour) for colour in colours)
    assert "$" not in style(theme)


@pytest.mark.parametrize("eyes", EYES)
@EVERY_THEME
def test_kinds_of_land_stay_apart_for_all_eyes(theme: str, eyes: str) -> None:
    """Fills, or where both are paper (the theme for printing) the line between them."""
    colours = themes()[theme]
    for one, other in combinations(("meadow", "road", "water", "city"), 2):
        apart = dist(seen(colours[one], eyes), seen(colours[other], eyes))
        if theme == "print" and {one, other} == {"meadow", "road"}:
            apart = dist(seen(colours["kerb"], eyes), seen(colours["meadow"], eyes))
        assert apart > (7 if "city" in (one, other) else 12), f"{one} and {other}"  # a city has its wall besides
    assert dist(seen(colours["forest"], eyes), seen(colours["meadow"], eyes)) > 10
    assert dist(seen(colours["crop"], eyes), seen(colours["meadow"], eyes)) > 6


@EVERY_THEME
def test_players_stay_apart(theme: str) -> None:
    colours = [themes()[theme][f"seat{seat}"] for seat in range(8)]
    for one, other in combinations(colours, 2):
        assert dist(seen(one, "usual"), seen(other, "usual")) > 25


def test_a_module_draws_with_its_own_means_and_common_ones() -> None:
    """Whatever other modules there are, its symbols, classes and colours are there."""
    common = set(COMMON.styles)
    for module, brought in kit.kits().items():
        text = "".join([*brought.symbols.values(), *brought.defs.values()])
        used = {name for names in re.findall(r'class="([^"]*)"', text) for name in names.split()}
        assert used <= common | set(brought.styles), module
        colours = {name for rule in brought.styles.values() for name in re.findall(r"\$(\w+)", rule)}
        assert colours <= set(own_colours()) | set(brought.palette.get("day", {})), module


def own_colours() -> set[str]:
    brought = {name for module in kit.kits().values() for name in module.palette.get("day", {})}
    return set(themes()["day"]) - brought
