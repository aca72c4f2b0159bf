"""As many inputs as are asked for, in batches; tells of every fault and fails if there is one."""

from __future__ import annotations

import argparse
import logging
import os
import sys
import tempfile
from collections import Counter
from time import monotonic

from tests.server.fuzz import guided
from tests.server.fuzz.ground import PATIENCE, ground
from tests.server.fuzz.messages import fuzz_messages
from tests.server.fuzz.records import fuzz_records
from tests.server.fuzz.requests import fuzz_requests

# Of ten inputs so many are of a kind; the socket is where the game is.
KINDS = {"messages": (4, fuzz_messages), "requests": (3, fuzz_requests), "save files": (3, fuzz_records)}
MORE = 5  # for so many inputs one more save file by atheris, where it is installed
BATCH = 500  # hypothesis remembers all examples of a run


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="scripts/fuzz-server", description=__doc__)
    parser.add_argument("--inputs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(4), "big"))
    parser.add_argument("--patience", type=float, default=PATIENCE, help="seconds for an answer")
    wanted = parser.parse_args()
    logging.basicConfig(level=logging.CRITICAL)
    print(f"seed {wanted.seed}", flush=True)
    begun, number = monotonic(), wanted.seed
    sent: Counter[str] = Counter()
    shown = 0  # faults that were told already
    wished = {kind: wanted.inputs * share // 10 for kind, (share, _) in KINDS.items()}
    with tempfile.TemporaryDirectory() as cache, ground(wanted.patience) as attacked:
        os.environ.setdefault("XDG_CACHE_HOME", cache)
        while not attacked.enough and any(sent[kind] < count for kind, count in wished.items()):
            for kind, (_, fuzz) in KINDS.items():
                due = min(BATCH, wished[kind] - sent[kind])
                if due > 0:
                    number += 1
                    sent[kind] += fuzz(attacked, due, number)
            told = ", ".join(f"{count} {kind}" for kind, count in sent.items())
            print(f"{monotonic() - begun:5.0f} s: {told}; {len(attacked.faults)} faults", flush=True)
            for fault in attacked.faults[shown:]:
                print(fault, file=sys.stderr, flush=True)
            shown = len(attacked.faults)
    if guided.installed():
        count = wanted.inputs // MORE
        attacked.faults += guided.fuzz_guided(count, wanted.seed, wanted.patience)
        print(f"{monotonic() - begun:5.0f} s: {count} save files more, led by what they reach", flush=True)
    else:
        print("atheris is not installed: no save files that are led by what they reach", flush=True)
    for fault in attacked.faults[shown:]:
        print(fault, file=sys.stderr)
    print(f"{sent.total()} inputs in {monotonic() - begun:.0f} s, {len(attacked.faults)} faults", flush=True)
    return 1 if attacked.faults else 0


if __name__ == "__main__":
    sys.exit(main())
