"""Puzzles: the collection, `puzzles.json` in the folders of the modules, and those made from games that are over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from bastide.analysis.puzzles import as_json, dearest
from bastide.homes import homes, per_modules
from bastide.notation.record import read_record
from bastide.server.api.refusal import Refusal
from bastide.server.api.responses import Analysis
from bastide.server.background import in_long_thread
from bastide.server.tables.records import record_text
from bastide.server.tables.registry import TableRegistry
from bastide.server.thinking.analysis_cache import AnalysisCache

FILE = "puzzles.json"
DEAREST = 3  # turns of a game that are worth another try


@per_modules
def puzzles() -> dict[str, dict[str, Any]]:
    """The collection by name, module after module."""
    return {
        puzzle["id"]: {"module": name, **puzzle}
        for name, home in homes().items()
        for puzzle in home.json(FILE) or []
    }  # fmt: skip


def listed() -> bytes:
    """What there is to solve, as JSON: name, module and level of each."""
    return msgspec.json.encode([{key: one[key] for key in ("id", "module", "level")} for one in puzzles().values()])


def puzzle_called(name: str) -> bytes:
    """One puzzle as JSON, refused if there is no such one."""
    found = puzzles().get(name)
    if found is None:
        raise Refusal("table", f"there is no puzzle {name!r}")
    return msgspec.json.encode(found)


def dearest_of(record: str, judged: Analysis, seat: int) -> list[dict[str, Any]]:
    """The dearest turns of a seat in a game that is over, each as a puzzle."""
    if seat >= len(judged.players):
        raise Refusal("shape", f"seat: expected one of 0 to {len(judged.players) - 1}, got {seat}")
    moves = [(move.n, move.action, move.loss) for turn in judged.turns if turn.seat == seat for move in turn.moves]
    return [as_json(puzzle) for puzzle in dearest(read_record(record), moves, DEAREST)]


async def of_table(
    registry: TableRegistry, analyses: AnalysisCache, table: str, mine: Sequence[int], seat: int | None
) -> list[dict[str, Any]]:
    """The dearest turns of a seat at a table, by default of one's own seat, each as a puzzle."""
    judged = await analyses.of(table)
    record = await record_text(registry, table, None)
    chosen = seat if seat is not None else next(iter(mine), 0)
    return await in_long_thread(dearest_of, record, judged, chosen)
