"""What a load test measures, and how it is told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from os import getpid, sysconf
from pathlib import Path
from time import monotonic


@dataclass
class Figures:
    """Counts and times of one run; times in seconds."""

    acknowledged: list[float] = field(default_factory=list)  # from sending an action to its `done`
    shown: list[float] = field(default_factory=list)  # from sending an action to the new state on all screens
    sizes: list[int] = field(default_factory=list)  # bytes of the messages that brought a new position
    late: list[float] = field(default_factory=list)  # how long after its time an action was sent: our own fault
    away: list[float] = field(default_factory=list)  # from losing a connection to being back
    errors: list[str] = field(default_factory=list)
    stale: int = 0  # refused because somebody was faster; to be expected where connections break
    unavailable: int = 0  # refused because the database was away
    begun: int = 0  # games for which a table was made,
    games: int = 0  # and that came to their end
    seconds: float = 0.0
    began: float = field(default_factory=monotonic)

    def begin(self) -> None:
        """Counts times from now on; whatever went wrong before is still told."""
        self.began = monotonic()
        self.acknowledged.clear()
        self.shown.clear()
        self.sizes.clear()
        self.late.clear()

    def end(self) -> None:
        """Counts no more."""
        self.seconds = monotonic() - self.began

    @property
    def moves(self) -> int:
        """Actions that were acknowledged."""
        return len(self.acknowledged)


def percentile(times: Sequence[float], share: float) -> float:
    """The time that this share of all does not exceed, in milliseconds."""
    if not times:
        return 0.0
    ordered = sorted(times)
    return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))]


class Watch:
    """Tells every now and then how it goes: what came since the last time, and what it took of the machine."""

    def __init__(self, server: Callable[[], Usage]) -> None:
        self._server = server
        self._seen = Looked(monotonic(), Usage(), Usage(), 0, 0, 0, 0)

    def begin(self, figures: Figures) -> None:
        """What came up to now is not told."""
        self._seen = self._look(figures)

    def tell(self, figures: Figures) -> str:
        """What came since the last time, in a line."""
        before, now = self._seen, self._look(figures)
        self._seen = now
        seconds = now.moment - before.moment
        p99 = percentile(figures.shown[before.shown :], 0.99)
        late = percentile(figures.late[before.sent :], 0.99)
        server, own = (
            100 * (after.seconds - earlier.seconds) / seconds
            for earlier, after in ((before.server, now.server), (before.own, now.own))
        )
        return (
            f"{now.moment - figures.began:.0f} s: {(now.shown - before.shown) / seconds:.1f} moves/s, "
            f"on all screens p99 {p99:.0f} ms; sent late p99 {late:.0f} ms; of a core: server {server:.0f} %, "
            f"clients {own:.0f} %; games begun {now.begun - before.begun}, over {now.games - before.games}; "
            f"errors: {len(figures.errors)}"
        )

    def _look(self, figures: Figures) -> Looked:
        shown, sent = len(figures.shown), len(figures.late)
        return Looked(monotonic(), self._server(), Usage.of(getpid()), shown, sent, figures.begun, figures.games)


def report(figures: Figures, before: Usage, after: Usage) -> str:
    """The figures for people."""
    lines = [
        f"{figures.moves} moves in {figures.seconds:.0f} s: {figures.moves / max(figures.seconds, 1e-9):.1f} moves/s"
    ]
    for name, times in (
        ("acknowledged", figures.acknowledged),
        ("on all screens", figures.shown),
        ("sent late", figures.late),
    ):
        p50, p95, p99 = (percentile(times, share) for share in (0.50, 0.95, 0.99))
        lines.append(
            f"{name}: p50 {p50:.1f} ms, p95 {p95:.1f} ms, p99 {p99:.1f} ms, most {percentile(times, 1):.1f} ms"
        )
    if figures.sizes:
        ordered = sorted(figures.sizes)
        middle, most = ordered[len(ordered) // 2], ordered[-1]
        lines.append(f"a new position for one screen: median {middle} bytes, most {most}; {sum(ordered)} bytes in all")
    if figures.away:
        lines.append(f"connections lost and found again: {len(figures.away)}, longest {max(figures.away):.1f} s")
    lines.append(f"games finished: {figures.games}; refused as stale: {figures.stale}; errors: {len(figures.errors)}")
    lines += [f"  {error}" for error in sorted(set(figures.errors))[:10]]
    if after.memory:
        each = 1000 * (after.seconds - before.seconds) / max(figures.moves, 1)
        lines.append(f"the server's processes: {after.memory / 2**20:.0f} MiB, {each:.2f} ms of a core for each move")
    return "\n".join(lines)


@dataclass(frozen=True)
class Usage:
    """What a process and its children have taken of the machine; nothing where the system does not tell."""

    memory: int = 0  # bytes
    seconds: float = 0.0  # of a core

    @classmethod
    def of(cls, process: int) -> Usage:
        """Up to now."""
        memory, ticks = 0, 0
        for file in Path("/proc").glob("[0-9]*/stat"):
            try:
                entries = file.read_text().rpartition(") ")[2].split()
            except OSError:  # it has ended meanwhile
                continue
            if process in (int(file.parent.name), int(entries[1])):
                ticks += int(entries[11]) + int(entries[12])
                memory += int(entries[21]) * sysconf("SC_PAGE_SIZE")
        return cls(memory, ticks / sysconf("SC_CLK_TCK"))


@dataclass(frozen=True)
class Looked:
    """How far everything was at a moment."""

    moment: float
    server: Usage
    own: Usage
    shown: int
    sent: int
    begun: int
    games: int
