"""The database: migrations, settings, and lines that cannot be written twice."""

from __future__ import annotations

import asyncio

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, text

from bastide.server.refusal import Refusal
from bastide.server.schema import metadata
from bastide.server.secret import hashed, new_id, new_secret, same
from bastide.server.store import Conflict, Store
from bastide.server.table import Line
from tests.server.sample import a_table


async def opened(database: str) -> Store:
    store = Store(f"sqlite+aiosqlite:///{database}")
    await store.open()
    return store


def test_the_migrations_make_what_the_program_expects(database: str) -> None:
    def differences(connection: Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(connection), metadata))

    async def look() -> list[object]:
        store = await opened(database)
        async with store.engine.connect() as connection:
            found = await connection.run_sync(differences)
        await store.close()
        return found

    assert asyncio.run(look()) == []


def test_opening_twice_changes_nothing(database: str) -> None:
    async def twice() -> str:
        for _ in range(2):
            store = await opened(database)
            async with store.engine.connect() as connection:
                mode = await connection.scalar(text("PRAGMA journal_mode"))
            await store.close()
        return str(mode)

    assert asyncio.run(twice()) == "wal"


def test_a_line_is_written_once(database: str) -> None:
    async def write() -> None:
        store = await opened(database)
        table = a_table()
        await store.add(table)
        await store.append(table, [Line(1, 0, "begin")])
        with pytest.raises(Conflict):
            await store.append(table, [Line(2, 0, "draw E"), Line(1, 0, "begin")])
        assert [line.text for line in await store.lines(table.name)] == ["begin"]
        with pytest.raises(Refusal):
            await store.load("nowhere")
        await store.close()

    asyncio.run(write())


def test_secrets() -> None:
    secret = new_secret()
    assert len(bytes.fromhex(secret)) == 16
    assert same(hashed(secret), secret)
    assert not same(hashed(secret), new_secret())
    assert secret not in hashed(secret)
    assert len(new_id()) == 12
