"""A real server, a real browser. Needs the built page (`npm run build` in web/), Playwright and a Chromium."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

playwright = pytest.importorskip(
    "playwright.sync_api", reason="the page is tested with Playwright, which is not installed"
)

from bastide.server.content.pages import STATIC  # noqa: E402
from tests.web.hand import Hand  # noqa: E402

# The shell without windows needs half of the processor time, but has no messages of the system.
WHOLE = os.environ.get("BASTIDE_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
CHROMIUM = os.environ.get("BASTIDE_CHROMIUM") or shutil.which("chromium-headless-shell") or WHOLE
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-renderer-backgrounding",  # it would take the lowest priority, and wait for whatever else runs
]
PYTHON = os.environ.get("BASTIDE_PYTHON") or sys.executable  # scripts/release tries the one that has the wheel
DESKTOP: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}, "locale": "en-GB"}
PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
    "locale": "en-GB",
}


class Server:
    """`bastide serve` as a process of its own, on one port and one database however often it is started."""

    def __init__(self, folder: Path) -> None:
        self.database = folder / "tables.sqlite3"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"http://localhost:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = ["serve", "--port", str(self.port), "--database", str(self.database)]
        self.process = subprocess.Popen([PYTHON, "-m", "bastide.cli", *command])
        while self.process.poll() is None:
            try:
                with urllib.request.urlopen(f"{self.address}/healthz") as answer:
                    if answer.status == 200:
                        return
            except OSError:
                time.sleep(0.1)
        raise RuntimeError("the server ended before it answered")

    def stop(self) -> None:
        if self.process:
            self.process.terminate()
            self.process.wait()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    if not (STATIC / "index.html").is_file():
        pytest.skip("the page has not been built: npm run build in web/")
    found = Server(tmp_path_factory.mktemp("server"))
    found.start()
    yield found
    found.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    if not CHROMIUM:
        pytest.skip("no Chromium on this machine; BASTIDE_CHROMIUM may name one")
    with playwright.sync_playwright() as started:
        opened = started.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture
def whole_browser(browser: Any) -> Iterator[Any]:
    """Chromium with all that a person's has."""
    if not WHOLE:
        pytest.skip("messages of the system need the whole Chromium; BASTIDE_CHROMIUM may name one")
    opened = browser.browser_type.launch(executable_path=WHOLE, args=FLAGS)
    yield opened
    opened.close()


@pytest.fixture
def visit(browser: Any, server: Server) -> Iterator[Callable[..., Hand]]:
    """Opens a browser of its own, at an address of the page or empty. Whatever goes wrong in it fails the test.

    Unless they are asked for it has no service worker, for each browser would fetch all files once more, and no
    movement, for every picture of it has to be drawn.
    """
    hands: list[Hand] = []
    plain = {**DESKTOP, "service_workers": "block", "reduced_motion": "reduce"}

    def come(path: str | None = "/", **context: Any) -> Hand:
        opened = browser.new_context(base_url=server.address, **{**plain, **context})
        hand = Hand(opened, server.address)
        hands.append(hand)
        if path is not None:
            hand.page.goto(path)
        return hand

    yield come
    for hand in hands:
        hand.context.close()
    assert [fault for hand in hands for fault in hand.faults] == []
