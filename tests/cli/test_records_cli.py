"""`bastide replay`, `bastide import` and `bastide rules`, as somebody types them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bastide.cli.group import group
from bastide.homes import OURS
from bastide.notation.record import load_record
from bastide.rulebook import citations

SCENARIO = OURS / "base" / "scenarios" / "village_completes_the_road_of_another.txt"
RECORD = "bastide 1\nplayers red blue\ndraws scripted\n\nred: draw E; place E 0,-1 180; pass\n"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(group, [str(argument) for argument in arguments])


# --- replay


def test_replay_shows_lines_scores_checks_and_the_board() -> None:
    shown = run("replay", SCENARIO)
    assert shown.exit_code == 0
    assert shown.output.splitlines()[0].startswith("Red's traveller holds the road")
    assert "   8 red: draw W; place W 1,0 0; deploy follower 1,0 road W" in shown.output
    assert "     red scores 3, road: tiles 3x1 (BASE-13)" in shown.output
    assert "     red takes a follower back from 1,0 road W" in shown.output
    assert "    check score red 3: holds" in shown.output
    assert shown.output.endswith("  R red: 3 points, follower 7\n  B blue: 0 points, follower 6\n")


def test_replay_step_shows_the_board_after_every_turn() -> None:
    assert run("replay", SCENARIO, "--step").output.count("  R red: ") == 4  # three lines of turns, and the end


def test_replay_json_is_for_programs() -> None:
    told = json.loads(run("replay", SCENARIO, "--json").stdout)
    assert told["players"] == ["red", "blue"]
    assert told["scores"] == [3, 0]
    assert told["failed"] == 0
    assert told["steps"][0] == {
        "line": 8,
        "text": "red: draw W",
        "events": [{"event": "drawn", "seat": 0, "name": "W", "secret": False}],
        "failure": None,
    }
    (scored,) = [e for step in told["steps"] for e in step["events"] if e["event"] == "scored"]
    assert scored["parts"] == [{"name": "tiles", "count": 3, "each": 1, "rule": "BASE-13"}]


@pytest.mark.parametrize("flags", [[], ["--json"]])
def test_replay_fails_when_a_check_fails(tmp_path: Path, flags: list[str]) -> None:
    path = tmp_path / "game.txt"
    path.write_text(RECORD + "check score red 1\ncheck score blue 0\n")
    shown = run("replay", path, *flags)
    assert shown.exit_code == 1
    assert "expected 1, found 0" in shown.stdout
    assert shown.stderr == "Error: game.txt: 1 of its checks failed\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("chess 1\n", "Error: line 1: expected 'bastide 1', found 'chess 1'\n"),
        (
            RECORD + "blue: draw E; place E 9,9 0\n",
            "Error: line 6: place E 9,9 0: no tile lies beside this cell: 9,9\n",
        ),
    ],
)
def test_replay_refuses_a_broken_record_in_one_line(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "game.txt"
    path.write_text(text)
    shown = run("replay", path)
    assert (shown.exit_code, shown.stderr) == (1, reason)


def test_replay_of_a_file_that_is_not_there() -> None:
    assert run("replay", "no_such_file.txt").exit_code == 2


# --- import

SAVED = {
    "test": {"description": "Closing", "assertions": ["Ann has 4 points", "Phase is ActionPhase", "Ann has 5 points"]},
    "setup": {
        "sets": {"basic:1": 1},
        "elements": {"small-follower": 7, "farmers": True},
        "start": [{"tile": "BA/RCr", "x": 0, "y": 0, "rotation": 0}],
    },
    "players": [{"name": "Ann"}, {"name": "Bob"}],
    "replay": [
        {"type": "PLACE_TILE", "payload": {"tileId": "BA/C", "rotation": "R180", "position": [0, -1]}},
        {
            "type": "DEPLOY_MEEPLE",
            "payload": {
                "pointer": {"position": [0, -1], "feature": "City", "location": "S"},
                "meepleId": "0.small.1",
            },
        },
        {"type": "COMMIT", "payload": {"random": 0.0}},
    ],
    "gameAnnotations": {"drawOrder": ["BA/C"]},
}


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "closing.jcz"
    path.write_text(json.dumps(SAVED))
    return path


def test_import_prints_the_record(saved: Path) -> None:
    shown = run("import", saved)
    assert shown.exit_code == 0
    assert shown.stdout.startswith("bastide 1\ntitle Closing\nplayers Ann Bob\n")
    assert shown.stdout.endswith("check score Ann 4\ncheck score Ann 5\n# not checked: Phase is ActionPhase\n")


def test_import_writes_the_record(saved: Path, tmp_path: Path) -> None:
    out = tmp_path / "closing.txt"
    assert run("import", saved, "-o", out).stdout == ""
    assert load_record(out).header.title == "Closing"


def test_import_check_counts_and_fails(saved: Path) -> None:
    shown = run("import", saved, "--check")
    assert shown.exit_code == 1
    assert shown.stdout.splitlines() == [
        "check score Ann 4: holds",
        "check score Ann 5: expected 5, found 4",
        "skipped: Phase is ActionPhase",
        "1 passed, 1 failed, 1 skipped",
    ]


def test_import_check_passes(saved: Path) -> None:
    saved.write_text(saved.read_text().replace("Ann has 5 points", "Bob has 0 points"))
    shown = run("import", saved, "--check")
    assert (shown.exit_code, shown.stdout.splitlines()[-1]) == (0, "2 passed, 0 failed, 1 skipped")


@pytest.mark.parametrize("flags", [[], ["--check"]])
def test_import_refuses_another_box_by_name(saved: Path, flags: list[str]) -> None:
    saved.write_text(saved.read_text().replace('"basic:1": 1', '"basic:1": 1, "dragon:1": 1'))
    shown = run("import", saved, *flags)
    assert shown.exit_code == 1
    assert shown.stderr == "Error: closing.jcz: this game needs the box 'dragon:1', which is not here\n"


def test_import_refuses_bytes_that_are_no_text(saved: Path) -> None:
    saved.write_bytes(b"\xff")
    assert run("import", saved).stderr == "Error: closing.jcz: expected text in UTF-8, found other bytes\n"


# --- rules


def test_rules_lists_each_rule_with_its_tests() -> None:
    shown = run("rules", "--module", "base")
    assert shown.exit_code == 0
    lines = shown.stdout.splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("BASE-15 "))
    assert lines[at + 1].strip() == "base/follower_completes_road_and_city_classic.txt"
    assert "HILL-1" not in shown.stdout


def test_rules_shows_one_rule_whole() -> None:
    shown = run("rules", "base-16")
    assert shown.stdout.startswith(
        "BASE-16   base.md, Scoring during the game\n          A cloister is complete when 8"
    )
    assert "base/cloister_surrounded_by_another.txt" in shown.stdout


def test_rules_json_is_for_programs() -> None:
    (rule,) = json.loads(run("rules", "BASE-15", "--json").stdout)
    assert rule["examples"] == ["(Classic) two parts, red 2."]
    assert rule["implemented"] is True
    assert "base/small_city_two_points.txt" in rule["tests"]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [(["BASE-99"], "no rule has the id 'BASE-99'"), (["--module", "chess"], "no rules of a module 'chess'; there are")],
)
def test_rules_refuses_what_it_does_not_know(arguments: list[str], reason: str) -> None:
    shown = run("rules", *arguments)
    assert shown.exit_code == 1
    assert reason in shown.stderr


def test_rules_check_passes_for_the_base_game() -> None:
    shown = run("rules", "--check", "--module", "base")
    assert shown.exit_code == 0, shown.output
    assert shown.stdout.startswith("31 rules of base: all of them are shown, by ")


def test_rules_check_fails_when_a_test_cites_an_unknown_rule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "src" / "bastide").mkdir(parents=True)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_x.py").write_text('@pytest.mark.rule("BASE-99")\ndef test_x(): ...\n')
    monkeypatch.setattr(citations, "PACKAGE", tmp_path / "src" / "bastide")
    shown = run("rules", "--check")
    assert shown.exit_code == 1
    assert "tests/test_x.py::test_x cites BASE-99, which does not exist" in shown.stdout


def test_rules_says_so_where_there_are_no_tests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(citations, "PACKAGE", tmp_path / "lib" / "bastide")
    monkeypatch.chdir(tmp_path)
    shown = run("rules", "BASE-15")
    assert shown.exit_code == 0
    assert shown.stderr.startswith("(no folder of tests here: only scenarios are known")
    refused = run("rules", "--check")
    assert refused.exit_code == 1
    assert refused.stderr.startswith("Error: nothing can be checked: no folder of tests here")
