"""The examples that learn: a second of each, and what they leave behind plays."""

from __future__ import annotations

import io
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path

import pytest

pytest.importorskip("gymnasium", reason="gymnasium is not installed: nothing to learn in")

from bastide import Rules, bot
from bastide.bots import check_bot
from bastide.native import compiled
from tests.snippets import ROOT, program

LEARNING = ROOT / "examples/learning"

pytestmark = pytest.mark.skipif(not compiled(), reason="learning takes minutes uncompiled")


def run(name: str, *arguments: str) -> str:
    done = subprocess.run([sys.executable, str(LEARNING / name), *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", ["ppo.py", "alphazero.py", "clean_ppo.py"])
def test_what_was_learned_plays_as_a_bot(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if "torch" in (LEARNING / name).read_text("utf-8"):
        pytest.importorskip("torch", reason="torch is not installed")
    shown = run(name, "--minutes", "0.03", "--games", "2", "--out", str(tmp_path))
    assert "against greedy, 2 games" in shown
    assert (tmp_path / "curve.csv").read_text().startswith("cpu_seconds,decisions,won_against_greedy,margin")
    run("curves.py", f"{name}={tmp_path / 'curve.csv'}", "-o", str(tmp_path / "curves.svg"))
    assert f">{name}</text>" in (tmp_path / "curves.svg").read_text()
    monkeypatch.setenv("BASTIDE_JUDGE", str(tmp_path / "judge.npz"))
    check_bot(lambda seed: bot(f"python:{LEARNING / 'learned_bot.py'}", seed), [Rules.of()], repeats=False)


def test_the_first_agent_of_the_guide_beats_random() -> None:
    shown = io.StringIO()
    with redirect_stdout(shown):
        exec(program(ROOT / "docs/learning.md"), {})
    assert float(shown.getvalue().split()[0]) > 20


def test_maskable_ppo_learns_for_a_second(tmp_path: Path) -> None:
    pytest.importorskip("sb3_contrib", reason="sb3-contrib is not installed")
    assert "against greedy, 2 games" in run(
        "maskable_ppo.py", "--minutes", "0.1", "--games", "2", "--out", str(tmp_path)
    )


def test_openspiels_mcts_plays_a_game() -> None:
    pytest.importorskip("pyspiel", reason="open_spiel is not installed")
    assert "game 1: " in run("spiel_mcts.py", "--games", "1", "--simulations", "2")


def test_the_same_arguments_give_the_same_data_set(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        run(
            "dataset.py",
            "--players",
            "greedy,random",
            "--games",
            "2",
            "--format",
            "csv",
            "--out",
            str(tmp_path / folder),
        )
    one, two = ((tmp_path / folder / "decisions.csv").read_text() for folder in ("one", "two"))
    assert one == two
    assert one.count("\n") > 200
