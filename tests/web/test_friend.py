"""Play with a friend: three taps on each side. Open tables are found in the lobby."""

from __future__ import annotations

import re
from collections.abc import Callable

from tests.web.hand import Hand
from tests.web.test_learn import SHOWN
from tests.web.test_seen import assert_in_window

Visit = Callable[..., Hand]


def test_three_taps_on_each_side_to_a_running_game(visit: Visit) -> None:
    host = visit(**SHOWN["phone"])
    host.page.evaluate("navigator.share = (what) => (window.sent = what, Promise.resolve())")
    assert_in_window(host, 'button:has-text("Play with a friend")')
    host.page.get_by_role("button", name="Play with a friend").tap()
    host.page.get_by_role("dialog").get_by_role("button", name="Base game").tap()
    host.page.get_by_role("button", name="Send the link").tap()
    sent = host.page.evaluate("window.sent")
    assert sent["text"] == "Let us play: Base game"
    assert host.page.get_by_role("img", name="The link as a code to scan").is_visible()
    assert host.page.get_by_text("The game begins by itself as soon as everybody is there.").is_visible()

    friend = visit(sent["url"], **SHOWN["phone"])  # a tap on the link
    friend.page.get_by_role("heading", name="A seat is free at this table").wait_for()
    assert "Base game" in friend.page.locator(".told").inner_text()
    friend.page.get_by_role("button", name="Take a seat").tap()
    host.at_the_table()
    friend.at_the_table()
    first, second = (host, friend) if host.state()["game"]["decides"] == 0 else (friend, host)
    assert first.asked() == "place"
    first.point(first.targets()[0])
    first.press("#confirm")
    assert second.page.locator(".prompt").inner_text()
    assert first.page.locator("#board").get_attribute("aria-label") == second.page.locator("#board").get_attribute(
        "aria-label"
    )


def test_the_guest_reads_who_invites(visit: Visit) -> None:
    host = visit()
    host.page.get_by_role("button", name="Play with a friend").click()
    host.page.get_by_role("dialog").get_by_label("Your name").fill("Ann")
    host.page.get_by_role("dialog").get_by_role("button", name="Hunters").click()
    link = host.page.get_by_label("Send this link to whoever should play:").input_value()
    friend = visit(link, locale="fr-FR")
    friend.page.get_by_role("heading", name="Ann vous invite à jouer").wait_for()
    assert "Chasseurs" in friend.page.locator(".told").inner_text()


def test_the_computer_sits_down_where_nobody_comes(visit: Visit) -> None:
    host = visit()
    host.page.get_by_role("button", name="Play with a friend").click()
    host.page.get_by_role("dialog").get_by_role("button", name="Base game").click()
    host.page.get_by_role("button", name=re.compile("Fill the free seat with the computer")).click()
    assert host.asked() == "place"
    assert "Bernard" in host.page.locator(".players").first.inner_text()


def test_an_open_table_appears_in_the_lobby_of_others_and_goes_again(visit: Visit) -> None:
    stranger = visit()
    stranger.page.wait_for_selector("article button")
    assert not stranger.page.get_by_role("heading", name="Open tables").count()
    host = visit()
    host.page.get_by_role("button", name="Play with a friend").click()
    host.page.get_by_role("dialog").get_by_label("Your name").fill("Ann")
    host.page.get_by_label("Anybody may join").check()
    host.page.get_by_role("dialog").get_by_role("button", name="Base game").click()
    row = stranger.page.locator("section:has(#public) li")
    row.get_by_text("Ann").wait_for()  # by itself
    row.get_by_role("link", name="Take a seat").click()
    stranger.page.get_by_role("heading", name="Ann invites you to play").wait_for()
    stranger.page.get_by_role("button", name="Take a seat").click()
    host.at_the_table()
    stranger.at_the_table()
    third = visit()
    third.page.locator("section:has(#public) li").get_by_role("link", name="Watch").click()
    third.at_the_table()
    third.page.locator(".ask").get_by_text("You are watching").wait_for()
