"""Runs a server until it is told to stop."""

from __future__ import annotations

import socket

import uvicorn

from bastide.errors import BastideError
from bastide.server.app import Settings, create_app
from bastide.server.incoming import BODY

GRACE = 3  # seconds for answers that are under way when the server stops


def listen(host: str, port: int) -> socket.socket:
    """A socket on which the server will be reached."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise BastideError(f"{host}:{port} cannot be used: {error.strerror}") from error
    return listening


def run(settings: Settings, listening: socket.socket) -> None:
    """Serves until Ctrl-C."""
    config = uvicorn.Config(
        create_app(settings),
        log_level="warning",
        ws="websockets-sansio",
        ws_max_size=BODY,
        timeout_graceful_shutdown=GRACE,
        server_header=False,
    )
    uvicorn.Server(config).run(sockets=[listening])
