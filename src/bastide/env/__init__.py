"""Environments for learners: Gymnasium, PettingZoo, OpenSpiel and a compiled batch. See docs/environments.md.

Nothing is imported before it is asked for: each needs packages of its own (`pip install 'bastide[env]'`).
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HOMES = {
    "BastideAEC": "aec",
    "BastideEnv": "gym",
    "BatchEnv": "batch",
    "check_env": "check",
    "ids": "names",
    "load_game": "spiel",
    "rules_of": "names",
}
__all__ = ["BastideAEC", "BastideEnv", "BatchEnv", "check_env", "ids", "load_game", "rules_of"]  # see __getattr__


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
