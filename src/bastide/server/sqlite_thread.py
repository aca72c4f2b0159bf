"""SQLite in a thread of its own: a whole transaction is one turn of it, and what it has read stays in its memory.

Connections of a pool need a turn for each statement, and each reads again what another one has written.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress


class SqliteThread:
    """One connection and its thread."""

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        self._connect = connect
        self._connection: sqlite3.Connection | None = None
        self._thread = ThreadPoolExecutor(1, "sqlite")

    async def write(self, work: Callable[[sqlite3.Connection], None]) -> None:
        """Does this work and commits it; if it fails, nothing has changed."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._write, work)

    def _write(self, work: Callable[[sqlite3.Connection], None]) -> None:
        if self._connection is None:
            self._connection = self._connect()
        try:
            with self._connection:
                work(self._connection)
        except sqlite3.DatabaseError:  # the next one begins with a new connection
            self._disconnect()
            raise

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(sqlite3.Error):
                connection.close()

    async def close(self) -> None:
        """When what is under way is done."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._disconnect)
        self._thread.shutdown(wait=False)
