"""`bastide` with a clock that somebody sets while it runs: `python -m tests.stepped_clock serve ...`.

The file in STEPPED_CLOCK says by how many seconds the clock of the machine is wrong. How time passes stays as it is, as
when a real clock is set. Processes that Python spawns for it import this file too, and have the same clock.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

OFFSET = Path(os.environ["STEPPED_CLOCK"])
LOOK = 0.5  # seconds between two looks at the file
NANO = 10**9

real_time_ns, even = time.time_ns, time.monotonic
seen = [even(), int(OFFSET.read_text())]


def stepped_time_ns() -> int:
    """The wrong time."""
    if even() - seen[0] > LOOK:
        seen[:] = [even(), int(OFFSET.read_text() or seen[1])]
    return real_time_ns() + round(seen[1]) * NANO


time.time_ns = stepped_time_ns
time.time = lambda: stepped_time_ns() / NANO

if __name__ == "__main__":
    from bastide.cli import main

    main()
