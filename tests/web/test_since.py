"""What the others did since one's own turn, and what things are worth: frames, a list, projected points, the card."""

from __future__ import annotations

import pytest

from tests.web.test_seen import CITY, HEAD, Visit, assert_in_window, assert_same_place, box, opened

KNIGHT = HEAD + "red: draw E; place E 0,1 180; deploy follower 0,1 city S\n"
NOTE_FRAMES = """() => {
  window.framed = {};
  new MutationObserver(() => {
    for (const one of document.querySelectorAll('.m-deed'))
      window.framed[one.dataset.seat] ??= performance.now();
  }).observe(document.querySelector('#board'), {subtree: true, childList: true});
}"""


def test_what_the_other_did_is_framed_and_listed_until_one_acts(visit: Visit) -> None:
    hand = opened(visit, CITY, "U", "V")
    hand.play("deploy follower 0,-1 city S")
    assert hand.asked() == "place"  # now blue decides
    assert hand.page.locator(".since li").all_inner_texts() == ["red: tile, follower on city, +4 city"]
    frame = hand.page.locator('.m-deed[data-seat="0"] rect.m-frame')
    assert frame.count() == 1
    assert_same_place(box(hand, '.m-deed[data-seat="0"] rect.m-frame'), box(hand, ".m-last"))
    red = hand.page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--seat0')")
    assert frame.evaluate("one => getComputedStyle(one).getPropertyValue('--own')").strip() == red.strip()
    assert hand.page.locator(".m-deed circle").count() == 0  # the knight has come home
    hand.answer()
    hand.page.wait_for_selector(".m-deed", state="detached")
    assert hand.page.locator(".since").count() == 0


def test_bots_play_one_after_the_other(visit: Visit) -> None:
    hand = visit(None)
    seats = [{"kind": "human"}, {"kind": "bot", "bot": "greedy"}, {"kind": "bot", "bot": "greedy"}]
    hand.page.goto(hand.api("POST", "/api/tables", data={"seats": seats})["link"])
    hand.asked()
    hand.page.evaluate(NOTE_FRAMES)
    while "2" not in hand.page.evaluate("window.framed"):
        if hand.page.get_attribute(".play", "data-asked"):
            hand.answer()
        hand.page.wait_for_timeout(50)
    framed = hand.page.evaluate("window.framed")
    assert framed["2"] - framed["1"] > 300  # shown at once they come together
    hand.asked()
    assert len(hand.page.locator(".since li").all_inner_texts()) == 2
    assert_in_window(hand, ".since")


def test_points_if_the_game_ended_now(visit: Visit) -> None:
    hand = opened(visit, KNIGHT, "U", "V")
    assert hand.page.locator(".players").first.locator(".then").all_inner_texts()[0].startswith("→1")
    hand.page.get_by_label("If the game ended now").first.uncheck()
    assert hand.page.locator(".then").count() == 0
    hand.page.reload()
    hand.asked()
    assert hand.page.locator(".then").count() == 0


def test_a_tournament_shows_no_points_to_come(visit: Visit) -> None:
    hand = visit(None)
    seats = [{"kind": "human"}, {"kind": "human"}]
    hand.page.goto(hand.api("POST", "/api/tables", data={"preset": "tournament", "seats": seats})["link"])
    hand.asked()
    assert hand.page.locator(".then").count() == 0
    assert hand.page.get_by_text("If the game ended now").count() == 0


def test_a_follower_lights_its_region_and_the_card_says_what_it_is_worth(visit: Visit) -> None:
    hand = opened(visit, KNIGHT, "U", "V")
    knight = box(hand, '#board use[href="#f-follower-0"]')
    middle = knight["x"] + knight["width"] / 2, knight["y"] + knight["height"] / 2
    hand.page.mouse.move(*middle)
    hand.page.wait_for_selector(".m-region", state="attached")
    assert_same_place(knight, box(hand, ".m-region"))
    hand.page.mouse.move(5, 5)
    hand.page.mouse.move(middle[0] + 300, middle[1] - 200)
    hand.page.wait_for_selector(".m-region", state="detached")
    hand.page.mouse.click(*middle)
    card = hand.page.locator(".card", has_text="city: 1 tile")
    card.wait_for()
    for line in ("worth 1 now", "4 when finished", "can still close it", "red has the majority"):
        assert line in card.inner_text()


@pytest.mark.parametrize("module", ["hunters_and_gatherers", "over_hill_and_dale"])
def test_open_ground_is_shown_in_the_games_of_their_own(visit: Visit, module: str) -> None:
    hand = visit(None)
    seats = [{"kind": "human"}, {"kind": "human"}]
    hand.page.goto(hand.api("POST", "/api/tables", data={"modules": [module], "seats": seats})["link"])
    hand.asked()
    hand.page.keyboard.press("f")
    hand.page.wait_for_selector(".m-field", state="attached")
    assert_same_place(box(hand, ".m-field"), box(hand, "#board"))
