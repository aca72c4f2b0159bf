"""Lines of many tables committed together: what comes while a commit is under way goes into the next one.

A commit waits for the disk and for several turns of the database's thread, however few lines it has; under load that is
shared. Each line is acknowledged only when it is stored, and a conflict at one table does not touch the others.

The number of a table's last line is compared and set in the same commit, so no line can be doubled or left out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from contextvars import Context
from dataclasses import dataclass
from operator import attrgetter

from sqlalchemy import bindparam, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from bastide.server.schema import lines, tables

SUMMARY = ("seq", "changed", "status", "decides", "scores", "winners", "out", "deadline", "thinks")
ADD_LINES = insert(lines)
ADVANCE = (
    update(tables)
    .where(tables.c.name == bindparam("at_table"), tables.c.seq == bindparam("after"))
    .values({tables.c[name]: bindparam(name) for name in SUMMARY})
)


class Conflict(Exception):
    """The table does not end where the writer thought: somebody else was first."""


@dataclass(frozen=True)
class Append:
    """New lines of a table, and what the table comes to with them."""

    table: str
    lines: Sequence[Mapping[str, object]]
    summary: Mapping[str, object]
    stored: asyncio.Future[None]

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

    def __init__(self, writing: Callable[[], AbstractAsyncContextManager[AsyncConnection]]) -> None:
        self._writing = writing
        self._waiting: list[Append] = []
        self._task: asyncio.Task[None] | None = None

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
            # In the order of their names, so that two processes with the same tables do not wait for each other.
            batch, self._waiting = sorted(self._waiting, key=attrgetter("table")), []
            try:
                await self._write(batch)
            except (IntegrityError, Conflict):
                for append in batch:
                    await self._write_alone(append)
            except Exception as error:
                for append in batch:
                    append.settle(error)

    async def _write_alone(self, append: Append) -> None:
        try:
            await self._write([append])
        except IntegrityError:
            append.settle(Conflict())
        except Exception as error:
            append.settle(error)

    async def _write(self, batch: Sequence[Append]) -> None:
        async with self._writing() as connection:
            await connection.execute(ADVANCE, [append.summary for append in batch])
            await check_advanced(connection, {append.table: append.summary["seq"] for append in batch})
            await connection.execute(ADD_LINES, [row for append in batch for row in append.lines])
        for append in batch:
            append.settle()


async def check_advanced(connection: AsyncConnection, wanted: Mapping[str, object]) -> None:
    """Raises Conflict unless every table ends where it should now. Databases do not count the rows of a batch.

    Where another writer has brought a table to the same line, adding that line again fails.
    """
    found = await connection.execute(select(tables.c.name, tables.c.seq).where(tables.c.name.in_(wanted)))
    if {row.name: row.seq for row in found} != wanted:
        raise Conflict
