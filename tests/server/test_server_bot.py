"""The example of a bot that sits down at a server's table."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from click.testing import CliRunner

from bastide.cli.group import group
from tests.server.served import address_of, bastide

EXAMPLES = Path(__file__).parents[2] / "examples"
EXAMPLE, OWN = EXAMPLES / "server_bot.py", EXAMPLES / "my_bot.py"


def play_at_table(site: str, opponent: str, own: str) -> str:
    """What the example says of a whole game against a bot of the server."""
    wanted = {"seats": [{"kind": "bot", "bot": opponent}, {"kind": "open"}]}
    request = Request(f"{site}/api/tables", json.dumps(wanted).encode(), {"Content-Type": "application/json"})
    with urlopen(request) as answer:
        made = json.load(answer)
    link = f"{site}{made['link']}#invite={made['invite']}"
    done = subprocess.run([sys.executable, str(EXAMPLE), link, "--bot", own], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_example_plays_a_whole_game_at_a_table(tmp_path: Path) -> None:
    pytest.importorskip("websockets")
    with bastide("serve", "--port", "0", "--database", str(tmp_path / "tables.sqlite3")) as server:
        said = play_at_table(f"http://{address_of(server)}", "random", "greedy")
        assert said.startswith("seat 1: [")
        assert said.endswith("winners [1]\n")


def test_a_bot_of_ones_own_plays_at_the_servers_tables(tmp_path: Path) -> None:
    given = ["--port", "0", "--database", str(tmp_path / "tables.sqlite3"), "--code", str(OWN)]
    with bastide("serve", *given) as server:
        site = f"http://{address_of(server)}"
        with urlopen(f"{site}/api/catalogue") as answer:
            name = json.load(answer)["bots"][-1]
        assert name == f"python:{OWN}"
        assert "winners [" in play_at_table(site, name, "random")  # it mostly wins, not always


def test_nobody_elses_machine_may_use_a_bot_of_ones_own() -> None:
    said = CliRunner().invoke(group, ["serve", "--host", "0.0.0.0", "--code", str(OWN)])
    assert said.exit_code == 1
    assert "--code: expected a host of this machine" in said.output
