"""The site of plain files: no server of ours, below a path, and without a network once it is loaded."""

from __future__ import annotations

import functools
import http.server
import os
import re
import shutil
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bastide import Game
from bastide.rules.build import compiled
from bastide.rules.choose import choose
from bastide.server.api.incoming import NewPosition
from bastide.server.browser.files import ENGINE
from bastide.server.browser.links import name_of
from bastide.server.browser.site import write_site
from tests.web.conftest import DESKTOP, PHONE, Server
from tests.web.hand import Hand

QUICK = """if (location.protocol !== "about:")
  localStorage.setItem("bastide.settings", JSON.stringify({still: true, atOnce: true, hints: false}))"""
PATIENCE = 600_000  # ms: an engine starts in seconds, on a machine with other work in minutes
KEPT = "navigator.serviceWorker.ready.then(() => null)"  # all files are, so that no network is needed

# What is kept of the engine's memory (web/src/worker/picture.ts).
PICTURE = """async (act) => {
  for (const name of await caches.keys())
    if (name.startsWith("picture ")) {
      const shelf = await caches.open(name);
      for (const key of await shelf.keys()) return act(shelf, key);
    }
  return 0;
}"""
PICTURE_BYTES = f"() => ({PICTURE})(async (shelf, key) => (await (await shelf.match(key)).blob()).size)"
DAMAGE = f"() => ({PICTURE})((shelf, key) => shelf.put(key, new Response(new Uint8Array(1000))))"


KINDS = {".css": "text/css", ".html": "text/html", ".js": "text/javascript", ".svg": "image/svg+xml"}


class Quiet(http.server.SimpleHTTPRequestHandler):
    """What `python -m http.server` runs, without a word; it knows fewer types of files than any other web server."""

    def guess_type(self, path: Any) -> str:
        return KINDS.get(Path(path).suffix, "application/octet-stream")

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not ENGINE.is_dir():
        pytest.skip("the engine for browsers has not been built: scripts/engine.py")
    folder: Path = tmp_path_factory.mktemp("web") / "games" / "bastide"
    write_site(folder)
    return folder


@pytest.fixture(scope="module")
def site(files: Path) -> Iterator[str]:
    with serve(files) as address:
        yield address


@contextmanager
def serve(files: Path) -> Iterator[str]:
    """A plain web server that has the files below a path."""
    root = files.parents[1]
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(root)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_port}/{files.relative_to(root).as_posix()}/"
    server.shutdown()
    server.server_close()


@pytest.fixture
def player(browser: Any, site: str, request: pytest.FixtureRequest) -> Iterator[Hand]:
    """Somebody in the lobby of the site. Whatever goes wrong in the page fails the test."""
    context = browser.new_context(**getattr(request, "param", DESKTOP))
    context.add_init_script(QUICK)
    hand = Hand(context, site)
    hand.page.set_default_timeout(PATIENCE)
    hand.page.goto(site)
    yield hand
    context.close()
    assert hand.faults == []


def position_with(left: int | None, draws: Sequence[str] = (), **choice: Any) -> str:
    """The address of a position with so many tiles left and the first player to act; None: of the beginning."""
    rules = compiled(choose("", choice.get("modules", ()), 2, choice.get("preset", ""), choice.get("options", {})))
    game, random = Game(rules, seed=5), Random(5)
    while left is not None and (game.tiles_left > left or game.seat != 0):
        game.play(random.choice(list(game.legal)))
    return f"#/position/{name_of(NewPosition(record=game.record(), draws=list(draws)))}"


def short(**choice: Any) -> dict[str, Any]:
    """A choice with the house rule that leaves every eighth kind of tile, for a short game."""
    kinds = Game(compiled(choose("", choice.get("modules", ()), 2, choice.get("preset", ""), {}))).view(0).unseen
    counts = "+".join(f"{kind}=0" for number, kind in enumerate(kinds) if number % 8)
    return {**choice, "options": {"tile_counts": counts}}


GAMES: dict[str, dict[str, Any]] = {
    "base": {},
    "Big Box": {"preset": "bigbox2014"},
    "Hunters and Gatherers": {"modules": ["hunters_and_gatherers"]},
}
# With all tiles a game takes half a minute of processor time and more, so usually only the base game has them.
ALL_TILES = [name for name in GAMES if name == "base" or os.environ.get("BASTIDE_WHOLE_GAMES")]
RELOADED = (3, 35)  # answers after which the page is loaded again; a short game has about nine


def play_position(player: Hand, site: str, address: str) -> None:
    player.page.goto(site + address)
    player.page.get_by_role("button", name="Play", exact=True).click()
    player.page.wait_for_selector(".play", state="attached")  # perhaps covered


@pytest.fixture(scope="module")
def offline(browser: Any, site: str) -> Iterator[Hand]:
    """Somebody with a phone who has been at the site before, and has no network now."""
    context = browser.new_context(**PHONE)
    context.add_init_script(QUICK)
    hand = Hand(context, site)
    hand.page.set_default_timeout(PATIENCE)
    hand.page.goto(site, wait_until="commit")  # when all is loaded, the game may have started too
    hand.page.get_by_role("progressbar").wait_for()
    hand.page.evaluate(KEPT)
    context.set_offline(True)
    yield hand
    context.close()


@pytest.mark.parametrize("choice", GAMES)
def test_a_game_to_its_end_needs_no_network_and_outlives_a_reload(offline: Hand, site: str, choice: str) -> None:
    wanted = GAMES[choice] if choice in ALL_TILES else short(**GAMES[choice])
    play_position(offline, site, position_with(None, **wanted))
    answers = 0
    while offline.asked() != "over":
        if answers in RELOADED:
            before = offline.seq
            offline.page.reload()
            assert offline.asked() != "over"
            assert offline.seq == before
        offline.answer()
        answers += 1
    assert offline.page.locator(".final").is_visible()
    game = Game.from_record(downloaded_record(offline))
    assert game.over
    assert game.tiles_left == 0
    assert sum(str(action).startswith("place ") for _, action in game.history) > (60 if choice in ALL_TILES else 5)
    assert offline.faults == []


def downloaded_record(player: Hand) -> str:
    player.page.get_by_role("button", name="Menu", exact=True).click()
    with player.page.expect_download() as download:
        player.page.get_by_role("link", name="Download the record").click()
    player.page.keyboard.press("Escape")
    return Path(download.value.path()).read_text("utf-8")


def test_a_memory_kept_from_the_last_visit_that_is_of_no_use_is_done_without(offline: Hand, site: str) -> None:
    page = offline.page
    page.goto(site)
    # until it stays: the engine of this visit may be about to keep one
    page.wait_for_function(f"async () => await ({DAMAGE})() || await ({PICTURE_BYTES})() === 1000")
    page.reload()
    page.locator(".cards button.main").first.click()
    offline.asked()
    offline.answer()
    page.wait_for_function(f"async () => await ({PICTURE_BYTES})() > 1e6")  # and the next visit has a new one
    assert offline.faults == []


def test_a_private_window_that_keeps_nothing_plays_and_says_so(browser: Any, site: str) -> None:
    context = browser.new_context(**DESKTOP, service_workers="block")
    context.route("**/assets/tables-*.js", without_database)
    context.add_init_script(QUICK)
    hand = Hand(context, site)
    hand.page.set_default_timeout(PATIENCE)
    hand.page.goto(site)
    hand.page.get_by_role("alert").get_by_text("keeps nothing").wait_for()
    hand.page.locator(".cards button.main").first.click()
    hand.asked()
    hand.answer()
    assert hand.page.get_by_role("status").get_by_text("lost when the page is closed").is_visible()
    context.close()
    assert hand.faults == []


def without_database(route: Any) -> None:
    """What some browsers do where a page must not keep anything."""
    refused = "for (const name of ['indexedDB', 'caches']) self[name].open = () => { throw new DOMException('no') };\n"
    route.fulfill(response=(found := route.fetch()), body=refused + found.text())


def test_a_newer_site_leaves_open_pages_alone_and_comes_with_the_next_visit(
    browser: Any, files: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "games" / "bastide"
    shutil.copytree(files, folder)
    with serve(folder) as address:
        context = browser.new_context(**DESKTOP)
        hand = Hand(context, address)
        page = hand.page
        page.set_default_timeout(PATIENCE)
        page.goto(address)
        page.evaluate(KEPT)
        for name, changed in (("index.html", "<title>Newer"), ("sw.js", 'self.SITE = {"version": "newer')):
            text = (folder / name).read_text("utf-8")
            (folder / name).write_text(re.sub(r'^self.SITE = {"version": "|<title>', changed, text, count=1), "utf-8")
        page.evaluate("navigator.serviceWorker.ready.then((found) => found.update())")
        page.wait_for_function("navigator.serviceWorker.ready.then(({waiting}) => waiting?.state === 'installed')")
        context.set_offline(True)
    # the page that was open still has all of its parts, also those that it has not loaded yet
    page.get_by_role("link", name="Puzzles").first.click()
    page.get_by_role("heading", name="Puzzles").first.wait_for()
    newer = "fetch('./').then((found) => found.text()).then((text) => text.includes('<title>Newer'))"
    assert not page.evaluate(newer)
    page.reload()
    page.wait_for_function(newer)
    page.get_by_role("heading", name="Puzzles").first.wait_for()
    context.close()
    assert hand.faults == []


def test_two_at_one_screen_hand_the_device_over_and_see_no_other_hand(player: Hand, site: str) -> None:
    assert "default-src 'none'" in str(
        player.page.get_attribute('meta[http-equiv="Content-Security-Policy"]', "content")
    )
    options = {"hand": "3"}
    play_position(player, site, position_with(60, draws=["U", "V", "U", "V"], options=options))
    hand = player.page.locator("button.hand")
    for _ in range(2):
        player.page.wait_for_selector("#take-device")
        assert hand.count() == 0 or not hand.first.is_visible()
        who = player.page.locator("#take-device").inner_text()
        player.page.click("#take-device")
        hand.first.wait_for()
        assert hand.count() == 3
        while not player.page.locator("#take-device").count():
            player.page.wait_for_selector(".world:not(.blank)")
            player.answer()
            player.page.wait_for_selector('.play:not([data-asked=""]), #take-device', state="attached")
        assert player.page.locator("#take-device").inner_text() != who


def test_a_served_page_plays_on_the_device_goes_online_and_does_without_its_server(
    browser: Any, tmp_path: Path
) -> None:
    if not ENGINE.is_dir():
        pytest.skip("the engine for browsers has not been built: scripts/engine.py")
    server = Server(tmp_path)
    server.start()
    try:
        context = browser.new_context(base_url=server.address, **DESKTOP)
        context.add_init_script(QUICK)
        hand = Hand(context, server.address)
        page = hand.page
        page.set_default_timeout(PATIENCE)
        page.goto("/")
        page.get_by_label("Play on this device").check()
        page.get_by_text("works without a network too").wait_for()
        page.locator(".cards button.main").first.click()
        hand.at_the_table()
        assert "/table/here" in page.url
        hand.asked()
        hand.answer()
        hand.asked()
        page.get_by_role("button", name="Menu").click()
        page.get_by_role("button", name="Take this game online").click()
        page.get_by_role("link", name="Open it there").click()
        page.get_by_role("button", name="Go on with this game").click()
        hand.at_the_table()
        assert "/table/here" not in page.url
        hand.asked()
        assert hand.log()[1].startswith("place ")  # what was played here has come along
        page.goto("/")
        page.get_by_label("Play on this device").uncheck()
        page.evaluate(KEPT)
    finally:
        server.stop()
    hand.may_lose_the_server = True
    page.goto("/")
    page.locator(".cards button.main").first.click()
    hand.at_the_table()
    assert "/table/here" in page.url
    hand.asked()
    hand.answer()
    context.close()
    assert hand.faults == []
