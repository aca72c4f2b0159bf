"""Lines of many tables committed together: what comes while a commit is under way goes into the next one.

A commit waits for the disk and for several turns of the database's thread, however few lines it has; under load that is
shared. Each line is acknowledged only when it is stored, and a conflict at one table does not touch the others.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from operator import attrgetter

from sqlalchemy import bindparam, insert, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from bastide.server.schema import lines, tables

SUMMARY = ("changed", "status", "decides", "scores", "winners", "deadline", "thinks")
ADD_LINES = insert(lines)
GO_ON = (
    update(tables)
    .where(tables.c.name == bindparam("at_table"))
    .values({tables.c[name]: bindparam(name) for name in SUMMARY})
)


class Conflict(Exception):
    """Somebody else has written this line."""


@dataclass(frozen=True)
class Append:
    """By what a table goes on."""

    table: str
    lines: Sequence[Mapping[str, object]]
    summary: Mapping[str, object]
    stored: asyncio.Future[None]

    def settle(self, error: Exception | None = None) -> None:
        """Tells who waits, if he still does."""
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

    async def append(self, table: str, rows: Sequence[Mapping[str, object]], summary: Mapping[str, object]) -> None:
        """Returns when the lines are stored. Raises Conflict if somebody else was first."""
        step = Append(table, rows, {"at_table": table, **summary}, asyncio.get_running_loop().create_future())
        self._waiting.append(step)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._write_all())  # no task of a client: those are cancelled
        await step.stored

    async def _write_all(self) -> None:
        while self._waiting:
            # In the order of their names, so that two processes with the same tables do not wait for each other.
            steps, self._waiting = sorted(self._waiting, key=attrgetter("table")), []
            try:
                await self._write(steps)
            except IntegrityError:
                for step in steps:
                    await self._write_alone(step)
            except Exception as error:
                for step in steps:
                    step.settle(error)

    async def _write_alone(self, step: Append) -> None:
        try:
            await self._write([step])
        except IntegrityError:
            step.settle(Conflict())
        except Exception as error:
            step.settle(error)

    async def _write(self, steps: Sequence[Append]) -> None:
        async with self._writing() as connection:
            await connection.execute(ADD_LINES, [row for step in steps for row in step.lines])
            await connection.execute(GO_ON, [step.summary for step in steps])
        for step in steps:
            step.settle()
