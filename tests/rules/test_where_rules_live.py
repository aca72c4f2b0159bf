"""A reader finds where a rule lives: the code names its id, or the table in docs/architecture.md does."""

from __future__ import annotations

import re
from pathlib import Path

from bastide.rulebook import load

ROOT = Path(__file__).parents[2]
ID = re.compile(r"\b([A-Z]+)-(\d+)(?: to \1-(\d+))?")


def ids(text: str) -> set[str]:
    """All rule ids in a text, those of a range (`BASE-9 to BASE-11`) too."""
    found = set()
    for prefix, first, last in ID.findall(text):
        found |= {f"{prefix}-{number}" for number in range(int(first), int(last or first) + 1)}
    return found


def test_every_rule_is_named_where_it_is_carried_out_or_in_the_table() -> None:
    sources = [*(ROOT / "src/bastide").rglob("*.py"), ROOT / "docs/architecture.md"]
    named = ids("\n".join(path.read_text("utf-8") for path in sources))
    assert len(named) > 100
    assert set(load()) - named == set()
