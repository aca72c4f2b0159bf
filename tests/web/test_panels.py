"""Aids, log, rules, replay, sharing: what is around the board."""

from __future__ import annotations

from collections.abc import Callable

from tests.web.boards import position
from tests.web.hand import Hand

Visit = Callable[..., Hand]
CITY = "bastide 1\nplayers red blue\ndraws scripted\n\nred: draw E; place E 0,-1 180\n"


def at_a_city(visit: Visit, *draws: str) -> Hand:
    """Red is about to close a city of two tiles."""
    hand = visit(None)
    hand.open_record(CITY, list(draws))
    hand.asked()
    return hand


def test_a_spot_tells_what_it_would_score(visit: Visit) -> None:
    hand = at_a_city(visit, "U")
    assert hand.page.locator('[data-target="0,-1 city S"] text').text_content() == "+4"
    hand.point("0,-1 city S")
    assert "+4 now" in hand.page.locator(".ask").inner_text()


def test_a_spot_promised_points_that_come_anyhow(visit: Visit) -> None:
    """The tile closes the road of a robber: 4 points, with another follower or without."""
    hand = visit(None)
    head = "bastide 1\nplayers red blue\ndraws scripted\n\nred: draw U; place U 1,0 0; deploy follower 1,0 road E\n"
    hand.open_record(head + "blue: draw X; place X 2,0 0; pass\nred: draw X; place X -1,0 0\n", ["U"])
    assert hand.asked() == "spot"
    assert len(hand.targets()) == 7  # three roads, four fields
    assert hand.page.locator(".m-figure").count() == 7
    assert hand.page.locator(".m-gain").count() == 0
    hand.press("#pass")
    hand.page.get_by_text("red +4: road").wait_for()


def test_cells_were_named_though_their_names_were_switched_off(visit: Visit) -> None:
    hand = at_a_city(visit, "U")
    hand.play("deploy follower 0,-1 city S")
    hand.asked()
    target = hand.targets()[0]
    hand.point(target)
    told = hand.page.locator(".ask .sub")
    assert told.inner_text().startswith("fits here in 1 way")
    assert hand.page.locator(".m-numbers").count() == 0
    hand.page.get_by_role("button", name="Coordinates").click()
    hand.page.locator(".m-numbers").wait_for(state="attached")
    assert f"lay at {target}" in told.inner_text()


def test_a_score_unfolds_to_its_sum_its_tiles_and_its_rule(visit: Visit) -> None:
    hand = at_a_city(visit, "U")
    hand.play("deploy follower 0,-1 city S")
    hand.page.get_by_text("red +4: city").click()
    assert "2 × 2" in hand.page.locator("details[open]").inner_text()
    hand.page.wait_for_selector('.m-lit[data-cells="2"]', state="attached")
    hand.page.locator("details[open]").get_by_role("button", name="BASE-14").click()
    hand.page.locator(".panel").get_by_text("A city is complete when walls close it all round").wait_for()


def test_a_long_log_brings_what_came_before_on_demand(visit: Visit) -> None:
    hand = visit(None)
    hand.open_record(position(150, preset="everything"), [])
    hand.asked()
    hand.page.get_by_role("button", name="Coordinates").click()  # now the log names the cells
    entries = hand.page.locator(".log > li")
    last, few = entries.last.inner_text(), entries.count()
    hidden = len(hand.log()) - 60
    hand.page.get_by_role("button", name=f"Show what came before ({hidden})").click()
    hand.page.get_by_role("button", name="Show what came before").wait_for(state="detached")
    assert entries.count() > few
    assert entries.last.inner_text() == last
    first = next(entry for entry in hand.state()["game"]["log"] if entry["action"].startswith("place "))
    assert "lays a tile at {},{}".format(*first["events"][0]["cell"]) in str(entries.first.text_content())


def test_rules_can_be_searched(visit: Visit) -> None:
    hand = at_a_city(visit, "U")
    hand.page.get_by_role("navigation").get_by_role("button", name="Rules").click()
    hand.page.get_by_label("Search the rules").fill("shares at least one side")
    hand.page.get_by_text("1 rule", exact=True).wait_for()
    assert hand.page.locator("dt").all_inner_texts() == ["BASE-6"]


def test_the_prompt_leads_to_its_rules(visit: Visit) -> None:
    hand = at_a_city(visit, "U")
    hand.page.locator(".ask").get_by_role("button", name="Rules").click()
    hand.page.get_by_text("2 rules", exact=True).wait_for()
    assert hand.page.locator("dt").all_inner_texts() == ["BASE-9", "BASE-10"]


def test_field_view_and_regions(visit: Visit) -> None:
    hand = at_a_city(visit, "U")
    hand.page.get_by_role("button", name="Field view").click()
    hand.page.wait_for_selector(".m-field")
    hand.page.get_by_role("button", name="Field view").click()
    hand.page.wait_for_selector(".m-field", state="detached")
    box = hand.page.locator(".m-last").bounding_box()  # the tile laid last; the start tile lies to the south of it
    assert box
    hand.page.mouse.click(box["x"] + box["width"] * 0.2, box["y"] + box["height"] * 1.9)
    hand.page.get_by_text("field: 1 tile").wait_for()


def test_remaining_tiles_holes_and_why_not(visit: Visit) -> None:
    hand = visit()
    hand.page.get_by_role("button", name="Play: Base game").click()
    assert hand.asked() == "place"
    hand.page.get_by_role("navigation").get_by_role("button", name="Tiles").click()
    hand.page.locator(".panel .count").first.wait_for()
    counts = hand.page.locator(".panel .count").all_inner_texts()
    assert sum(map(int, counts)) == 70  # 72 tiles, less the start tile and the one in hand
    hand.page.keyboard.press("h")
    hand.page.wait_for_selector(".m-fits")


def test_aids_are_off_at_a_tournament(visit: Visit) -> None:
    hand = visit()
    hand.page.get_by_role("button", name="Play: Tournament").click()
    assert hand.asked() == "place"
    hand.page.keyboard.press("h")
    assert hand.page.locator(".m-fits").count() == 0
    assert hand.page.get_by_role("button", name="Field view").count() == 0
    hand.page.get_by_role("navigation").get_by_role("button", name="Tiles").click()
    hand.page.get_by_text("Aids are switched off at this table.").wait_for()
    assert hand.page.get_by_role("timer").count() > 0


def test_a_discarded_tile_is_loud(visit: Visit) -> None:
    """Nothing but roads is open, and a city all round is drawn."""
    hand = visit(None)
    record = "bastide 1\nplayers red blue\nstart X 0,0 0\ndraws scripted\n\n"
    hand.open_record(record + "red: draw X; place X 1,0 0; pass\n", ["C", "X"])
    assert hand.asked() == "choice"
    assert "The tile fits nowhere" in hand.page.locator(".ask").inner_text()
    hand.press('[data-action="discard C"]')
    hand.page.get_by_text("Nobody could lay this tile.").wait_for()
    assert hand.asked() == "place"
    hand.page.get_by_role("navigation").get_by_role("button", name="Tiles").click()
    assert hand.page.get_by_role("heading", name="Discarded").is_visible()


def test_replay_with_slider_and_keys_and_a_shared_puzzle(visit: Visit) -> None:
    hand = at_a_city(visit, "U", "V")
    hand.play("deploy follower 0,-1 city S")
    while hand.asked() != "over":
        hand.answer()
    table = hand.page.url.split("/table/")[1]
    hand.page.goto(f"/table/{table}?at=0")
    hand.page.get_by_text("Step 0 of").wait_for()
    hand.page.keyboard.press("ArrowRight")
    hand.page.get_by_text("Step 1 of").wait_for()
    assert hand.page.url.endswith("?at=1")
    hand.page.keyboard.press("End")
    hand.page.get_by_text("The game is over").first.wait_for()
    hand.page.keyboard.press("Home")
    for _ in range(3):
        hand.page.keyboard.press("ArrowRight")

    hand.page.get_by_role("button", name="Share").click()
    hand.page.get_by_label("Title").fill("Two tiles")
    hand.page.get_by_label("The next draws").fill("2")
    hand.page.get_by_label("What should be reached").fill("Four points")
    hand.page.get_by_role("button", name="Make the link").click()
    link = hand.page.get_by_label("Puzzle", exact=True).input_value()

    guest = visit(link)
    guest.page.get_by_text("Goal: Four points").wait_for()
    guest.page.get_by_role("button", name="Play", exact=True).click()
    assert guest.asked() in ("place", "spot")


def test_chat_reaches_the_other_window(visit: Visit) -> None:
    hand = at_a_city(visit, "U")
    watcher = visit(hand.page.url.removeprefix(hand.home))
    hand.page.get_by_role("navigation").get_by_role("button", name="Chat").click()
    hand.page.get_by_label("Say something").fill("gl <b>hf</b>")
    hand.page.get_by_role("button", name="Send").click()
    watcher.page.get_by_role("navigation").get_by_role("button", name="Chat").click()
    watcher.page.get_by_text("gl <b>hf</b>").wait_for()
    assert "You are watching" in watcher.page.locator(".ask").inner_text()
