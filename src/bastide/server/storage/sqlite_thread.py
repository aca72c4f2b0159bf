"""SQLite in a thread of its own: a whole transaction is one turn of it, and what it has read stays in its memory.

Connections of a pool need a turn for each statement, and each reads again what another one has written.

What was committed stands in a log; the file itself is brought up to it in another thread, for that takes the disk much
longer than a commit.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from contextvars import Context
from typing import TypeVar

from sqlalchemy import Connection, create_engine
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.pool import SingletonThreadPool

CHECKPOINT = 5.0  # seconds after a commit until the file is brought up to it
BRING_UP = "PRAGMA wal_checkpoint(PASSIVE)"
FAILURES = (SQLAlchemyError, sqlite3.Error)

Found = TypeVar("Found")


class SqliteThread:
    """One connection and its thread, and another thread that brings the file up to the log."""

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        self._connect = connect
        self._engine = create_engine("sqlite://", creator=connect, poolclass=SingletonThreadPool)
        self._thread = ThreadPoolExecutor(1, "sqlite")
        self._beside = ThreadPoolExecutor(1, "checkpoint")
        self._checkpoint: asyncio.Task[None] | None = None

    async def write(self, work: Callable[[Connection], Found]) -> Found:
        """Does this work and commits it; if it fails, nothing has changed."""
        found = await asyncio.get_running_loop().run_in_executor(self._thread, self._write, work)
        if self._checkpoint is None or self._checkpoint.done():
            self._checkpoint = asyncio.create_task(self._checkpoint_soon(), context=Context())
        return found

    def _write(self, work: Callable[[Connection], Found]) -> Found:
        try:
            with self._engine.begin() as connection:
                return work(connection)
        except IntegrityError:
            raise
        except FAILURES:  # the next one begins with a new connection
            self._engine.dispose()
            raise

    async def _checkpoint_soon(self) -> None:
        """Brings the file up to the log while others write; then what they have added, so that the log begins anew."""
        await asyncio.sleep(CHECKPOINT)
        loop = asyncio.get_running_loop()
        with suppress(*FAILURES):  # else after the next commit
            await loop.run_in_executor(self._beside, self._bring_up_beside)
            await loop.run_in_executor(self._thread, self._bring_up)

    def _bring_up_beside(self) -> None:
        with closing(self._connect()) as connection:
            connection.execute(BRING_UP)

    def _bring_up(self) -> None:
        with self._engine.connect() as connection:
            connection.exec_driver_sql(BRING_UP)

    async def close(self) -> None:
        """When what is under way is done."""
        if self._checkpoint is not None:
            self._checkpoint.cancel()
        self._beside.shutdown()
        await asyncio.get_running_loop().run_in_executor(self._thread, self._engine.dispose)
        self._thread.shutdown(wait=False)
