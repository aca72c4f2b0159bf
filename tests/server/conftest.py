from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from litestar.testing import TestClient

from bastide.server.app import Settings, create_app
from tests.server.client import House


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawings are kept in a folder of the tests, once for all of them."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "cache"))


@pytest.fixture(autouse=True)
def _same_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every table draws the same tiles in every run."""
    monkeypatch.setattr("bastide.server.lobby.new_seed", lambda: "5eed" * 16)


@pytest.fixture
def database(tmp_path: Path) -> str:
    return str(tmp_path / "tables.sqlite3")


@pytest.fixture
def house(database: str) -> Iterator[House]:
    """A server with an empty database."""
    with TestClient(create_app(Settings(database=database, page=Path("/nonexistent")))) as client:
        yield House(client)
