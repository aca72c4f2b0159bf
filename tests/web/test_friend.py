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


def test_a_new_link_opens_the_seat_and_the_old_one_no_more(visit: Visit) -> None:
    owner = visit()
    owner.page.get_by_role("button", name="Play: Base game").click()
    owner.asked()
    owner.page.get_by_role("button", name="Menu").click()
    menu = owner.page.get_by_role("dialog")
    own = menu.get_by_label("Your own link, to come back from another machine:")
    old = own.input_value()
    other = visit(old)
    assert other.asked() == "place"  # the seat is there too
    menu.get_by_text("Then the old link opens the seat no more, and other devices lose it.").wait_for()
    menu.get_by_role("button", name="New link").click()
    menu.get_by_text("The old link opens the seat no more. This is the new one.").wait_for()
    new = own.input_value()
    assert new != old
    other.page.locator(".ask").get_by_text("You are watching").wait_for()  # by itself

    late = visit(old)
    late.page.get_by_role("alert").get_by_text("This seat is not yours, or the link is wrong.").wait_for()
    late.page.locator(".ask").get_by_text("You are watching").wait_for()
    assert not late.targets()
    assert len(late.faults) == 1
    assert "401" in late.faults.pop()
    phone = visit(new, locale="fr-FR", **SHOWN["phone"])
    assert phone.asked() == "place"
    assert phone.targets()
    phone.page.get_by_role("button", name="Menu").tap()
    phone.page.get_by_text("L’ancien lien n’ouvrira plus la place, et les autres appareils la perdront.").wait_for()
    assert_in_window(phone, 'button:has-text("Nouveau lien")')
    owner.page.keyboard.press("Escape")
    assert owner.asked() == "place"  # whoever asked for it keeps the seat
