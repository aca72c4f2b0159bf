"""The time limits of bots, and how they are enforced."""

from __future__ import annotations

import re
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter, process_time
from types import FrameType
from typing import Any

from bastide.bots import Bot
from bastide.errors import OptionError

TIME = re.compile(r"(\d+(?:\.\d+)?)(ms|s)")
AGAIN = 0.2  # seconds: a bot that catches the interruption is interrupted again
PATIENCE = 10  # times the limit on the wall clock, where processor time is counted


@dataclass(frozen=True)
class Control:
    """Seconds for each decision and for each game; 0 means any time. `cpu` counts processor time, not the clock's."""

    move: float = 60.0
    game: float = 0.0
    cpu: bool = False

    def allowed(self, spent: float) -> float:
        """Seconds for the next decision of a bot that has spent so many; 0: any time."""
        limits = [limit for limit, on in ((self.move, self.move), (max(self.game - spent, 0.001), self.game)) if on]
        return min(limits, default=0.0)

    def clock(self, bot: Bot) -> float:
        """A time in seconds that grows while the bot thinks."""
        return process_time() + bot.cpu_seconds() if self.cpu else perf_counter()

    def __str__(self) -> str:
        parts = [f"{time:g} s a {what}" for time, what in ((self.move, "decision"), (self.game, "game")) if time]
        return (" and ".join(parts) + " of processor time" * self.cpu) if parts else "no limit"


def seconds(text: str) -> float:
    """A time such as `400ms` or `2s`."""
    found = TIME.fullmatch(text)
    if found is None:
        raise OptionError(f"expected a time such as 400ms or 2s, got {text!r}")
    return float(found[1]) / (1000 if found[2] == "ms" else 1)


class TimeOver(BaseException):
    """The time limit was exceeded. Not an Exception, so that a bot does not catch it as an error of its own."""


def patience(allowed: float, cpu: bool) -> float:
    """Seconds on the clock after which the arena stops waiting; 0: never."""
    return allowed * (PATIENCE if cpu else 1)


@contextmanager
def limited(allowed: float, cpu: bool) -> Iterator[None]:
    """Raises TimeOver in the middle of the block when the time limit is reached.

    Only Python in the main thread can be interrupted, and not on Windows; elsewhere time is looked at afterwards.
    """
    timer = getattr(signal, "ITIMER_REAL", None)
    if not allowed or timer is None or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(timer, patience(allowed, cpu), AGAIN)
    try:
        yield
    finally:
        signal.setitimer(timer, 0)
        signal.signal(signal.SIGALRM, before)


def interrupt(number: int, frame: FrameType | None) -> Any:
    """The alarm."""
    raise TimeOver


def interrupted(error: BaseException) -> bool:
    """Is this an interruption by the user? In worker processes, which ignore those, only a bot can raise it."""
    return isinstance(error, KeyboardInterrupt) and signal.getsignal(signal.SIGINT) is not signal.SIG_IGN
