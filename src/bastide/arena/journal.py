"""The journal of an arena: one line for each finished game, on the disk before the result is reported.

The line holds everything, the game's record included. A line that was cut short by a crash is not a finished game:
it is removed, and the game is played again. All other files of the folder can be rebuilt from this one.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bastide.arena.control import Control
from bastide.arena.match import Result, Table
from bastide.arena.schedule import bot_of
from bastide.bots.files import fingerprint
from bastide.errors import BastideError

FORMAT = 2
FILE = "games.jsonl"
RECORDS = "games"


@dataclass(frozen=True)
class Setup:
    """What decides which games there are. A folder belongs to one setup; the number of games may grow."""

    entrants: tuple[str, ...]
    table: Table
    seed: int

    def fingerprints(self) -> list[str]:
        """Of each entrant: an edited bot must not inherit the games of the one before."""
        return [fingerprint(bot_of(entrant)) for entrant in self.entrants]

    def as_json(self) -> dict[str, Any]:
        """The first line of the journal."""
        return {"bastide_arena": FORMAT, **json.loads(json.dumps(asdict(self))), "fingerprints": self.fingerprints()}

    @classmethod
    def read(cls, folder: Path) -> Setup:
        """The setup to which a folder belongs."""
        try:
            with (folder / FILE).open(encoding="utf-8") as file:
                line = json.loads(file.readline())
        except (OSError, ValueError) as error:
            raise BastideError(f"{folder}: expected the folder of an arena: {error}") from error
        if line.get("bastide_arena") != FORMAT:
            raise BastideError(f"{folder}: expected an arena of format {FORMAT}, got {line.get('bastide_arena')!r}")
        table = line["table"]
        options = tuple((name, value) for name, value in table["options"])
        played = Table(table["seats"], table["edition"], tuple(table["modules"]), options, Control(**table["control"]))
        return cls(tuple(line["entrants"]), played, line["seed"])


class Journal:
    """The games of one folder; `results` are those that were finished before, by id."""

    def __init__(self, folder: Path, setup: Setup) -> None:
        self.folder = folder
        (folder / RECORDS).mkdir(parents=True, exist_ok=True)
        self.file = (folder / FILE).open("a+b")
        try:
            self._lock()
            self.fingerprints = setup.fingerprints()
            self.results = self._resume(setup)
        except BaseException:
            self.file.close()
            raise

    def _lock(self) -> None:
        """Locks the folder: two arenas in it would play the same games."""
        try:
            import fcntl
        except ModuleNotFoundError:  # Windows
            return
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BastideError(f"{self.folder}: another arena is writing here") from None

    def _resume(self, setup: Setup) -> dict[str, Result]:
        """Reads what is there; an empty journal gets its first line."""
        self.file.seek(0)
        text = self.file.read()
        whole = text[: text.rfind(b"\n") + 1]
        if len(whole) < len(text):
            self.file.truncate(len(whole))
        lines = whole.decode("utf-8").splitlines()
        if not lines:
            self._append(setup.as_json())
            return {}
        self._check(json.loads(lines[0]), setup.as_json())
        found = [result_of(json.loads(line)) for line in lines[1:]]
        for result in found:
            if not self._record_file(result).exists():
                self._save_record(result)
        return {result.id: result for result in found}

    def _check(self, found: dict[str, Any], wanted: dict[str, Any]) -> None:
        """Refuses to mix two arenas."""
        for name, value in wanted.items():
            if name == "fingerprints" and found.get(name) != value:
                raise BastideError(
                    f"{self.folder} holds games of other versions of these bots: their files or the release of Bastide"
                    " have changed since; play in another folder"
                )
            if found.get(name) != value:
                raise BastideError(
                    f"{self.folder} belongs to another arena: its {name} is {found.get(name)!r}, expected {value!r}"
                )

    def check_bots(self, setup: Setup) -> None:
        """Refuses to go on with a bot that was edited while it played."""
        now = setup.fingerprints()
        for entrant, before, after in zip(setup.entrants, self.fingerprints, now, strict=True):
            if before != after:
                raise BastideError(f"{entrant} was changed while it played: begin again in another folder")

    def add(self, result: Result) -> None:
        """Stores a finished game. When this returns, it is on the disk."""
        self._append(asdict(result))
        self.results[result.id] = result
        self._save_record(result)

    def _append(self, line: dict[str, Any]) -> None:
        self.file.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode("utf-8") + b"\n")
        self.file.flush()
        os.fsync(self.file.fileno())

    def _record_file(self, result: Result) -> Path:
        return self.folder / RECORDS / f"{result.id}.txt"

    def _save_record(self, result: Result) -> None:
        """The record as a file of its own, whole or not at all."""
        path = self._record_file(result)
        part = path.with_suffix(".part")
        part.write_text(result.record, encoding="utf-8")
        part.replace(path)

    def close(self) -> None:
        """Lets others write."""
        self.file.close()


def read_results(folder: Path) -> list[Result]:
    """All finished games of a folder."""
    lines = (folder / FILE).read_text("utf-8").splitlines(keepends=True)
    return [result_of(json.loads(line)) for line in lines[1:] if line.endswith("\n")]


def result_of(line: dict[str, Any]) -> Result:
    """A result as it was written."""
    lists: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in line.items()}
    return Result(**lists)
