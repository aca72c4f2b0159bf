"""The examples of docs/environments.md run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("gymnasium", reason="gymnasium is not installed: the examples need it")

PAGE = Path(__file__).parents[2] / "docs/environments.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)


@pytest.mark.parametrize("code", EXAMPLES)
def test_examples(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {}
    exec(code, names)
    assert any(hasattr(value, "reset") and hasattr(value, "step") for value in names.values())  # an environment
    assert ("print(" in code) == bool(capsys.readouterr().out)


def test_the_page_tells_the_sizes_of_the_base_game() -> None:
    from bastide.game.codes import Codes
    from bastide.game.observation import Observer
    from bastide.rules import Rules

    text = PAGE.read_text("utf-8")
    assert f"The base game has {Codes(Rules.of()).size:,} codes" in text
    assert f"Q = 72: {Observer(Rules.of()).size:,} numbers" in text
