"""Engine and oracle agree: a short sample of the long run (fuzz.py)."""

from __future__ import annotations

import pytest

from bastide.homes import OURS
from tests.agreement import Setting, agree

NAME = "princess_and_dragon"
BOXES = ("abbot", "anniversary", "hills_and_sheep", "inns_and_cathedrals", "river", "traders_and_builders")
OPTIONS = (("dragon_moves", "after_scoring"), ("dragon_eats", "followers"), ("fairy", "tile"), ("princess", "must"))


@pytest.mark.parametrize("option", OPTIONS, ids="=".join)
def test_with_every_option(option: tuple[str, str]) -> None:
    agree(Setting((NAME, "traders_and_builders"), 3, (option,)), 7)


@pytest.mark.parametrize("box", [*BOXES, "wheel_of_fortune"])
def test_with_every_box(box: str) -> None:
    assert (OURS / box).is_dir()
    agree(Setting((NAME, box), 2), 5)


def test_with_everything_a_hand_and_planners() -> None:
    agree(Setting((NAME, *BOXES, "wheel_of_fortune"), 3, OPTIONS), 2)
    agree(Setting((NAME, "hills_and_sheep"), 3, (("hand", 3), OPTIONS[0])), 4)
    agree(Setting((NAME,), 2), 1, "planner")
