"""The WebSocket of a table: who may open it, and how it ends."""

from __future__ import annotations

import logging
from contextlib import suppress
from typing import Any

from litestar import WebSocket, websocket
from litestar.di import NamedDependency
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath

from bastide.server.api.connections import DIRECT
from bastide.server.api.limits import Limits
from bastide.server.api.origins import browser_key, check_origin
from bastide.server.api.outgoing import Refused
from bastide.server.api.refusal import Refusal
from bastide.server.api.socket import CLOSE_FAULT, CLOSE_POLICY, CLOSE_TOO_BIG, ClientGone, Connection, Wire, encode
from bastide.server.logs import begin_request
from bastide.server.metrics import FAULTS, REFUSED, SOCKETS
from bastide.server.tables.registry import TableRegistry

GONE = (WebSocketDisconnect, OSError, RuntimeError)  # what a socket may raise whose client has left

log = logging.getLogger("bastide.server")


class ClientSocket:
    """A WebSocket that says in one way that its client has left; by the shortest way that the server has."""

    def __init__(self, socket: WebSocket[Any, Any, Any]) -> None:
        extensions: Any = socket.scope.get("extensions") or {}
        self._socket: Wire = extensions[DIRECT]["socket"] if DIRECT in extensions else socket

    async def send_text(self, text: str, /) -> None:
        try:
            await self._socket.send_text(text)
        except GONE as error:
            raise ClientGone from error

    async def receive_text(self) -> str:
        try:
            return await self._socket.receive_text()
        except GONE as error:
            raise ClientGone from error


@websocket("/api/tables/{table:str}/socket")
async def table_socket(
    socket: WebSocket[Any, Any, Any],
    table: FromPath[str],
    registry: NamedDependency[TableRegistry],
    limits: NamedDependency[Limits],
) -> None:
    """A table's socket: see docs/protocol.md."""
    begin_request(table)
    await socket.accept()
    address = socket.client.host if socket.client else ""
    connection = Connection(ClientSocket(socket), registry, table, limits, address)
    try:
        limits.check_ban(address)
        check_origin(socket, address, limits.hosts)
        with limits.socket(address), SOCKETS.track_inprogress():
            await connection.run(browser_key(socket))
    except ClientGone:
        pass
    except Refusal as refusal:
        REFUSED.labels(refusal.code).inc()
        with suppress(*GONE):
            refused = Refused(re=None, code=refusal.code, message=refusal.message)
            await socket.send_text(encode(refused).decode())
            await socket.close(CLOSE_TOO_BIG if refusal.code == "too_big" else CLOSE_POLICY, refusal.code)
    except Exception:
        FAULTS.inc()
        log.exception("a socket could not be served")
        with suppress(*GONE):
            await socket.close(CLOSE_FAULT, "internal")
