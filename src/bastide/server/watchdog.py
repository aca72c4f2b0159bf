"""Signs of life of a process that serves: to the process that began it, or to systemd (`Type=notify`, `WatchdogSec`).

A process that is dead is noticed by the system; one that hangs is noticed because the signs stop.
"""

from __future__ import annotations

import gc
import os
import socket
from collections.abc import Callable
from contextlib import suppress

import uvicorn

TICKS = 10  # of uvicorn, which has ten a second, between two signs,
ALL_TICKS = 6000  # and until cycles are looked for among all objects
# The collector of cycles stops everything while it looks: some ms after so many new objects; never by itself for those
# that have stayed, which would take half a second where a thousand games are played. Tables and connections make no
# cycles (tests/server/test_collector.py), so there is little to find.
COLLECT = (2_000, 1_000_000, 1_000_000)
READY, ALIVE, STOPPING = "READY=1", "WATCHDOG=1", "STOPPING=1"
SYSTEMD = "NOTIFY_SOCKET"  # set by systemd


def notify_systemd(state: str) -> None:
    """Tells systemd, if it has begun this process and wants to know."""
    path = os.environ.get(SYSTEMD)
    if path:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as there, suppress(OSError):
            there.sendto(state.encode(), f"\0{path[1:]}" if path.startswith("@") else path)


class WatchedServer(uvicorn.Server):
    """A server that shows from within its event loop that it runs."""

    def __init__(self, config: uvicorn.Config, alive: Callable[[str], None] = notify_systemd) -> None:
        super().__init__(config)
        self._alive = alive
        self._begun = False

    async def on_tick(self, counter: int) -> bool:
        if counter % TICKS == 0:
            self._alive(ALIVE if self._begun else READY)
            self._begun = True
        if counter % ALL_TICKS == ALL_TICKS - 1:
            gc.collect()
        return await super().on_tick(counter)
