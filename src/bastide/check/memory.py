"""Does a module leave memory behind? Plain Python must not hand vectors to compiled code (CONTRIBUTING.md)."""

from __future__ import annotations

import ctypes
import gc
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from bastide.check.finding import Finding
from bastide.check.played import walk
from bastide.game import Rng
from bastide.game.engine import new_engine
from bastide.rules.rules import Rules

MEMORY: Final = Path("/proc/self/statm")  # where Linux tells how large a process is; elsewhere nothing is measured
PAGE: Final = 4096
NOISE: Final = 300_000  # bytes that a process grows by, whatever it does
AN_ACTION: Final = 200  # bytes; a vector that is lost takes more
GAMES: Final = 12


def check_memory(rules: Rules) -> Iterator[Finding]:
    """Plays some games again and again in one engine."""
    if not MEMORY.exists():
        return
    engine = new_engine(rules)
    for seed in range(GAMES // 3):
        walk(engine, Rng(seed))
    before = resident()
    actions = sum(walk(engine, Rng(seed)) for seed in range(GAMES))
    grown = resident() - before
    if grown > NOISE + AN_ACTION * actions:
        says = f"expected {actions} actions to leave no memory behind, got {grown // 1000} kB more"
        yield Finding("memory", f"{GAMES} random games", says)


def resident() -> int:
    """Bytes that the process occupies now."""
    gc.collect()
    if sys.platform == "linux":
        ctypes.CDLL(None).malloc_trim(0)
    return int(MEMORY.read_text().split()[1]) * PAGE
