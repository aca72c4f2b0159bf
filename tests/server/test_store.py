"""The database: migrations, settings, and lines that cannot be written twice."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, text

from bastide.errors import BastideError
from bastide.server.api.refusal import Refusal
from bastide.server.api.secret import hash_secret, new_id, new_secret, same
from bastide.server.settings import database_url
from bastide.server.storage import appender, sqlite_thread
from bastide.server.storage.rows import Conflict
from bastide.server.storage.schema import metadata
from bastide.server.storage.store import Store
from bastide.server.tables.registry import TableRegistry
from bastide.server.tables.table import Line, Table
from tests.server.sample import a_table

BEGIN = Line(1, 0, "begin")


async def opened(database: str) -> Store:
    store = Store(database)
    await store.open()
    return store


async def added(store: Store, count: int) -> list[Table]:
    """So many tables with no line; each as it is once it has begun."""
    begun = []
    for number in range(count):
        sample = a_table()
        table = Table(f"table{number}", sample.setup, sample.seed, "", sample.chairs)
        await store.add(table)
        table.apply(BEGIN)
        begun.append(table)
    return begun


def test_the_migrations_make_what_the_program_expects(either: str) -> None:
    def differences(connection: Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(connection), metadata))

    async def look() -> list[object]:
        store = await opened(either)
        async with store.engine.connect() as connection:
            found = await connection.run_sync(differences)
        await store.close()
        return found

    assert asyncio.run(look()) == []


def test_a_sqlite_that_is_too_old_is_refused_with_a_sentence(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 32, 3))
    with pytest.raises(BastideError, match=r"SQLite 3\.33 or newer is needed; this Python has \d"):
        asyncio.run(opened(database_url(database)))


@pytest.mark.parametrize("folder", ["a%20b", "100 %", "what?", "one#two", "back\\slash"])
def test_a_database_lies_where_it_was_wanted_whatever_its_folder_is_called(tmp_path: Path, folder: str) -> None:
    async def made() -> None:
        await (await opened(database_url(str(tmp_path / folder / "tables.sqlite3")))).close()

    asyncio.run(made())
    assert [file.name for file in tmp_path.iterdir()] == [folder]
    assert (tmp_path / folder / "tables.sqlite3").is_file()


def test_opening_twice_changes_nothing(either: str) -> None:
    async def twice() -> str:
        for _ in range(2):
            store = await opened(either)
            async with store.reading() as connection:
                version = await connection.scalar(text("select count(*) from alembic_version"))
            await store.close()
        return str(version)

    assert asyncio.run(twice()) == "1"


def test_several_processes_may_open_a_new_database_at_once(either: str) -> None:
    async def together() -> list[Store]:
        stores = await asyncio.gather(*(opened(either) for _ in range(4)))
        for store in stores:
            await store.close()
        return stores

    assert len(asyncio.run(together())) == 4


def test_readers_do_not_wait_for_writers(database: str) -> None:
    async def mode() -> str:
        store = await opened(database_url(database))
        async with store.reading() as connection:
            found = await connection.scalar(text("PRAGMA journal_mode"))
        await store.close()
        return str(found)

    assert asyncio.run(mode()) == "wal"


def test_the_log_of_sqlite_begins_anew_although_nobody_stops_writing(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Commits do not bring the file up to the log any more: else it would grow for ever."""
    monkeypatch.setattr(sqlite_thread, "CHECKPOINT", 0)
    writes = 100

    async def pages_in_log() -> int:
        store = await opened(database_url(database))
        for moment in range(writes):
            await store.note_running(moment, always=True)
        checkpoint = store._thread._checkpoint
        assert checkpoint is not None
        await checkpoint
        await store.note_running(writes, always=True)
        with closing(sqlite3.connect(database)) as other:
            _, pages, _ = other.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        await store.close()
        return int(pages)

    assert asyncio.run(pages_in_log()) < writes


def test_a_line_is_written_once(either: str) -> None:
    async def write() -> None:
        store = await opened(either)
        (table,) = await added(store, 1)
        await store.append(table, [BEGIN])
        with pytest.raises(Conflict):
            await store.append(table, [BEGIN])
        assert [line.text for line in await store.lines(table.name)] == ["begin"]
        with pytest.raises(Refusal):
            await store.load("nowhere")
        await store.close()

    asyncio.run(write())


def test_tables_are_committed_together_and_a_conflict_stays_with_its_table(either: str) -> None:
    async def write() -> None:
        store = await opened(either)
        tables = await added(store, 5)
        await store.append(tables[2], [BEGIN])
        done = await asyncio.gather(*(store.append(table, [BEGIN]) for table in tables), return_exceptions=True)
        assert [type(one) for one in done] == [type(None), type(None), Conflict, type(None), type(None)]
        assert [len(await store.lines(table.name)) for table in tables] == [1, 1, 1, 1, 1]
        await store.close()

    asyncio.run(write())


def test_who_stops_waiting_does_not_stop_the_others(either: str) -> None:
    """A client that leaves while its move is being stored takes no other table's move with it."""

    async def write() -> None:
        store = await opened(either)
        tables = await added(store, 3)
        tasks = [asyncio.create_task(store.append(table, [BEGIN])) for table in tables]
        await asyncio.sleep(0)
        tasks[0].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert [len(await store.lines(table.name)) for table in tables[1:]] == [1, 1]
        await store.close()

    asyncio.run(write())


def test_secrets() -> None:
    secret = new_secret()
    assert len(bytes.fromhex(secret)) == 16
    assert same(hash_secret(secret), secret)
    assert not same(hash_secret(secret), new_secret())
    assert secret not in hash_secret(secret)
    assert len(new_id()) == 12


def test_a_lost_race_that_cannot_be_looked_up_is_told_as_what_it_was(database: str) -> None:
    """Another process was faster, and then the database went away, or the client: nothing is left of it in memory."""

    async def lose(tables: TableRegistry, name: str) -> None:
        async with tables.locked(name) as live:
            live.invalidate()
            raise Refusal("unavailable")

    async def twice() -> int:
        store = await opened(database_url(database))
        (table,) = await added(store, 1)
        tables = TableRegistry(store, None, lambda: 0)
        with pytest.raises(Refusal, match="cannot store anything"):
            await lose(tables, table.name)
        async with tables.locked(table.name) as live:
            seq = live.table.seq
        await store.close()
        return seq

    assert asyncio.run(twice()) == 0


def test_closing_waits_for_whoever_still_uses_a_connection(either: str) -> None:
    """A connection in use was given back to a pool that was gone, and never closed."""

    async def close_while_writing() -> bool:
        store = await opened(either)
        used = asyncio.Event()

        async def write() -> None:
            async with store.writing():
                used.set()
                await asyncio.sleep(0.05)

        writer = asyncio.create_task(write())
        await used.wait()
        await store.close()
        await asyncio.sleep(0)
        return writer.done()

    assert asyncio.run(close_while_writing())


def test_a_connection_that_does_not_get_its_settings_is_closed(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pool forgot it, and its thread stayed until the process ended."""
    monkeypatch.setattr("bastide.server.storage.database.PRAGMAS", ("no pragma",))
    monkeypatch.setattr("bastide.server.storage.database.TRIES", ())

    async def threads_left() -> int:
        before = set(threading.enumerate())
        store = Store(database_url(database))
        with pytest.raises(Refusal):
            await store.open()
        for thread in set(threading.enumerate()) - before:
            await asyncio.to_thread(thread.join, 5)
        await store.close()
        return sum(thread.name.endswith("(_connection_worker_thread)") for thread in threading.enumerate())

    assert asyncio.run(threads_left()) == 0


def test_lines_of_other_tables_share_a_commit(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []

    async def play() -> None:
        store = await opened(database_url(database))
        first, second, third = await added(store, 3)
        await store.append(first, [BEGIN])
        pauses, more = asyncio.Event(), asyncio.Event()

        async def pause(_: float) -> None:
            pauses.set()
            await more.wait()

        monkeypatch.setattr("bastide.server.storage.appender.asyncio.sleep", pause)
        monkeypatch.setattr("bastide.server.storage.appender.BATCHES.observe", sizes.append)
        waiting = [asyncio.create_task(store.append(second, [BEGIN]))]
        await pauses.wait()
        waiting.append(asyncio.create_task(store.append(third, [BEGIN])))
        await asyncio.wait(waiting, timeout=0.01)
        more.set()
        await asyncio.gather(*waiting)
        await store.close()

    asyncio.run(play())
    assert sizes == [2]


def test_a_table_that_plays_alone_never_waits_for_others(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> list[Line]:
        store = await opened(database_url(database))
        (table,) = await added(store, 1)
        await store.append(table, [BEGIN])
        monkeypatch.setattr(appender, "APART", 3600.0)
        for at in range(3):
            await store.append(table, table.add("credit 1 1", at))
        found = await store.lines(table.name)
        await store.close()
        return found

    assert [line.text for line in asyncio.run(asyncio.wait_for(play(), 60))].count("credit 1 1") == 3
