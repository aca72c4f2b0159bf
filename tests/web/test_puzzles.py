"""Puzzles in the browser: found, missed, tried again, shown; of the collection, of the day, and of one's own game."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.web.hand import MODULES, Hand
from tests.web.test_analysis import at_the_end, finished
from tests.web.test_everybody import faults
from tests.web.test_learn import LOCALES, SHOWN
from tests.web.test_seen import assert_in_window

__all__ = ["finished"]  # a fixture
Visit = Callable[..., Hand]
SAID = {
    "en": {
        "again": "Try again",
        "best": "That is it: the best turn!",
        "next": "Next puzzle",
        "show": "Show the solution",
    },
    "fr": {
        "again": "Réessayer",
        "best": "C’est cela : le meilleur tour !",
        "next": "Problème suivant",
        "show": "Voir la solution",
    },
}


def puzzles(module: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((MODULES / module / "puzzles.json").read_text("utf-8"))
    return found


def answer(hand: Hand, line: list[str]) -> None:
    hand.asked()
    for action in line:
        hand.play(action)


@pytest.mark.parametrize(("device", "language"), [("phone", "fr"), ("desktop", "en")])
def test_a_turn_is_judged_and_may_be_tried_again(visit: Visit, device: str, language: str) -> None:
    puzzle, words = puzzles("base")[0], SAID[language]
    hand = visit(f"/puzzle/{puzzle['id']}", locale=LOCALES[language], **SHOWN[device])
    answer(hand, puzzle["tempting"])
    hand.page.get_by_role("button", name=words["show"]).wait_for()
    assert_in_window(hand, ".guide .row button.main")
    assert hand.page.locator(".guide ul").count() == 0  # the solution is not given away
    hand.page.get_by_role("button", name=words["again"]).click()
    answer(hand, puzzle["solution"])
    hand.page.get_by_text(words["best"]).wait_for()
    assert_in_window(hand, ".guide .row a.main")
    assert hand.page.locator(".guide li").count() == len(puzzle["why"])
    rule = next((fact["rule"] for fact in puzzle["why"] if fact.get("rule")), "")
    if rule:
        hand.page.get_by_role("button", name=rule).first.click()
        hand.page.locator(f"#rule-{rule}").wait_for()
        hand.page.keyboard.press("Escape")
    hand.page.goto("/puzzles")
    hand.page.wait_for_selector("a.solved")
    assert hand.page.locator("a.solved").count() == 1
    assert hand.page.locator("section:has(#own) li").count() == 0  # puzzles are no games of one's own


def test_the_solution_is_played_on_the_board(visit: Visit) -> None:
    puzzle = puzzles("base")[1]
    hand = visit(f"/puzzle/{puzzle['id']}")
    answer(hand, puzzle["tempting"])
    hand.page.get_by_role("button", name="Show the solution").click()
    hand.page.get_by_text("The solution:").wait_for()
    assert faults(hand, "puzzle") == []
    hand.page.get_by_role("link", name="Next puzzle").click()
    hand.page.wait_for_url(lambda url: puzzle["id"] not in url)
    hand.asked()
    hand.page.goto("/puzzles")
    hand.page.wait_for_selector("li a")
    assert hand.page.locator("a.solved").count() == 0  # it was shown, not found


@pytest.mark.parametrize("module", ["hunters_and_gatherers", "over_hill_and_dale", "traders_and_builders"])
def test_a_puzzle_of_another_box(visit: Visit, module: str) -> None:
    puzzle = puzzles(module)[0]
    hand = visit(f"/puzzle/{puzzle['id']}", **SHOWN["phone"])
    answer(hand, puzzle["solution"])
    hand.page.get_by_text(SAID["en"]["best"]).wait_for()


def test_from_the_first_screen_to_the_puzzle_of_the_day(visit: Visit) -> None:
    hand = visit(**SHOWN["phone"])
    hand.page.get_by_role("link", name="Puzzles").click()
    hand.page.get_by_role("link", name="Puzzle of the day").click()
    assert hand.asked() in ("place", "choice")
    assert "Find the best turn" in hand.page.locator(".guide").inner_text()
    hand.page.goto("/puzzle/today")
    hand.asked()


def test_the_dearest_turns_of_ones_own_game(visit: Visit, finished: str) -> None:
    hand = at_the_end(visit, finished)
    hand.page.get_by_role("button", name="To the result").click()
    hand.page.get_by_role("link", name="Your three dearest turns").click()
    hand.page.get_by_text("Your dearest turns, 1 of 3").wait_for()
    table = hand.page.url.split("/")[-1]
    own = hand.api("GET", f"/api/tables/{table}/puzzles")
    answer(hand, own[0]["solution"])
    hand.page.get_by_text("That is it: the best turn!").wait_for()
    assert "In the game it was:" in hand.page.locator(".guide").inner_text()
    hand.page.get_by_role("link", name="Next puzzle").click()
    hand.page.get_by_text("Your dearest turns, 2 of 3").wait_for()
    hand.page.goto(f"/puzzle/1/{table}?seat=1")  # the other player's, by a link
    hand.page.get_by_text("Your dearest turns, 1 of 3").wait_for()


def test_a_puzzle_that_does_not_exist_says_so(visit: Visit) -> None:
    hand = visit("/puzzle/nothing")
    hand.page.get_by_text("There is no such puzzle").wait_for()
    hand.faults = [fault for fault in hand.faults if "404" not in fault]
