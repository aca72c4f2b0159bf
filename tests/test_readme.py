"""What the README shows is true: its code runs, and the API that it promises is exactly what is exported."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import bastide

README = (Path(__file__).parents[1] / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


@pytest.mark.parametrize("code", BLOCKS, ids=range(len(BLOCKS)))
def test_the_code_of_the_readme_runs(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(code, "README.md", "exec"), {"Game": bastide.Game})
    assert capsys.readouterr().out


def test_the_first_screen_plays_a_game_to_the_end() -> None:
    names: dict[str, object] = {}
    exec(BLOCKS[0], names)
    game = names["game"]
    assert isinstance(game, bastide.Game)
    assert game.over
    assert "from bastide import" in README[:3000]


def test_the_public_names_are_pinned() -> None:
    assert bastide.__all__ == [
        "CHANCE",
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
