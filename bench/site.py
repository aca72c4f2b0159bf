"""Measures the site of plain files in a real browser: first visit, second visit, answers of bots, memory.

    python bench/site.py SITE [--plain] [--turns 30]

SITE is a folder that `bastide site` wrote. It is served below a path on this machine, by a web server that sends the
packed files beside the others (`gzip_static` of nginx); with --plain as `python -m http.server` does. Times are wall
time and, beside it, CPU time of all processes of the browser. Needs what the tests of the page need.
"""

from __future__ import annotations

import argparse
import functools
import http.server
import threading
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from playwright.sync_api import sync_playwright

from bastide.server.content.catalogue import VERSION
from tests.web.conftest import CHROMIUM, DESKTOP, FLAGS, PHONE
from tests.web.hand import Hand

CHOICES: dict[str, dict[str, Any]] = {
    "base game": {},
    "Big Box": {"preset": "bigbox2014"},
    "Hunters and Gatherers": {"modules": ["hunters_and_gatherers"]},
}
CARDS = {"base game": "Base game", "Big Box": "Big Box"}  # of the lobby
MOVES = 3
SETTLE = 5000  # ms until a browser has given back what was collected
LEVEL = "bot:4"

# Plays at a table of the site's own worker, without the page: it answers at once, so that only the bot is measured. A
# time runs from when the table says that the bot thinks until the table has changed.
PLAY = """
async ({worker, wish, version, turns}) => {
  const OTHER = ["thinking", "beat", "presence", "chat", "done", "welcome", "refused"];
  const tables = new Worker(worker, {type: "module"});
  const times = [];
  const waiting = new Map();
  let last = 0, since = 0, wake = () => undefined;
  tables.onmessage = ({data}) => {
    if (data.type === "failed") throw new Error(data.why);
    if (data.type === "answer") waiting.get(data.id)(JSON.parse(data.text));
    if (data.type !== "said") return;
    const message = JSON.parse(data.text);
    if (message.type === "thinking") since = performance.now();
    else if (since && !OTHER.includes(message.type)) {
      times.push(performance.now() - since);
      since = 0;
    }
    wake();
  };
  const ask = (method, path, body = "") => new Promise((done) => {
    waiting.set(++last, done);
    tables.postMessage({type: "ask", id: last, method, path, body: body && JSON.stringify(body)});
  });
  const say = (message) => tables.postMessage({type: "say", line: 0, text: JSON.stringify(message)});
  tables.postMessage({type: "begin", engine: new URL("engine/", document.baseURI).href});
  const {table} = await ask("POST", "/api/tables", wish);
  tables.postMessage({type: "connect", line: 0, table});
  say({type: "hello", version});
  say({type: "ready", entropy: "00112233445566778899aabbccddeeff", seat: 0});
  let played = -1;
  while (times.length < turns) {
    const news = new Promise((done) => (wake = done));
    const {seq, game} = await ask("GET", `/api/tables/${table}/state`);
    if (game?.outcome) break;
    const action = game?.question?.actions[0].text;
    if (action && seq !== played) say({type: "play", seq: (played = seq), action});
    await news;
  }
  tables.terminate();
  return times;
}
"""


class Site(http.server.SimpleHTTPRequestHandler):
    """A plain file server that counts what it sends."""

    sent = 0
    packed = True

    def send_head(self) -> Any:
        file = Path(self.translate_path(self.path) + ".gz")
        if self.packed and file.is_file() and "gzip" in self.headers.get("accept-encoding", ""):
            moment = self.date_time_string(int(file.stat().st_mtime))
            known = self.headers.get("if-modified-since") == moment
            self.send_response(304 if known else 200)
            self.send_header("Last-Modified", moment)
            if known:
                self.end_headers()
                return None
            self.send_header("Content-Type", self.guess_type(file.with_suffix("")))
            self.send_header("Content-Encoding", "gzip")
            self.send_header("Content-Length", str(file.stat().st_size))
            self.end_headers()
            return file.open("rb")
        return super().send_head()

    def copyfile(self, source: Any, outputfile: Any) -> None:
        body = source.read()
        Site.sent += len(body)
        outputfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Without a word."""


class Meter:
    """Wall time and CPU time of a browser since the last look."""

    def __init__(self, browser: Any) -> None:
        self._session = browser.new_browser_cdp_session()
        self.restart()

    def _cpu(self) -> float:
        return float(sum(one["cpuTime"] for one in self._session.send("SystemInfo.getProcessInfo")["processInfo"]))

    def restart(self) -> None:
        self._begun, self._used = perf_counter(), self._cpu()

    def look(self) -> str:
        return f"{perf_counter() - self._begun:5.2f} s, CPU {self._cpu() - self._used:5.2f} s"

    def memory(self) -> float:
        """MB that the largest process of pages holds (proportional set size)."""
        pages = [
            one["id"]
            for one in self._session.send("SystemInfo.getProcessInfo")["processInfo"]
            if one["type"] == "renderer"
        ]
        held = [Path(f"/proc/{pid}/smaps_rollup").read_text() for pid in pages]
        return max(float(text.partition("Pss:")[2].split()[0]) for text in held) / 1000


def visit(browser: Any, context: Any, address: str, what: str) -> None:
    """From the address to the first question."""
    meter = Meter(browser)
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector(".cards button.main")
    painted = page.evaluate(
        "performance.getEntriesByType('paint').find((one) => one.name === 'first-contentful-paint')?.startTime"
    )
    print(f"{what}: lobby {meter.look()} (first paint {painted or 0:.0f} ms)", flush=True)
    page.locator(".cards button.main").first.click()
    page.wait_for_selector('.play:not([data-asked=""])')
    print(f"{what}: first move possible {meter.look()}", flush=True)
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    print(
        f"{what}: {Site.sent / 1e6:.2f} MB sent so far, everything is kept; memory {meter.memory():.0f} MB", flush=True
    )
    page.close()


def held(browser: Any, address: str) -> None:
    """The memory of a page and its two workers on a phone, in games of some moves; in processes of their own."""
    for name, card in CARDS.items():
        context = browser.new_context(**PHONE)
        player = Hand(context, address)
        player.page.set_default_timeout(300_000)
        player.page.goto(address)
        player.page.get_by_role("button", name=f"Play: {card}", exact=True).click()
        for _ in range(MOVES):
            player.asked()
            player.answer()
        player.asked()
        before = Meter(browser).memory()
        context.new_cdp_session(player.page).send("HeapProfiler.collectGarbage")
        player.page.wait_for_timeout(SETTLE)
        after = Meter(browser).memory()
        print(f"{name}: memory {before:.0f} MB after {MOVES} moves, {after:.0f} MB once collected", flush=True)
        context.close()


def answers(browser: Any, context: Any, address: str, site: Path, turns: int) -> None:
    """How long the bot of level 4 thinks. Its page is just a picture: the lobby would start workers of its own."""
    (worker,) = site.glob("assets/tables-*.js")
    for name, choice in CHOICES.items():
        page = context.new_page()
        page.goto(f"{address}icon.svg")
        meter = Meter(browser)
        wish = {**choice, "seats": [{"kind": "human"}, {"kind": "bot", "bot": LEVEL}]}
        asked = {"worker": f"{address}assets/{worker.name}", "wish": wish, "version": VERSION, "turns": turns}
        times = sorted(page.evaluate(PLAY, asked))
        print(
            f"{name}: {len(times)} answers of level 4, median {median(times):.0f} ms, longest {times[-1]:.0f} ms; "
            f"{meter.look()} from the start on",
            flush=True,
        )
        page.close()


def main() -> None:
    """Measures everything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("site", type=Path)
    parser.add_argument("--plain", action="store_true", help="as python -m http.server: nothing is packed")
    parser.add_argument("--turns", type=int, default=30)
    given = parser.parse_args()
    Site.packed = not given.plain
    site = given.site.resolve()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Site, directory=str(site.parent)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://localhost:{server.server_port}/{site.name}/"
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        context = browser.new_context(**DESKTOP)
        context.set_default_timeout(300_000)
        visit(browser, context, address, "first visit")
        visit(browser, context, address, "second visit")
        held(browser, address)
        answers(browser, context, address, site, given.turns)
        browser.close()
    server.shutdown()


if __name__ == "__main__":
    main()
