"""The proof of fair draws, as the page shows and checks it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.web.hand import Hand

Visit = Callable[..., Hand]
BAG = (
    "Not checked: what lay in the bag at first (71). “bastide replay --verify” with the downloaded record works it out."
)
RULES = "Not checked: whether these are the rules, the names and the times that were agreed."


@pytest.fixture
def resigned(visit: Visit) -> Hand:
    """A short game against the computer, just given up. The proof can be changed on its way to the page."""
    hand = visit()
    hand.page.get_by_role("button", name="Play: Base game").click()
    for _ in range(4):
        assert hand.asked() != "over"  # place a tile, a piece, or only go on
        hand.answer()
    hand.asked()
    return hand


def resign(hand: Hand) -> None:
    hand.page.get_by_role("button", name="Menu").click()
    hand.page.get_by_role("button", name="Resign").click()
    hand.page.get_by_role("dialog", name="Resign the game?").get_by_role("button", name="Resign").click()
    hand.page.locator(".final").wait_for()


def tamper(hand: Hand, change: Callable[[Any], None]) -> None:
    """The page gets a proof that is not the server's."""

    def answer(route: Any) -> None:
        response = route.fetch()
        proof = response.json()
        change(proof)
        proof["lines"] = [{**line, "seq": n} for n, line in enumerate(proof["lines"], 1)]
        route.fulfill(response=response, json=proof)

    hand.context.route("**/api/tables/*/log", answer)


def other_draw(proof: Any) -> None:
    line = next(line for line in reversed(proof["lines"]) if line["text"].startswith("draw "))
    bag = [name for name, _ in proof["bags"][-1]]
    line["text"] = "draw " + next(name for name in bag if f"draw {name}" != line["text"])


def other_seed(proof: Any) -> None:
    proof["seed"] = ("1" if proof["seed"][0] == "0" else "0") + proof["seed"][1:]


def other_commitment(proof: Any) -> None:
    """A seed chosen after the game, with the commitment that goes with it."""
    proof["seed"] = "00" * 32
    proof["commitment"] = "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"


def other_entropy(proof: Any) -> None:
    proof["entropies"][0] = "chain:" + "00" * 32


def other_link(proof: Any) -> None:
    line = next(line for line in proof["lines"] if line["text"].startswith("link "))
    line["text"] = "link 0 " + "ab" * 32


def taken_back(proof: Any) -> None:
    """A draw of the computer is taken back and made again."""
    n = max(n for n, line in enumerate(proof["lines"]) if line["text"].startswith("draw "))
    again = proof["lines"][n]
    proof["lines"][n + 1 : n + 1] = [{**again, "text": "undo 1"}, again]
    proof["bags"].append(proof["bags"][-1])
    proof["gets"].append(proof["gets"][-1])


def other_move(proof: Any) -> None:
    proof["lines"].remove(next(line for line in proof["lines"] if line["text"].startswith("0 ")))


def test_a_good_proof_is_accepted(resigned: Hand) -> None:
    """The commitment is there during the game; after it the browser has checked every draw."""
    hand = resigned
    hand.page.get_by_role("button", name="Menu").click()
    hand.page.get_by_role("button", name="Fair draws").click()
    commitment = hand.state()["fair"]["commitment"]
    hand.page.get_by_role("dialog").get_by_text(commitment).wait_for()
    hand.page.keyboard.press("Escape")
    resign(hand)
    proof = hand.api("GET", f"/api/tables/{hand.page.url.split('/table/')[1]}/log")
    draws = sum(line["text"].startswith("draw ") for line in proof["lines"])
    assert draws > 3
    hand.page.get_by_text(f"Checked here: {draws} draws agree").wait_for()

    panel = hand.page.locator(".fair")
    panel.get_by_text("How the draws were made").click()
    for text in (commitment, proof["seed"], proof["entropies"][0], "none: the computer adds nothing"):
        assert panel.get_by_text(text).is_visible()
    assert panel.locator("li.good").count() == 7
    assert panel.locator("li.open").all_inner_texts() == [BAG, RULES]
    assert panel.locator("li.bad").count() == 0


FORGED = [
    (other_draw, "was due"),
    (other_seed, "The seed is not the one that was committed to"),
    (other_commitment, "The commitment is not the one that this browser saw before the first move"),
    (other_entropy, "Your chain is not the one to which this browser committed"),
    (other_link, "A secret number is missing, or is not of its chain"),
    (taken_back, "Something was taken back without the consent of the players"),
    (other_move, "They are not the draws and moves of the game as it is shown"),
]


def test_a_tampered_proof_is_refused(resigned: Hand) -> None:
    hand = resigned
    resign(hand)
    for change, said in FORGED:
        hand.context.unroute_all()
        tamper(hand, change)
        hand.page.reload()
        hand.page.get_by_text("Checked here: the proof does not agree").wait_for()
        hand.page.get_by_text("How the draws were made").click()
        assert hand.page.locator(".fair li.bad").filter(has_text=said).count() == 1, change


def test_the_replay_shows_the_proof_to_everybody(resigned: Hand, visit: Visit) -> None:
    """Whoever was not there before the first move has no commitment of his own to compare."""
    resign(resigned)
    guest = visit(resigned.page.url.removeprefix(resigned.home) + "?at=0", locale="fr-FR")
    guest.page.get_by_role("button", name="Tirages").click()
    guest.page.get_by_text("tirages concordent").wait_for()
    assert guest.page.locator(".fair li.good").count() == 5
    assert guest.page.locator(".fair li.open").count() == 4  # no commitment, no chain of his own, the bag, the rules


def test_a_puzzle_has_nothing_to_prove(visit: Visit) -> None:
    hand = visit(None)
    hand.open_record("bastide 1\nplayers red blue\ndraws scripted\n\nred: draw E; place E 0,-1 180\n", ["U"])
    while hand.asked() != "over":
        hand.answer()
    hand.page.get_by_role("button", name="To the result").click()
    hand.page.locator(".final tfoot").wait_for()
    assert hand.page.locator(".fair").count() == 0
