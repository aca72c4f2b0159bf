"""The pages of rules as data."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from bastide.errors import BastideError, OptionError
from bastide.rulebook import load, read_page
from bastide.rules.registry import specs
from bastide.rules.texts import LANGUAGES

BOOK = load()
IDS = re.compile(r"\b[A-Z]{3,6}-\d+\b")  # of rules and tiles
OPTIONS = re.compile(r"\b[a-z]+_[a-z_]+=\w+|\b[a-z]+=[a-z]\w*")


def test_all_rules_of_all_pages() -> None:
    assert Counter(rule.module for rule in BOOK.values()) == {
        "base": 31,
        "hunters_and_gatherers": 19,
        "over_hill_and_dale": 14,
        "wheel_of_fortune": 14,
        "traders_and_builders": 13,
        "hills_and_sheep": 12,
        "river": 10,
        "house_rules": 16,
        "anniversary": 9,
        "abbot": 9,
        "inns_and_cathedrals": 7,
    }


def test_a_rule_and_its_statements() -> None:
    rule = BOOK["BASE-15"]
    assert (rule.id, rule.module, rule.page, rule.section) == ("BASE-15", "base", "base.md", "Scoring during the game")
    assert rule.text.startswith("Option small_city (classic): a complete city of exactly two tiles scores 2 points")
    assert rule.examples == ("(Classic) two parts, red 2.",)
    assert rule.silent == ("shields in it are worth 1 each (1 a tile, 1 a shield).",)


def test_a_statement_in_brackets_ends_with_them() -> None:
    assert BOOK["TRAD-10"].silent == ("or shares it",)
    assert BOOK["TRAD-10"].examples == (
        "field with 2 cities, blue majority with pig: 8; red without majority: 0, its pig is lost.",
    )


def test_two_examples_of_one_rule() -> None:
    assert len(BOOK["DALE-9"].examples) == 2
    assert BOOK["DALE-9"].examples[1] == "5 tokens, two owners: 3 and 2."


def test_rules_with_examples_of_the_base_game() -> None:
    found = [rule.id for rule in BOOK.values() if rule.module == "base" and rule.examples]
    assert found == [f"BASE-{number}" for number in (10, 12, 13, 14, 15, 18, 20, 21, 23, 24, 25)]


@pytest.mark.parametrize("name", specs())
def test_page_and_module_agree_about_the_prefix(name: str) -> None:
    assert {rule.id.partition("-")[0] for rule in BOOK.values() if rule.module == name} == {specs()[name].prefix}


def test_docs_lead_to_the_same_pages() -> None:
    pages = Path(__file__).parents[2] / "docs" / "rules"
    assert sorted({rule.page for rule in BOOK.values()} | {"README.md"}) == sorted(p.name for p in pages.glob("*.md"))


FRONT = "---\nmodule: ferry\nprefix: FERRY\n---\n# Ferries\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("# Ferries\n- FERRY-1 They float.\n", "ferry.md, line 1: expected the lines ---, module: NAME"),
        (FRONT + "- FERRY-2 They float.\n", "ferry.md, line 6: expected rule FERRY-1, found FERRY-2"),
        (
            FRONT + "- FERRY-1 They float.\n\n- FERRY-1 Still.\n",
            "ferry.md, line 8: expected rule FERRY-2, found FERRY-1",
        ),
        (FRONT + "- BASE-1 They float.\n", "ferry.md, line 6: expected rule FERRY-1, found BASE-1"),
    ],
)
def test_a_page_with_a_gap_or_foreign_rules_is_refused(text: str, reason: str) -> None:
    with pytest.raises(BastideError) as refusal:
        list(read_page("ferry.md", text))
    assert reason in str(refusal.value)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_rule_with_its_options_examples_and_numbers(language: str) -> None:
    translated = load(language)
    assert list(translated) == list(BOOK)
    for name, rule in BOOK.items():
        other = translated[name]
        assert (other.module, other.page) == (rule.module, rule.page)
        assert Counter(IDS.findall(other.text)) == Counter(IDS.findall(rule.text)), name
        assert Counter(OPTIONS.findall(other.text)) == Counter(OPTIONS.findall(rule.text)), name
        assert (len(other.examples), len(other.silent)) == (len(rule.examples), len(rule.silent)), name


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(OptionError, match="expected one of en, fr, got 'de'"):
        load("de")
