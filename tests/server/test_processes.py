"""`bastide serve --workers N`: processes that are killed come back, and none is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

from bastide.server.settings import Settings
from tests.server.served import address_of, bastide, children


@contextmanager
def serving(settings: Settings) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server of two processes, and its address."""
    variables = {"BASTIDE_DATABASE": settings.database, "BASTIDE_REDIS": settings.redis}
    with bastide("serve", "--port", "0", "--workers", "2", **variables) as process:
        address = address_of(process)
        assert answers(address)
        yield process, address


def answers(address: str) -> bool:
    """Is the server well? Who asks before it has begun waits."""
    with urlopen(f"http://{address}/healthz", timeout=60) as answer:
        return bool(answer.status == 200)


def test_killed_processes_are_replaced(shared: Settings) -> None:
    with serving(shared) as (command, address):
        first = set(children(command.pid))
        assert len(first) == 2
        for process in first:
            os.kill(process, signal.SIGKILL)
        while len(set(children(command.pid)) - first) < 2:
            time.sleep(0.05)
        assert answers(address)


def test_processes_end_with_the_command_even_if_it_is_killed(shared: Settings) -> None:
    with serving(shared) as (command, _):
        processes = children(command.pid)
        command.kill()
        while any(Path(f"/proc/{process}").exists() for process in processes):
            time.sleep(0.05)
