"""Runs a server until it is told to stop: one process, or several that share one address."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
import socket
import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from importlib.metadata import version
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from time import monotonic, sleep

import uvicorn
from litestar import Litestar

from bastide.errors import BastideError, OptionError
from bastide.server import logs
from bastide.server.api.connections import CountedSocket, TimedHttp
from bastide.server.api.incoming import BODY
from bastide.server.api.refusal import Refusal
from bastide.server.app import create_app
from bastide.server.background import share_interpreter
from bastide.server.settings import Settings, database_url
from bastide.server.storage.store import Store
from bastide.server.tables.checks import warn_of_stranded_tables
from bastide.server.tables.clock import OFFSET, ServerClock
from bastide.server.thinking.bots import end_with_parent
from bastide.server.watchdog import ALIVE, COLLECT, READY, STOPPING, WatchedServer, notify_systemd

PING = 10  # seconds between two pings, and until a client that does not answer is gone
SOON = 5  # seconds; a process that ends within them probably cannot start now, because the database is away,
PAUSE = 1  # and is replaced after a pause
SHARED_FIGURES = "PROMETHEUS_MULTIPROC_DIR"  # read when the figures are made, so it is named here too
LOOK = 1.0  # seconds between two looks at the signs of life of the processes
HUNG = 30  # seconds without one after which a process is killed; a machine may stand still for some
PROXIES, LOOPBACK = "FORWARDED_ALLOW_IPS", "127.0.0.1,::1,::ffff:127.0.0.1"  # who is believed about its clients
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
    """Serves until Ctrl-C. Of several processes one that dies or hangs is replaced."""
    if workers > 1 and not settings.redis:
        raise OptionError("--workers: several processes need BASTIDE_REDIS, to tell each other the news")
    logs.set_up()
    raise_file_limit()
    asyncio.run(open_database(settings, check=workers > 1))
    log.info("Bastide %s serves with %d process%s", version("bastide"), workers, "es" if workers > 1 else "")
    if workers == 1:
        serve(create_app(settings), listening)
        return
    if isinstance(settings.moment, ServerClock):
        os.environ[OFFSET] = str(settings.moment.offset)
    os.environ["BASTIDE_DATABASE"], os.environ["BASTIDE_REDIS"] = settings.database, settings.redis
    with tempfile.TemporaryDirectory(prefix="bastide-figures-") as figures:
        os.environ[SHARED_FIGURES] = figures
        keep_alive(listening, workers)


def raise_file_limit() -> None:
    """Every connection is an open file; the usual limit of 1,024 is meant for programs that serve nobody."""
    if sys.platform != "win32":
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def config(app: Litestar) -> uvicorn.Config:
    """How uvicorn serves."""
    return uvicorn.Config(
        app,
        log_config=None,
        http=TimedHttp,
        ws=CountedSocket,
        forwarded_allow_ips=os.environ.get(PROXIES, LOOPBACK),
        ws_max_size=BODY,
        ws_per_message_deflate=False,  # 44 kB a socket for messages that are small already (bench/results.md)
        ws_ping_interval=PING,
        ws_ping_timeout=PING,
        timeout_graceful_shutdown=GRACE,
        server_header=False,
    )


def serve(app: Litestar, listening: socket.socket, alive: Callable[[str], None] = notify_systemd) -> None:
    """Serves in this process; `alive` is told again and again that it does."""
    share_interpreter()
    gc.freeze()  # what the program itself is made of stays anyway
    gc.set_threshold(*COLLECT)
    WatchedServer(config(app), alive).run(sockets=[listening])


class Worker:
    """One of several processes that serve."""

    def __init__(self, listening: socket.socket) -> None:
        context = get_context("spawn")
        self.signs, theirs = context.Pipe(duplex=False)
        self.process = context.Process(target=serve_in_a_process, args=(listening, theirs))
        self.process.start()
        theirs.close()
        self.began = self.heard = monotonic()
        self.serves = False

    def hear(self) -> None:
        """Reads its signs of life."""
        with suppress(EOFError, OSError):
            while self.signs.poll():
                self.signs.recv()
                self.heard, self.serves = monotonic(), True

    @property
    def hangs(self) -> bool:
        """Has it given no sign of life for too long? Starting takes a while: tables of another version are replayed."""
        return self.serves and monotonic() - self.heard > HUNG

    def end(self) -> None:
        """Frees what it leaves behind."""
        self.signs.close()
        self.process.join()
        self.process.close()


def keep_alive(listening: socket.socket, count: int) -> None:
    """So many processes at one address, until Ctrl-C or SIGTERM. The system tells at once when one of them ends."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    workers: list[Worker] = []
    ready = False
    try:
        while True:
            while len(workers) < count:
                workers.append(Worker(listening))
            wait([worker.process.sentinel for worker in workers], timeout=LOOK)
            for worker in workers:
                worker.hear()
            for worker in [worker for worker in workers if worker.hangs or not worker.process.is_alive()]:
                workers.remove(worker)
                replace_worker(worker)
            if not ready and all(worker.serves for worker in workers):
                ready = True
                notify_systemd(READY)
            notify_systemd(ALIVE)
    except KeyboardInterrupt:
        notify_systemd(STOPPING)
    finally:
        for worker in workers:
            worker.process.terminate()
        for worker in workers:
            worker.end()


def replace_worker(worker: Worker) -> None:
    """One has ended, or hangs and is ended now."""
    process = worker.process
    if process.is_alive():
        log.error("process %s gave no sign of life for %d s and is killed; another takes its place", process.pid, HUNG)
        process.kill()
    else:
        log.warning("process %s ended with %s; another takes its place", process.pid, process.exitcode)
        if monotonic() - worker.began < SOON:
            sleep(PAUSE)
    worker.end()


def serve_in_a_process(listening: socket.socket, signs: Connection) -> None:
    """One of several; its settings are in the environment, and it ends with the process that began it."""
    threading.Thread(target=end_with_parent, daemon=True).start()
    logs.set_up()
    serve(create_app(), listening, signs.send)


async def open_database(settings: Settings, check: bool) -> None:
    """Brings the database to its newest form before anybody is served, or says why it cannot be used.

    `check`: tables of another version are replayed here, once for all processes.
    """
    store = Store(database_url(settings.database))
    try:
        await store.open()
        if check:
            await warn_of_stranded_tables(store)
    except Refusal as refusal:
        raise BastideError("the database cannot be used: see the line above") from refusal
    finally:
        await store.close()
