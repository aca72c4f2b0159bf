"""Editions, presets, modules and options: what can be chosen, and what is refused with which words."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from bastide.errors import BastideError, ModuleError, OptionError
from bastide.rules import Rules
from bastide.rules.registry import presets, specs


@pytest.mark.rule("BASE-15", "BASE-24", "BASE-25")
def test_an_edition_is_a_named_set_of_options() -> None:
    classic = Rules.of("classic").options
    assert (classic["small_city"], classic["farmers"], classic["farmer_points"]) == ("two_points", "per_city", 3)
    for edition in ("bigbox2014", "anniversary2021"):
        options = Rules.of(edition).options
        assert (options["small_city"], options["farmers"]) == ("normal", "per_field")


def test_every_option_can_be_set_by_itself() -> None:
    for option in specs()["base"].options:
        for value in option.values:
            chosen: Any = {option.name: value}
            assert Rules.of("classic", **chosen).options[option.name] == value


def test_numbers_may_come_as_text() -> None:
    assert Rules.of(farmer_points="4").options["farmer_points"] == 4


@pytest.mark.rule("BASE-27")
def test_the_tournament_preset() -> None:
    rules = Rules.of(preset="tournament")
    assert rules.options["first_player_tied"] == "loses"
    assert (rules.options["farmers"], rules.options["small_city"]) == ("per_field", "normal")


def test_the_same_choice_is_compiled_once() -> None:
    assert Rules.of("classic", players=3) is Rules.of("classic", modules=(), players=3)


def test_rules_can_be_sent_to_another_process() -> None:
    rules = Rules.of("classic", players=4, farmer_points=4)
    assert pickle.loads(pickle.dumps(rules)) is rules


@pytest.mark.parametrize(
    ("choice", "error", "words"),
    [
        ({"edition": "1997"}, OptionError, "unknown edition '1997'"),
        ({"preset": "league"}, OptionError, "unknown preset 'league'"),
        ({"modules": ["dragon"]}, ModuleError, "unknown module 'dragon'"),
        ({"players": 9}, OptionError, "players: expected 2 to 8, or 1 alone, got 9"),
        ({"players": 0}, OptionError, "players: expected 2 to 8, or 1 alone, got 0"),
        ({"farmers": "some"}, OptionError, "option farmers: expected one of per_field, per_city, off, got 'some'"),
        ({"wolves": 3}, OptionError, "unknown option 'wolves'"),
    ],
)
def test_a_wrong_choice_is_refused(choice: dict[str, Any], error: type[BastideError], words: str) -> None:
    with pytest.raises(error, match=words):
        Rules.of(**choice)


def test_presets_are_choices_that_exist() -> None:
    for name in presets():
        assert Rules.of(preset=name).module_names


def test_the_order_of_hooks_is_declared() -> None:
    """Pinned: modules are asked in this order, whatever the order in which they were named."""
    boxes = [name for name, spec in specs().items() if not spec.standalone and name != "base"]
    asked = Rules.of(modules=boxes).module_names
    assert asked == (
        "base",
        "inns_and_cathedrals",
        "abbot",
        "traders_and_builders",
        "anniversary",
        "hills_and_sheep",
        "wheel_of_fortune",
        "river",
    )
    assert Rules.of(modules=boxes[::-1]).module_names == asked
