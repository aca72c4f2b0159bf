"""What a server did wrong: answers that are faults, lines of its log, games that were changed."""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bastide.server.api.refusal import REFUSALS

ENOUGH = 20  # faults; more say nothing new
SHOWN = 300  # letters of an input that a fault shows
CLIENT = "websockets.client"  # logs here what befell the attacker
KEPT = {"tables": "name", "seats": "table", "lines": "table"}  # what a game is, and the column that names its table


class Logged(logging.Handler):
    """Keeps what was logged as an error or with an exception."""

    def __init__(self) -> None:
        super().__init__()
        self.bad: list[str] = []
        self.setFormatter(logging.Formatter("%(name)s: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        if record.name != CLIENT and (record.levelno >= logging.ERROR or record.exc_info):
            self.bad.append(self.format(record))


@contextmanager
def logged() -> Iterator[Logged]:
    """What is logged in this block."""
    found, root = Logged(), logging.getLogger()
    level = root.level
    root.addHandler(found)
    root.setLevel(min(level, logging.ERROR))  # else nothing would be logged that could be kept
    try:
        yield found
    finally:
        root.removeHandler(found)
        root.setLevel(level)


@dataclass
class Witness:
    """The faults of a server so far."""

    database: Path
    logged: Logged
    faults: list[str] = field(default_factory=list)
    _told: set[str] = field(default_factory=set)  # one input for each fault is enough
    _reader: sqlite3.Connection | None = None

    @property
    def enough(self) -> bool:
        """Are there so many faults that more say nothing new?"""
        return len(self.faults) >= ENOUGH

    def fault(self, sent: object, what: str) -> None:
        """Something is wrong with the server."""
        if what not in self._told and not self.enough:
            self._told.add(what)
            self.faults.append(f"{what}\n  after {repr(sent)[:SHOWN]}")

    def listen(self, sent: object) -> None:
        """Looks into the server's log."""
        while self.logged.bad:
            self.fault(sent, f"logged: {self.logged.bad.pop(0)}")

    def judge(self, sent: object, status: int, kind: str, content: bytes) -> None:
        """An answer is no fault of the server, and a refusal has one of the codes."""
        if status >= 500:
            self.fault(sent, f"status {status}: {content[:SHOWN]!r}")
        elif status >= 400 and content and kind.startswith("application/json") and code_of(content) not in REFUSALS:
            self.fault(sent, f"a refusal without a known code: {content[:SHOWN]!r}")
        self.listen(sent)

    # --- what is stored
    def rows(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """What is stored now, past the server."""
        if self._reader is None:
            self._reader = sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)
        return self._reader.execute(statement, values).fetchall()

    def stored(self, tables: Sequence[str]) -> dict[str, list[tuple[Any, ...]]]:
        """Everything that is stored of some games."""
        among = ",".join("?" * len(tables))
        return {
            kept: sorted(self.rows(f'select * from {kept} where "{name}" in ({among})', *tables), key=repr)
            for kept, name in KEPT.items()
        }

    @contextmanager
    def unchanged(self, tables: Sequence[str], sent: object) -> Iterator[None]:
        """Nothing of these games changes meanwhile."""
        before = self.stored(tables)
        yield
        after = self.stored(tables)
        if before != after:
            changed = [row for kept, rows in after.items() for row in rows if row not in before[kept]]
            self.fault(sent, f"a game was changed; new: {changed}")


def code_of(content: bytes) -> object:
    """The code of a refusal."""
    try:
        return json.loads(content)["code"]
    except (ValueError, KeyError, TypeError):
        return None
