"""Limits that uvicorn does not have: how long a request may take to arrive, how large its head may be, how many frames
a socket may send. Without them one client that never finishes, or never stops, could keep everybody out.
"""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

REQUEST_SECONDS = 30.0  # from the first byte, or from connecting, until a request is there with its body
HEAD = 32 * 1024  # bytes of a request before its body
FRAMES, FRAME_BURST = 20.0, 200.0  # pings and parts of messages a second in the long run, and at once
SLICE = 2048  # bytes of a socket that are read before its frames are counted
POLICY = 1008
TEXT = 0x81  # the first byte of a frame that is a whole text,
TEXT_16, TEXT_64 = bytes((TEXT, 126)), bytes((TEXT, 127))  # and what comes before a size of two or eight bytes
DIRECT = "bastide.direct"  # the extension of ASGI by which a handler finds the socket itself


def text_frame(data: bytes) -> bytes:
    """A text as one frame of a WebSocket."""
    size = len(data)
    if size < 126:
        return bytes((TEXT, size)) + data
    if size < 1 << 16:
        return TEXT_16 + size.to_bytes(2, "big") + data
    return TEXT_64 + size.to_bytes(8, "big") + data


class TimedHttp(HttpToolsProtocol):
    """An HTTP connection whose requests must arrive in time, with a head of reasonable size."""

    _timer: asyncio.TimerHandle | None = None
    _head_open = False
    _head_size = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._expect_request()

    def connection_lost(self, exc: Exception | None) -> None:
        self._request_arrived()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._head_open and not self.transport.is_closing():
            self._head_size += len(data)
            if self._head_size > HEAD:
                self.send_400_response("The head of this request is longer than the server takes.")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._head_open, self._head_size = True, 0
        self._expect_request()

    def on_headers_complete(self) -> None:
        self._head_open = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._request_arrived()
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        self._request_arrived()
        super().handle_websocket_upgrade()

    def _expect_request(self) -> None:
        self._request_arrived()
        self._timer = self.loop.call_later(REQUEST_SECONDS, self.transport.close)

    def _request_arrived(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class CorkedTransport(asyncio.Transport):
    """Saves calls of the system. What is written in one turn of the loop is handed over at once; and where reading is
    to pause, as it is while a message is answered, it does so when more has come.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._transport, self._loop = transport, loop
        self._written: list[bytes] = []
        self._may_read = self._reads = True

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return self._transport.get_extra_info(name, default)

    def is_closing(self) -> bool:
        return self._transport.is_closing()

    def pause_reading(self) -> None:
        self._may_read = False

    def resume_reading(self) -> None:
        self._may_read = True
        if not self._reads:
            self._reads = True
            self._transport.resume_reading()

    def on_read(self) -> None:
        """More has come."""
        if self._reads and not self._may_read:
            self._reads = False
            self._transport.pause_reading()

    def write(self, data: bytes) -> None:  # type: ignore[override]
        """Soon."""
        if not self._written:
            self._loop.call_soon(self._flush)
        self._written.append(data)

    def close(self) -> None:
        """After all that was written."""
        self._flush()
        self._transport.close()

    def _flush(self) -> None:
        written, self._written = self._written, []
        if written and not self._transport.is_closing():
            self._transport.write(written[0] if len(written) == 1 else b"".join(written))


class CountedSocket(WebSocketsSansIOProtocol):
    """A WebSocket that is closed when it sends too many frames that are no messages."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._frames_left, self._counted = FRAME_BURST, monotonic()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._corked = CorkedTransport(cast(asyncio.Transport, transport), self.loop)
        super().connection_made(self._corked)

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        if self.handshake_initiated and not self.close_sent:
            self.scope["extensions"][DIRECT] = {"socket": self}

    # --- the shortest way for texts: several layers look at each event of ASGI
    async def send_text(self, text: str) -> None:
        """Sends a text."""
        if not self.writable.is_set():
            await self.writable.wait()
        if self.disconnected or self.close_sent:
            raise ClientDisconnected
        self.transport.write(text_frame(text.encode()))

    async def receive_text(self) -> str:
        """The next text; what is none is read as an empty one."""
        event: Any = await self.receive()
        if event["type"] != "websocket.receive":
            raise ClientDisconnected
        return event.get("text") or ""

    # --- frames
    def data_received(self, data: bytes) -> None:
        self._corked.on_read()
        for start in range(0, len(data), SLICE):
            super().data_received(data[start : start + SLICE])
            if self._frames_left < 0 and not self.close_sent:
                self.conn.fail(POLICY, "rate")
                self.handle_parser_exception()
            if self.close_sent:
                return

    def handle_cont(self, event: Any) -> None:
        self._count_frame()
        super().handle_cont(event)

    def handle_ping(self) -> None:
        self._count_frame()
        super().handle_ping()

    def handle_pong(self, event: Any) -> None:
        self._count_frame()
        super().handle_pong(event)

    def _count_frame(self) -> None:
        moment = monotonic()
        self._frames_left = min(FRAME_BURST, self._frames_left + (moment - self._counted) * FRAMES) - 1
        self._counted = moment
