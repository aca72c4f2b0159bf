"""The documentation as a site: built without a warning, complete, and it asks nothing of other hosts."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

import bastide
from bastide.native import compiled
from tests.snippets import ROOT

pytestmark = pytest.mark.skipif(not compiled(), reason="built once, beside the other tests of what is installed")
LOADED = re.compile(r"""<(?:script|link|img|iframe|source)\b[^>]*?\b(?:src|href)=["']?([^"'\s>]+)""")


@pytest.fixture(scope="module")
def site() -> Path:
    """Built by the script that everybody uses; a warning, such as a broken link, makes it fail."""
    plain = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run([ROOT / "scripts/docs"], env=plain, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return ROOT / "build/site"


def test_pages_load_nothing_from_elsewhere(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    loaded = {source for page in pages for source in LOADED.findall(page.read_text("utf-8"))}
    assert len(pages) > 30
    assert loaded
    assert [source for source in loaded if re.match(r"(?:\w+:)?//", source)] == []


def test_the_search_knows_what_is_public(site: Path) -> None:
    found = json.loads((site / "search/search_index.json").read_text("utf-8"))["docs"]
    places = {entry["location"].partition("#")[2] for entry in found}
    homes = {"CHANCE", "SPECTATOR"}  # constants are told of where they are used
    for name in set(bastide.__all__) - homes:
        thing = getattr(bastide, name)
        assert any(place.rpartition(".")[2] == thing.__name__ for place in places), name


def test_every_method_of_a_game_is_described() -> None:
    bare = [
        f"{kind.__name__}.{name}"
        for kind in (bastide.Game, bastide.View, bastide.Action, bastide.Bot)
        for name, member in vars(kind).items()
        if not name.startswith("_") and (callable(member) or isinstance(member, property)) and not member.__doc__
    ]
    assert bare == []
