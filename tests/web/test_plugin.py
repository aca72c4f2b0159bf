"""A module that another package brings is offered by the page, drawn and played."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bastide.homes import PLUGINS
from bastide.server.content.pages import STATIC
from tests.modules.installed import IN_THE_GUIDE, installed
from tests.web.conftest import DESKTOP, Server
from tests.web.hand import Hand

RECORD = """bastide 1
modules waymarks
players blue red
start W 0,0 0
draws scripted
"""


@pytest.fixture
def with_plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    if not (STATIC / "index.html").is_file():
        pytest.skip("the page has not been built: npm run build in web/")
    monkeypatch.setenv("PYTHONPATH", installed(tmp_path)["PYTHONPATH"])
    monkeypatch.setenv(PLUGINS, IN_THE_GUIDE)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    server = Server(tmp_path)
    server.start()
    yield server
    server.stop()


def test_what_the_guide_shows_is_played_on_the_page(browser: Any, with_plugin: Server) -> None:
    hand = Hand(browser.new_context(base_url=with_plugin.address, **DESKTOP), with_plugin.address)
    hand.page.goto("/")
    card = hand.page.locator(".cards li", has_text="The base game with waymarks beside its roads.")
    assert "Waymarks" in card.inner_text()
    card.get_by_role("button").first.click()
    hand.at_the_table()
    for _ in range(4):
        hand.asked()
        hand.answer()
    assert IN_THE_GUIDE in hand.state()["rules"]["modules"]
    hand.open_record(RECORD, ["WAYMARKS-A", "W", "W"])
    hand.play("place WAYMARKS-A 1,0 0")
    hand.play("deploy follower 1,0 road E")
    hand.play("place W 2,0 0")
    hand.play("pass")
    assert hand.page.locator('use[href*="WAYMARKS-A"]').count()
    assert hand.state()["game"]["scores"] == [4, 0]  # three tiles and a waymark
    hand.context.close()
    assert hand.faults == []
