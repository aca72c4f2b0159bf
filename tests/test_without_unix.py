"""What a player needs on Windows: simulated by taking away what only Unix has."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

WITHOUT_UNIX = """
import os, signal, sys
for name in ("fcntl", "grp", "posix_spawn", "pwd", "resource", "termios", "tty", "uvloop"):
    sys.modules[name] = None
for home, names in {
    os: ("nice", "fork", "forkpty", "getuid", "geteuid", "killpg", "setsid", "sched_setaffinity", "sched_getaffinity"),
    signal: ("SIGHUP", "SIGSTOP", "SIGUSR1", "SIGALRM", "ITIMER_REAL", "alarm", "getitimer", "setitimer"),
}.items():
    for name in names:
        if hasattr(home, name):
            delattr(home, name)
"""

A_GAME = """
from pathlib import Path
from litestar.testing import TestClient
from bastide.server.app import create_app
from bastide.server.settings import Settings
from tests.server.client import House

with TestClient(create_app(Settings(database=sys.argv[1], page=Path("/nonexistent")))) as client:
    house = House(client)
    made = house.make("greedy", "bot:2")
    with house.at(made["table"]) as watching:
        while watching.state["status"] != "over":
            watching.until("state")
        print(sum(watching.game["scores"]))
"""

AN_ARENA = """
from bastide.cli.group import group
group(["arena", "--players", "greedy,random", "--games", "2", "--out", sys.argv[1]], standalone_mode=False)
"""


def run(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", WITHOUT_UNIX + program, *arguments], capture_output=True, text=True, check=False
    )


def test_bots_play_a_game_on_the_server(tmp_path: Path) -> None:
    done = run(A_GAME, str(tmp_path / "tables.sqlite3"))
    assert done.returncode == 0, done.stderr
    assert int(done.stdout.splitlines()[-1]) > 20


def test_the_arena_plays(tmp_path: Path) -> None:
    done = run(AN_ARENA, str(tmp_path))
    assert done.returncode == 0, done.stderr


A_SMALL_ALPHABET = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}  # as a pipe of Windows has


def bastide(*arguments: str, **variables: str) -> subprocess.CompletedProcess[bytes]:
    usual = {name: value for name, value in os.environ.items() if name != "PYTHONIOENCODING"}
    command = [sys.executable, "-m", "bastide", *arguments]
    return subprocess.run(command, env=usual | variables, input=b"quit\n", capture_output=True, check=False)


def test_a_board_is_drawn_where_the_system_has_a_small_alphabet() -> None:
    done = bastide("play", "--seed", "1", **A_SMALL_ALPHABET)
    assert done.returncode == 0, done.stderr.decode()
    assert "▒" in done.stdout.decode("utf-8")


def test_a_home_that_cannot_be_written_is_named_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    home = str(tmp_path / "file" / "home")
    done = bastide("serve", "--port", "0", HOME=home, XDG_DATA_HOME=home, XDG_CACHE_HOME=home, LOCALAPPDATA=home)
    assert done.returncode == 1
    assert "the folder for the games cannot be made" in done.stderr.decode()
    assert "--database" in done.stderr.decode()
    assert "Traceback" not in done.stderr.decode()
