"""Makes docs/screenshots: `python -m tests.web.pictures`. Early, middle and end of games in every module, phone and
desktop, light and dark; the screens with which one learns, invites and solves (`... tests.web.pictures learn join`)."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from tests.web.boards import position
from tests.web.conftest import CHROMIUM, DESKTOP, FLAGS, PHONE, Server
from tests.web.hand import Hand

FOLDER = Path(__file__).parents[2] / "docs" / "screenshots"
GAMES: dict[str, dict[str, Any]] = {
    "base": {"modules": ()},
    "river": {"modules": ("river",)},
    "inns_and_cathedrals": {"modules": ("inns_and_cathedrals",)},
    "traders_and_builders": {"modules": ("traders_and_builders",)},
    "hills_and_sheep": {"modules": ("hills_and_sheep",)},
    "wheel_of_fortune": {"modules": ("wheel_of_fortune",)},
    "abbot": {"modules": ("abbot",)},
    "anniversary": {"modules": ("anniversary",)},
    "everything": {"preset": "everything", "players": 3},
    "hunters_and_gatherers": {"modules": ("hunters_and_gatherers",)},
    "over_hill_and_dale": {"modules": ("over_hill_and_dale",)},
}
LOBBY, ANALYSIS = "lobby", "analysis"
SMALL: dict[str, dict[str, Any]] = {
    "phone": {**PHONE, "viewport": {"width": 390, "height": 844}, "device_scale_factor": 1},
    "desktop": {**DESKTOP, "viewport": {"width": 1280, "height": 800}},
}
MOMENTS = {"early": 8, "middle": 38, "end": -1}
QUALITY = 78  # of the files, which are JPEG
LOOKS = [("desktop", "light"), ("phone", "dark"), ("desktop", "dark"), ("phone", "light")]


def main(wanted: list[str]) -> None:
    """All games, or those that are named."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        server.start()
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        try:
            if not wanted or LOBBY in wanted:
                lobby(browser, server)
            if not wanted or ANALYSIS in wanted:
                analysis(browser, server)
            for name in SCREENS:
                if not wanted or name in wanted:
                    screen(browser, server, name)
            for number, name in enumerate(GAMES):
                if wanted and name not in wanted:
                    continue
                for step, moment in enumerate(MOMENTS):
                    device, look = LOOKS[(number + step) % len(LOOKS)]
                    picture(browser, server, name, moment, device, look)
        finally:
            server.stop()


def visitor(browser: Any, server: Server, device: str, look: str) -> Hand:
    """A browser on a device."""
    kind = {"desktop": DESKTOP, "phone": PHONE}[device]
    return Hand(browser.new_context(base_url=server.address, color_scheme=look, **kind), server.address)


def lobby(browser: Any, server: Server) -> None:
    for device, look in LOOKS:
        hand = visitor(browser, server, device, look)
        hand.page.goto("/")
        hand.page.wait_for_selector("article button")
        hand.page.wait_for_load_state("networkidle")
        hand.page.screenshot(
            path=FOLDER / f"{LOBBY}-{device}-{look}.jpg", full_page=device == "desktop", quality=QUALITY
        )
        hand.context.close()


def analysis(browser: Any, server: Server) -> None:
    """The replay of a finished game, judged."""
    for device, look in LOOKS[:2]:
        hand = visitor(browser, server, device, look)
        hand.open_record(position(-1), [])
        while hand.asked() != "over":
            hand.answer()
        hand.page.goto(hand.page.url + "?at=0")
        hand.page.locator(".tab.analysis").click()
        hand.page.locator(".moves button").filter(has_text="Better: lay at").nth(-8).click()
        hand.page.locator(".panel").evaluate("panel => panel.scrollTo(0, 0)")
        hand.page.wait_for_timeout(800)
        hand.page.screenshot(path=FOLDER / f"{ANALYSIS}-{device}-{look}.jpg", quality=QUALITY)
        hand.context.close()


def screen(browser: Any, server: Server, name: str) -> None:
    """A screen besides the table, on a phone and on a desktop."""
    for (device, kind), look in zip(SMALL.items(), ("light", "dark"), strict=True):
        hand = Hand(browser.new_context(base_url=server.address, color_scheme=look, **kind), server.address)
        hand.page.goto("/")
        SCREENS[name](hand)
        hand.page.wait_for_load_state("networkidle")
        hand.page.wait_for_timeout(800)
        hand.page.screenshot(path=FOLDER / f"{name}-{device}-{look}.jpg", quality=QUALITY)
        print(name, device, look, *hand.faults)
        hand.context.close()


def learn(hand: Hand) -> None:
    """The first lesson, where the first tile is laid."""
    hand.page.goto("/learn/base")
    hand.page.locator(".guide button.main").click()


def rules(hand: Hand) -> None:
    """The rules of a box in pictures."""
    hand.page.goto("/rules/base")
    hand.page.locator("figure img").nth(3).wait_for()


def puzzle(hand: Hand) -> None:
    """The first puzzle of the collection."""
    hand.page.goto("/puzzles")
    hand.page.locator('a[href^="/puzzle/"]').first.click()
    hand.page.locator(".world:not(.blank)").wait_for(state="attached")


def friend(hand: Hand) -> None:
    """Which box shall it be?"""
    hand.page.get_by_role("button", name="Play with a friend").click()


def join(hand: Hand) -> None:
    """What the friend sees."""
    seats = [{"kind": "human", "name": "Ann"}, {"kind": "open"}]
    made = hand.api("POST", "/api/tables", data={"seats": seats, "modules": ["inns_and_cathedrals"]})
    hand.context.clear_cookies()
    hand.page.goto(f"{made['link']}#invite={made['invite']}")
    hand.page.locator("main img").wait_for()


SCREENS = {"learn": learn, "rules": rules, "puzzle": puzzle, "friend": friend, "join": join}


def picture(browser: Any, server: Server, name: str, moment: str, device: str, look: str) -> None:
    """One moment of one game."""
    hand = visitor(browser, server, device, look)
    hand.open_record(position(MOMENTS[moment], **GAMES[name]), [])
    hand.asked()
    if moment == "early":
        hand.point(hand.targets()[0])
    elif moment == "end":
        while hand.asked() != "over":
            hand.answer()
    hand.page.wait_for_timeout(800)
    hand.page.screenshot(path=FOLDER / f"{name}-{moment}-{device}-{look}.jpg", quality=QUALITY)
    print(name, moment, device, look, *hand.faults)
    hand.context.close()


if __name__ == "__main__":
    main(sys.argv[1:])
