"""Every word that a module declares has a text in every language."""

from __future__ import annotations

import pytest

from bastide import rulebook
from bastide.errors import ModuleError, OptionError
from bastide.rules import Rules
from bastide.rules.registry import specs
from bastide.rules.texts import LANGUAGES, missing, rule_ids, texts, word


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("module", specs())
def test_nothing_is_missing(module: str, language: str) -> None:
    assert list(missing(Rules.of(modules=[] if module == "base" else [module]), language)) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_variants_have_their_texts_too(language: str) -> None:
    assert list(missing(Rules.of("classic", hand=3, first_player="random"), language)) == []


def test_a_word_in_two_languages() -> None:
    rules = Rules.of()
    assert (word(rules, "kinds", "city"), word(rules, "kinds", "city", "fr")) == ("city", "ville")
    assert word(rules, "kinds", "no_such_thing") == "no such thing"


def test_questions_pieces_and_places_lead_to_rules_of_the_book() -> None:
    rules = Rules.of(preset="everything")
    book = rulebook.load()
    for group, names in {
        "prompts": ["place", "deploy", *(frame.name for frame in rules.layout.frames)],
        "pieces": [piece.name for piece in rules.layout.pieces],
        "places": ["crown"],
        "verbs": ["discard"],
    }.items():
        assert [rule for name in names for rule in rule_ids(rules, group, name) if rule not in book] == []
    assert rule_ids(rules, "prompts", "plague") == ["WHEEL-9"]
    assert rule_ids(rules, "pieces", "no_such_thing") == []


def test_unknown_languages_and_modules_are_refused() -> None:
    with pytest.raises(OptionError, match="expected one of en, fr, got 'tlh'"):
        texts("base", "tlh")
    with pytest.raises(ModuleError, match="unknown module"):
        texts("dragon")
