"""As many inputs as are asked for, in batches; tells of every fault and fails if there is one.

Most are made from real ones by a few changes and go straight to the application; of fifty batches one is made by
hypothesis and schemathesis, which are cleverer and dearer, and goes over real sockets. With `--count FILE` a run that
was ended goes on where it was.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path
from time import monotonic

from tests.server.fuzz import guided
from tests.server.fuzz.ground import PATIENCE, ground
from tests.server.fuzz.inside import inside
from tests.server.fuzz.messages import fuzz_messages
from tests.server.fuzz.quick import quick_messages, quick_records, quick_requests
from tests.server.fuzz.records import fuzz_records
from tests.server.fuzz.requests import fuzz_requests

# Of ten inputs so many are of a kind; the socket is where the game is.
SHARES = {"messages": 4, "requests": 3, "save files": 3}
QUICK = {"messages": quick_messages, "requests": quick_requests, "save files": quick_records}
CLEVER = {"messages": fuzz_messages, "requests": fuzz_requests, "save files": fuzz_records}
SELDOM = 50  # of so many batches of a kind one is made by the clever ones
BATCH = 500  # inputs; hypothesis remembers all examples of a run
MORE = 5  # for so many inputs one more save file by atheris, where it is installed


class Progress:
    """How many inputs of each kind there were; kept in a file, if one is wanted."""

    def __init__(self, seed: int, file: Path | None) -> None:
        self._file = file
        self.seed, self.sent, self.seconds = seed, Counter[str](), 0.0
        self.faults: list[str] = []
        if file is not None and file.exists():
            kept = json.loads(file.read_text())
            self.seed, self.sent, self.seconds = kept["seed"], Counter(kept["sent"]), kept["seconds"]
            self.faults = kept["faults"]

    def add(self, kind: str, count: int, seconds: float, faults: list[str]) -> None:
        """A batch is over."""
        self.sent[kind] += count
        self.seconds += seconds
        for fault in faults:
            print(fault, file=sys.stderr, flush=True)
        self.faults += faults
        told = ", ".join(f"{count} {name}" for name, count in self.sent.items())
        print(f"{self.seconds:5.0f} s: {told}; {len(self.faults)} faults", flush=True)
        if self._file is not None:
            kept = {"seed": self.seed, "sent": self.sent, "seconds": self.seconds, "faults": self.faults}
            self._file.write_text(json.dumps(kept, indent=1) + "\n")


def one_batch(kind: str, count: int, seed: int, clever: bool, patience: float) -> tuple[int, list[str]]:
    """So many inputs of a kind, sent to a server of their own; how many were sent, and the faults."""
    if clever:
        with ground(patience) as ground_attacked:
            sent = CLEVER[kind](ground_attacked, count, seed)
        return sent, ground_attacked.faults

    async def attack() -> tuple[int, list[str]]:
        async with inside(patience) as attacked:
            sent = await QUICK[kind](attacked, count, seed)
        return sent, attacked.faults

    return asyncio.run(attack())


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="scripts/fuzz-server", description=__doc__)
    parser.add_argument("--inputs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(4), "big"))
    parser.add_argument("--count", type=Path, help="file in which is kept how far the run has come")
    parser.add_argument("--patience", type=float, default=PATIENCE, help="seconds for an answer")
    wanted = parser.parse_args()
    logging.getLogger().addHandler(logging.NullHandler())  # what is logged is told as a fault, not on the screen
    progress = Progress(wanted.seed, wanted.count)
    print(f"seed {progress.seed}", flush=True)
    wished = {kind: wanted.inputs * share // 10 for kind, share in SHARES.items()}
    with tempfile.TemporaryDirectory() as cache:
        os.environ.setdefault("XDG_CACHE_HOME", cache)
        while any(progress.sent[kind] < count for kind, count in wished.items()):
            # the kind that is furthest behind; the number of its batch is its seed, so that any batch can be repeated
            kind = min(wished, key=lambda kind: progress.sent[kind] / max(1, wished[kind]))
            number = progress.sent[kind] // BATCH
            due, clever = min(BATCH, wished[kind] - progress.sent[kind]), number % SELDOM == SELDOM - 1
            began = monotonic()
            sent, faults = one_batch(kind, due, progress.seed + number, clever, wanted.patience)
            progress.add(kind, sent, monotonic() - began, [f"{kind}, batch {number}: {fault}" for fault in faults])
            if not sent:
                break
    if guided.installed():
        count = wanted.inputs // MORE
        faults = guided.fuzz_guided(count, progress.seed, wanted.patience)
        progress.add("save files led by what they reach", count, 0.0, faults)
    else:
        print("atheris is not installed: no save files that are led by what they reach", flush=True)
    print(f"{progress.sent.total()} inputs in {progress.seconds:.0f} s, {len(progress.faults)} faults", flush=True)
    return 1 if progress.faults else 0


if __name__ == "__main__":
    sys.exit(main())
