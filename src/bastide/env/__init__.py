"""Environments for learners: Gymnasium, PettingZoo, OpenSpiel and a compiled batch. See docs/environments.md.

Nothing is imported before it is asked for: each needs packages of its own (`pip install 'bastide[env]'`).
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bastide.env.aec import BastideAEC as BastideAEC
    from bastide.env.batch import BatchEnv as BatchEnv
    from bastide.env.check import check_env as check_env
    from bastide.env.gym import BastideEnv as BastideEnv
    from bastide.env.names import ids as ids
    from bastide.env.names import rules_of as rules_of
    from bastide.env.spiel import load_game as load_game
    from bastide.env.symmetries import rotated_actions as rotated_actions
    from bastide.env.symmetries import rotated_planes as rotated_planes
    from bastide.env.workers import WorkersEnv as WorkersEnv

_HOMES = {
    "BastideAEC": "aec",
    "BastideEnv": "gym",
    "BatchEnv": "batch",
    "WorkersEnv": "workers",
    "check_env": "check",
    "ids": "names",
    "load_game": "spiel",
    "rotated_actions": "symmetries",
    "rotated_planes": "symmetries",
    "rules_of": "names",
}
__all__ = [
    "BastideAEC",
    "BastideEnv",
    "BatchEnv",
    "WorkersEnv",
    "check_env",
    "ids",
    "load_game",
    "rotated_actions",
    "rotated_planes",
    "rules_of",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
