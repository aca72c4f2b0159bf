"""Servers in processes of their own, as people run them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def bastide(*arguments: str, **variables: str) -> Iterator[subprocess.Popen[str]]:
    """A command of Bastide that runs until the end of the block."""
    command = [sys.executable, "-m", "bastide.cli", *arguments]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", **variables}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            yield process
        finally:
            process.terminate()


def address_of(process: subprocess.Popen[str]) -> str:
    """Where a server says that it is."""
    assert process.stdout is not None
    found = re.search(r"http://localhost:(\d+)/", process.stdout.readline())
    assert found is not None
    return f"127.0.0.1:{found[1]}"


def children(process: int, spawned: bool = True) -> list[int]:
    """The processes that a process has started; `spawned`: only those that Python has spawned to work for it."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            own = int(status.read_text().rpartition(") ")[2].split()[1]) == process
            if own and (not spawned or b"spawn_main" in (status.parent / "cmdline").read_bytes()):
                found.append(int(status.parent.name))
    return found
