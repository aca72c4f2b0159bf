"""What is told without being asked: points that rise, who plays once more, who has left, what is played."""

from __future__ import annotations

from typing import Any

from tests.web.conftest import PHONE
from tests.web.hand import Hand, scenario
from tests.web.test_seen import CITY, HEAD, Visit, assert_in_window, assert_same_place, box, opened

ANN_AND_SOMEBODY = [{"kind": "human", "name": "Ann"}, {"kind": "open"}]


def guest_of(visit: Visit, host: Hand, **wish: Any) -> tuple[Hand, dict[str, Any]]:
    """A table of Ann's, and a guest who has opened its invitation."""
    made = host.api("POST", "/api/tables", data={"seats": ANN_AND_SOMEBODY, **wish})
    return visit(f"{made['link']}#invite={made['invite']}"), made


WATCH = """() => {
  window.seen = [];
  const size = (one) => { const {x, y, width, height} = one.getBoundingClientRect(); return {x, y, width, height}; };
  new MutationObserver(() => {
    for (const one of document.querySelectorAll('.m-points:not([data-seen])')) {
      one.dataset.seen = '';
      window.seen.push({
        text: one.textContent,
        colour: getComputedStyle(one).getPropertyValue('--own').trim(),
        outlines: document.querySelectorAll('.m-won path').length,
        glow: size(document.querySelector('.m-won')),
        asked: document.querySelector('.play').dataset.asked,
        moving: document.getAnimations().map((one) => one.effect.getComputedTiming().duration).filter((ms) => ms > 1),
      });
    }
  }).observe(document.querySelector('#board'), {subtree: true, childList: true});
}"""


def points_seen(visit: Visit, **context: Any) -> tuple[Hand, dict[str, Any]]:
    """What the board shows at the moment when a city of two tiles brings its points."""
    hand = opened(visit, CITY, "U", "V", **context)
    hand.page.evaluate(WATCH)
    hand.play("deploy follower 0,-1 city S")
    hand.page.wait_for_function("window.seen.length")
    return hand, hand.page.evaluate("window.seen[0]")


def test_points_rise_from_the_city_in_the_colour_of_its_owner(visit: Visit) -> None:
    hand, seen = points_seen(visit, reduced_motion="no-preference")
    assert seen["text"].strip() == "+4"
    assert seen["colour"] == hand.page.evaluate(
        "getComputedStyle(document.documentElement).getPropertyValue('--seat0').trim()"
    )
    assert seen["outlines"] == 2  # the two halves of the city, not whole tiles
    tile = box(hand, "#board .m-last")
    assert seen["glow"]["height"] < 1.5 * tile["height"]
    assert_same_place({**tile, "y": tile["y"] + tile["height"] / 2}, seen["glow"])  # where the two tiles meet
    assert seen["moving"]
    assert max(seen["moving"]) <= 400
    assert seen["asked"] == "place"  # nobody waits for it
    hand.page.wait_for_selector('#board use[href="#f-follower-0"]', state="detached")  # it went home
    hand.page.wait_for_selector(".m-points", state="detached")


POINTS_STAY = """() => {
  const wait = window.setTimeout;
  window.setTimeout = (done, time, ...rest) => (time === 1600 ? 0 : wait(done, time, ...rest));
}"""
FLOCK = """bastide 1
modules hills_and_sheep
players red blue
start C 0,0 0
draws scripted

red: draw E; place E 0,-1 180; deploy shepherd 0,-1 field NL; draw sheep_1
blue: draw E; place E 1,0 270; pass
red: draw B; place B 0,-2 0
"""


def test_points_of_a_region_out_of_sight_are_read_all_the_same(visit: Visit) -> None:
    """The flock comes home, and the tile laid last is shown large for the next question: "+1" was beyond the rim."""
    hand = opened(visit, FLOCK, "E", **{**PHONE, "viewport": {"width": 360, "height": 640}})
    hand.page.evaluate(POINTS_STAY)
    hand.play("choose home")
    points = hand.page.locator(".m-points text")
    points.wait_for()
    assert points.text_content() == "+1"
    assert hand.asked() == "spot"
    board, seen = box(hand, "#board"), box(hand, ".m-points text")
    assert board["x"] <= seen["x"]
    assert seen["x"] + seen["width"] <= board["x"] + board["width"]
    assert board["y"] <= seen["y"]
    assert seen["y"] + seen["height"] <= board["y"] + board["height"]


def test_nothing_moves_for_those_who_want_no_movement(visit: Visit) -> None:
    _, seen = points_seen(visit)
    assert seen["text"].strip() == "+4"
    assert seen["moving"] == []


def test_one_line_says_that_a_builder_gives_another_turn(visit: Visit) -> None:
    record, draws, rest = scenario("traders_and_builders/builder_second_turn", "place U 3,0 0")
    hand = opened(visit, record, *draws)
    for line in rest:
        _, _, action = line.partition(": ")
        hand.play(action)
        if hand.page.locator(".special").count():
            break
    assert "once more" in hand.page.locator(".special").inner_text()


def test_the_other_is_told_when_somebody_leaves(visit: Visit) -> None:
    ann = visit(None)
    bob, made = guest_of(visit, ann)
    ann.page.goto(made["link"])
    bob.page.get_by_label("Your name").fill("Bob")
    bob.page.get_by_role("button", name="Take a seat").click()
    ann.at_the_table()
    bob.at_the_table()
    bob.page.get_by_role("button", name="Menu").click()
    bob.page.get_by_role("button", name="Leave the table").click()
    bob.page.get_by_role("dialog").get_by_role("button", name="Leave the table", exact=True).click()
    ann.page.locator(".notices").get_by_text("Bob has left the table").wait_for()


def test_a_guest_reads_who_invites_to_what(visit: Visit) -> None:
    ann = visit(None)
    bob, made = guest_of(visit, ann, options={"shields": "off"}, clock={"kind": "turn", "seconds": 60})
    told = bob.page.locator(".told")
    told.get_by_text("Shields count for nothing.").wait_for()
    assert "Base game" in told.inner_text()
    bob.page.get_by_role("heading", name="Ann invites you to play").wait_for()
    bob.page.locator("main img").wait_for()  # the landscape of the box
    bob.page.get_by_role("button", name="Watch").click()
    bob.page.locator(".told").get_by_text("Shields count for nothing.").wait_for()
    french = visit(f"{made['link']}#invite={made['invite']}", locale="fr-FR")
    french.page.locator(".told").get_by_text("Les blasons ne comptent pas.").wait_for()


def test_the_rules_at_the_table_begin_with_what_is_played(visit: Visit) -> None:
    hand = opened(visit, HEAD.replace("draws", "option shields off\ndraws") + "red: draw E\n", "U")
    hand.page.locator(".tab.rules").click()
    assert "Shields count for nothing." in hand.page.locator(".panel .told").inner_text()


def test_house_rules_are_set_up_on_a_phone(visit: Visit) -> None:
    hand = visit(**PHONE)
    hand.page.get_by_text("Set up a table").tap()
    hand.page.locator("form details summary").get_by_text("House rules").tap()
    shields = hand.page.get_by_label("Shields")
    shields.scroll_into_view_if_needed()
    assert_in_window(hand, "#h-shields")
    rows = hand.page.locator(".rule")
    assert rows.count() > 5
    assert all(row.locator("small").inner_text() for row in rows.all())  # a sentence each
    hand.page.get_by_text("Switched off: Shields count for nothing.").wait_for()
    shields.tap()
    hand.page.get_by_text("Shields count for nothing.", exact=True).first.wait_for()
    assert hand.page.locator("form details summary b").inner_text() == "1"
    assert hand.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for row in hand.page.locator(".rule").all():
        assert row.evaluate("one => one.scrollWidth <= one.clientWidth"), row.inner_text()


def test_numbers_in_holes_come_when_asked_and_are_explained_once(visit: Visit) -> None:
    hand = opened(visit, HEAD + "red: draw E\n", "U")
    assert hand.page.locator(".m-fits").count() == 0
    hand.page.keyboard.press("h")
    hand.page.get_by_text("A number in a hole").wait_for()
    hand.page.locator(".m-fits").first.wait_for()
    assert_same_place(box(hand, ".m-fits"), box(hand, "#board"))
    hand.page.get_by_role("button", name="I see").click()
    hand.page.reload()
    hand.asked()
    hand.page.locator(".m-fits").first.wait_for()
    assert hand.page.get_by_text("A number in a hole").count() == 0
