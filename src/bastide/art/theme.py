"""A theme is data: colours by name, common ones in themes/*.json and those that the modules bring for it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from importlib.resources import files
from string import Template

from bastide.art import kit
from bastide.errors import ModuleError, OptionError
from bastide.homes import per_modules

LIVE = "b-"  # what classes of drawings for a page begin with


@per_modules
def themes() -> Mapping[str, Mapping[str, str]]:
    """All themes, by name."""
    folder = files(__package__).joinpath("themes")
    found = sorted(f.name.removesuffix(".json") for f in folder.iterdir() if f.name.endswith(".json"))
    return {name: colours(name) for name in found}


@per_modules
def colours(theme: str) -> Mapping[str, str]:
    """The colours of a theme: its own and those that the modules bring for it."""
    file = files(__package__).joinpath("themes", f"{theme}.json")
    if not file.is_file():
        raise OptionError(f"unknown theme {theme!r}; there are {', '.join(themes())}")
    own: dict[str, str] = json.loads(file.read_text("utf-8"))
    for name, module in kit.kits().items():
        for colour, value in module.palette.get(theme, {}).items():
            if own.setdefault(colour, value) != value:
                raise ModuleError(f"{name} has another colour {colour!r} in the theme {theme}")
    return own


@per_modules
def style(theme: str, prefix: str = "") -> str:
    """The style sheet of drawings in one theme; their classes begin with the prefix."""
    return rules(colours(theme), prefix)


@per_modules
def live_style() -> str:
    """The style sheet of drawings that take their colours from custom properties of the page, or else from the day."""
    return rules({name: f"var(--b-{name},{value})" for name, value in colours("day").items()}, LIVE)


def rules(chosen: Mapping[str, str], prefix: str) -> str:
    """One rule for each class.

    Symbols stand upright on a turned tile: whoever shows it sets --turn to its quarter turns.
    """
    painted = "".join(f".{prefix}{name}{{{Template(text).substitute(chosen)}}}" for name, text in kit.styles().items())
    return f"{painted}.{prefix}up{{transform:rotate(calc(var(--turn,0)*-90deg))}}"


def theme_css(theme: str, selector: str = ":root") -> str:
    """The colours of a theme as custom properties, for pages that show live drawings."""
    return f"{selector}{{{''.join(f'--b-{name}:{value};' for name, value in colours(theme).items())}}}"


NAMES = re.compile(r'class="([^"]*)"|(id="|href="#|url\(#)')


def prefixed(svg: str, classes: str, ids: str = "") -> str:
    """A drawing whose classes and ids begin with prefixes, so that it can stand in a page with others."""

    def rename(found: re.Match[str]) -> str:
        names, reference = found.groups()
        if reference:
            return f"{reference}{ids}"
        return f'class="{" ".join(classes + name for name in names.split())}"'

    return NAMES.sub(rename, svg)
