"""The database: opened, brought to its newest form, read and written; SQLite or PostgreSQL."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any, TypeVar

import aiosqlite
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Delete, Insert, Row, Select, Update, create_engine, event, func, select
from sqlalchemy.engine import make_url
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import AsyncAdaptedQueuePool, SingletonThreadPool

from bastide.errors import BastideError
from bastide.server.api.refusal import Refusal
from bastide.server.storage.sqlite_thread import SqliteThread
from bastide.server.tables.outages import OutageWatch

Found = TypeVar("Found")
MIGRATIONS = Path(__file__).parent / "migrations"
OLDEST_SQLITE = (3, 33)  # the first that knows UPDATE ... FROM
# WAL lets readers and one writer work together; FULL waits until a commit is on the disk.
# `SqliteThread` brings the file up to the log; whoever commits does so only where the log has become long, in pages.
PRAGMAS = (
    "busy_timeout=10000",
    "journal_mode=WAL",
    "synchronous=FULL",
    "foreign_keys=ON",
    "wal_autocheckpoint=25000",
)
CACHE = "cache_size=-32768"  # kB of pages: those that a thousand tables write to stay in memory
# Seconds between tries to set them: SQLite does not wait for another one that changes to WAL at the same moment.
TRIES = (0.05, 0.1, 0.2, 0.4, 0.8, 1.6)

# PostgreSQL: a connection is tried before it is used, for the database may have been started anew since.
POOL: Mapping[str, Any] = {
    "pool_size": 10,
    "max_overflow": 10,
    "pool_pre_ping": True,
    "connect_args": {"timeout": 5, "command_timeout": 10},
}
UNAVAILABLE = (SQLAlchemyError, sqlite3.Error, OSError)
MIGRATE = "start the server with this program to bring it to that form, or use the program that it belongs to"
GO_BACK = "start that version, or restore the copy that was made before the update"
LAST_USE = 12.0  # seconds to give a connection back when the server stops: longer than a lock is waited for
MIGRATING = 0xBA57  # the number of a lock: one process migrates at a time

log = logging.getLogger("bastide.server")


class Database:
    """Connections to the database, and what is known of its health."""

    def __init__(self, url: str) -> None:
        self.watch = OutageWatch()
        self.sqlite = make_url(url).get_backend_name() == "sqlite"
        self._turn: AbstractAsyncContextManager[object] = asyncio.Lock() if self.sqlite else nullcontext()
        self._users = 0  # connections in use
        self._unused = asyncio.Event()
        self._unused.set()
        self._opened: set[aiosqlite.Connection] = set()
        self._thread = SqliteThread(self._open_for_thread)
        self._reader = ThreadPoolExecutor(1, "reader")
        self._reading = create_engine("sqlite://", creator=self._open_for_thread, poolclass=SingletonThreadPool)
        if self.sqlite:
            self.engine: AsyncEngine = create_async_engine(
                url,
                async_creator=self._open_sqlite,
                pool_reset_on_return=None,  # all is committed or rolled back
                poolclass=AsyncAdaptedQueuePool,
                pool_use_lifo=True,  # the last one used knows most of what is stored
            )
            event.listen(self.engine.sync_engine, "close", self._on_close)
        else:
            self.engine = create_async_engine(url, **POOL)
            self._at_once = self.engine.execution_options(isolation_level="AUTOCOMMIT")

    async def open(self) -> None:
        """Brings the database to the newest form; of several processes one after the other.

        Refused if a newer program has changed it already, or SQLite is too old.
        """
        if self.sqlite and sqlite3.sqlite_version_info < OLDEST_SQLITE:
            oldest = ".".join(map(str, OLDEST_SQLITE))
            raise BastideError(f"SQLite {oldest} or newer is needed; this Python has {sqlite3.sqlite_version}")
        async with self.writing() as connection:
            if self.sqlite:
                await connection.exec_driver_sql("BEGIN IMMEDIATE")
            else:
                await connection.execute(select(func.pg_advisory_xact_lock(MIGRATING)))
            await connection.run_sync(migrate)

    async def check_form(self) -> None:
        """Refuses a database that is not there, or whose form is not the one of this program; changes nothing."""
        async with self.reading() as connection:
            form = await connection.run_sync(form_of)
        expected = newest_form()
        if form is None:
            raise BastideError("this is no database of Bastide: it has no tables")
        if form != expected:
            raise BastideError(f"the database has the form {form}, this program works with {expected}: {MIGRATE}")

    @asynccontextmanager
    async def reading(self, at_once: bool = False) -> AsyncIterator[AsyncConnection]:
        """A connection to look, in a transaction or not. Refused while the database cannot be reached."""
        try:
            with self._in_use():
                async with (self._at_once if at_once else self.engine).connect() as connection:
                    yield connection
        except UNAVAILABLE as error:
            raise self._unavailable(error) from error

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A connection to change something: committed at the end, or nothing has changed and it is refused.

        SQLite takes one writer at a time; who waits here waits in order and is woken at once.
        """
        async with self._storing(), self.engine.begin() as connection:
            yield connection

    async def read(self, work: Callable[[Connection], Found]) -> Found:
        """What this work finds with a connection; of SQLite in one turn of a thread. Refused like `reading`."""
        if not self.sqlite:
            async with self.reading(at_once=True) as connection:
                return await connection.run_sync(work)
        try:
            with self._in_use():
                return await asyncio.get_running_loop().run_in_executor(self._reader, self._read, work)
        except UNAVAILABLE as error:
            raise self._unavailable(error) from error

    def _read(self, work: Callable[[Connection], Found]) -> Found:
        with self._reading.connect() as connection:
            return work(connection)

    async def rows(self, wanted: Select[Any]) -> Sequence[Row[Any]]:
        """What is stored, as a query tells."""
        return await self.read(lambda connection: connection.execute(wanted).all())

    async def execute(self, *changes: Insert | Update | Delete) -> None:
        """Makes these changes: all, or none."""

        def change(connection: Connection) -> None:
            for each in changes:
                connection.execute(each)

        await self.write(change)

    async def write(self, work: Callable[[Connection], Found]) -> Found:
        """What this work comes to, committed; by SQLite in one turn of its thread. It may fail as in `writing`."""
        if not self.sqlite:
            async with self.writing() as connection:
                return await connection.run_sync(work)
        async with self._storing():
            return await self._thread.write(work)

    async def change_at_once(self, statement: str, *given: str) -> Sequence[Row[Any]]:
        """What PostgreSQL answers to a statement that is a transaction of its own; it may fail as in `writing`."""
        async with self._storing(), self._at_once.connect() as connection:
            return (await connection.exec_driver_sql(statement, given)).all()

    @asynccontextmanager
    async def _storing(self) -> AsyncIterator[None]:
        """Something is stored in this block, when it is its turn."""
        with self.watch.storing():
            try:
                with self._in_use():
                    async with self._turn:
                        yield
            except IntegrityError:
                raise
            except UNAVAILABLE as error:
                raise self._unavailable(error) from error

    def _open_for_thread(self) -> sqlite3.Connection:
        """A connection like those of the pool; its transactions begin with the lock, so none must begin anew."""
        connection = sqlite3.connect(self.engine.url.database or ":memory:", isolation_level="IMMEDIATE")
        for pragma in (*PRAGMAS, CACHE):
            connection.execute(f"PRAGMA {pragma}")
        return connection

    async def _open_sqlite(self) -> aiosqlite.Connection:
        """A connection with its settings. One that does not get them is closed: the pool would only forget it."""
        connection = aiosqlite.connect(self.engine.url.database or ":memory:")
        self._opened.add(connection)
        try:
            await connection
            await prepare_sqlite(connection)
        except BaseException:
            connection.stop()
            self._opened.discard(connection)
            raise
        return connection

    def _on_close(self, closed: Any, _: object) -> None:
        self._opened.discard(closed.driver_connection)

    @contextmanager
    def _in_use(self) -> Iterator[None]:
        self._users += 1
        self._unused.clear()
        try:
            yield
        finally:
            self._users -= 1
            if not self._users:
                self._unused.set()

    async def close(self) -> None:
        """Closes all connections, when nobody uses one any more: one in use would never be closed."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._unused.wait(), LAST_USE)
        await self._thread.close()
        await asyncio.get_running_loop().run_in_executor(self._reader, self._reading.dispose)
        self._reader.shutdown(wait=False)
        await self.engine.dispose()
        for connection in list(self._opened):  # in use still
            await connection.close()

    def _unavailable(self, error: Exception) -> Refusal:
        """The database is away, locked, or its disk is full. Written to the log once for each outage."""
        if not self.watch.failing:
            log.error("the database cannot be used: %s: %s", type(error).__name__, error)
        return Refusal("unavailable")


async def prepare_sqlite(connection: aiosqlite.Connection) -> None:
    """Settings of every connection to SQLite."""
    for pause in (*TRIES, None):
        try:
            for pragma in PRAGMAS:
                await connection.execute(f"PRAGMA {pragma}")
            return
        except sqlite3.OperationalError:
            if pause is None:
                raise
            await asyncio.sleep(pause)


def alembic_config() -> Config:
    """Where the migrations are."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    return config


def newest_form() -> str:
    """The form that this program works with."""
    return str(ScriptDirectory.from_config(alembic_config()).get_current_head())


def form_of(connection: Connection) -> str | None:
    """The form that a database has; none if it is no database of Bastide."""
    return MigrationContext.configure(connection).get_current_revision()


def migrate(connection: Connection, to: str = "head") -> None:
    """Runs the migrations that this database has not seen, up to a form."""
    form = form_of(connection)
    known = {script.revision for script in ScriptDirectory.from_config(alembic_config()).walk_revisions()}
    if form is not None and form not in known:
        raise BastideError(f"a newer version of Bastide has changed the database to the form {form}: {GO_BACK}")
    config = alembic_config()
    config.attributes["connection"] = connection
    command.upgrade(config, to)
