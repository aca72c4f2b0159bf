"""Games as data: a row for each decision."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import minari
import pytest
from click.testing import CliRunner
from click.testing import Result as Ran

from bastide import Game, bot
from bastide.arena.decisions import decisions, export, records_in
from bastide.cli.group import group
from bastide.errors import BastideError
from bastide.game.candidates import FOLLOWERS, IS_DEPLOY, IS_PLACE
from bastide.notation.record import read_record

ROOT = Path(__file__).parents[2]


def written(folder: Path, finished: bool = True) -> Path:
    """The record of a game of greedy bots."""
    game = Game(seed=5)
    player = bot("greedy", 3)
    while not game.over and (finished or len(game.history) < 20):
        game.play(player.choose(game.view(game.seat)))
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{'whole' if finished else 'part'}.txt"
    path.write_text(game.record())
    return path


def run(*arguments: object) -> Ran:
    return CliRunner().invoke(group, ["export", *map(str, arguments)])


def test_a_row_says_what_was_decided_and_how_it_ended(tmp_path: Path) -> None:
    text = written(tmp_path).read_text()
    game = Game.from_record(text)
    rows = list(decisions(read_record(text), "whole", "score", candidates=True))
    assert len(rows) == sum(action.verb != "draw" for _, action in game.history)
    for row in rows:
        seat, action = game.history[row["n"] - 1]
        assert (row["seat"], row["action"]) == (seat, str(action))
        assert row["final_margin"] == game.scores[seat] - game.scores[1 - seat]
        assert len(row["candidates"]) == row["legal"]
        assert row["candidates"][row["chosen"]] == row["features"]
        assert row["features"][IS_PLACE] == (row["verb"] == "place")
        assert row["features"][IS_DEPLOY] == (row["verb"] == "deploy")
        assert 0 <= row["features"][FOLLOWERS] <= 7
        assert row["loss"] == 0  # greedy takes what the score says is best
    assert rows[0]["lead"] == 0
    assert sum({row["seat"]: row["won"] for row in rows}.values()) == 1


def test_the_command_writes_all_three_kinds_alike(tmp_path: Path) -> None:
    folder = tmp_path / "arena"
    written(folder / "games")
    written(folder / "games", finished=False)
    for ending in ("csv", "jsonl", "parquet"):
        if ending == "parquet":
            pytest.importorskip("pyarrow", reason="pyarrow is not installed: no Parquet")
        shown = run(folder, "-o", tmp_path / f"moves.{ending}", "--judge", "none")
        assert shown.exit_code == 0, shown.output
        assert shown.stdout.endswith(" decisions of 1 games\n")
    lines = [json.loads(line) for line in (tmp_path / "moves.jsonl").read_text().splitlines()]
    with (tmp_path / "moves.csv").open(newline="") as file:
        cells = list(csv.DictReader(file))
    assert [json.loads(cell["features"]) for cell in cells] == [line["features"] for line in lines]
    assert "loss" not in lines[0]
    if (tmp_path / "moves.parquet").exists():
        from pyarrow import parquet

        assert parquet.read_table(tmp_path / "moves.parquet").to_pylist() == lines


def test_files_and_folders_are_found(tmp_path: Path) -> None:
    file = written(tmp_path / "one")
    assert records_in([tmp_path / "one", file]) == [file, file]


@pytest.mark.parametrize("name", ["moves.xls", "moves.parquet"])
def test_what_cannot_be_written_is_refused(tmp_path: Path, name: str) -> None:
    if name.endswith("parquet"):
        pytest.importorskip("pyarrow", reason="pyarrow is not installed: no Parquet")
    with pytest.raises(BastideError, match=r"expected a name that ends with|expected a finished game, found none"):
        export([written(tmp_path, finished=False)], tmp_path / name)


def test_a_data_set_of_minari_has_an_episode_for_each_player(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "minari"))
    file = written(tmp_path)
    assert run(file, "--minari", "bastide/greedy-v0").exit_code == 0
    game = Game.from_record(file.read_text())
    dataset = minari.load_dataset("bastide/greedy-v0")
    assert dataset.total_episodes == 2
    for seat, episode in enumerate(dataset.iterate_episodes()):
        own = [action for who, action in game.history if who == seat and action.verb != "draw"]
        assert len(episode.actions) == len(own) == len(episode.observations) - 1
        assert sum(episode.rewards) == game.scores[seat] - game.scores[1 - seat]
        assert all(dataset.observation_space.contains(seen) for seen in episode.observations)
        first = episode.observations[0, episode.actions[0]]
        assert first[IS_PLACE] == 1
        assert not episode.observations[-1].any()


def test_one_of_file_and_data_set_is_asked_for(tmp_path: Path) -> None:
    assert "expected one of --out and --minari" in run(written(tmp_path)).output


def test_the_notebook_runs(capsys: pytest.CaptureFixture[str]) -> None:
    notebook = json.loads((ROOT / "examples/learning/decisions.ipynb").read_text("utf-8"))
    names: dict[str, object] = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)
    said = capsys.readouterr().out
    assert "4 games," in said
    assert said.count("correlation 0.") + said.count("correlation -0.") == 3
