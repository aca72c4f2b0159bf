"""Random games of the oracle alone: pieces, tiles and points add up after every action (see self_play.py)."""

import pytest

from . import EXPANSIONS
from .self_play import Watch, choices_of_modules

SMALL = [modules for modules in choices_of_modules() if len(modules) <= 2]


@pytest.mark.parametrize("modules", SMALL, ids=" ".join)
def test_every_module_alone(modules: tuple[str, ...]) -> None:
    assert Watch(modules, players=3, seed=1).run() > 200


def test_all_boxes_together() -> None:
    assert Watch(("base", *EXPANSIONS), players=4, seed=2).run() > 400
