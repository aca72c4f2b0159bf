"""A theme is data: colours by name for every module, and a few settings of its own in themes/*.json."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from string import Template

from bastide.art import kit
from bastide.errors import ModuleError, OptionError


@cache
def themes() -> Mapping[str, Mapping[str, str]]:
    """All themes, by name."""
    folder = files(__package__).joinpath("themes")
    found = sorted(f.name.removesuffix(".json") for f in folder.iterdir() if f.name.endswith(".json"))
    return {name: colours(name) for name in found}


@cache
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


@cache
def style(theme: str) -> str:
    """The style sheet of a theme. Its rules hold below an element of the class `bastide-THEME` only."""
    chosen = colours(theme)
    rules = [f".bastide-{theme} .{name}{{{Template(text).substitute(chosen)}}}" for name, text in kit.styles().items()]
    # Symbols stand upright on a turned tile: whoever shows it sets --turn to its quarter turns.
    rules.append(".up{transform:rotate(calc(var(--turn,0)*-90deg))}")
    return "".join(rules)
