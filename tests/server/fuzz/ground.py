"""The server that is attacked, in a thread of this process and reached over real sockets; and what it did wrong."""

from __future__ import annotations

import json
import logging
import socket
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from threading import Thread
from typing import Any
from unittest.mock import patch
from warnings import catch_warnings, simplefilter

import httpx
import uvicorn
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.errors import HypothesisDeprecationWarning

from bastide.server.app import create_app
from bastide.server.background import share_interpreter
from bastide.server.incoming import BODY
from bastide.server.refusal import REFUSALS
from bastide.server.run import config, listen
from bastide.server.settings import Settings

PATIENCE = 60.0  # seconds after which an answer that has not come is a fault
ENOUGH = 20  # faults; more say nothing new
SHOWN = 300  # letters of an input that a fault shows
CLIENT = "websockets.client"  # logs here what befell the attacker
KEPT = {"tables": "name", "seats": "table", "lines": "table"}  # what a game is, and the column that names its table


class Logged(logging.Handler):
    """Keeps what was logged as an error or with an exception."""

    def __init__(self) -> None:
        super().__init__()
        self.bad: list[str] = []
        self.setFormatter(logging.Formatter("%(name)s: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        if record.name != CLIENT and (record.levelno >= logging.ERROR or record.exc_info):
            self.bad.append(self.format(record))


@dataclass
class Ground:
    """A server, how to reach it, and its faults so far."""

    address: str
    database: Path
    patience: float
    logged: Logged
    client: httpx.Client
    faults: list[str] = field(default_factory=list)
    _told: set[str] = field(default_factory=set)  # one input for each fault is enough
    _reader: sqlite3.Connection | None = None

    @property
    def enough(self) -> bool:
        """Are there so many faults that more say nothing new?"""
        return len(self.faults) >= ENOUGH

    def fault(self, sent: object, what: str) -> None:
        """Something is wrong with the server."""
        if what not in self._told and not self.enough:
            self._told.add(what)
            self.faults.append(f"{what}\n  after {repr(sent)[:SHOWN]}")

    def listen(self, sent: object) -> None:
        """Looks into the server's log."""
        while self.logged.bad:
            self.fault(sent, f"logged: {self.logged.bad.pop(0)}")

    # --- requests
    def ask(self, method: str, path: str, body: Any = None, **more: Any) -> httpx.Response | None:
        """Sends a request and looks at its answer; none if there was no answer."""
        sent = (method, path, body, more)
        if body is not None:  # by our own hands: JSON can say letters that are none
            more = {"content": json.dumps(body), "headers": {"content-type": "application/json"}}
        self.client.cookies.clear()
        try:
            answer = self.client.request(method, path, **more)
        except httpx.TransportError as error:
            self.fault(sent, f"no answer: {error!r}")
            self.listen(sent)
            return None
        self.judge(sent, answer.status_code, answer.headers.get("content-type", ""), answer.content)
        return answer

    def shout(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> None:
        """Sends a request as it is, be it none. Whoever sends more than is taken may be cut off."""
        sent = (method, path, headers, body)
        lines = {"host": self.address, "content-length": str(len(body)), "connection": "close", **headers}
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        host, port = self.address.split(":")
        with socket.create_connection((host, int(port)), self.patience) as connection:
            answer = HTTPResponse(connection, method=method)
            try:
                connection.sendall(f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode("latin-1") + body)
                answer.begin()
                content = answer.read()
            except (OSError, HTTPException) as error:
                if len(body) <= BODY:
                    self.fault(sent, f"no answer: {error!r}")
                self.listen(sent)
                return
        packed = answer.headers.get("content-encoding")
        self.judge(sent, answer.status, "" if packed else answer.headers.get("content-type", ""), content)

    def judge(self, sent: object, status: int, kind: str, content: bytes) -> None:
        """An answer is no fault of the server, and a refusal has one of the codes."""
        if status >= 500:
            self.fault(sent, f"status {status}: {content[:SHOWN]!r}")
        elif status >= 400 and content and kind.startswith("application/json") and code_of(content) not in REFUSALS:
            self.fault(sent, f"a refusal without a known code: {content[:SHOWN]!r}")
        self.listen(sent)

    def make(self, *kinds: str, **more: Any) -> dict[str, Any]:
        """A table with such seats."""
        answer = self.client.post("/api/tables", json={"seats": [{"kind": kind} for kind in kinds], **more})
        assert answer.status_code == 201, answer.text
        made: dict[str, Any] = answer.json()
        return made

    # --- what is stored
    def rows(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """What is stored now, past the server."""
        if self._reader is None:
            self._reader = sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)
        return self._reader.execute(statement, values).fetchall()

    def stored(self, tables: Sequence[str]) -> dict[str, list[tuple[Any, ...]]]:
        """Everything that is stored of some games."""
        among = ",".join("?" * len(tables))
        return {
            kept: sorted(self.rows(f'select * from {kept} where "{name}" in ({among})', *tables), key=repr)
            for kept, name in KEPT.items()
        }

    @contextmanager
    def unchanged(self, tables: Sequence[str], sent: object) -> Iterator[None]:
        """Nothing of these games changes meanwhile."""
        before = self.stored(tables)
        yield
        after = self.stored(tables)
        if before != after:
            changed = [row for kept, rows in after.items() for row in rows if row not in before[kept]]
            self.fault(sent, f"a game was changed; new: {changed}")


def code_of(content: bytes) -> object:
    """The code of a refusal."""
    try:
        return json.loads(content)["code"]
    except (ValueError, KeyError, TypeError):
        return None


@contextmanager
def ground(patience: float = PATIENCE) -> Iterator[Ground]:
    """A server without limits for one address or socket, for this sends much."""
    logged = Logged()
    share_interpreter()  # as a server does: attacker and server take turns often
    listening = listen("127.0.0.1", 0)
    address = f"127.0.0.1:{listening.getsockname()[1]}"
    with (
        tempfile.TemporaryDirectory(prefix="bastide-") as folder,
        patch("bastide.server.socket.RATE", 1e9),
        patch("bastide.server.socket.BURST", 1e9),
        httpx.Client(base_url=f"http://{address}", timeout=patience) as client,
    ):
        database = Path(folder) / "tables"
        server = uvicorn.Server(config(create_app(Settings(database=str(database), page=Path("/nonexistent")))))
        thread = Thread(target=server.run, kwargs={"sockets": [listening]})
        logging.getLogger().addHandler(logged)
        thread.start()
        attacked = Ground(address, database, patience, logged, client)
        try:
            yield attacked
        finally:
            server.should_exit = True
            thread.join()
            logging.getLogger().removeHandler(logged)
        attacked.listen("the end")


def many(count: int, start: int) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """So many examples, others for every start. A fault stays as it was met: the server is another one after it."""
    chosen = settings(
        max_examples=count,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        print_blob=False,
    )

    def tried(test: Callable[..., None]) -> Callable[[], None]:
        run = seed(start)(chosen(test))

        def quietly() -> None:
            with catch_warnings():  # of `random`, which the server's sockets use in the same process
                simplefilter("ignore", HypothesisDeprecationWarning)
                run()

        return quietly

    return tried
