"""The plug-in is in use in all tests of this folder, installed or not, and the oracle knows it too."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from plugins.princess_and_dragon.tests.in_use import in_use


@pytest.fixture(autouse=True, scope="module")  # what other folders test in the same process must not see it
def _in_use() -> Iterator[None]:
    with in_use():
        yield
