"""The analysis of a finished game in its replay."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.web.boards import position
from tests.web.conftest import PHONE
from tests.web.hand import Hand
from tests.web.test_everybody import AXE, faults, tab_to

Visit = Callable[..., Hand]


@pytest.fixture(scope="module")
def finished() -> str:
    """The record of a game of greedy bots that has one tile left."""
    return position(-1)


def at_the_end(visit: Visit, record: str, **context: Any) -> Hand:
    """A game that was just played to its end."""
    hand = visit(None, **context)
    hand.open_record(record, [])
    while hand.asked() != "over":
        hand.answer()
    return hand


def at_the_replay(visit: Visit, record: str, **context: Any) -> Hand:
    """The same in its replay."""
    hand = at_the_end(visit, record, **context)
    table = hand.page.url.split("/table/")[1]
    hand.page.goto(f"/table/{table}?at=0")
    hand.page.wait_for_selector(".player")
    return hand


def analysis_of(hand: Hand) -> Any:
    table = hand.page.url.split("/table/")[1].split("?")[0]
    return hand.api("GET", f"/api/tables/{table}/analysis")


def test_turning_points_and_moves_lead_to_their_steps(visit: Visit, finished: str) -> None:
    hand = at_the_end(visit, finished)
    hand.page.get_by_role("button", name="To the result").click()
    hand.page.get_by_role("link", name="Analyse").click()
    hand.page.get_by_role("img", name="Expected lead after each turn").wait_for()
    found = analysis_of(hand)
    assert found["turning_points"]

    point = found["turns"][found["turning_points"][0] - 1]
    hand.page.get_by_role("button", name=f"Turn {point['number']}:").click()
    hand.page.get_by_text(f"Step {point['n']} of").wait_for()
    assert hand.page.url.endswith(f"?at={point['n']}")

    dear = max(
        (move for turn in found["turns"] if turn["seat"] == 0 for move in turn["moves"]), key=lambda m: m["loss"]
    )
    hand.page.get_by_role("button", name="the dearest move").first.click()
    hand.page.get_by_text(f"Step {dear['n']} of").wait_for()  # the move itself, not the end of its turn
    assert f"−{dear['loss']:.1f}" in hand.page.locator(".analysis p.now").inner_text()

    hand.page.get_by_role("button", name="All moves").click()
    decisions = [move for turn in found["turns"] for move in turn["moves"] if move["choices"] > 1]
    assert hand.page.locator(".moves button").count() == len(decisions)
    hand.page.get_by_role("button", name="Costly moves").click()
    costly = [move for move in decisions if move["loss"] >= 1]
    rows = hand.page.locator(".moves button")
    assert rows.count() == len(costly) > 0

    place = next(n for n, move in enumerate(costly) if move["best"].startswith("place "))
    rows.nth(place).click()
    hand.page.get_by_text(f"Step {costly[place]['n']} of").wait_for()
    assert rows.nth(place).get_attribute("aria-current") == "step"
    cell, degrees = costly[place]["best"].split()[2:]
    assert f"Better: lay at {cell}, turned {degrees}°" in rows.nth(place).inner_text()
    assert f"−{costly[place]['loss']:.1f}" in rows.nth(place).inner_text()
    hand.page.wait_for_selector(".m-better rect", state="attached")  # the better move lies on the board


def test_the_page_says_that_it_is_being_computed_and_what_was_refused(visit: Visit, finished: str) -> None:
    hand = at_the_replay(visit, finished)
    waiting: list[Any] = []
    hand.context.route("**/analysis", lambda request: waiting.append(request))

    def asked_by(button: str) -> Any:
        """The request that a button sends, while the page waits for its answer."""
        hand.page.get_by_role("button", name=button).click()
        hand.page.get_by_role("status").filter(has_text="The game is being analysed").wait_for()
        hand.page.wait_for_selector("progress")
        while not waiting:
            hand.page.wait_for_timeout(50)
        return waiting.pop()

    hand.may_lose_the_server = True
    asked_by("Analyse").abort()
    hand.page.get_by_text("The server does not answer.").wait_for()
    asked_by("Try again").continue_()
    hand.page.get_by_role("img", name="Expected lead after each turn").wait_for()


def test_not_while_the_game_goes_on(visit: Visit, finished: str) -> None:
    hand = visit(None)
    hand.open_record(finished, [])
    table = hand.page.url.split("/table/")[1]
    hand.page.goto(f"/table/{table}?at=0")
    hand.page.get_by_role("button", name="Log").wait_for()
    assert hand.page.get_by_role("button", name="Analyse").count() == 0


def test_on_a_phone_in_french(visit: Visit, finished: str) -> None:
    hand = at_the_replay(visit, finished, **{**PHONE, "locale": "fr-FR"})
    hand.page.get_by_role("button", name="Analyse").tap()
    hand.page.get_by_text("Tournants").wait_for()
    hand.page.get_by_role("button", name="Tous les coups").tap()
    hand.page.locator(".moves button").first.tap()
    hand.page.get_by_role("heading", name="Prés").wait_for()
    assert "Mieux\u00a0: " in hand.page.locator(".panel").inner_text()
    assert hand.page.evaluate("document.documentElement.scrollWidth") == 360
    assert hand.page.locator("#board").bounding_box()["height"] > 100


@pytest.mark.parametrize("look", ["light", "dark"])
def test_with_the_keyboard_and_for_screen_readers(visit: Visit, finished: str, look: str) -> None:
    if not AXE.is_file():
        pytest.skip("axe-core is not installed: npm ci in web/")
    hand = at_the_replay(visit, finished, color_scheme=look)
    tab_to(hand, "document.activeElement.textContent.trim() === 'Analyse'")
    hand.page.keyboard.press("Enter")
    hand.page.get_by_role("status").filter(has_text="The analysis is ready.").wait_for(state="attached")
    tab_to(hand, "document.activeElement.closest('.moves') !== null")
    hand.page.keyboard.press("Enter")
    hand.page.wait_for_selector(".moves [aria-current=step]")
    heard = hand.page.locator(".analysis [aria-live]").inner_text()
    assert heard.startswith("Turn ")
    assert "Better: " in heard
    found = faults(hand, "analysis")
    hand.page.get_by_role("button", name="Fair draws").click()
    hand.page.get_by_text("Checked here:").wait_for()
    assert found + faults(hand, "fair draws") == []
