"""The plug-in as tests use it: from its folder, installed or not, and known to the oracle."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bastide.homes import using_folder
from plugins.princess_and_dragon.tests.dragon_oracle import add_to_oracle

FOLDER = Path(__file__).resolve().parents[1] / "princess_and_dragon"


@contextmanager
def in_use() -> Iterator[None]:
    """In this block engine and oracle play the box."""
    add_to_oracle()
    with using_folder(FOLDER):
        yield
