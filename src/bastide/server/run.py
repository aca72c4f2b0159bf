"""Runs a server until it is told to stop: one process, or several that share one address."""

from __future__ import annotations

import asyncio
import os
import socket
import tempfile

import uvicorn
from litestar import Litestar
from uvicorn.supervisors import Multiprocess

from bastide.errors import BastideError, OptionError
from bastide.server import logs
from bastide.server.app import create_app
from bastide.server.incoming import BODY
from bastide.server.settings import Settings, database_url
from bastide.server.store import Store

PING = 10  # seconds between two pings, and until a client that does not answer is gone
HEALTHY = 30  # seconds in which a process must say that it lives; a busy machine may need some
SHARED_FIGURES = "PROMETHEUS_MULTIPROC_DIR"  # read when the figures are made, so it is named here too
GRACE = 3  # seconds for answers that are under way when the server stops


def listen(host: str, port: int) -> socket.socket:
    """A socket on which the server will be reached; who comes before it has begun waits and is not refused."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen()
    except OSError as error:
        listening.close()
        raise BastideError(f"{host}:{port} cannot be used: {error.strerror}") from error
    return listening


def run(settings: Settings, listening: socket.socket, workers: int = 1) -> None:
    """Serves until Ctrl-C. Of several processes one that dies is replaced."""
    if workers > 1 and not settings.redis:
        raise OptionError("--workers: several processes need BASTIDE_REDIS, to tell each other the news")
    logs.set_up()
    if workers == 1:
        uvicorn.Server(config(create_app(settings))).run(sockets=[listening])
        return
    asyncio.run(migrated(settings))
    os.environ[SHARED_FIGURES] = tempfile.mkdtemp(prefix="bastide-figures-")
    os.environ["BASTIDE_DATABASE"], os.environ["BASTIDE_REDIS"] = settings.database, settings.redis
    listening.set_inheritable(True)
    Multiprocess(config(f"{__name__}:{in_a_process.__name__}", workers), sockets=[listening]).run()


def in_a_process() -> Litestar:
    """The application of one of several processes; its settings are in the environment."""
    logs.set_up()
    return create_app()


def config(app: Litestar | str, workers: int = 1) -> uvicorn.Config:
    """How uvicorn serves; several processes make the application themselves."""
    return uvicorn.Config(
        app,
        factory=isinstance(app, str),
        workers=workers,
        log_config=None,
        ws="websockets-sansio",
        ws_max_size=BODY,
        ws_ping_interval=PING,
        ws_ping_timeout=PING,
        timeout_graceful_shutdown=GRACE,
        timeout_worker_healthcheck=HEALTHY,
        server_header=False,
    )


async def migrated(settings: Settings) -> None:
    """Brings the database to its newest form before the processes start."""
    store = Store(database_url(settings.database))
    await store.open()
    await store.close()
