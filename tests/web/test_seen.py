"""What a person sees: the button is in the window, the board has its room, the words are there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.web.boards import position
from tests.web.conftest import PHONE
from tests.web.hand import Hand

Visit = Callable[..., Hand]
HEAD = "bastide 1\nplayers red blue\ndraws scripted\n\n"
CITY = HEAD + "red: draw E; place E 0,-1 180\n"
SIDEWAYS: dict[str, Any] = {**PHONE, "viewport": {"width": 740, "height": 360}}


def opened(visit: Visit, record: str, *draws: str, **context: Any) -> Hand:
    hand = visit(None, **context)
    hand.open_record(record, list(draws))
    hand.asked()
    return hand


def box(hand: Hand, selector: str) -> dict[str, float]:
    found = hand.page.locator(selector).last.bounding_box()
    assert found, selector
    return dict(found)


def assert_in_window(hand: Hand, selector: str) -> None:
    """All of it can be seen without scrolling, and nothing lies over its middle."""
    size = hand.page.viewport_size
    found = box(hand, selector)
    assert min(found["x"], found["y"]) >= 0, (selector, found)
    assert found["x"] + found["width"] <= size["width"] + 1, (selector, found)
    assert found["y"] + found["height"] <= size["height"] + 1, (selector, found)
    covered = hand.page.locator(selector).last.evaluate(
        "one => { const b = one.getBoundingClientRect();"
        " const top = document.elementFromPoint(b.x + b.width / 2, b.y + b.height / 2);"
        " return !(one.contains(top) || top?.contains(one)) }"
    )
    assert not covered, f"something lies over {selector}"


def assert_same_place(one: dict[str, float], other: dict[str, float]) -> None:
    for axis, length in (("x", "width"), ("y", "height")):
        middle = one[axis] + one[length] / 2
        assert other[axis] < middle < other[axis] + other[length], (one, other)


def test_a_phone_held_sideways(visit: Visit) -> None:
    hand = opened(visit, HEAD + "red: draw E\n", "U", "V", **SIDEWAYS)
    board = box(hand, "#board")
    assert board["height"] > 280
    assert board["width"] > 440
    for tool in ("Whole board", "Field view", "Holes", "Coordinates"):
        assert_in_window(hand, f'.tools [aria-label="{tool}"]')
    hand.point("0,-1")
    assert_in_window(hand, "#confirm")
    for tab in ("players", "log", "tiles", "rules", "chat"):
        assert_in_window(hand, f".tab.{tab}")
    hand.press("#confirm")
    assert_in_window(hand, "#pass")
    hand.page.locator(".tab.log").click()
    hand.page.locator(".panel").get_by_role("button", name="Close").click()
    assert not hand.page.locator(".panel").is_visible()


def test_buttons_were_below_the_rim_of_a_phone_held_sideways(visit: Visit) -> None:
    """The scores of three players need two rows; the buttons stay in sight all the same, in the longer language."""
    record = "bastide 1\nplayers red blue green\ndraws scripted\n\nred: draw E\n"
    hand = opened(visit, record, **{**SIDEWAYS, "locale": "fr-FR"})
    hand.point("0,-1")
    assert_in_window(hand, "#confirm")
    hand.press("#confirm")
    assert hand.asked() == "spot"
    for button in ("#pass", ".undo"):
        assert_in_window(hand, button)
    hand.play("deploy follower 0,-1 field NL")
    assert hand.asked() == "over"
    for name in ("Suivant", "Au résultat"):
        assert_in_window(hand, f".final .steps button:has-text('{name}')")


def test_the_page_was_wider_than_a_phone_where_something_can_be_undone(visit: Visit) -> None:
    hand = opened(visit, HEAD + "red: draw E\n", "U", **PHONE)
    hand.play("place E 0,-1 180")
    assert hand.asked() == "spot"
    assert_in_window(hand, ".undo")
    assert hand.page.evaluate("[innerWidth, document.documentElement.scrollWidth]") == [360, 360]


def test_four_players_with_clocks_on_a_phone(visit: Visit) -> None:
    hand = visit(None, **PHONE)
    names = ("Ann", "Bob the Great", "Christophe", "Di")
    seats = [{"kind": "human", "name": name} for name in names]
    clock = {"kind": "sudden", "seconds": 900}
    hand.page.goto(hand.api("POST", "/api/tables", data={"seats": seats, "clock": clock})["link"])
    hand.asked()
    for number, name in enumerate(names, 1):
        one = f".strip li:nth-child({number})"
        for part in ("", " .name", " strong", " .clock"):
            assert_in_window(hand, one + part)
        assert hand.page.locator(f"{one} .name").inner_text() == name
        assert hand.page.locator(f"{one} strong").inner_text() == "0"
    assert box(hand, "#board")["height"] > 350


def test_who_is_asked_was_out_of_sight_among_eight_on_a_phone(visit: Visit) -> None:
    """Three players lay their tiles one after the other; each of them is seen while it is his turn."""
    hand = visit(None, **PHONE)
    hand.open_record(position(5, players=8), [])
    for number in (5, 6, 7):
        hand.page.locator(f".strip li:nth-child({number}).turn").wait_for()
        hand.asked()
        for part in (".name", "strong"):
            assert_in_window(hand, f".strip li.turn {part}")
        while hand.page.locator(f".strip li:nth-child({number}).turn").count():
            hand.asked()
            hand.answer()


def test_numbers_in_holes_tell_what_they_mean(visit: Visit) -> None:
    hand = opened(visit, HEAD + "red: draw E\n", "U")
    hand.page.keyboard.press("h")
    words = hand.page.locator(".m-cell title").first.text_content()
    assert "tiles fit at" in words


def test_a_puzzle_from_an_ordinary_game(visit: Visit) -> None:
    """A game that nobody scripted is played to its end; four of its tiles, from the middle on, become a puzzle."""
    few = "+".join([*(f"{kind}=0" for kind in "ABCFGHIJKLMNOPQRSTWX"), "D=2", "E=3", "U=2", "V=2"])
    seats = [{"kind": "human", "name": "Ann"}, {"kind": "human", "name": "Bob"}]
    hand = visit(None)
    hand.page.goto(hand.api("POST", "/api/tables", data={"seats": seats, "options": {"tile_counts": few}})["link"])
    while hand.asked() != "over":
        hand.answer()
    log = hand.log()
    third = [n for n, action in enumerate(log) if action.startswith("draw ")][2]
    draws = [action for action in log[third:] if action.startswith("draw ")][:4]
    assert len(draws) == 4

    hand.page.goto(f"{hand.page.url}?at={third}")  # so many actions were done
    hand.page.get_by_role("button", name="Share").click()
    hand.page.get_by_label("The next draws").fill("4")
    hand.page.get_by_role("button", name="Make the link").click()
    link = hand.page.get_by_label("Puzzle", exact=True).input_value()
    guest = visit(link.removeprefix(hand.home))
    guest.page.get_by_text("4 tiles will be drawn, then the game ends.").wait_for()
    guest.page.get_by_role("button", name="Play", exact=True).click()
    for draw in draws:
        assert guest.asked() == "place"
        tile = guest.page.locator(".ask .tile use")
        assert str(tile.get_attribute("href")).endswith(f"t-{draw.removeprefix('draw ')}")
        guest.answer()
        while guest.asked() == "spot":
            guest.answer()
    assert guest.asked() == "over"
    assert [action for action in guest.log() if action.startswith("draw ")][-4:] == draws


def test_the_same_file_can_be_chosen_again_once_it_is_mended(visit: Visit, tmp_path: Path) -> None:
    hand = visit()
    hand.page.get_by_text("Go on from a record").click()
    file = tmp_path / "game.txt"
    for text in ("bastide 1\nwrong", "bastide 1\nright"):
        file.write_text(text)
        hand.page.locator("input[type=file]").set_input_files(file)
        hand.page.wait_for_function(f"() => document.querySelector('textarea').value.endsWith({text[-5:]!r})")


def test_the_focus_comes_back_from_a_dialog_and_keys_are_listed(visit: Visit) -> None:
    hand = opened(visit, CITY, "U")
    hand.page.keyboard.press("?")
    hand.page.get_by_role("dialog", name="Keys").get_by_text("all legal moves as a list").wait_for()
    hand.page.keyboard.press("Escape")
    hand.page.wait_for_function("() => document.activeElement.id === 'board'")
    for name in ("Settings", "Menu", "All moves"):
        button = hand.page.get_by_role("button", name=name)
        button.focus()
        hand.page.keyboard.press("Enter")
        hand.page.get_by_role("dialog").wait_for()
        hand.page.keyboard.press("Escape")
        hand.page.get_by_role("dialog").wait_for(state="detached")
        assert button.evaluate("one => one === document.activeElement"), name


def test_the_tile_lies_where_one_clicked_dragged_or_pressed_enter(visit: Visit) -> None:
    hand = opened(visit, HEAD + "red: draw E\n", "U", "V", "E")
    hand.page.keyboard.press("-")  # from now on the window stays where it is
    hand.page.wait_for_timeout(400)
    hand.point("0,-1")
    clicked = box(hand, '.m-cell[data-target="0,-1"]')
    hand.press("#confirm")
    assert_same_place(box(hand, ".m-last"), clicked)
    assert hand.page.evaluate("document.activeElement.tagName") in ("BODY", "DIV")
    before = hand.seq
    hand.page.keyboard.press("p")  # though a button, now gone, had the focus
    hand.page.wait_for_selector(f'.play:not([data-seq="{before}"])')

    assert hand.asked() == "place"  # dragged: a ghost goes along, the tile is shown where it is dropped
    tile, goal = box(hand, ".ask .tile"), box(hand, f'.m-cell[data-target="{hand.targets()[-1]}"]')
    hand.page.mouse.move(tile["x"] + 20, tile["y"] + 20)
    hand.page.mouse.down()
    hand.page.mouse.move(tile["x"] + 40, tile["y"] - 40, steps=2)
    assert hand.page.locator(".ghost").is_visible()
    hand.page.mouse.move(goal["x"] + goal["width"] / 2, goal["y"] + goal["height"] / 2, steps=4)
    hand.page.mouse.up()
    assert hand.page.locator(".ghost").count() == 0
    assert_same_place(box(hand, ".m-preview"), goal)
    hand.page.locator(".players").first.click()  # the focus is anywhere
    before = hand.seq
    hand.page.keyboard.press("Enter")
    hand.page.wait_for_selector(f'.play:not([data-seq="{before}"])')
    assert_same_place(box(hand, ".m-last"), goal)


def test_the_light_of_a_score_ends_with_the_next_tile(visit: Visit) -> None:
    hand = opened(visit, CITY, "U", "V")
    hand.play("deploy follower 0,-1 city S")
    hand.page.get_by_text("red +4: city").click()
    hand.page.wait_for_selector(".m-lit", state="attached")
    hand.asked()
    hand.answer()
    hand.page.wait_for_selector(".m-lit", state="detached")
    assert hand.page.locator("details[open]").count() == 0


UNDER_SOMETHING = """() => [...document.querySelectorAll('[data-target]')].filter((spot) => {
  const {x, y, width, height} = spot.getBoundingClientRect();
  return !document.elementFromPoint(x + width / 2, y + height / 2)?.closest('[data-target]');
}).map((spot) => spot.dataset.target)"""


def test_a_spot_lay_under_the_buttons_of_the_board(visit: Visit) -> None:
    """A finger comes to every spot, also where a tile in the east and the wheel are shown at once."""
    hand = visit(None, **PHONE)
    hand.open_record(position(-1, modules=("wheel_of_fortune",)), [])
    while hand.asked() != "spot":
        hand.answer()
    assert "crown taxes" in hand.targets()
    assert hand.page.evaluate(UNDER_SOMETHING) == []
