"""Lines of many tables committed together: what comes while a commit is under way goes into the next one.

A commit waits for the disk and for several turns of the database's thread, however few lines it has; under load that is
shared, and a commit waits a moment for lines of other tables. Each line is acknowledged only when it is stored, and a
conflict at one table does not touch the others.

The number of a table's last line is compared and set in the same commit, so no line can be doubled or left out.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Mapping, Sequence
from contextvars import Context
from dataclasses import dataclass
from functools import partial
from typing import Any

import msgspec
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from bastide.server.metrics import BATCHES
from bastide.server.storage.database import Database
from bastide.server.storage.rows import Conflict

APART = 0.01  # seconds between two commits at least, where several tables play
SUMMARY = ("seq", "changed", "status", "decides", "scores", "winners", "out", "deadline", "thinks")
ADVANCED, ADDED = ("at_table", "after", *SUMMARY), ("table", "seq", "at", "text", "lag")


def rows_in_json(names: Sequence[str]) -> str:
    """A table out of JSON for SQLite: a list of lists."""
    columns = (f"json_extract(value, '$[{n}]') AS {quoted(name)}" for n, name in enumerate(names))
    return f"SELECT {', '.join(columns)} FROM json_each(?)"


def quoted(name: str) -> str:
    """A name that may be a word of SQL."""
    return f'"{name}"'


# Two statements however many rows there are. With `executemany` the thread of SQLite waits for the
# interpreter with each row, for half a millisecond where the loop has much to do.
SQLITE_ADVANCE = (
    f"UPDATE tables SET {', '.join(f'{quoted(name)} = new.{quoted(name)}' for name in SUMMARY)} "
    f"FROM ({rows_in_json(ADVANCED)}) AS new WHERE name = at_table AND tables.seq = after"
)
SQLITE_ADD_LINES = f"INSERT INTO lines ({', '.join(map(quoted, ADDED))}) {rows_in_json(ADDED)}"

# PostgreSQL does all of it in one statement, a transaction of its own. A table that does not end where it should stays
# as it is, and its lines are not added. The tables are locked in the order of their names, so that two processes with
# the same tables do not wait for each other.
POSTGRESQL_ADD = """
WITH new AS (
    SELECT * FROM json_to_recordset($1::json) AS new(
        at_table text, after integer, seq integer, changed bigint, status text, decides integer,
        scores text, winners text, "out" text, deadline bigint, thinks boolean
    )
), locked AS (
    SELECT name FROM tables JOIN new ON name = at_table AND tables.seq = after ORDER BY name FOR UPDATE OF tables
), advanced AS (
    UPDATE tables SET
        seq = new.seq, changed = new.changed, status = new.status, decides = new.decides, scores = new.scores,
        winners = new.winners, "out" = new."out", deadline = new.deadline, thinks = new.thinks
    FROM new JOIN locked ON locked.name = at_table
    WHERE tables.name = locked.name AND tables.seq = after
    RETURNING tables.name, new.after, new.seq
), added AS (
    INSERT INTO lines ("table", seq, at, text, lag)
    SELECT line.* FROM json_to_recordset($2::json) AS line("table" text, seq integer, at bigint, text text, lag integer)
    JOIN advanced ON advanced.name = line."table" AND line.seq > advanced.after AND line.seq <= advanced.seq
)
SELECT name, seq FROM advanced
"""


@dataclass(frozen=True)
class Append:
    """New lines of a table, and what the table comes to with them."""

    table: str
    lines: Sequence[Mapping[str, object]]
    summary: Mapping[str, object]
    stored: asyncio.Future[None]

    @property
    def end(self) -> tuple[str, object]:
        """The table, and its last line with these."""
        return self.table, self.summary["seq"]

    def settle(self, error: Exception | None = None) -> None:
        """Tells the writer, if it still waits."""
        if self.stored.done():
            return
        if error is None:
            self.stored.set_result(None)
        else:
            self.stored.set_exception(error)


class Appender:
    """Commits one batch after the other."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting: list[Append] = []
        self._task: asyncio.Task[None] | None = None
        self._began = 0.0  # when the last commit began,
        self._tables: set[str] = set()  # and whose lines it had

    async def append(
        self, table: str, after: int, rows: Sequence[Mapping[str, object]], summary: Mapping[str, object]
    ) -> None:
        """Returns when the lines are stored. Raises Conflict if `after` is not the table's last line."""
        values = {"at_table": table, "after": after, **summary}
        append = Append(table, rows, values, asyncio.get_running_loop().create_future())
        self._waiting.append(append)
        if self._task is None or self._task.done():
            # No task of a client, for those are cancelled, nor part of its request: it writes for all.
            self._task = asyncio.create_task(self._write_all(), context=Context())
        await append.stored

    async def _write_all(self) -> None:
        while self._waiting:
            await self._gather()
            batch, self._waiting = self._waiting, []
            try:
                await self._write(batch)
            except (IntegrityError, Conflict):
                for append in batch:
                    await self._write_alone(append)
            except Exception as error:
                for append in batch:
                    append.settle(error)

    async def _gather(self) -> None:
        """Lets more lines come, if those of other tables were written a moment ago. One table alone does not wait."""
        loop = asyncio.get_running_loop()
        if not self._tables.issuperset(append.table for append in self._waiting):
            await asyncio.sleep(max(0.0, self._began + APART - loop.time()))
        self._began = loop.time()
        self._tables = {append.table for append in self._waiting}

    async def _write_alone(self, append: Append) -> None:
        try:
            await self._write([append])
        except IntegrityError:
            append.settle(Conflict())
        except Exception as error:
            append.settle(error)

    async def _write(self, batch: Sequence[Append]) -> None:
        BATCHES.observe(len(batch))
        if self._database.sqlite:
            await self._database.write(partial(add_to_sqlite, batch))
            stored = {append.end for append in batch}
        else:
            stored = await self._add_to_postgresql(batch)
        for append in batch:
            append.settle(None if append.end in stored else Conflict())

    async def _add_to_postgresql(self, batch: Sequence[Append]) -> set[tuple[str, object]]:
        """Adds lines to these tables; says which came to which end. Those that end elsewhere stay as they are."""
        ends = msgspec.json.encode([append.summary for append in batch]).decode()
        added = msgspec.json.encode([row for append in batch for row in append.lines]).decode()
        return {(row.name, row.seq) for row in await self._database.change_at_once(POSTGRESQL_ADD, ends, added)}


def add_to_sqlite(batch: Sequence[Append], connection: Connection) -> None:
    """Adds the lines of all these tables, or none. SQLite itself counts the rows that it changes."""
    itself: Any = connection.connection.driver_connection
    try:
        advanced = itself.execute(SQLITE_ADVANCE, [as_json([append.summary for append in batch], ADVANCED)])
        if advanced.rowcount != len(batch):
            raise Conflict
        itself.execute(SQLITE_ADD_LINES, [as_json([row for append in batch for row in append.lines], ADDED)])
    except sqlite3.IntegrityError as error:
        raise Conflict from error


def as_json(rows: Sequence[Mapping[str, object]], columns: Sequence[str]) -> str:
    """Rows as JSON, their columns in this order."""
    return msgspec.json.encode([[row[column] for column in columns] for row in rows]).decode()
