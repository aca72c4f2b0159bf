"""Whole games through the page."""

from __future__ import annotations

from collections.abc import Callable

from tests.web.conftest import Server
from tests.web.hand import Hand

Visit = Callable[..., Hand]


def test_three_clicks_from_the_lobby_to_the_first_move(visit: Visit) -> None:
    hand = visit()
    hand.page.get_by_role("button", name="Play: Base game").click()
    assert hand.asked() == "place"
    hand.point(hand.targets()[0])
    hand.press("#confirm")
    assert any(action.startswith("place ") for action in hand.log())


def test_a_whole_game_against_the_computer(visit: Visit) -> None:
    hand = visit()
    hand.page.get_by_role("button", name="Play: Base game").click()
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


def test_two_browsers_by_link_with_a_reload_and_a_restart_of_the_server(visit: Visit, server: Server) -> None:
    host = visit()
    host.may_lose_the_server = True
    made = host.api("POST", "/api/tables", data={"seats": [{"kind": "human", "name": "Ann"}, {"kind": "open"}]})
    host.page.goto(made["link"])
    invitation = host.page.get_by_label("Send this link to whoever should play:").input_value()
    guest = visit(invitation)
    guest.may_lose_the_server = True
    guest.page.get_by_label("Your name").fill("Bob")
    guest.page.get_by_role("button", name="Take a seat").click()

    for turn in range(4):
        hand = (host, guest)[turn % 2]
        while hand.asked() == "place" or "pass" not in hand.log()[-3:]:
            hand.answer()
            if hand.page.get_attribute(".play", "data-asked") == "":
                break
        if turn == 1:
            host.page.reload()
            host.at_the_table()
        if turn == 2:
            server.stop()
            host.page.get_by_text("Connection lost").wait_for()
            server.start()
            host.page.get_by_text("Connection lost").wait_for(state="detached")
            guest.page.get_by_text("Connection lost").wait_for(state="detached")
    assert host.log() == guest.log()
    assert sum(action.startswith("place ") for action in host.log()) >= 4


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
