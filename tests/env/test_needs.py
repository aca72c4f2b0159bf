"""Without an optional package the message says what to install; the rest works."""

from __future__ import annotations

import sys

import pytest

from bastide.errors import BastideError


@pytest.mark.parametrize(
    ("module", "package"),
    [("gym", "gymnasium"), ("aec", "pettingzoo"), ("spiel", "pyspiel"), ("batch", "numpy"), ("check", "numpy")],
)
def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch, module: str, package: str) -> None:
    monkeypatch.delitem(sys.modules, f"bastide.env.{module}", raising=False)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(BastideError, match=rf"this environment needs {package}: pip install 'bastide\["):
        __import__(f"bastide.env.{module}")
