"""Bots that fail lose the game in which they fail, and nothing else happens."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bastide.arena import Arena, InProcess, Processes, Result, Setup, Table, executors, match
from bastide.arena.control import Control, seconds
from bastide.arena.journal import FILE, read_results
from bastide.arena.verify import verify
from bastide.errors import BastideError, BotError, OptionError
from bastide.rules import Rules

HEAD = "import time\nfrom bastide.bots import Bot\nclass Wrong(Bot):\n    def choose(self, view):\n"
USUAL = "        return view.legal[0]\n"
FAULTS = {
    "raises": ("        raise ValueError('I am lost')\n", "ValueError: I am lost"),
    "hangs": ("        while True: pass\n", "no answer within 1 s"),
    "hangs and will not stop": (
        "        while True:\n            try:\n                time.sleep(9)\n            except Exception: pass\n",
        "no answer within 1 s",
    ),
    "leaves": ("        raise SystemExit(3)\n", "SystemExit: 3"),
    "raises what cannot be shown": (
        "        class Odd(Exception):\n            def __str__(self): raise OSError\n        raise Odd\n",
        "Odd: a Odd that cannot be shown",
    ),
    "raises what says never what it is": (
        "        class Odd(Exception):\n"
        "            def __str__(self):\n                while True: pass\n        raise Odd\n",
        "Odd: a Odd that cannot be shown",
    ),
    "raises what no file can hold": (
        "        raise ValueError('\\ud800 \\x1b[2J')\n",
        "ValueError: \N{REPLACEMENT CHARACTER} ",
    ),
    "plays what no file can hold": (
        "        from bastide import Action\n        return Action('place', tile='\\ud800', cell=(0, 0), rotation=0)\n",
        "no tile is called \N{REPLACEMENT CHARACTER}",
    ),
    "calls everything legal": (
        "        from bastide import Action\n        class Liar(Action):\n"
        "            def __eq__(self, other): return True\n            def __hash__(self): return 0\n"
        "        return Liar('pass')\n",
        "expected an Action, got pass",
    ),
    "lies": ("        return 'the best one'\n", "expected an Action, got the best one"),
    "plays illegally": (
        "        from bastide import Action\n        return Action.parse('pass')\n",
        "chose pass, which is not legal",
    ),
    "changes the game": (
        "        view._game.play(view.legal[0])\n        return view._game.legal[0]\n",
        "changed the game when it was asked",
    ),
}


def table(move: float = 1.0, **more: float | bool) -> Table:
    return Table.of(Rules.of(), Control(move, **more))  # type: ignore[arg-type]


def written(folder: Path, body: str, name: str = "wrong.py") -> str:
    (folder / name).write_text(HEAD + body)
    return f"wrong=python:{folder / name}"


@pytest.mark.parametrize(("body", "why"), FAULTS.values(), ids=list(FAULTS))
def test_a_bot_that_fails_loses_its_games_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, why: str
) -> None:
    monkeypatch.setattr(match, "SHOWING", 0.2)
    setup = Setup((written(tmp_path, body), "random", "random"), table(), seed=3)
    found = Arena(setup, 2, tmp_path / "out").run(InProcess())
    results = read_results(tmp_path / "out")
    assert len(results) == 6
    for result in results:
        if 0 in result.pairing:
            assert why in result.fault
            assert result.seats[result.faulty] == 0
            assert result.share(0) == 0
        else:
            assert result.fault == ""
    assert {standing.name: standing.faults for standing in found.ladder} == {"wrong": 4, "random": 0, "random (2)": 0}
    assert [duel.losses for duel in found.duels][:2] == [2, 2]
    page = (tmp_path / "out/report.html").read_text()
    assert "Games lost by a fault" in page
    assert '<a href="games/1v2-0001a.txt">' in page


def test_a_strict_arena_stops_at_the_first_fault(tmp_path: Path) -> None:
    setup = Setup((written(tmp_path, FAULTS["raises"][0]), "random"), table(), seed=3)
    with pytest.raises(BotError, match="game 1v2-0001a: wrong: ValueError: I am lost"):
        Arena(setup, 2, tmp_path / "out", strict=True).run(InProcess())


def test_a_bot_that_can_no_longer_be_made_loses(tmp_path: Path) -> None:
    """Whoever begins may find its bot broken later: in other processes it is made anew for each game."""
    body = "        return view.legal[0]\n    def __init__(self, seed):\n        if seed: raise OSError('no memory')\n"
    wrong = written(tmp_path, body)
    setup = Setup((wrong, "random"), table(), seed=3)
    pool = Processes(2)
    try:
        Arena(setup, 2, tmp_path / "out").run(pool)
    finally:
        pool.close()
    why = f"could not be made: {wrong.removeprefix('wrong=python:')}: OSError: no memory"
    assert [result.fault for result in read_results(tmp_path / "out")] == [why] * 2


def test_a_bot_that_cannot_be_made_is_refused_before_the_first_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first kept the arena waiting for ever, the second was a traceback."""
    monkeypatch.setattr(match, "MAKING", 0.5)
    for body, why in (
        ("while True: pass", "could not be made within 0.5 s"),
        ("raise OSError('full')", "OSError: full"),
    ):
        wrong = written(tmp_path, f"{USUAL}    def __init__(self, seed):\n        {body}\n")
        with pytest.raises(BotError, match=why):
            Arena(Setup((wrong, "random"), table(), seed=3), 2, tmp_path / "out").check()


def test_a_bot_that_will_not_be_closed_plays_all_the_same(tmp_path: Path) -> None:
    """Its error ended the arena before the first game."""
    wrong = written(tmp_path, f"{USUAL}    def close(self):\n        raise RuntimeError\n")
    Arena(Setup((wrong, "random"), table(), seed=3), 2, tmp_path / "out").run(InProcess())
    assert [result.fault for result in read_results(tmp_path / "out")] == ["", ""]


TAKES_DOWN = {
    "leaves at once": ("        import os; os._exit(7)\n", "its process ended (7)"),
    "hangs in compiled code": ("        sum(range(10**15))\n", "no answer in time, and it could not be interrupted"),
}


@pytest.mark.parametrize(("body", "why"), TAKES_DOWN.values(), ids=list(TAKES_DOWN))
def test_a_bot_that_takes_its_process_down_loses_its_games_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, why: str
) -> None:
    monkeypatch.setattr(executors, "GRACE", 0.1)
    setup = Setup((written(tmp_path, body), "random", "random"), table(), seed=3)
    pool = Processes(2)
    try:
        Arena(setup, 2, tmp_path / "out").run(pool)
    finally:
        pool.close()
    results = read_results(tmp_path / "out")
    assert len(results) == 6
    assert {result.fault for result in results} == {why, ""}
    assert all(result.seats[result.faulty] == 0 for result in results if result.fault)
    assert sum(result.fault == "" for result in results) == 2
    assert verify(tmp_path / "out") == (6, [])


def test_a_bot_that_will_not_be_made_or_go_in_time_holds_nobody_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match, "MAKING", 0.5)
    body = f"{USUAL}    def ended(self, view):\n        while True: pass\n"
    body += "    def close(self):\n        if self.seed: raise SystemExit\n"
    Arena(Setup((written(tmp_path, body), "random"), table(), seed=3), 2, tmp_path / "goodbye").run(InProcess())
    assert [result.fault for result in read_results(tmp_path / "goodbye")] == ["", ""]
    body = f"{USUAL}    def __init__(self, seed):\n        while seed: pass\n"
    Arena(Setup((written(tmp_path, body), "random"), table(), seed=3), 2, tmp_path / "made").run(InProcess())
    assert {result.fault for result in read_results(tmp_path / "made")} == {"could not be made within 0.5 s"}


def test_in_its_own_process_a_bot_that_plays_interruption_loses_and_what_it_prints_is_nobodys_result(
    tmp_path: Path,
) -> None:
    body = "        print('I think' * 10_000)\n        raise KeyboardInterrupt\n"
    players = f"{written(tmp_path, body)},random"
    command = [sys.executable, "-m", "bastide.cli", "arena", "--players", players, "--games", "2", "--workers", "2"]
    done = subprocess.run([*command, "--json", "--out", str(tmp_path / "out")], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert [one["faults"] for one in json.loads(done.stdout)["ladder"]] == [0, 2]
    assert {result.fault for result in read_results(tmp_path / "out")} == {"KeyboardInterrupt: "}


def only(folder: Path) -> Result:
    return read_results(folder)[0]


def test_time_for_a_whole_game_and_processor_time(tmp_path: Path) -> None:
    slow = written(tmp_path, f"        time.sleep(0.02)\n{USUAL}")
    Arena(Setup((slow, "random"), table(0, game=1.0), seed=3), 2, tmp_path / "wall").run(InProcess())
    assert only(tmp_path / "wall").fault.startswith(("no answer within", "answered after"))
    assert only(tmp_path / "wall").faulty == 0
    assert 3 <= only(tmp_path / "wall").decisions[0] <= 50  # each took a fiftieth of a second
    Arena(Setup((slow, "random"), table(0, game=1.0, cpu=True), seed=3), 2, tmp_path / "cpu").run(InProcess())
    assert only(tmp_path / "cpu").fault == ""  # it slept


def test_a_bot_is_told_its_time_and_the_end(tmp_path: Path) -> None:
    body = f"        assert 0 < self.time_ms <= 1000\n{USUAL}    def ended(self, view):\n"
    body += f"        with open({str(tmp_path / 'notes')!r}, 'a') as file: print(view.outcome.winners, file=file)\n"
    Arena(Setup((written(tmp_path, body), "random"), table(), seed=3), 2, tmp_path / "out").run(InProcess())
    assert only(tmp_path / "out").fault == ""
    assert (tmp_path / "notes").read_text().count("\n") == 2


@pytest.mark.parametrize(("text", "expected"), [("400ms", 0.4), ("2s", 2.0), ("0s", 0.0), ("1.5s", 1.5)])
def test_times_are_read(text: str, expected: float) -> None:
    assert seconds(text) == expected


def test_what_is_no_time_is_refused() -> None:
    with pytest.raises(OptionError, match="expected a time such as 400ms or 2s, got '5'"):
        seconds("5")


def test_an_edited_bot_does_not_inherit_the_games_of_the_one_before(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("CHOICE = 0\n")
    text = "import helper\n" + HEAD + "        return view.legal[helper.CHOICE]\n"
    (tmp_path / "mine.py").write_text(text)
    setup = Setup((f"python:{tmp_path / 'mine.py'}", "random"), table(), seed=3)
    Arena(setup, 2, tmp_path / "out").run(InProcess())
    Arena(setup, 4, tmp_path / "out").run(InProcess())
    (tmp_path / "helper.py").write_text("CHOICE = -1\n")
    with pytest.raises(BastideError, match="holds games of other versions of these bots"):
        Arena(setup, 6, tmp_path / "out").run(InProcess())
    assert len(read_results(tmp_path / "out")) == 4


def test_a_bot_that_is_edited_while_it_plays_is_noticed(tmp_path: Path) -> None:
    mine = written(tmp_path, USUAL)
    arena = Arena(Setup((mine, "random"), table(), seed=3), 4, tmp_path / "out")

    def edit() -> None:
        (tmp_path / "wrong.py").write_text(HEAD + "        return None\n")

    with pytest.raises(BastideError, match=r"wrong=.* was changed while it played"):
        arena.run(InProcess(), lambda result, left: edit())
    assert len(read_results(tmp_path / "out")) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal")
def test_control_c_leaves_a_report(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "bastide.cli", "arena", "--players", "random,random", "--workers", "2"]
    process = subprocess.Popen(
        [*command, "--games", "4000", "--out", str(tmp_path)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a shell's background job ignores it
    )
    while not (tmp_path / FILE).exists() or len((tmp_path / FILE).read_bytes().splitlines()) < 4:
        assert process.poll() is None, "the arena ended before it could be interrupted"
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGINT)
    assert process.wait() != 0
    kept = [json.loads(line) for line in (tmp_path / FILE).read_text().splitlines()[1:]]
    page = (tmp_path / "report.html").read_text()
    assert f"{len(kept)} games, 2 seats" in page
