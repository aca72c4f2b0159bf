"""The application that is attacked without a network between: requests and messages go straight to it (ASGI)."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch
from urllib.parse import quote

from litestar import Litestar
from uvicorn.protocols.utils import ClientDisconnected

from bastide.server.api.connections import DIRECT
from bastide.server.api.follow import follow
from bastide.server.app import create_app
from bastide.server.content.catalogue import VERSION
from bastide.server.settings import Settings
from bastide.server.tasks import within
from tests.server.fuzz.witness import Witness, logged


def scope_of(kind: str, scheme: str, path: str, headers: Mapping[str, str], **more: Any) -> dict[str, Any]:
    """What a server tells the application of a request."""
    return {
        "type": kind,
        "scheme": scheme,
        "path": path,
        "raw_path": quote(path).encode(),
        "headers": [(name.encode(), said.encode("latin-1")) for name, said in headers.items()],
        "query_string": b"",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "root_path": "",
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
        "state": {},
        "extensions": {},
        **more,
    }


@dataclass
class Answer:
    """What a request was answered with."""

    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    content: bytes = b""

    @property
    def json(self) -> Any:
        """The body."""
        return json.loads(self.content)


@dataclass(kw_only=True)
class Inside(Witness):
    """The application, how to ask it, and its faults so far."""

    app: Litestar
    patience: float

    async def ask(
        self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] | None = None, query: bytes = b""
    ) -> Answer:
        """Sends a request and looks at its answer."""
        sent, found = (method, path, query, headers, body), Answer()
        lines = {"host": "127.0.0.1", "content-type": "application/json", **(headers or {})}
        scope = scope_of("http", "http", path, lines, method=method, query_string=query)
        parts = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> Any:
            return parts.pop() if parts else {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                found.status = message["status"]
                found.headers = {name.decode(): said.decode("latin-1") for name, said in message["headers"]}
            elif message["type"] == "http.response.body":
                found.content += message.get("body", b"")

        try:
            await within(self.patience, self.app(scope, receive, send))  # type: ignore[arg-type]
        except TimeoutError:
            self.fault(sent, "no answer")
        except Exception as error:
            self.fault(sent, f"raised: {error!r}")
        else:
            kind = "" if "content-encoding" in found.headers else found.headers.get("content-type", "")
            self.judge(sent, found.status, kind, found.content)
        return found

    async def tell(self, path: str, body: Any) -> Answer:
        """Posts JSON."""
        return await self.ask("POST", path, json.dumps(body).encode())

    async def make(self, *kinds: str, **more: Any) -> dict[str, Any]:
        """A table with such seats."""
        answer = await self.tell("/api/tables", {"seats": [{"kind": kind} for kind in kinds], **more})
        assert answer.status == 201, answer.content
        made: dict[str, Any] = answer.json
        return made


@asynccontextmanager
async def inside(patience: float) -> AsyncIterator[Inside]:
    """An application without limits for one address or socket, for this sends much."""
    with (
        tempfile.TemporaryDirectory(prefix="bastide-") as folder,
        patch("bastide.server.api.socket.RATE", 1e9),
        patch("bastide.server.api.socket.BURST", 1e9),
        logged() as log,
    ):
        database = Path(folder) / "tables"
        app = create_app(Settings(database=str(database), page=Path("/nonexistent")))
        async with app.lifespan():
            attacked = Inside(database, log, app=app, patience=patience)
            yield attacked
        attacked.listen("the end")


class Visitor:
    """One socket at a table, and what was heard of it. It carries texts itself, as the server's own sockets do."""

    def __init__(self, attacked: Inside, table: str, seat: int, token: str) -> None:
        self.attacked, self.table, self.seat, self.token = attacked, table, seat, token
        self.state: dict[str, Any] = {}
        self.closed: int | None = None  # with this number by the server

    async def enter(self, hello: str = "") -> list[dict[str, Any]]:
        """Opens the socket and says hello, or something else in its place; what was heard then."""
        path = f"/api/tables/{self.table}/socket"
        scope = scope_of(
            "websocket", "ws", path, {"host": "127.0.0.1"}, subprotocols=[], extensions={DIRECT: {"socket": self}}
        )
        self.closed, self.state, self._accepted = None, {}, False
        self._said: asyncio.Queue[str | None] = asyncio.Queue()
        self._heard: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        self._task = asyncio.create_task(self._serve(scope))
        wanted = "welcome" if hello else "state"
        hello = hello or json.dumps({"type": "hello", "version": VERSION, "token": self.token})
        self._said.put_nowait(hello)
        return await self._until(wanted, hello)

    async def _serve(self, scope: Any) -> None:
        try:
            await self.attacked.app(scope, self._connect, self._hear)
        finally:
            self._heard.put_nowait(None)

    async def _connect(self) -> Any:
        return {"type": "websocket.connect"}

    async def _hear(self, sent: Any) -> None:
        if sent["type"] == "websocket.accept":
            self._accepted = True
        elif sent["type"] == "websocket.close":  # before that it is a request for what is not there
            self.closed = sent["code"] if self._accepted else None
        elif sent["type"] == "websocket.send":
            self._heard.put_nowait(json.loads(sent["text"]))

    async def send_text(self, text: str) -> None:
        """What the server sends."""
        self._heard.put_nowait(json.loads(text))

    async def receive_text(self) -> str:
        """What the server receives."""
        text = await self._said.get()
        if text is None:
            raise ClientDisconnected
        return text

    async def _until(self, kind: str, sent: object, re: object = None) -> list[dict[str, Any]]:
        """Everything until a message of a kind, or until the server ends it."""
        heard: list[dict[str, Any]] = []
        while True:
            try:
                message = await within(self.attacked.patience, self._heard.get())
            except TimeoutError:
                self.attacked.fault(sent, "no answer on the socket")
                return heard
            if message is None:
                return heard
            heard.append(message)
            if message["type"] in ("state", "change"):
                followed = follow(self.state or None, message)
                if followed is None:
                    self.attacked.fault(sent, "a change was left out")
                    return heard
                self.state = followed
            if message["type"] == kind and (re is None or message["re"] == re):
                return heard

    async def say(self, text: str) -> list[dict[str, Any]]:
        """Sends a message, and a ping so that the end of the answers is known."""
        self._said.put_nowait(text)
        self._said.put_nowait('{"type": "ping", "id": "end"}')
        return (await self._until("pong", text, "end"))[:-1]

    async def leave(self) -> None:
        """Closes the socket."""
        self._said.put_nowait(None)
        with suppress(Exception):  # what it was is a fault that the log has told
            await self._task
