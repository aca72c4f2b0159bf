"""Runs a server until it is told to stop: one process, or several that share one address."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
import socket
import tempfile
import threading
from multiprocessing import get_context
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from time import monotonic, sleep

import uvicorn
from litestar import Litestar

from bastide.errors import BastideError, OptionError
from bastide.server import logs
from bastide.server.app import create_app
from bastide.server.bots import end_with_parent
from bastide.server.checks import warn_of_stranded_tables
from bastide.server.clock import OFFSET, ServerClock
from bastide.server.incoming import BODY
from bastide.server.settings import Settings, database_url
from bastide.server.store import Store

PING = 10  # seconds between two pings, and until a client that does not answer is gone
SOON = 5  # seconds; a process that ends within them probably cannot start now, because the database is away,
PAUSE = 1  # and is replaced after a pause
SHARED_FIGURES = "PROMETHEUS_MULTIPROC_DIR"  # read when the figures are made, so it is named here too
COLLECT = (10_000, 20, 20)  # new objects, and rounds, after which cycles of the young, older and all are looked for
GRACE = 3  # seconds for answers that are under way when the server stops

log = logging.getLogger("bastide.server")


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
        serve(create_app(settings), listening)
        return
    asyncio.run(migrate_database(settings))
    if isinstance(settings.moment, ServerClock):
        os.environ[OFFSET] = str(settings.moment.offset)
    os.environ[SHARED_FIGURES] = tempfile.mkdtemp(prefix="bastide-figures-")
    os.environ["BASTIDE_DATABASE"], os.environ["BASTIDE_REDIS"] = settings.database, settings.redis
    keep_alive(listening, workers)


def config(app: Litestar) -> uvicorn.Config:
    """How uvicorn serves."""
    return uvicorn.Config(
        app,
        log_config=None,
        ws="websockets-sansio",
        ws_max_size=BODY,
        ws_ping_interval=PING,
        ws_ping_timeout=PING,
        timeout_graceful_shutdown=GRACE,
        server_header=False,
    )


def serve(app: Litestar, listening: socket.socket) -> None:
    """Serves in this process."""
    # The collector of cycles stops everything while it looks at all that there is. What the program itself is made of
    # stays anyway, and tables hardly make cycles, so it need not look often.
    gc.freeze()
    gc.set_threshold(*COLLECT)
    uvicorn.Server(config(app)).run(sockets=[listening])


def keep_alive(listening: socket.socket, count: int) -> None:
    """So many processes at one address, until Ctrl-C or SIGTERM. The system tells at once when one of them ends."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    began: dict[BaseProcess, float] = {}
    try:
        while True:
            while len(began) < count:
                began[begin_process(listening)] = monotonic()
            wait([process.sentinel for process in began])
            for process in [process for process in began if not process.is_alive()]:
                log.warning("process %s ended with %s; another takes its place", process.pid, process.exitcode)
                if monotonic() - began.pop(process) < SOON:
                    sleep(PAUSE)
    except KeyboardInterrupt:
        pass
    finally:
        for process in began:
            process.terminate()
        for process in began:
            process.join()


def begin_process(listening: socket.socket) -> BaseProcess:
    """One more process that serves."""
    process = get_context("spawn").Process(target=serve_in_a_process, args=(listening,))
    process.start()
    return process


def serve_in_a_process(listening: socket.socket) -> None:
    """One of several; its settings are in the environment, and it ends with the process that began it."""
    threading.Thread(target=end_with_parent, daemon=True).start()
    logs.set_up()
    serve(create_app(), listening)


async def migrate_database(settings: Settings) -> None:
    """Brings the database to its newest form before the processes start."""
    store = Store(database_url(settings.database))
    try:
        await store.open()
        await warn_of_stranded_tables(store)
    finally:
        await store.close()
