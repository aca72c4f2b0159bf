"""A chess clock that is read off the times of a table's lines: it needs no timer and survives a restart."""

from __future__ import annotations

import time

from bastide.server.incoming import Clock
from bastide.server.outgoing import ClockState

SECOND = 1000
DAY = 24 * 3600 * SECOND


LAG = 500  # ms that a message may have been under way at most, as far as the clock is concerned
OUTAGE = 2 * SECOND  # a server that was away for longer gives the time back,
COME_BACK = 15 * SECOND  # and this much to every seat


def now() -> int:
    """The moment by this machine's clock, in milliseconds."""
    return time.time_ns() // 1_000_000


class ClockFace:
    """Time left for each seat. Whoever decides is charged from the line that asked to the line that answers."""

    def __init__(self, clock: Clock, seats: int) -> None:
        self.clock = clock
        self.full = clock.days * DAY if clock.kind == "days" else clock.seconds * SECOND
        self.left = [self.full] * seats
        self.running: int | None = None
        self.since = 0
        self.last: tuple[int, int] | None = None  # the seat that was asked last, and whose turn it was

    @property
    def off(self) -> bool:
        """Is there no limit at this table?"""
        return self.clock.kind == "none"

    def tick(self, at: int, decides: int | None, turn: int) -> None:
        """A line came at this moment; after it this seat decides (None: nobody), in the turn of that one."""
        if self.running is not None:
            self.left[self.running] = max(0, self.left[self.running] - max(0, at - self.since))
        self.running, self.since = decides, at
        if decides is None or self.last == (decides, turn):
            return
        if self.last is not None and self.last[0] != decides:
            self.left[self.last[0]] += self.clock.increment * SECOND
        if self.clock.kind in ("turn", "days"):
            self.left[decides] = self.full
        self.last = decides, turn

    def credit(self, back: int, each: int) -> None:
        """No server ran for a while: who decides gets that time back, and everybody some to come back."""
        if self.running is not None:
            self.since += back
        self.left = [left + each for left in self.left]

    @property
    def deadline(self) -> int | None:
        """The moment at which the seat that decides runs out of time."""
        if self.off or self.running is None:
            return None
        return self.since + self.left[self.running]

    def state_at(self, now: int) -> ClockState:
        """The clock at a moment, for a message."""
        left = None
        if not self.off:
            left = self.left[:]
            if self.running is not None:
                left[self.running] = max(0, left[self.running] - max(0, now - self.since))
        clock = self.clock
        return ClockState(
            kind=clock.kind,
            seconds=clock.seconds,
            increment=clock.increment,
            days=clock.days,
            left=left,
            running=None if self.off else self.running,
        )
