"""The rules in pictures: every module has a page, in both languages, from positions that can be played."""

from __future__ import annotations

import json
import re

import pytest

from bastide.rules.registry import specs
from bastide.server.api.refusal import Refusal
from bastide.server.content.catalogue import rules_of
from bastide.server.content.rule_pictures import drawn_picture, page_of, pages


@pytest.mark.parametrize("module", sorted(specs()))
def test_the_rules_of_a_module_are_shown_in_pictures(module: str) -> None:
    known = {rule.id for rule in rules_of([module], "en")}
    for entry in pages()[module]:
        shown = drawn_picture(entry, "day")
        assert shown.svg.count("<svg") == shown.svg.count("</svg>") == 1
        assert all(shown.texts[language].endswith((".", "?")) for language in ("en", "fr"))
        assert shown.rules, entry["en"]
        assert set(shown.rules) & known, "a rule of its own stands behind each picture"


def test_a_city_is_shown_with_its_sum_its_light_and_an_arrow() -> None:
    city = next(entry for entry in pages()["base"] if "shield" in entry["en"] and "wall" in entry["en"])
    shown = drawn_picture(city, "night")
    assert shown.sums == ["3×2 + 2 = 8"]
    assert shown.svg.count('glow"') == 3  # the city has three tiles
    assert "3×2 + 2 = 8</text>" in shown.svg
    assert "rotate(90)" in shown.svg  # the arrow to the tile laid last


def test_a_page_is_json_and_refused_for_what_is_no_module() -> None:
    page = json.loads(page_of("river", "day"))
    assert [set(picture) for picture in page] == [{"svg", "rules", "texts", "sums"}] * len(page)
    with pytest.raises(Refusal, match="no pictures"):
        page_of("../base", "day")


def test_a_sum_of_no_region_is_shown_too() -> None:
    """What the wheel pays belongs to no region: the pictures had no sums, and did not show the wheel."""
    shown = [drawn_picture(entry, "day") for entry in pages()["wheel_of_fortune"]]
    assert {total for one in shown for total in one.sums} == {"+1", "+2", "+3", "+6", "+7"}
    for one in shown:
        assert one.svg.count("-p-WOF-BOARD") > 1  # defined and drawn
        assert one.svg.count("</text></g>") >= len(one.sums)


def test_a_sum_can_be_read_on_a_wide_board_too() -> None:
    farmers = next(entry for entry in pages()["base"] if "BASE-24" in entry["rules"])
    assert re.findall(r"scale\(([\d.]+)\)\"><rect", drawn_picture(farmers, "day").svg) == ["1.42857", "1.42857"]
