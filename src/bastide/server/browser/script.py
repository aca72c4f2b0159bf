"""Where the worker's script (web/src/worker/tables.ts) and Python meet: plain texts and numbers pass, nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Coroutine, Sequence
from functools import partial
from typing import Any

import msgspec

from bastide.server.api.refusal import Refusal
from bastide.server.browser.page import PageServer
from bastide.server.browser.store import Change


class ScriptShelves:
    """The script's database, its answers as Python has them. What it cannot do (no room) is refused."""

    def __init__(self, shelves: Any) -> None:
        self._shelves = shelves

    async def get(self, shelf: str, key: str) -> str | None:
        found = await answered(self._shelves.get(shelf, key))
        return found if isinstance(found, str) else None

    async def all(self, shelf: str, start: str) -> list[str]:
        return list(await answered(self._shelves.all(shelf, start)))

    async def commit(self, changes: Sequence[Change]) -> bool:
        return bool(await answered(self._shelves.commit(msgspec.json.encode(changes).decode())))

    async def forget(self, table: str) -> None:
        await answered(self._shelves.forget(table))


async def answered(question: Awaitable[Any]) -> Any:
    """What the database says."""
    try:
        return await question
    except Exception as error:
        raise Refusal("unavailable", f"the browser's database: {error}") from error


class Tables:
    """What the script calls. Nothing here waits: answers go to the script when they are there."""

    def __init__(self, script: Any) -> None:
        self._script = script
        self._server = PageServer(ScriptShelves(script.shelves), script.thinker, script.publish)
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Looks after clocks and bots from now on."""
        await self._server.start()

    def ask(self, number: int, method: str, path: str, body: str) -> None:
        """A request of the page."""
        self._begin(self._answer(number, method, path, body))

    def connect(self, line: int, table: str) -> None:
        """The page opens a connection to a table."""
        self._server.connect(line, table, partial(self._script.said, line), partial(self._script.hung_up, line))

    def hear(self, line: int, text: str | None = None) -> None:
        """The page says something on a connection, or hangs up."""
        self._server.hear(line, text)

    def notice(self, data: str) -> None:
        """News from another page of this browser."""
        self._begin(self._server.on_notice(data))

    async def _answer(self, number: int, method: str, path: str, body: str) -> None:
        answer = await self._server.ask(method, path, body)
        self._script.answer(number, answer.status, answer.kind, answer.text)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def serve(script: Any) -> Tables:
    """Called once by the script."""
    tables = Tables(script)
    await tables.start()
    return tables
