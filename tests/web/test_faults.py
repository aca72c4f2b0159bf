"""Faults that people found, each as what they saw: it must not come back."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.web.conftest import PHONE
from tests.web.hand import Hand
from tests.web.test_learn import SHOWN
from tests.web.test_seen import HEAD, assert_in_window, box, opened

Visit = Callable[..., Hand]
LAST = HEAD + "red: draw E\n"  # no tile comes after this one


def finished(visit: Visit, **context: Any) -> Hand:
    """A game of one tile, with a knight in an open city."""
    hand = opened(visit, LAST, **context)
    hand.play("place E 0,1 180")
    hand.asked()
    hand.play("deploy follower 0,1 city S")
    assert hand.asked() == "over"
    return hand


def test_a_double_click_on_leave_leaves_the_question_open(visit: Visit) -> None:
    hand = opened(visit, LAST)
    hand.page.get_by_role("button", name="Menu").click()
    hand.page.get_by_role("button", name="Leave the table").dblclick()
    asked = hand.page.get_by_role("dialog", name="Leave the table?")
    assert asked.get_by_role("button", name="Stay").is_visible()
    hand.page.wait_for_timeout(700)
    assert asked.is_visible()
    hand.page.mouse.click(5, 5)  # later a click beside it closes it, and nobody has left
    asked.wait_for(state="detached")
    assert hand.asked() == "place"


@pytest.mark.parametrize("device", SHOWN)
def test_what_comes_next_was_below_the_fold(visit: Visit, device: str) -> None:
    hand = finished(visit, **SHOWN[device])
    hand.page.get_by_role("button", name="To the result").click()
    for name in ("Play again", "Replay", "Analyse"):
        assert_in_window(hand, f"#what-next > :text-is('{name}')")


def test_a_finished_game_opened_as_a_replay_without_its_result(visit: Visit) -> None:
    hand = finished(visit)
    hand.page.reload()
    assert hand.page.locator(".winner").inner_text() == "red wins"
    hand.page.get_by_role("button", name="Play again").click()  # one tap, not two
    hand.page.wait_for_selector(".play:not(:has(.final))")
    assert hand.asked() == "place"


def test_french_showed_english(visit: Visit) -> None:
    hand = opened(visit, HEAD + "red: draw C\n", "U", locale="fr-FR")
    legal = box(hand, '.m-cell[data-target="0,-1"]')
    side = legal["width"] * 100 / 92
    middle = legal["x"] + legal["width"] / 2, legal["y"] + legal["height"] / 2
    hand.page.mouse.click(middle[0] + side, middle[1] + side)
    said = hand.page.locator(".notices").get_by_text("Impossible ici")
    said.wait_for()
    assert "ouest" in said.inner_text()
    assert {"ville", "route"} <= set(re.findall(r"\w+", said.inner_text()))
    hand.page.goto("/")
    hand.page.get_by_role("button", name="Jouer: Jeu de base").click()
    hand.asked()
    assert "Vous" in hand.page.locator(".players").first.inner_text()
    assert not re.search(r"\bred\b", hand.page.locator("body").inner_text())


def test_two_different_moves_had_one_name(visit: Visit) -> None:
    hand = opened(visit, HEAD + "red: draw W; place W 1,0 0\n", "U")
    hand.page.get_by_role("button", name="All moves").click()
    names = hand.page.get_by_role("dialog").locator("li").all_inner_texts()
    assert len(names) > 5
    assert len(set(names)) == len(names)


def test_a_tile_in_words_named_one_of_three_sides(visit: Visit) -> None:
    hand = opened(visit, HEAD + "red: draw R\n", "U")
    told = hand.page.locator("#news").get_by_text("The tile: tile with city (north, east, west).")
    told.first.wait_for(state="attached")


def test_the_board_could_not_be_read_without_eyes(visit: Visit) -> None:
    hand = opened(visit, LAST, "U")
    hand.page.keyboard.press("Shift+ArrowUp")
    hand.page.locator("#news p", has_text="0,-1").last.wait_for(state="attached")
    hand.page.keyboard.press("Shift+ArrowDown")
    read = hand.page.locator("#news p", has_text="0,0. tile with")
    read.wait_for(state="attached")
    assert "road (east, west)" in str(read.text_content())


def test_your_tables_was_read_once(visit: Visit) -> None:
    ann = visit()
    seats = [{"kind": "human", "name": "Ann"}, {"kind": "open"}]
    made = ann.api("POST", "/api/tables", data={"seats": seats, "draws": ["E", "U", "V"]})
    bob = visit(f"{made['link']}#invite={made['invite']}")
    bob.page.get_by_label("Your name").fill("Bob")
    bob.page.get_by_role("button", name="Take a seat").click()
    ann.page.goto(made["link"])
    for _ in range(2):  # the tile, then a piece or none
        ann.asked()
        ann.answer()
    ann.page.goto("/")
    ann.page.get_by_text("waiting for Bob").wait_for()
    for _ in range(2):
        bob.asked()
        bob.answer()
    ann.page.get_by_text("your turn").wait_for()  # nobody has loaded the page again
    assert ann.page.title().startswith("(1)")


def test_the_crown_of_the_wheel_was_out_of_sight_on_a_phone(visit: Visit) -> None:
    record = HEAD.replace("players", "modules wheel_of_fortune\nplayers") + "red: draw B; place B 4,1 0\n"
    hand = opened(visit, record, "U", **PHONE)
    crowns = [target for target in hand.targets() if target.startswith("crown")]
    assert len(crowns) == 6
    for crown in crowns:
        assert_in_window(hand, f'[data-target="{crown}"]')


def test_zooming_by_hand_hid_the_legal_spots_for_good(visit: Visit) -> None:
    hand = opened(visit, LAST, "U")
    for _ in range(8):
        hand.page.keyboard.press("+")
    hand.page.locator(".outside").click()
    hand.page.locator(".outside").wait_for(state="detached")
    for target in hand.targets():
        assert_in_window(hand, f'[data-target="{target}"]')


def test_spectators_were_told_of_shuffling_while_a_player_was_missing(visit: Visit) -> None:
    ann = visit()
    made = ann.api("POST", "/api/tables", data={"seats": [{"kind": "human"}, {"kind": "open"}]})
    carl = visit(made["link"])
    carl.page.get_by_role("heading", name="Waiting for players").wait_for()
    assert not carl.page.get_by_text("being shuffled").count()


def test_the_words_of_a_spectator_had_no_name(visit: Visit) -> None:
    hand = opened(visit, LAST, "U")
    carl = visit(hand.page.url.removeprefix(hand.home))
    carl.at_the_table()
    carl.page.locator(".tab.chat").click()
    carl.page.get_by_label("Say something").fill("hello from the gallery")
    carl.page.keyboard.press("Enter")
    hand.page.locator(".tab.chat").click()
    said = hand.page.locator(".panel li", has_text="hello from the gallery")
    assert "Spectator" in said.inner_text()


def test_an_empty_board_without_a_sign_while_tiles_were_drawn(visit: Visit) -> None:
    held: list[Any] = []
    hand = visit(service_workers="block")  # it would fetch them by itself
    hand.page.route("**/api/drawings/*", lambda request: held.append(request))
    hand.page.get_by_role("button", name="Play: Base game").click()
    hand.page.get_by_text("The tiles are being drawn").wait_for()
    hand.page.wait_for_timeout(300)
    hand.page.route("**/api/drawings/*", lambda request: request.continue_())
    for request in held:
        request.continue_()
    assert hand.asked() == "place"
    assert not hand.page.get_by_text("The tiles are being drawn").count()


def test_final_scores_pushed_the_board_of_a_replay_away(visit: Visit) -> None:
    hand = finished(visit, **PHONE)
    hand.page.goto(hand.page.url + "?at=99")
    hand.page.get_by_text("The game is over").first.wait_for()
    assert box(hand, "#board")["height"] > 250


def test_a_farmer_stood_in_the_preview_and_lay_once_placed(visit: Visit) -> None:
    hand = opened(visit, HEAD + "red: draw E; place E 0,1 180\n", "U")
    for target, lies in (("0,1 city S", False), ("0,1 field NL", True)):
        hand.point(target)
        drawn = box(hand, ".m-picked use")
        assert (drawn["width"] > drawn["height"]) == lies, (target, drawn)
    hand.press("#confirm")
    drawn = box(hand, "#board .world g > g > use")
    assert drawn["width"] > drawn["height"]


def test_a_cloister_at_the_end_lit_only_its_own_tile(visit: Visit) -> None:
    hand = opened(visit, HEAD + "red: draw B\n")
    hand.play("place B 0,1 0")
    hand.asked()
    hand.play("deploy follower 0,1 cloister")
    hand.page.wait_for_selector('.m-lit[data-cells="2"]', state="attached")
