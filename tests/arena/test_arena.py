"""The whole arena: it goes on after a kill, stops early, and writes what people read."""

from __future__ import annotations

import csv
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from click.testing import Result as Ran

from bastide.arena import Arena, InProcess, Journal, Processes, Sequential, Setup, Table
from bastide.arena.journal import FILE
from bastide.arena.schedule import labels
from bastide.cli.group import group
from bastide.errors import BastideError, OptionError
from bastide.rules import Rules

SETUP = Setup(("random", "random"), Table.of(Rules.of()), seed=3)
MY_BOT = Path(__file__).parents[2] / "examples/my_bot.py"


def run(*arguments: object) -> Ran:
    return CliRunner().invoke(group, ["arena", *map(str, arguments)])


def journal_lines(folder: Path) -> list[bytes]:
    return (folder / FILE).read_bytes().splitlines(keepends=True)


def test_a_second_run_plays_only_what_is_missing(tmp_path: Path) -> None:
    Arena(SETUP, 4, tmp_path).run(InProcess())
    before = journal_lines(tmp_path)
    told: list[tuple[str, int]] = []
    Arena(SETUP, 6, tmp_path).run(InProcess(), lambda result, left: told.append((result.id, left)))
    assert told == [("1v2-0003a", 1), ("1v2-0003b", 0)]
    assert journal_lines(tmp_path)[:5] == before


def test_several_processes_play_the_same_games_as_one(tmp_path: Path) -> None:
    pool = Processes(2)
    try:
        many = Arena(SETUP, 8, tmp_path / "many").run(pool)
    finally:
        pool.close()
    one = Arena(SETUP, 8, tmp_path / "one").run(InProcess())
    assert many.duels == one.duels
    assert sorted(p.name for p in (tmp_path / "many/games").iterdir()) == sorted(
        p.name for p in (tmp_path / "one/games").iterdir()
    )


def test_a_line_cut_short_is_no_finished_game(tmp_path: Path) -> None:
    Arena(SETUP, 4, tmp_path).run(InProcess())
    whole = (tmp_path / FILE).read_bytes()
    (tmp_path / FILE).write_bytes(whole[:-100])
    (tmp_path / "games/1v2-0001a.txt").unlink()  # killed between the line and the file
    journal = Journal(tmp_path, SETUP)
    assert sorted(journal.results) == ["1v2-0001a", "1v2-0001b", "1v2-0002a"]
    assert (tmp_path / "games/1v2-0001a.txt").read_text().startswith("bastide 1\n")
    journal.close()
    Arena(SETUP, 4, tmp_path).run(InProcess())
    ids = [json.loads(line)["id"] for line in journal_lines(tmp_path)[1:]]
    assert ids == ["1v2-0001a", "1v2-0001b", "1v2-0002a", "1v2-0002b"]


def test_a_folder_belongs_to_one_arena(tmp_path: Path) -> None:
    Journal(tmp_path, SETUP).close()
    with pytest.raises(BastideError, match=r"belongs to another arena: its seed is 3, expected 4"):
        Journal(tmp_path, Setup(SETUP.entrants, SETUP.table, seed=4))


def test_two_arenas_do_not_write_into_one_folder(tmp_path: Path) -> None:
    first = Journal(tmp_path, SETUP)
    with pytest.raises(BastideError, match="another arena is writing here"):
        Journal(tmp_path, SETUP)
    first.close()


def test_kill_9_loses_no_finished_game_and_plays_none_twice(tmp_path: Path) -> None:
    games = 400
    command = [sys.executable, "-m", "bastide.cli", "arena", "--players", "random,random", "--workers", "2"]
    command += ["--games", str(games), "--out", str(tmp_path)]
    for wanted in (3, 12):  # finished games before each kill
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not (tmp_path / FILE).exists() or len(journal_lines(tmp_path)) <= wanted:
            assert process.poll() is None, "the arena ended before it could be killed"
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        finished = [line for line in journal_lines(tmp_path) if line.endswith(b"\n")]
        assert len(finished) > wanted
    few = len(finished) + len(finished) % 2 + 10
    Arena(Setup(("random", "random"), SETUP.table, seed=1), few, tmp_path).run(InProcess())
    assert journal_lines(tmp_path)[: len(finished)] == finished
    ids = [json.loads(line)["id"] for line in journal_lines(tmp_path)[1:]]
    assert len(ids) == len(set(ids))
    assert {f"1v2-{pair:04}{letter}" for pair in range(1, few // 2 + 1) for letter in "ab"} <= set(ids)
    assert {path.stem for path in (tmp_path / "games").glob("*.txt")} == set(ids)


def test_a_decided_pairing_stops_early(tmp_path: Path) -> None:
    arena = Arena(Setup(("greedy", "random"), SETUP.table, seed=3), 100, tmp_path, Sequential(0.6, fewest=3))
    found = arena.run(InProcess())
    assert found.duels[0].verdict == "first"
    assert found.duels[0].games == 18  # nine pairs won in a row are enough


def test_the_same_bot_twice_is_two_entrants() -> None:
    assert labels(["greedy", "random", "greedy"]) == ["greedy", "random", "greedy (2)"]


def test_the_command_prints_the_ladder_and_writes_the_files(tmp_path: Path) -> None:
    shown = run("--players", "random,greedy", "--games", 4, "--workers", 1, "--out", tmp_path)
    assert shown.exit_code == 0, shown.output
    lines = shown.stdout.splitlines()
    assert lines[1].startswith("greedy ")
    assert lines[2].startswith("random ")
    assert "random – greedy: 0 won, 0 drawn, 4 lost; 0.0 % (0.0 to 49.0)" in shown.stdout
    assert {path.name for path in tmp_path.iterdir()} >= {FILE, "games", "results.csv", "report.html"}
    with (tmp_path / "results.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["game"], row["seat"], row["player"]) for row in rows[:3]] == [
        ("1v2-0001a", "0", "random"), ("1v2-0001a", "1", "greedy"), ("1v2-0001b", "0", "greedy"),
    ]  # fmt: skip
    assert sum(float(row["won"]) for row in rows) == 4
    sources = [name for name in rows[0] if name.startswith("points_")]
    assert all(sum(int(row[name]) for name in sources) == int(row["score"]) for row in rows)


def test_the_report_is_one_page_with_its_plots_inside(tmp_path: Path) -> None:
    run("--players", "random,greedy", "--games", 2, "--workers", 1, "--out", tmp_path)
    page = (tmp_path / "report.html").read_text()
    plots = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    titles = [ElementTree.fromstring(plot)[0].text for plot in plots]
    assert titles == [
        "Rating in Elo points",
        "Points by which random was ahead of greedy",
        "Mean points of a game by source",
        "Farmers in a game",
    ]
    assert "<script" not in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")


def test_parquet_holds_the_same_rows(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed: no Parquet to look at")
    run("--players", "random,random", "--games", 2, "--workers", 1, "--out", tmp_path)
    table = parquet.read_table(tmp_path / "results.parquet").to_pylist()
    with (tmp_path / "results.csv").open(newline="") as file:
        assert [{key: str(value) for key, value in row.items()} for row in table] == list(csv.DictReader(file))


def test_json_is_for_programs() -> None:
    told = json.loads(run("--players", "random,greedy", "--games", 2, "--workers", 1, "--json").stdout)
    assert told["ladder"][0]["name"] == "greedy"
    assert told["duels"][0]["losses"] == 2


def test_a_bot_from_a_file_is_one_more_player() -> None:
    told = json.loads(run("--players", "random", "--code", MY_BOT, "--games", 2, "--workers", 1, "--json").stdout)
    assert told["duels"][0]["other"] == f"python:{MY_BOT}"
    assert told["duels"][0]["games"] == 2


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--players", "random,nobody"], 1, "unknown bot 'nobody'"),
        (["--players", "random,random", "--games", "3"], 1, "expected an even number"),
        (["--players", "random,random", "--stop", "2"], 2, "--stop: expected a number between 0.5 and 1"),
        ([], 1, "expected two or more bots, got none"),
        (["--players", "random", "--code", "nowhere.py"], 1, "nowhere.py: there is no such file"),
    ],
)
def test_wrong_command_lines(arguments: list[str], code: int, said: str) -> None:
    shown = run(*arguments)
    assert shown.exit_code == code
    assert said in shown.output
    assert shown.output.count("\n") == 1


def test_nothing_is_played_with_unknown_bots(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="unknown bot"):
        Arena(Setup(("random", "nobody"), SETUP.table, 1), 2, tmp_path / "new").run(InProcess())
    assert not (tmp_path / "new").exists()
