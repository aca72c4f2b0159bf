"""The modules in use, as their rules declare them, and the named choices that they bring."""
# interpreted: runs once, when rules are compiled

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from bastide.errors import ModuleError
from bastide.homes import OURS, Home, homes, per_modules
from bastide.rules.spec import Spec, wrong_type

PRESETS = "presets.json"
PRESET_KEYS = {"edition", "modules", "options", "picture", "table"}


@per_modules
def specs() -> Mapping[str, Spec]:
    """All modules there are, in the order of their hooks."""
    found = [load_spec(home) for home in homes().values()]
    return {spec.name: spec for spec in sorted(found, key=lambda spec: (spec.order, spec.name))}


def load_spec(home: Home) -> Spec:
    """What the rules of a module declare under the name MODULE."""
    spec: object = getattr(home.load("rules"), "MODULE", None)
    if not isinstance(spec, Spec):
        raise home.unusable(f"rules.py: expected MODULE = Spec(...), got {spec!r}")
    if spec.name != home.name:
        raise home.unusable(f"rules.py: expected the name {home.name!r} in MODULE, got {spec.name!r}")
    wrong = wrong_type(spec)
    if wrong:
        raise home.unusable(f"rules.py, MODULE: {wrong}")
    return spec


def find(name: str) -> Spec:
    """The module of this name."""
    spec = specs().get(name)
    if spec is None:
        raise ModuleError(f"unknown module {name!r}; there are {', '.join(specs())}")
    return spec


@per_modules
def presets() -> Mapping[str, Mapping[str, Any]]:
    """Named choices of edition, modules and options: ours, then those that plug-ins bring."""
    found: dict[str, Mapping[str, Any]] = json.loads(OURS.joinpath(PRESETS).read_text("utf-8"))
    for home in homes().values():
        brought = home.json(PRESETS) or {}
        if not isinstance(brought, dict) or not all(isinstance(preset, dict) for preset in brought.values()):
            raise home.unusable(f"{PRESETS}: expected an object for each preset")
        for name, preset in brought.items():
            if name in found:
                raise home.unusable(f"{PRESETS}: expected names of its own, got {name!r}, which is taken")
            if not preset.keys() <= PRESET_KEYS:
                raise home.unusable(
                    f"{PRESETS}, {name}: expected {', '.join(sorted(PRESET_KEYS))}, got {', '.join(preset)}"
                )
            found[name] = preset
    return found
