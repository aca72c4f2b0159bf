"""Measures the page: `python -m tests.web.measure`. First paint, script, panning, animations, a move to both."""

from __future__ import annotations

import gzip
import json
import re
import statistics
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from bastide.server.content.pages import STATIC
from tests.web.boards import position
from tests.web.conftest import CHROMIUM, DESKTOP, FLAGS, Server
from tests.web.hand import Hand

TILES = 150
MOVES = 20
SCORES = 10
SLOW = 25.0  # ms between two frames: one of 60 a second was dropped
SCORING = (
    "bastide 1\nplayers red blue\ndraws scripted\n\nred: draw E; place E 0,-1 180\n"  # a city waits for its knight
)
FRAMES = """() => new Promise(done => {
  const deltas = [];
  let start = 0, last = 0;
  requestAnimationFrame(function step(now) {
    if (start) deltas.push(now - last);
    else { start = now; document.querySelector(window.pressed)?.click(); }
    last = now;
    if (now - start < 1000) requestAnimationFrame(step); else done(deltas);
  });
})"""
THREADS = {"CrRendererMain": "page", "ThreadPoolForegroundWorker": "drawing anew", "VizCompositorThread": "showing"}
DRAG = """() => new Promise(done => {
  const board = document.querySelector('#board'), box = board.getBoundingClientRect();
  const send = (type, x) => board.dispatchEvent(new PointerEvent(type, {
    bubbles: true, pointerId: 7, button: 0, buttons: 1,
    clientX: box.x + box.width / 2 + x, clientY: box.y + box.height / 2, pointerType: 'mouse'}));
  board.setPointerCapture = () => {};
  const deltas = [];
  let start = 0, last = 0;
  send('pointerdown', 0);
  requestAnimationFrame(function step(now) {
    if (!start) start = now; else deltas.push(now - last);
    last = now;
    send('pointermove', 150 * Math.sin((now - start) / 300));
    if (now - start < 3000) requestAnimationFrame(step); else { send('pointerup', 0); done(deltas); }
  });
})"""
NOTE = """
new MutationObserver(() => { window.seen = [document.querySelector('.play').dataset.seq, Date.now()]; })
  .observe(document.querySelector('.play'), {attributes: true, attributeFilter: ['data-seq']});
addEventListener('click', () => { window.clicked = Date.now(); }, true);
"""


def main() -> None:
    """One line for each figure."""
    named = re.findall(r'(?:src|href)="/(assets/[^"]+\.js)"', (STATIC / "index.html").read_text("utf-8"))
    scripts = sum(len(gzip.compress((STATIC / name).read_bytes())) for name in named)
    print(f"script at first paint, gzipped: {scripts / 1000:.1f} kB")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        server.start()
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        try:
            first_paint(browser, server)
            panning(browser, server)
            animations(browser, server)
            moves(browser, server)
        finally:
            server.stop()


def visitor(browser: Any, server: Server) -> Hand:
    return Hand(browser.new_context(base_url=server.address, **DESKTOP), server.address)


def first_paint(browser: Any, server: Server) -> None:
    times = []
    for _ in range(5):
        hand = visitor(browser, server)
        hand.page.goto("/")
        hand.page.wait_for_selector("article button")
        times.append(hand.page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
        hand.context.close()
    print(f"first contentful paint of the lobby, empty cache: median {statistics.median(times):.0f} ms of 5")


def panning(browser: Any, server: Server) -> None:
    """Drags a large board to and fro; the browser's trace tells how many frames came and what they cost."""
    hand = visitor(browser, server)
    hand.open_record(position(TILES, preset="everything"), [])
    hand.asked()
    hand.page.wait_for_timeout(2000)
    drag(browser, hand, "whole board")
    for _ in range(4):
        hand.page.get_by_role("button", name="Zoom in").click()
    hand.page.wait_for_timeout(1500)
    drag(browser, hand, "closer")
    hand.context.close()


def drag(browser: Any, hand: Hand, name: str) -> None:
    """Three seconds of dragging. Time of the processor tells more than frames where other programs run too."""
    with tempfile.NamedTemporaryFile() as file:
        browser.start_tracing(page=hand.page, path=file.name, categories=["toplevel", "viz"])
        deltas: list[float] = hand.page.evaluate(DRAG)
        browser.stop_tracing()
        events = json.loads(Path(file.name).read_bytes())["traceEvents"]
    threads = {(one["pid"], one["tid"]): one["args"]["name"] for one in events if one["name"] == "thread_name"}
    spent: Counter[str] = Counter()
    for one in events:
        if one["ph"] == "X" and one["name"] in ("ThreadControllerImpl::RunTask", "ThreadPool_RunTask"):
            spent[threads.get((one["pid"], one["tid"]), "")] += one.get("tdur", 0)
    drawn = sum(one["name"] == "Display::DrawAndSwap" and one["ph"] == "X" for one in events)
    costs = ", ".join(f"{what} {spent[thread] / 1000 / len(deltas):.1f}" for thread, what in THREADS.items())
    print(
        f"panning {TILES} tiles, {name}: {1000 * len(deltas) / sum(deltas):.1f} frames a second "
        f"(19 of 20 within {sorted(deltas)[-len(deltas) // 20]:.0f} ms), {drawn} of {len(deltas)} on the screen; "
        f"milliseconds of the processor a frame: {costs}"
    )


def animations(browser: Any, server: Server) -> None:
    """A knight closes his city: he goes home, the city glows, +4 rises. Beside it a page where nothing moves."""
    hand = visitor(browser, server)
    moving: list[float] = []
    resting: list[float] = []
    for _ in range(SCORES):
        hand.open_record(SCORING, ["U"])
        hand.asked()
        hand.point("0,-1 city S")
        hand.page.wait_for_selector("#confirm")
        hand.page.wait_for_timeout(1000)
        for deltas, pressed in ((resting, "none"), (moving, "#confirm")):
            hand.page.evaluate(f"window.pressed = '{pressed}'")
            deltas += hand.page.evaluate(FRAMES)
    for name, deltas in (("a region scores", moving), ("nothing moves", resting)):
        dropped = sum(delta > SLOW for delta in deltas)
        print(
            f"the second in which {name}, {SCORES} times: {dropped} of {len(deltas)} frames late, "
            f"slowest {max(deltas):.0f} ms"
        )
    hand.context.close()


def moves(browser: Any, server: Server) -> None:
    """From the click on one screen to the new position on both."""
    host, guest = visitor(browser, server), visitor(browser, server)
    made = host.api("POST", "/api/tables", data={"seats": [{"kind": "human", "name": "Ann"}, {"kind": "open"}]})
    guest.api("POST", f"/api/tables/{made['table']}/join", data={"invite": made["invite"], "name": "Bob"})
    for hand in (host, guest):
        hand.page.goto(made["link"])
    for hand in (host, guest):
        hand.at_the_table()
        hand.page.evaluate(NOTE)
    times = []
    for _ in range(MOVES):
        hand = host if host.page.get_attribute(".play", "data-asked") else guest
        other = guest if hand is host else host
        hand.asked()
        hand.answer()
        seq, mine = hand.page.evaluate("window.seen")
        other.page.wait_for_function(f"() => window.seen && Number(window.seen[0]) >= {seq}")
        theirs = other.page.evaluate("window.seen[1]")
        times.append(max(mine, theirs) - hand.page.evaluate("window.clicked"))
    print(f"a move to both screens: median {statistics.median(times):.0f} ms of {MOVES}, slowest {max(times)} ms")
    host.context.close()
    guest.context.close()


if __name__ == "__main__":
    main()
