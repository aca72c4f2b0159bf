from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from secrets import token_hex

import pytest
from litestar.testing import TestClient

from bastide.server.app import create_app
from bastide.server.settings import Settings, database_url
from tests.server.client import House
from tests.services import Postgres, RedisServer, missing


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawings are kept in a folder of the tests, once for all of them."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "cache"))


@pytest.fixture(autouse=True)
def _same_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every table draws the same tiles in every run."""
    monkeypatch.setattr("bastide.server.tables.lobby.new_seed", lambda: "5eed" * 16)


@pytest.fixture
def database(tmp_path: Path) -> str:
    return str(tmp_path / "tables.sqlite3")


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A private PostgreSQL."""
    if lacking := missing():
        pytest.skip(lacking)
    with Postgres() as running:
        yield running


@pytest.fixture(scope="session")
def redis() -> Iterator[RedisServer]:
    """A private Redis."""
    if lacking := missing():
        pytest.skip(lacking)
    with RedisServer() as running:
        yield running


@pytest.fixture
def shared(postgres: Postgres, redis: RedisServer) -> Settings:
    """Settings of servers that share an empty database and a Redis."""
    return Settings(database=postgres.database(f"t{token_hex(6)}"), redis=redis.url, page=Path("/nonexistent"))


@pytest.fixture(params=["sqlite", "postgresql"])
def either(request: pytest.FixtureRequest) -> str:
    """The address of an empty database, of each kind that there is."""
    if request.param == "sqlite":
        return database_url(request.getfixturevalue("database"))
    found: Postgres = request.getfixturevalue("postgres")
    return found.database(f"t{token_hex(6)}")


@pytest.fixture
def house(database: str) -> Iterator[House]:
    """A server with an empty database."""
    with TestClient(create_app(Settings(database=database, page=Path("/nonexistent")))) as client:
        yield House(client)
