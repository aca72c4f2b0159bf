"""The server that is attacked, in a thread of this process and reached over real sockets; and what it did wrong."""

from __future__ import annotations

import json
import socket
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
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

from bastide.server.api.incoming import BODY
from bastide.server.app import create_app
from bastide.server.background import share_interpreter
from bastide.server.run import config, listen
from bastide.server.settings import Settings
from tests.server.fuzz.witness import Witness, logged

PATIENCE = 60.0  # seconds after which an answer that has not come is a fault


@dataclass(kw_only=True)
class Ground(Witness):
    """A server, how to reach it, and its faults so far."""

    address: str
    patience: float
    client: httpx.Client

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

    def make(self, *kinds: str, **more: Any) -> dict[str, Any]:
        """A table with such seats."""
        answer = self.client.post("/api/tables", json={"seats": [{"kind": kind} for kind in kinds], **more})
        assert answer.status_code == 201, answer.text
        made: dict[str, Any] = answer.json()
        return made


@contextmanager
def ground(patience: float = PATIENCE) -> Iterator[Ground]:
    """A server without limits for one address or socket, for this sends much."""
    share_interpreter()  # as a server does: attacker and server take turns often
    listening = listen("127.0.0.1", 0)
    address = f"127.0.0.1:{listening.getsockname()[1]}"
    with (
        tempfile.TemporaryDirectory(prefix="bastide-") as folder,
        patch("bastide.server.api.socket.RATE", 1e9),
        patch("bastide.server.api.socket.BURST", 1e9),
        httpx.Client(base_url=f"http://{address}", timeout=patience) as client,
        logged() as log,
    ):
        database = Path(folder) / "tables"
        server = uvicorn.Server(config(create_app(Settings(database=str(database), page=Path("/nonexistent")))))
        thread = Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        attacked = Ground(database, log, address=address, patience=patience, client=client)
        try:
            yield attacked
        finally:
            server.should_exit = True
            thread.join()
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
