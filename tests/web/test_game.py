"""Whole games through the page."""

from __future__ import annotations

import re
from collections.abc import Callable

from tests.web.conftest import Server
from tests.web.hand import Hand

Visit = Callable[..., Hand]


def test_three_clicks_from_the_lobby_to_the_first_move(visit: Visit) -> None:
    hand = visit(viewport={"width": 1280, "height": 800})
    button = hand.page.get_by_role("button", name="Play now")
    assert "Base game, against Bernard." in button.inner_text()
    seen = button.bounding_box()
    assert seen["y"] + seen["height"] < 800
    button.click()
    assert hand.asked() == "place"
    hand.point(hand.targets()[0])
    hand.press("#confirm")
    assert any(action.startswith("place ") for action in hand.log())


def test_a_whole_game_against_the_computer(visit: Visit) -> None:
    hand = visit(None)
    hand.page.goto(hand.short_game())
    while hand.asked() != "over":
        hand.answer()
    assert hand.page.locator(".final h2").inner_text() == "Final scoring"
    while hand.page.get_by_role("button", name="Next").count():
        hand.page.get_by_role("button", name="Next").click()
    total = hand.page.locator(".final tfoot td").all_inner_texts()
    table = hand.page.url.split("/table/")[1]
    state = hand.api("GET", f"/api/tables/{table}/state")
    assert [int(points) for points in total] == state["game"]["outcome"]["scores"]
    for seat in range(2):  # the table by source adds up to the result
        column = hand.page.locator(f".final tbody td:nth-child({seat + 2})").all_inner_texts()
        assert sum(int(points or 0) for points in column) == state["game"]["outcome"]["scores"][seat]


def test_alone_with_a_small_deck_one_reads_what_the_computer_made_of_it(visit: Visit) -> None:
    """HOUSE-2: set up for one player in the page; tiles D, U and A only, so that it is short."""
    hand = visit()
    hand.page.get_by_text("Set up a table").click()
    hand.page.get_by_role("button", name="Remove seat 2").click()
    assert not hand.page.get_by_role("button", name="Remove seat").count()
    hand.page.get_by_text(re.compile(r"tiles, 1 player$")).first.wait_for()
    few = "+".join(f"{name}=0" for name in "BCEFGHIJKLMNOPQRSTVWX")
    wish = {"seats": [{"kind": "human", "name": "Ann"}], "options": {"tile_counts": few}}
    hand.page.goto(hand.api("POST", "/api/tables", data=wish)["link"])
    while hand.asked() != "over":
        hand.answer()
    while hand.page.get_by_role("button", name="Next").count():
        hand.page.get_by_role("button", name="Next").click()
    points = hand.state()["game"]["scores"][0]
    assert hand.page.locator(".final .winner").inner_text() == f"{points} points"
    told = hand.page.get_by_text("with the same tiles.").inner_text()
    assert re.fullmatch(r"The computer made [1-9]\d* with the same tiles\.", told)


def test_two_browsers_by_link_with_a_reload_and_a_restart_of_the_server(visit: Visit, server: Server) -> None:
    """A short game from the invitation to its end."""
    host = visit(None)
    seats = [{"kind": "human", "name": "Ann"}, {"kind": "open"}]
    draws = ["U", "V", "E", "U", "V", "B"]
    host.page.goto(host.api("POST", "/api/tables", data={"seats": seats, "draws": draws})["link"])
    guest = visit(host.page.get_by_label("Send this link to whoever should play:").input_value())
    guest.page.get_by_label("Your name").fill("Bob the Great")
    guest.page.keyboard.press("Enter")
    host.at_the_table()
    host.page.locator(".players").get_by_text("Bob the Great").first.wait_for()
    host.may_lose_the_server = guest.may_lose_the_server = True

    turn = 0
    while (seat := host.state()["game"]["decides"]) >= 0:
        hand = (host, guest)[seat]
        hand.asked()
        hand.answer()
        turn += 1
        if turn == 4:
            host.page.reload()
            host.at_the_table()
        if turn == 7:
            server.stop()
            for hand in (host, guest):
                hand.page.get_by_text("Connection lost").wait_for()
            server.start()
            for hand in (host, guest):
                hand.page.get_by_text("Connection lost").wait_for(state="detached")
    assert [hand.asked() for hand in (host, guest)] == ["over", "over"]
    assert host.played() == guest.played()
    assert sum(": place " in line for line in host.played()) == len(draws)
    assert {line.partition(": ")[0] for line in host.played()} == {"Ann", "Bob the Great"}


def test_undo_puts_the_tile_back(visit: Visit) -> None:
    hand = visit()
    hand.page.get_by_role("button", name="Play: Base game").click()
    assert hand.asked() == "place"
    lit = hand.targets()
    hand.answer()
    hand.press("button:has-text('Undo')")
    assert hand.asked() == "place"
    assert hand.targets() == lit


def test_two_windows_of_one_seat_show_the_same(visit: Visit) -> None:
    hand = visit()
    hand.page.get_by_role("button", name="Play: Base game").click()
    hand.asked()
    other = hand.context.new_page()
    other.goto(hand.page.url)
    other.wait_for_selector(".play")
    hand.answer()
    other.wait_for_selector(f'.play[data-seq="{hand.seq}"]')
