"""Learning to play: whoever follows the light gets through every lesson, and sees each sentence and each score."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bastide.rules.registry import specs
from tests.web.hand import MODULES, Hand
from tests.web.test_seen import SIDEWAYS, assert_in_window

Visit = Callable[..., Hand]
SHOWN: dict[str, dict[str, Any]] = {
    "phone": {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True},
    "desktop": {"viewport": {"width": 1280, "height": 800}},
}
LOCALES = {"en": "en-GB", "fr": "fr-FR"}


LIGHT = """() => [
    document.querySelector(".guide .says").innerText.replaceAll("\u00a0", " "),
    document.querySelector(".m-wanted")?.dataset.target ?? "",
    document.querySelector("button.lit:enabled")?.innerText ?? "",
    document.querySelector("#confirm")?.dataset.action ?? "",
]"""


def compact(value: Any) -> str:
    """As the browser writes JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def lesson(module: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((MODULES / module / "lesson.json").read_text("utf-8"))
    return found


def follow_the_light(hand: Hand) -> None:
    """Clicks whatever is lit: a square, a spot, a button."""
    lit = hand.page.locator(".m-wanted")
    if lit.count():
        hand.point(str(lit.first.get_attribute("data-target")))
    else:
        hand.page.locator("button.lit:enabled").first.click()


def go_through(hand: Hand, steps: list[dict[str, Any]], language: str, pictures: Path | None = None) -> None:
    """The whole lesson but its last step, by the light alone."""
    for number, step in enumerate(steps[:-1]):
        hand.page.locator(".guide .says", has_text=step[language]).wait_for()
        hand.page.wait_for_selector(".world:not(.blank)", state="attached")
        assert_in_window(hand, ".guide .says")
        for _ in range(8):  # a square, turns of the tile, Confirm
            hand.page.wait_for_selector(".m-wanted, button.lit:enabled, .guide .after")
            before = hand.page.evaluate(LIGHT)
            if before[0] != step[language]:
                break
            if pictures:
                hand.page.wait_for_timeout(300)
                hand.page.screenshot(path=pictures / f"{number:02}.png")
            if hand.page.locator("button.lit:enabled").count():
                assert_in_window(hand, "button.lit:enabled")
            follow_the_light(hand)
            hand.page.wait_for_function(f"before => JSON.stringify(({LIGHT})()) !== before", arg=compact(before))
    hand.page.locator(".guide .says", has_text=steps[-1][language]).wait_for()


@pytest.mark.parametrize(("device", "language"), [("phone", "fr"), ("desktop", "en")])
def test_the_whole_first_lesson(visit: Visit, device: str, language: str) -> None:
    hand = visit(locale=LOCALES[language], **SHOWN[device])
    learn = {"en": "Learn to play", "fr": "Apprendre à jouer"}[language]
    assert_in_window(hand, f'a:has-text("{learn}")')
    hand.page.get_by_role("link", name=learn).click()
    steps = lesson("base")["steps"]
    go_through(hand, steps, language)
    first = {"en": "Next", "fr": "Suivant"}[language]
    while hand.page.locator(".final").get_by_role("button", name=first).count():
        assert_in_window(hand, ".final button.main")
        hand.page.locator(".final").get_by_role("button", name=first).click()
    scores = [hand.page.locator(f".strip li:nth-child({n}) strong").inner_text() for n in (1, 2)]
    assert scores == ["32", "5"]  # all has been counted
    won = {"en": "You win!", "fr": "Vous gagnez\u00a0!"}[language]
    assert hand.page.locator(".winner").inner_text() == won
    hand.page.get_by_role("button", name={"en": "Play it now", "fr": "Y jouer maintenant"}[language]).click()
    hand.page.wait_for_url("**/table/*")
    assert hand.asked() == "place"  # a first game, against the computer
    hand.page.goto("/")
    hand.page.get_by_role("heading", name={"en": "Your tables", "fr": "Vos tables"}[language]).wait_for()
    assert hand.page.locator("section:has(#own) li").count() == 1  # lessons are no games of one's own


def test_the_sentence_was_cut_on_a_phone_held_sideways(visit: Visit) -> None:
    """The question grows by its buttons when a square is chosen: the sentence above it is still read, in French too."""
    hand = visit("/learn/base", **{**SIDEWAYS, "locale": "fr-FR"})
    steps = lesson("base")["steps"]
    read = "[...document.querySelectorAll('.guide')].every(one => one.scrollHeight <= one.clientHeight + 1)"
    for step in steps[:6]:
        hand.page.locator(".guide .says", has_text=step["fr"]).wait_for()
        for _ in range(3):  # a square, perhaps a turn, Confirm
            hand.page.wait_for_selector(".m-wanted, button.lit:enabled")
            assert hand.page.evaluate(read), hand.page.evaluate(LIGHT)
            before = hand.page.evaluate(LIGHT)
            if before[0] != step["fr"]:
                break
            follow_the_light(hand)
            hand.page.wait_for_function(f"before => JSON.stringify(({LIGHT})()) !== before", arg=compact(before))


def test_hints_were_hidden_on_a_phone_held_sideways(visit: Visit) -> None:
    hand = visit(**SIDEWAYS)
    hand.page.get_by_role("button", name="Play: Base game").click()
    assert hand.asked() == "place"
    assert_in_window(hand, ".ask .hint")


def test_a_mistake_is_answered_with_a_friendly_sentence(visit: Visit) -> None:
    hand = visit("/learn/base")
    hand.page.locator("#next").click()
    hand.page.wait_for_selector(".m-wanted")
    hand.page.wait_for_selector(".world:not(.blank)", state="attached")
    other = next(one for one in hand.targets() if one != "1,0")
    hand.point(other)
    hand.page.locator("#confirm").click()
    said = lesson("base")["steps"][1]
    assert hand.page.locator(".oops").inner_text() == said["else"]["en"]
    assert hand.page.locator(".guide .says").inner_text() == said["en"]
    hand.point("1,0")  # and one goes on as if nothing had happened
    hand.page.locator("#confirm.lit").click()
    hand.page.locator(".guide .says", has_text="robber").wait_for()
    assert hand.page.locator(".oops").count() == 0


@pytest.mark.parametrize("device", SHOWN)
def test_hints_in_the_first_game_come_once_and_can_be_switched_off(visit: Visit, device: str) -> None:
    hand = visit(**SHOWN[device])
    hand.page.get_by_role("button", name="Play: Base game").click()
    hint = hand.page.locator(".ask .hint")
    assert hand.asked() == "place"
    assert "Click a lit square to try the tile there" in hint.inner_text()
    assert_in_window(hand, ".ask .hint")
    hand.answer()
    assert hand.asked() == "spot"
    assert "You may put a follower on this tile." in hint.inner_text()
    assert_in_window(hand, "#pass")
    hand.press("#pass")
    assert hand.asked() == "place"
    assert hint.count() == 0  # known by now

    newcomer = visit(locale="fr-FR", **SHOWN[device])
    newcomer.page.get_by_role("button", name="Jouer : Jeu de base").click()
    assert newcomer.asked() == "place"
    newcomer.page.get_by_role("button", name="Plus de conseils").click()
    newcomer.page.reload()
    assert newcomer.asked() == "place"
    newcomer.answer()
    assert newcomer.asked() == "spot"
    assert newcomer.page.locator(".ask .hint").count() == 0


def test_there_is_a_lesson_for_each_box_and_for_the_games_of_their_own(visit: Visit) -> None:
    hand = visit("/learn")
    hand.page.wait_for_selector("article")
    names = [json.loads((MODULES / name / "texts.json").read_text("utf-8"))["en"]["name"] for name in specs()]
    assert sorted(hand.page.locator("article h3").all_inner_texts()) == sorted(names)


@pytest.mark.parametrize("module", [name for name in specs() if name != "base"])
def test_the_lesson_of_a_box(visit: Visit, module: str) -> None:
    hand = visit(f"/learn/{module}", **SHOWN["phone"])
    go_through(hand, lesson(module)["steps"], "en")
    assert hand.page.get_by_role("button", name="Play it now").is_visible()
