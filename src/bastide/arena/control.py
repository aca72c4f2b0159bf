"""The time that bots have, and what happens to one that takes longer."""

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


class Late(BaseException):
    """Time is over. No Exception, so that a bot does not take it for an error of its own."""


@contextmanager
def limited(allowed: float, cpu: bool) -> Iterator[None]:
    """Raises Late in the middle of whatever is done here when the time is over.

    Only Python in the main thread can be interrupted, and not on Windows; elsewhere time is looked at afterwards.
    """
    timer = getattr(signal, "ITIMER_REAL", None)
    if not allowed or timer is None or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(timer, allowed * (PATIENCE if cpu else 1), AGAIN)
    try:
        yield
    finally:
        signal.setitimer(timer, 0)
        signal.signal(signal.SIGALRM, before)


def interrupt(number: int, frame: FrameType | None) -> Any:
    """The alarm."""
    raise Late
