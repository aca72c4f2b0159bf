"""Every scenario of every module is a test: all its checks hold, and it is written as the program writes it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bastide.notation.record import Check, load_record
from bastide.notation.replay import Replay
from bastide.rulebook.citations import implemented, scenario_files, scenario_name


@pytest.mark.parametrize("path", scenario_files(), ids=scenario_name)
def test_scenario(path: Path) -> None:
    record = load_record(path)
    assert record.header.title
    assert record.header.rules
    assert any(isinstance(line, Check) for line in record.lines)
    assert [f"line {s.line.line}, {s.line}: {s.failure}" for s in Replay(record) if s.failure] == []
    assert str(record) == path.read_text(encoding="utf-8")


def test_every_scenario_belongs_to_a_module_with_rules() -> None:
    assert {path.parent.parent.name for path in scenario_files()} <= implemented()
