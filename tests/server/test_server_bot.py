"""The example of a bot that sits down at a server's table."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from tests.server.served import address_of, bastide

EXAMPLE = Path(__file__).parents[2] / "examples/server_bot.py"


def test_the_example_plays_a_whole_game_at_a_table(tmp_path: Path) -> None:
    pytest.importorskip("websockets")
    with bastide("serve", "--port", "0", "--database", str(tmp_path / "tables.sqlite3")) as server:
        site = f"http://{address_of(server)}"
        wanted = {"seats": [{"kind": "bot", "bot": "random"}, {"kind": "open"}]}
        request = Request(f"{site}/api/tables", json.dumps(wanted).encode(), {"Content-Type": "application/json"})
        with urlopen(request) as answer:
            made = json.load(answer)
        link = f"{site}{made['link']}#invite={made['invite']}"
        done = subprocess.run([sys.executable, str(EXAMPLE), link, "--bot", "greedy"], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith("seat 1: [")
        assert done.stdout.endswith("winners [1]\n")
