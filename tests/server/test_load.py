"""`bastide loadtest` plays at a real server of this machine, and the games it leaves prove their draws."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from bastide.cli.loadtest import command
from bastide.cli.replay import command as replay
from bastide.server.load.figures import Figures, Usage, percentile, report
from tests.server.served import address_of, bastide


def test_tables_are_played_at_and_their_games_are_fair(database: str, tmp_path: Path) -> None:
    with bastide("serve", "--port", "0", "--database", database) as server:
        options = ["--tables", "2", "--pace", "0.01", "--seconds", "600", "--games", "1", "--process", str(server.pid)]
        address = ["--address", address_of(server), "--records", str(tmp_path / "records")]
        done = CliRunner().invoke(command, [*options, *address])
    assert done.exit_code == 0, done.output
    assert "errors: 0" in done.output
    assert "ms of a core for each move" in done.output
    records = list((tmp_path / "records").iterdir())
    assert records
    for record in records:
        assert CliRunner().invoke(replay, [str(record), "--verify"]).exit_code == 0


@pytest.mark.parametrize("address", ["10.0.0.1:80", "example.org:80", "0.0.0.0:80"])
def test_only_this_machine_is_put_under_load(address: str) -> None:
    done = CliRunner().invoke(command, ["--address", address])
    assert done.exit_code != 0


def test_percentiles() -> None:
    times = [number / 1000 for number in range(1, 101)]
    assert percentile(times, 0.5) == pytest.approx(51)
    assert percentile(times, 1.0) == pytest.approx(100)
    assert percentile([], 0.5) == 0


def test_the_figures_are_told() -> None:
    figures = Figures(acknowledged=[0.01, 0.02], shown=[0.03], away=[1.0], errors=["x: y"], seconds=2)
    text = report(figures, Usage(), Usage(2**20, 1.0))
    assert "2 moves in 2 s: 1.0 moves/s" in text
    assert "lost and found again: 1, longest 1.0 s" in text
    assert "500.00 ms of a core" in text


def test_a_process_takes_something_of_the_machine() -> None:
    assert Usage.of(os.getpid()).memory > 0
