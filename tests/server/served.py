"""Servers in processes of their own, as people run them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager


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
