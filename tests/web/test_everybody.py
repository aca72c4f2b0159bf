"""The page for everybody: phone, keyboard alone, French, screen readers, without the server."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import bastide.rules.texts
from tests.web.conftest import PHONE, Server
from tests.web.hand import Hand

Visit = Callable[..., Hand]
AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
LOOKS: dict[str, dict[str, Any]] = {
    "day": {"color_scheme": "light", "contrast": "no-preference"},
    "night": {"color_scheme": "dark", "contrast": "no-preference"},
    "contrast": {"color_scheme": "light", "contrast": "more"},
}
SHORT = "bastide 1\nplayers red blue\ndraws scripted\n\nred: draw E; place E 0,-1 180; deploy follower 0,-1 city S\n"


def test_phone_with_touch(visit: Visit) -> None:
    hand = visit(**PHONE)
    hand.page.get_by_role("button", name="Play: Base game").tap()
    for _ in range(4):
        assert hand.asked() != "over"  # place a tile, a piece, or only go on
        hand.answer()
    wide = hand.page.evaluate("document.documentElement.scrollWidth")
    assert wide == 360, "nothing sticks out to the right"
    small = hand.page.locator("button:visible").evaluate_all(
        "all => all.filter(one => !one.classList.contains('link') && !one.classList.contains('small'))"
        ".filter(one => one.getBoundingClientRect().height < 44).map(one => one.outerHTML)"
    )
    assert small == []


def test_pinching_zooms_and_dragging_pans(visit: Visit) -> None:
    hand = visit(**PHONE)
    hand.page.get_by_role("button", name="Play: Base game").tap()
    hand.asked()
    place = "document.querySelector('.world').getBoundingClientRect()"
    before = hand.page.evaluate(f"({{x: {place}.x, width: {place}.width}})")
    box = hand.page.locator("#board").bounding_box()
    assert box
    x, y = box["x"] + 150, box["y"] + 200
    fingers = hand.context.new_cdp_session(hand.page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        sent = [{"x": px, "y": py, "id": i} for i, (px, py) in enumerate(points)]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": sent})

    touch("touchStart", (x - 20, y), (x + 20, y))
    for step in range(1, 6):
        touch("touchMove", (x - 20 - 8 * step, y), (x + 20 + 8 * step, y))
    touch("touchEnd")
    hand.page.wait_for_function(f"() => {place}.width > {before['width'] * 1.5}")


def test_a_whole_game_with_the_keyboard_alone(visit: Visit) -> None:
    """From the lobby to the first question, and a game with a short deck to its result; no mouse, no touch."""
    hand = visit()
    hand.page.wait_for_selector("article button")
    tab_to(hand, "document.activeElement.ariaLabel === 'Play: Base game'")
    hand.page.keyboard.press("Enter")
    hand.asked()
    hand.page.goto(hand.short_game())
    tab_to(hand, "document.activeElement.id === 'board'")
    while hand.asked() != "over":
        before = hand.seq
        if hand.targets():
            hand.page.keyboard.press("ArrowRight")
            hand.page.wait_for_selector("#confirm")
            hand.page.keyboard.press("r")  # turns the tile, or brings the next piece
            hand.page.keyboard.press("Enter")
        else:
            hand.page.keyboard.press("p" if hand.page.locator("#pass").count() else "d")  # d: the tile fits nowhere
        hand.page.wait_for_selector(f'.play:not([data-seq="{before}"])')
    tab_to(hand, "document.activeElement.textContent.trim() === 'To the result'")
    hand.page.keyboard.press("Enter")
    hand.page.locator(".final tfoot").wait_for()


def tab_to(hand: Hand, there: str) -> None:
    """Presses Tab until the focus is there."""
    for _ in range(80):
        hand.page.keyboard.press("Tab")
        if hand.page.evaluate(there):
            return
    raise AssertionError(f"Tab never came to where {there}")


def test_the_list_of_moves_plays_too(visit: Visit) -> None:
    hand = visit(None)
    hand.open_record(SHORT, ["U", "V"])
    hand.asked()
    hand.page.locator("#board").focus()
    hand.page.keyboard.press("l")
    moves = hand.page.get_by_role("dialog").get_by_role("listitem").get_by_role("button")
    assert moves.first.inner_text().startswith("lay at ")
    before = hand.seq
    moves.first.click()
    hand.page.wait_for_selector(f'.play:not([data-seq="{before}"])')


def test_a_screen_reader_hears_turn_tile_and_scores(visit: Visit) -> None:
    hand = visit(None)
    hand.open_record("bastide 1\nplayers red blue\ndraws scripted\n\nred: draw E; place E 0,-1 180\n", ["U", "V"])
    hand.asked()
    hand.play("deploy follower 0,-1 city S")
    hand.page.wait_for_function(
        "() => document.querySelector('#news').textContent.includes('red scores 4 for city, 4 in all')"
    )
    heard = hand.page.locator("#news").text_content()
    assert "Your turn." in heard
    assert "The tile: tile with road" in heard
    hand.page.locator("#board").focus()
    hand.page.keyboard.press("ArrowRight")
    hand.page.wait_for_function(
        "() => [...document.querySelectorAll('[aria-live]')].some(one => one.textContent.includes('lay at'))"
    )


def test_french(visit: Visit) -> None:
    hand = visit(locale="fr-FR")
    assert hand.page.get_attribute("html", "lang") == "fr"
    hand.page.get_by_role("button", name="Jouer : Jeu de base").click()
    assert hand.asked() == "place"
    assert "Posez la tuile" in hand.page.locator(".ask").inner_text()
    hand.page.get_by_label("Langue").first.select_option("en")
    assert "Lay the tile" in hand.page.locator(".ask").inner_text()


@pytest.mark.parametrize(
    "module",
    [path.parent.name for path in sorted(Path(bastide.rules.texts.__file__).parents[1].glob("modules/*/texts.json"))],
)
def test_modules_say_in_french_what_they_say_in_english(module: str) -> None:
    texts = json.loads(
        (Path(bastide.rules.texts.__file__).parents[1] / "modules" / module / "texts.json").read_text("utf-8")
    )

    def keys(tree: object, path: str = "") -> set[str]:
        return (
            {path}
            if not isinstance(tree, dict)
            else {key for name in tree for key in keys(tree[name], f"{path}/{name}")}
        )

    assert keys(texts["fr"]) == keys(texts["en"])


def test_axe_finds_no_serious_fault(visit: Visit) -> None:
    if not AXE.is_file():
        pytest.skip("axe-core is not installed: npm ci in web/")
    hand = visit()
    hand.page.wait_for_selector("article button")
    found = faults_in_all_looks(hand, "lobby")
    hand.page.get_by_text("Set up a table").click()
    hand.page.get_by_text("House rules").last.click()
    found += faults_in_all_looks(hand, "setting up")
    hand.page.get_by_role("button", name="Play with a friend").click()
    hand.page.get_by_role("dialog").wait_for()
    found += faults_in_all_looks(hand, "a friend")
    for path, shown in (("/learn", "article"), ("/learn/base", ".guide"), ("/puzzles", "a[href^='/puzzle/']")):
        hand.page.goto(path)
        hand.page.locator(shown).first.wait_for()
        found += faults_in_all_looks(hand, path)
    hand.open_record("bastide 1\nplayers red blue\ndraws scripted\n\nred: draw E; place E 0,-1 180\n", ["U"])
    hand.asked()
    hand.play("deploy follower 0,-1 city S")
    for tab in ("Players", "Log", "Tiles", "Rules", "Chat"):
        hand.page.get_by_role("navigation").get_by_role("button", name=tab).click()
        found += faults_in_all_looks(hand, tab)
        if tab != "Log":
            hand.page.get_by_role("navigation").get_by_role("button", name=tab).click()
    while hand.asked() != "over":
        hand.answer()
    found += faults_in_all_looks(hand, "final scoring")
    hand.page.get_by_role("button", name="To the result").click()
    found += faults_in_all_looks(hand, "result")
    hand.page.get_by_role("link", name="Replay").first.click()
    hand.page.wait_for_selector(".player")
    found += faults_in_all_looks(hand, "replay")
    assert found == []


def faults_in_all_looks(hand: Hand, where: str) -> list[str]:
    """As the system may have it: by day with all rules of axe, otherwise with those about colours."""
    found = []
    for look, media in LOOKS.items():
        hand.page.emulate_media(**media)
        hand.page.wait_for_selector(f'html[data-theme="{look}"]', state="attached")
        found += faults(hand, f"{where}, {look}", [] if look == "day" else ["color-contrast"])
    return found


def faults(hand: Hand, where: str, rules: Sequence[str] = ()) -> list[str]:
    """Serious and critical faults that axe sees now, by all of its rules or by some."""
    if not hand.page.evaluate("'axe' in window"):
        hand.page.evaluate(AXE.read_text("utf-8"))
    wish = {"resultTypes": ["violations"], **({"runOnly": list(rules)} if rules else {})}
    result = hand.page.evaluate("wish => axe.run(document, wish)", wish)
    return [
        f"{where}: {one['id']} {node['html'][:120]}"
        for one in result["violations"]
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]


def test_the_page_can_be_installed(visit: Visit) -> None:
    hand = visit(service_workers="allow")
    hand.page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    browser = hand.context.new_cdp_session(hand.page)
    errors = browser.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [one["errorId"] for one in errors if one["errorId"] != "in-incognito"] == []  # tests browse in private
    assert browser.send("Page.getAppManifest")["errors"] == []


def test_the_last_games_can_be_read_without_the_server(visit: Visit, server: Server) -> None:
    """A game that was played to its end is found in the lobby and can be read, though the server is out of reach."""
    hand = visit(service_workers="allow")
    hand.may_lose_the_server = True
    hand.page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    hand.open_record(SHORT, ["U"])
    while hand.asked() != "over":
        hand.answer()
    hand.page.wait_for_function("() => caches.match(`/api/tables/${location.pathname.split('/')[2]}/replay`)")
    hand.page.goto("/")
    hand.page.get_by_role("heading", name="Your tables").wait_for()
    hand.context.set_offline(True)
    hand.page.reload()
    assert hand.page.get_by_role("button", name="Play: Base game").is_visible()
    hand.page.get_by_role("link", name="red").first.click()
    hand.page.get_by_text("Step 0 of").wait_for()
    hand.page.wait_for_selector(".world:not(.blank)", state="attached")
    hand.page.keyboard.press("End")
    hand.page.get_by_text("The game is over").first.wait_for()
    hand.context.set_offline(False)


def test_big_screen(visit: Visit) -> None:
    hand = visit(viewport={"width": 3840, "height": 2160})
    hand.page.get_by_role("button", name="Play: Base game").click()
    hand.asked()
    hand.answer()
    assert hand.page.evaluate("document.documentElement.scrollHeight") == 2160
