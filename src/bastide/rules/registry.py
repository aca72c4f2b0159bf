"""Finds the modules: one folder each below bastide.modules, or any package that announces itself."""
# interpreted: runs once, when rules are compiled

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.resources import files
from typing import Any

from bastide.errors import ModuleError
from bastide.rules.spec import Spec

HOME = "bastide.modules"
GROUP = "bastide.modules"  # entry points of other packages: NAME = "package.rules:MODULE"


@cache
def specs() -> Mapping[str, Spec]:
    """All modules there are, in the order of their hooks."""
    found: list[Spec] = []
    for folder in files(HOME).iterdir():
        if folder.joinpath("rules.py").is_file():
            found.append(import_module(f"{HOME}.{folder.name}.rules").MODULE)
    found += [entry.load() for entry in entry_points(group=GROUP)]
    names = [spec.name for spec in found]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise ModuleError(f"two modules have the name {', '.join(sorted(twice))}")
    return {spec.name: spec for spec in sorted(found, key=lambda spec: (spec.order, spec.name))}


def find(name: str) -> Spec:
    """The module of this name."""
    spec = specs().get(name)
    if spec is None:
        raise ModuleError(f"unknown module {name!r}; there are {', '.join(specs())}")
    return spec


@cache
def presets() -> Mapping[str, Mapping[str, Any]]:
    """Named choices of edition, modules and options, as modules/presets.json has them."""
    loaded: dict[str, Mapping[str, Any]] = json.loads(files(HOME).joinpath("presets.json").read_text("utf-8"))
    return loaded
