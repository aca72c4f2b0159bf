"""A chess clock that is read off the times of a table's lines: it needs no timer and survives a restart."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass

from bastide.server.api.incoming import Clock
from bastide.server.api.outgoing import ClockState

SECOND = 1000
DAY = 24 * 3600 * SECOND


LAG = 500  # ms that one message may have been under way at most, as far as the clock is concerned
LAG_QUOTA = 2 * SECOND  # that a seat is credited for lag at the beginning, and at most at any time,
LAG_REFILL = 100  # and what is added with each own turn
OUTAGE = 2 * SECOND  # a server that was away for longer gives the time back,
COME_BACK = 15 * SECOND  # and this much to every seat, if it was away long enough for clients to lose it
OFFSET = "BASTIDE_CLOCK_OFFSET"  # set for the processes of `bastide serve --workers N`, which share one clock


def wall_clock() -> int:
    """The moment by this machine's clock, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def monotonic_clock() -> int:
    """Milliseconds that pass evenly, whoever sets the clock of the machine."""
    return time.monotonic_ns() // 1_000_000


class ServerClock:
    """The moment by the server's clock: set once from the machine's clock, then counted evenly.

    When somebody sets the clock of the machine while the server runs, nobody at a table gains or loses time.
    """

    def __init__(
        self, wall: Callable[[], int] = wall_clock, even: Callable[[], int] = monotonic_clock, offset: int | None = None
    ) -> None:
        self._even = even
        shared = os.environ.get(OFFSET)
        if offset is None:
            offset = int(shared) if shared else wall() - even()
        self.offset = offset

    def __call__(self) -> int:
        """Now."""
        return self._even() + self.offset

    def start_from(self, moment: int) -> None:
        """Never tells a moment before this one: lines of that moment are stored already."""
        self.offset = max(self.offset, moment - self._even())


@dataclass(frozen=True)
class Asked:
    """The question that is open after a line."""

    seat: int  # who decides
    turn: int  # whose turn it is
    actions: int  # in the game so far
    new_tile: bool  # a tile was drawn that this seat must place now
    link: bool = False  # no action is wanted but a link, before a tile is drawn


class ClockFace:
    """Time left for each seat. Whoever decides is charged from the line that asked to the line that answers."""

    def __init__(self, clock: Clock, seats: int) -> None:
        self.clock = clock
        self.full = clock.days * DAY if clock.kind == "days" else clock.seconds * SECOND
        self.left = [self.full] * seats
        self.lag_left = [LAG_QUOTA] * seats
        self.running: int | None = None
        self.since = 0
        self._last: Asked | None = None
        self._ended: list[tuple[int, int]] = []  # turns that are over: actions of the game then, and whose turn it was

    def copy(self) -> ClockFace:
        """An independent clock that shows the same."""
        twin = ClockFace.__new__(ClockFace)
        twin.__dict__.update(self.__dict__)
        twin.left, twin.lag_left, twin._ended = self.left[:], self.lag_left[:], self._ended[:]
        return twin

    @property
    def off(self) -> bool:
        """Is there no limit at this table?"""
        return self.clock.kind == "none"

    def tick(self, at: int, asked: Asked | None, lag: int = 0) -> None:
        """A line came at this moment, after `lag` ms under way; after it this question is open (None: none)."""
        if self.running is not None:
            self._charge(self.running, max(0, at - self.since), lag)
        self.running, self.since = None if asked is None else asked.seat, at
        if asked is None:
            return
        last, self._last = self._last, asked
        if last is not None and asked.actions < last.actions:
            self._take_back(asked.actions)
        elif last is not None and last.turn != asked.turn:
            self._end_turn(last.turn, asked.actions)
        same_turn = last is not None and (last.seat, last.turn) == (asked.seat, asked.turn)
        new_turn = not same_turn or (asked.new_tile and last is not None and not last.link)
        if self.clock.kind in ("turn", "days") and new_turn:
            self.left[asked.seat] = self.full

    def _charge(self, seat: int, spent: int, lag: int) -> None:
        """Time that a seat took; the time under way is paid from its quota and by nobody else."""
        paid = min(spent, lag, self.lag_left[seat])
        self.lag_left[seat] -= paid
        self.left[seat] = max(0, self.left[seat] - (spent - paid))

    def _end_turn(self, seat: int, actions: int) -> None:
        self.left[seat] += self.clock.increment * SECOND
        self.lag_left[seat] = min(LAG_QUOTA, self.lag_left[seat] + LAG_REFILL)
        self._ended.append((actions, seat))

    def _take_back(self, actions: int) -> None:
        """A turn that is played anew has not ended: its increment goes too."""
        while self._ended and self._ended[-1][0] > actions:
            _, seat = self._ended.pop()
            self.left[seat] = max(0, self.left[seat] - self.clock.increment * SECOND)

    def credit(self, back: int, each: int) -> None:
        """No server ran for a while: who decides gets that time back, and everybody some to come back."""
        if self.running is not None:
            self.since += back
        self.left = [left + each for left in self.left]

    def lag_for(self, seat: int, measured: int) -> int:
        """How much of a measured lag is credited to a seat."""
        return min(measured, LAG, self.lag_left[seat])

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
