"""Tables that servers of this and of earlier releases have stored can be played on, and every draw was the one due."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import msgspec
import pytest

from bastide.server.tables.checks import Stored, replay
from bastide.server.tables.table import Table
from tests.server import corpus
from tests.server.corpus.tables import StoredTable, facts_of

FOLDER = Path(corpus.__file__).parent
FILES = sorted(FOLDER.glob("*/*.json"))


def test_there_are_tables_of_this_release() -> None:
    assert list((FOLDER / version("bastide")).glob("*.json"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_a_stored_table_can_be_played_on(file: Path) -> None:
    kept = msgspec.json.decode(file.read_bytes(), type=StoredTable)
    table = Table("kept", kept.setup, kept.seed, "", kept.chairs)
    for line in kept.read_lines:
        table.apply(line)
    assert facts_of(table) == kept.facts
    setup = msgspec.json.encode(kept.setup).decode()
    assert replay(Stored("kept", setup, kept.seed, kept.chairs, kept.read_lines)).failure == ""
