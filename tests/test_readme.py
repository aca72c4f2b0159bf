"""The first screen of the README, and the names of `bastide`; tests/test_docs.py runs the code of all pages."""

from __future__ import annotations

import bastide
from tests.snippets import ROOT, blocks

README = ROOT / "README.md"


def test_the_first_screen_plays_a_game_to_the_end() -> None:
    names: dict[str, object] = {}
    exec(blocks(README, "python")[0], names)
    game = names["game"]
    assert isinstance(game, bastide.Game)
    assert game.over
    assert "from bastide import" in README.read_text("utf-8")[:3000]


def test_the_public_names_are_pinned() -> None:
    assert bastide.__all__ == [
        "CHANCE",
        "SPECTATOR",
        "Action",
        "BastideError",
        "Bot",
        "Game",
        "IllegalAction",
        "Module",
        "Rules",
        "Spec",
        "State",
        "View",
        "bot",
        "evaluate",
    ]
    assert all(hasattr(bastide, name) for name in bastide.__all__)


def test_a_notebook_shows_a_game_as_its_board() -> None:
    game = bastide.Game(seed=1)
    picture = game._repr_svg_()  # type: ignore[attr-defined]
    assert picture.startswith("<svg")
    assert picture == game.board._repr_svg_()  # type: ignore[attr-defined]
