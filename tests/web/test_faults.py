"""Faults that people found, each as what they saw: it must not come back.

All 31, and where each is tested (without a file: here):

| fault | test |
| --- | --- |
| 1 no puzzle from a real game | test_seen: a_puzzle_from_an_ordinary_game |
| 2 leaving at one tap | a_double_click_on_leave_leaves_the_question_open |
| 3 phone held sideways | test_seen: a_phone_held_sideways |
| 4 what comes next below the fold | what_comes_next_was_below_the_fold |
| 5 French shows English | french_showed_english, the_numbered_rules_...; test_analysis: on_a_phone_in_french |
| 6 a highlight never ends | test_seen: the_light_of_a_score_ends_with_the_next_tile |
| 7 keys die after a click | test_seen: the_focus_comes_back_...; test_called: enter_confirms_... |
| 8 two moves with one name | two_different_moves_had_one_name |
| 9 a tile in words | a_tile_in_words_named_one_of_three_sides |
| 10 the board without eyes | the_board_could_not_be_read_without_eyes; test_eyes_closed |
| 11 "Your tables" read once | your_tables_was_read_once |
| 12 a finished game as a replay | a_finished_game_opened_as_a_replay_without_its_result |
| 13 the dearest mistake | test_analysis: turning_points_and_moves_lead_to_their_steps |
| 14 the crown on touch | the_crown_of_the_wheel_was_out_of_sight_on_a_phone |
| 15 a red banner stays | a_red_banner_stayed_after_the_server_had_come_back |
| 16 four players on a phone | test_seen: four_players_with_clocks_on_a_phone, who_is_asked_was_out_of_sight_... |
| 17 zooming by hand | zooming_by_hand_hid_the_legal_spots_for_good |
| 18, 19 names with spaces, Enter joins | test_game: two_browsers_by_link_... |
| 20 "being shuffled" | spectators_were_told_of_shuffling_while_a_player_was_missing |
| 21 "Play again" in two taps | a_finished_game_opened_as_a_replay_without_its_result |
| 22 a spectator without a name | the_words_of_a_spectator_had_no_name |
| 23 the tooltip of holes | test_seen: numbers_in_holes_tell_what_they_mean |
| 24 an empty board | an_empty_board_without_a_sign_while_tiles_were_drawn |
| 25 final scores in a replay | final_scores_pushed_the_board_of_a_replay_away |
| 26 tick boxes on a phone | tick_boxes_had_different_sizes_and_names_were_broken |
| 27 the same file again | test_seen: the_same_file_can_be_chosen_again_once_it_is_mended |
| 28 farmer, cloister | a_farmer_stood_in_the_preview_..., a_cloister_at_the_end_lit_only_its_own_tile |
| 29 own tokens hidden from oneself | own_tokens_were_hidden_from_oneself |
| 30 a double tap resigns | a_double_tap_resigned |
| 31 headings, banner in dialogs | axe_found_headings_that_skip_a_level_and_banners_in_dialogs |
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.web.conftest import PHONE, Server
from tests.web.hand import Hand
from tests.web.test_everybody import AXE
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
    hand = opened(visit, HEAD + "red: draw C\n", "U", locale="fr-FR", viewport={"width": 390, "height": 844})
    hand.page.get_by_role("button", name="Réglages").click()
    inside = hand.page.locator("dialog")
    assert inside.evaluate("one => one.scrollWidth <= one.clientWidth")  # long labels pushed the choices out of it
    hand.page.keyboard.press("Escape")
    legal = box(hand, '.m-cell[data-target="0,-1"]')
    side = legal["width"] * 100 / 92
    middle = legal["x"] + legal["width"] / 2, legal["y"] + legal["height"] / 2
    hand.page.mouse.click(middle[0] + side, middle[1] + side)
    said = hand.page.locator(".notices").get_by_text("Impossible ici")
    said.wait_for()
    assert "ouest" in said.inner_text()
    assert {"ville", "route"} <= set(re.findall(r"\w+", said.inner_text()))
    hand.page.goto("/")
    hand.page.get_by_role("button", name="Jouer : Jeu de base").click()
    hand.asked()
    assert "Vous" in hand.page.locator(".players").first.inner_text()
    assert not re.search(r"\bred\b", hand.page.locator("body").inner_text())


def test_two_different_moves_had_one_name(visit: Visit) -> None:
    hand = opened(visit, HEAD + "red: draw X; place X 1,0 0\n", "U")
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
    ann = visit(None)
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
    ann = visit(None)
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
    hand = visit()  # it would fetch them by itself
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
    hand.page.set_viewport_size({"width": 740, "height": 360})  # held sideways
    hand.page.locator(".tab.analysis").click()
    assert box(hand, "#board")["height"] > 250
    assert_in_window(hand, '[aria-label="To the end"]')
    assert_in_window(hand, ".panel")


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


def test_the_numbered_rules_and_the_tabs_are_french(visit: Visit) -> None:
    hand = opened(visit, LAST, "U", **{**PHONE, "locale": "fr-FR"})
    for tab in hand.page.locator(".tab span").all():
        assert tab.evaluate("one => one.scrollWidth <= one.parentElement.clientWidth"), tab.inner_text()
    hand.page.locator(".tab.rules").click()
    hand.page.locator(".panel input[type=search]").fill("BASE-6")
    rule = hand.page.locator("dd").first.inner_text()
    assert re.search(r"\b(une|la|le|tuile)\b", rule), rule
    assert not re.search(r"\b(the|tile|must)\b", rule), rule


def test_a_red_banner_stayed_after_the_server_had_come_back(visit: Visit, server: Server) -> None:
    hand = opened(visit, LAST, "U")
    hand.may_lose_the_server = True
    hand.point("0,-1")
    server.stop()
    hand.page.get_by_text("Connection lost").wait_for()
    hand.page.locator("#confirm").click()
    hand.page.get_by_text("The server does not answer.").wait_for()
    server.start()
    hand.page.get_by_text("Connection lost").wait_for(state="detached")
    hand.page.get_by_text("The server does not answer.").wait_for(state="detached")
    hand.press("#confirm")


def test_tick_boxes_had_different_sizes_and_names_were_broken(visit: Visit) -> None:
    hand = visit(**PHONE)
    hand.page.get_by_text("Set up a table").tap()
    titles = hand.page.locator("label .title")
    titles.first.wait_for()
    sizes = {(round(found["width"]), round(found["height"])) for found in all_boxes(titles.locator("input"))}
    assert len(sizes) == 1
    for title in titles.all():
        assert title.evaluate("one => one.scrollWidth <= one.clientWidth"), title.inner_text()
        assert title.evaluate("one => getComputedStyle(one).overflowWrap") == "normal"
        assert title.evaluate("one => getComputedStyle(one).wordBreak") == "normal"


def all_boxes(found: Any) -> list[dict[str, float]]:
    return [dict(one.bounding_box()) for one in found.all()]


def test_own_tokens_were_hidden_from_oneself(visit: Visit) -> None:
    head = "bastide 1\nmodules over_hill_and_dale\nplayers red blue\nstart OHD-CjCMM-3 0,0 0\ndraws scripted\n\n"
    record = (
        head
        + "red: draw OHD-CMMM-5; place OHD-CMMM-5 0,-1 180; deploy meeple 0,-1 cropfield S\n"
        + "blue: draw OHD-MMMM-1; place OHD-MMMM-1 -1,0 0; pass\n"
        + "red: draw OHD-CMMM-4; place OHD-CMMM-4 1,0 270; pass\n"
    )
    hand = visit(None)
    seats = [{"kind": "human", "name": "Ann"}, {"kind": "bot", "bot": "random"}]
    draws = ["OHD-MMMM-1", "OHD-MMMM-1"]
    hand.page.goto(hand.api("POST", "/api/tables", data={"record": record, "seats": seats, "draws": draws})["link"])
    hand.asked()
    own = hand.page.locator(".players").first.locator("li").first
    own.get_by_text("pumpkin", exact=False).first.wait_for()
    assert "hidden" not in own.inner_text()
    while hand.asked() != "over":
        hand.answer()
    assert "hidden" not in hand.page.locator(".players").first.inner_text()


def test_a_double_tap_resigned(visit: Visit) -> None:
    hand = opened(visit, LAST, "U")
    hand.page.get_by_role("button", name="Menu").click()
    resign = hand.page.get_by_role("button", name="Resign")
    where = resign.bounding_box()
    resign.dblclick()
    asked = hand.page.get_by_role("dialog", name="Resign the game?")
    hand.page.mouse.click(where["x"] + where["width"] / 2, where["y"] + where["height"] / 2)  # a third one, at once
    hand.page.wait_for_timeout(700)
    assert hand.state()["status"] == "running"
    if not asked.count():  # that click was beside it
        hand.page.get_by_role("button", name="Menu").click()
        hand.page.get_by_role("button", name="Resign").click()
    asked.get_by_role("button", name="Resign").click()
    hand.page.wait_for_selector(".final")
    assert hand.state()["status"] == "over"


def test_axe_found_headings_that_skip_a_level_and_banners_in_dialogs(visit: Visit) -> None:
    hand = visit()
    hand.page.wait_for_selector("article button")
    found = all_faults(hand, "lobby")
    hand.page.get_by_role("button", name="Settings").click()
    found += all_faults(hand, "settings")
    hand.page.keyboard.press("Escape")
    hand.open_record(LAST, ["U"])
    hand.asked()
    for tab in ("tiles", "rules", "players"):
        hand.page.locator(f".tab.{tab}").click()
        found += all_faults(hand, tab)
    hand.page.get_by_role("button", name="Menu").click()
    found += all_faults(hand, "menu")
    assert found == []


def all_faults(hand: Hand, where: str) -> list[str]:
    """Whatever axe finds, serious or not."""
    hand.page.evaluate(AXE.read_text("utf-8"))
    result = hand.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [f"{where}: {one['id']} {node['html'][:120]}" for one in result["violations"] for node in one["nodes"]]
