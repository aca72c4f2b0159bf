"""Answers one page: requests, and connections to tables. The worker's script calls it (web/src/worker/tables.ts)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, cast

import msgspec

from bastide.server.api.limits import Limits
from bastide.server.api.outgoing import Refused
from bastide.server.api.refusal import Refusal
from bastide.server.api.socket import CLOSE_FAULT, CLOSE_POLICY, ClientGone, Connection, encode
from bastide.server.browser.http import KEY, Answer, Http
from bastide.server.browser.store import BrowserStore, Shelves
from bastide.server.browser.thoughts import Thinker, WorkerBots
from bastide.server.tables.caretaker import Caretaker
from bastide.server.tables.clock import ServerClock
from bastide.server.tables.open_table import OpenTable
from bastide.server.tables.registry import TableRegistry
from bastide.server.thinking.analysis_cache import AnalysisCache

if TYPE_CHECKING:
    from bastide.server.storage.store import Store

HERE = "127.0.0.1"  # the address of whoever sits at the machine itself: without limits
PREFIX = "here"  # of the names of tables in this browser: no server has one like this

log = logging.getLogger("bastide.server")


class Line:
    """What carries texts between the page and a connection."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._heard: asyncio.Queue[str | None] = asyncio.Queue()

    def hear(self, text: str | None) -> None:
        """The page said something; None: it hung up."""
        self._heard.put_nowait(text)

    async def send_text(self, text: str, /) -> None:
        self._say(text)

    async def receive_text(self) -> str:
        text = await self._heard.get()
        if text is None:
            raise ClientGone
        return text


class NoSanctions:
    """Nobody decides anything about who plays here."""

    async def look(self) -> None:
        """There is nothing to read."""


class PageNews:
    """News between the pages of a browser: all hear everything."""

    def __init__(self, publish: Callable[[str], None]) -> None:
        self._publish = publish

    def publish(self, _: int, data: bytes) -> None:
        """Tells the other pages."""
        self._publish(data.decode())

    def follow(self, _: int) -> None:
        """It is heard anyway."""

    def unfollow(self, _: int) -> None:
        """It is heard nevertheless."""


class PageServer:
    """The tables of this browser."""

    def __init__(self, shelves: Shelves, thinker: Thinker, publish: Callable[[str], None]) -> None:
        """`publish` tells other pages of this browser what `on_notice` hears there."""
        store = cast("Store", BrowserStore(shelves))  # tests compare the two
        self.clock = ServerClock()
        self.registry = TableRegistry(store, PageNews(publish), self.clock)
        self.registry.prefix = PREFIX
        self._bots = WorkerBots(thinker)
        self.registry.commit_listeners.append(self._lines_committed)  # before the bots are asked again
        self._caretaker = Caretaker(self.registry, self._bots, NoSanctions())
        self._http = Http(self.registry, AnalysisCache(self.registry, self._bots), self._bots.ask)
        self._limits = Limits(0, 0, 0, self.clock)
        self._lines: dict[int, Line] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def _lines_committed(self, open_table: OpenTable) -> None:
        self._bots.moved_on(open_table.name, open_table.table.seq)

    async def start(self) -> None:
        """Looks after clocks and bots from now on."""
        await self._caretaker.credit()
        self._begin(self._caretaker.sweep())

    async def ask(self, method: str, address: str, body: str) -> Answer:
        """Answers a request."""
        try:
            return await self._http.answer(method, address, body)
        except Exception:
            log.exception("%s %s", method, address)
            fault = Refusal("internal")
            text = msgspec.json.encode({"code": fault.code, "message": fault.message}).decode()
            return Answer(fault.status, "application/json", text)

    def connect(self, number: int, table: str, say: Callable[[str], None], close: Callable[[int], None]) -> None:
        """Opens a connection to a table."""
        line = self._lines[number] = Line(say)
        self._begin(self._serve(number, table, line, close))

    def hear(self, number: int, text: str | None) -> None:
        """The page said something on a connection, or hung up."""
        if number in self._lines:
            self._lines[number].hear(text)

    async def on_notice(self, data: str) -> None:
        """News from another page."""
        self.registry.peers.on_notice(data.encode())

    async def _serve(self, number: int, table: str, line: Line, close: Callable[[int], None]) -> None:
        code = 0
        try:
            await Connection(line, self.registry, table, self._limits, HERE).run(KEY)
        except ClientGone:
            pass
        except Refusal as refusal:
            code = CLOSE_POLICY
            await line.send_text(encode(Refused(re=None, code=refusal.code, message=refusal.message)).decode())
        except Exception:
            code = CLOSE_FAULT
            log.exception("a connection could not be served")
        finally:
            del self._lines[number]
            if code:
                close(code)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
