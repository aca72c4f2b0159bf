"""Private PostgreSQL and Redis for tests: in a temporary folder, on free ports of this machine, ended with the test."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

BINARIES = [*Path("/usr/lib/postgresql").glob("*/bin"), *Path("/usr/pgsql").glob("*/bin")]
PATIENCE = 60.0  # seconds until a service must answer
NOBODY = "postgres"  # PostgreSQL refuses to run as root


def missing() -> str:
    """What these tests lack on this machine; nothing if all is there."""
    lacking = [name for name in ("initdb", "postgres", "redis-server") if program(name) is None]
    return f"not installed: {', '.join(lacking)} (see scripts/services.sh)" if lacking else ""


def program(name: str) -> str | None:
    """Where a program is; Debian keeps those of PostgreSQL apart."""
    path = os.pathsep.join([os.environ.get("PATH", ""), *map(str, sorted(BINARIES, reverse=True))])
    return shutil.which(name, path=path)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Service:
    """A server of its own process with a folder of its own."""

    ending = signal.SIGINT  # how it is asked to end

    def __init__(self) -> None:
        self.port = free_port()
        self.folder = Path(tempfile.mkdtemp(prefix="bastide-"))
        self.user = NOBODY if os.getuid() == 0 else None
        if self.user:
            shutil.chown(self.folder, self.user)
        self.process: subprocess.Popen[bytes] | None = None

    def command(self) -> list[str]:
        """What is run."""
        raise NotImplementedError

    def answers(self) -> bool:
        """Does it answer?"""
        raise NotImplementedError

    def start(self) -> None:
        """Runs it until it answers."""
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(self.command(), stdout=log, stderr=log, user=self.user, cwd=self.folder)
        until = time.monotonic() + PATIENCE
        while not self.answers():
            if self.process.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"{self.command()[0]} does not run: {(self.folder / 'log').read_text()}")
            time.sleep(0.05)

    def kill(self) -> None:
        """Ends it at once, as if the power had failed."""
        self.end(signal.SIGKILL)

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """In this block it hangs: connections stay, and nobody answers."""
        assert self.process is not None
        self.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)

    def end(self, how: signal.Signals) -> None:
        """Sends a signal and waits for the end."""
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait()
            self.process = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end(self.ending)
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, *command: str) -> str:
        """Runs a program of the service as its user."""
        found = program(command[0])
        assert found is not None, missing()
        done = subprocess.run(
            [found, *command[1:]], capture_output=True, text=True, user=self.user, cwd=self.folder, check=False
        )
        return "" if done.returncode else done.stdout or "done"


class Postgres(Service):
    """A database server. It waits for the disk, as a real one does."""

    ending = signal.SIGQUIT  # at once: to write everything down takes a minute, and the folder goes anyway

    def __init__(self) -> None:
        super().__init__()
        self.data = self.folder / "data"
        made = self.run("initdb", "--auth=trust", "--username=bastide", "--encoding=UTF8", "-D", str(self.data))
        if not made:
            raise RuntimeError("initdb failed")

    def command(self) -> list[str]:
        settings = {"listen_addresses": "127.0.0.1", "port": self.port, "unix_socket_directories": self.folder}
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        return [str(program("postgres")), "-D", str(self.data), *options]

    def answers(self) -> bool:
        return bool(self.sql("postgres", "select 1"))

    def sql(self, database: str, statement: str) -> str:
        """Runs a statement."""
        place = ("-h", "127.0.0.1", "-p", str(self.port), "-U", "bastide", "-d", database)
        return self.run("psql", *place, "-tAc", statement)

    def database(self, name: str) -> str:
        """The address of a new, empty database."""
        assert self.sql("postgres", f'create database "{name}"')
        return self.url(name)

    def url(self, name: str) -> str:
        """The address of a database."""
        return f"postgresql+asyncpg://bastide@127.0.0.1:{self.port}/{name}"


class RedisServer(Service):
    """A Redis that keeps nothing on the disk."""

    def command(self) -> list[str]:
        quiet = ("--save", "", "--appendonly", "no", "--dir", str(self.folder))
        return [str(program("redis-server")), "--port", str(self.port), "--bind", "127.0.0.1", *quiet]

    def answers(self) -> bool:
        return self.run("redis-cli", "-p", str(self.port), "ping").strip() == "PONG"

    @property
    def url(self) -> str:
        """Its address."""
        return f"redis://127.0.0.1:{self.port}/0"
