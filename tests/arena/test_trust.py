"""Results that can be checked by others, ratings that are kept, names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from click.testing import Result as Ran

from bastide.arena import Arena, InProcess, Setup, Table
from bastide.arena.journal import FILE
from bastide.arena.ladder import add
from bastide.arena.schedule import bot_of, labels
from bastide.arena.verify import verify
from bastide.cli.group import group
from bastide.errors import BastideError
from bastide.rules import Rules

TABLE = Table.of(Rules.of())


def run(*arguments: object) -> Ran:
    return CliRunner().invoke(group, ["arena", *map(str, arguments)])


def test_the_results_of_an_arena_are_those_of_its_records(tmp_path: Path) -> None:
    Arena(Setup(("random", "greedy"), TABLE, seed=3), 2, tmp_path).run(InProcess())
    assert verify(tmp_path) == (2, [])
    assert "2 games: tiles, scores and winners are those of their records" in run("--verify", tmp_path).stdout


@pytest.mark.parametrize(
    ("member", "value", "said"),
    [
        ("scores", [99, 1], "expected the scores"),
        ("winners", [0, 1], "expected the winners"),
        ("seed", 5, "its tiles are not those of its seed"),
        ("record", "bastide 1\nplayers red blue\n", "its record is of another game|its tiles are not"),
    ],
)
def test_a_result_that_was_changed_is_found(tmp_path: Path, member: str, value: object, said: str) -> None:
    Arena(Setup(("random", "greedy"), TABLE, seed=3), 2, tmp_path).run(InProcess())
    lines = (tmp_path / FILE).read_text().splitlines()
    lines[1] = json.dumps(json.loads(lines[1]) | {member: value})
    (tmp_path / FILE).write_text("\n".join(lines) + "\n")
    games, wrong = verify(tmp_path)
    assert (games, len(wrong)) == (2, 1)
    shown = run("--verify", tmp_path)
    assert shown.exit_code == 1
    assert "1 of 2 games are not what they seem: 1v2-0001a: " in shown.output
    assert any(part in wrong[0] for part in said.split("|"))


def test_a_folder_that_holds_no_arena_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BastideError, match="expected the folder of an arena"):
        verify(tmp_path)


def test_bots_have_names(tmp_path: Path) -> None:
    entrants = ("mason=greedy", "random", "program:./bot --level=3")
    assert labels(entrants) == ["mason", "random", "program:./bot --level=3"]
    assert [bot_of(entrant) for entrant in entrants] == ["greedy", "random", "program:./bot --level=3"]
    shown = run("--players", "mason=greedy,random", "--games", 2, "--workers", 1, "--out", tmp_path)
    assert "mason – random: 2 won" in shown.stdout
    assert "players mason random" in (tmp_path / "games/1v2-0001a.txt").read_text()
    assert "<td>mason</td><td></td><td>100 %</td>" in (tmp_path / "report.html").read_text()  # the matrix


def test_ratings_are_kept_over_runs_and_no_run_counts_twice(tmp_path: Path) -> None:
    first = Setup(("greedy", "random"), TABLE, seed=3)
    found = Arena(first, 2, tmp_path / "one").run(InProcess())
    for _ in range(2):
        steps = add(tmp_path / "ladder", first, found)
        assert [(step.name, step.games) for step in steps] == [("greedy", 2), ("random", 2)]
    second = Setup(("planner", "greedy"), TABLE, seed=4)
    steps = add(tmp_path / "ladder", second, Arena(second, 2, tmp_path / "two").run(InProcess()))
    assert [(step.name, step.games) for step in steps] == [("planner", 2), ("greedy", 4), ("random", 2)]
    elos = [step.rating.elo for step in steps]
    assert elos == sorted(elos, reverse=True)


def test_the_command_shows_the_ladder(tmp_path: Path) -> None:
    shown = run("--players", "greedy,random", "--games", 2, "--workers", 1, "--ladder", tmp_path / "kept")
    assert shown.exit_code == 0, shown.output
    assert "2 games  bastide" in shown.stdout
    (tmp_path / "kept/ladder.json").write_text("[]")
    shown = run("--players", "greedy,random", "--games", 2, "--workers", 1, "--ladder", tmp_path / "kept")
    assert shown.exit_code == 1
    assert "expected a ladder" in shown.output
