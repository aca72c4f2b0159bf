"""Faults of which no other test speaks; and that every test named in README.md is there."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from multiprocessing import get_context
from pathlib import Path

import pytest
from click.testing import CliRunner
from litestar.testing import TestClient
from sqlalchemy import Connection

from bastide.cli.admin import command as admin
from bastide.errors import BastideError
from bastide.notation.record import read_record
from bastide.server import run
from bastide.server.api.incoming import Clock
from bastide.server.api.prices import PRICES
from bastide.server.api.refusal import Refusal
from bastide.server.app import create_app
from bastide.server.settings import Settings, database_url
from bastide.server.storage.store import Store
from bastide.server.tables import moves
from tests.server.client import House
from tests.server.sample import a_table
from tests.server.served import address_of, bastide

ROOT = Path(__file__).parents[2]


def test_every_test_that_is_named_exists() -> None:
    named = set(re.findall(r"`(test_\w+)`", (ROOT / "tests/server/README.md").read_text()))
    there = {
        name
        for file in (ROOT / "tests/server").glob("test_*.py")
        for name in re.findall(r"def (\w+)", file.read_text())
    }
    assert len(named) > 80
    assert named - there == set()


def test_a_table_of_bots_alone_costs_a_stranger_much(database: str) -> None:
    settings = Settings(database=database, page=Path("/nonexistent"), moment=lambda: 1_000_000)
    with TestClient(create_app(settings)) as client:
        bots = {"seats": [{"kind": "bot", "bot": "random"}] * 2}
        answers = [client.post("/api/tables", json=bots).status_code for _ in range(8)]
    most = settings.budget * 20 // (PRICES["table of bots"] + PRICES["table"])
    assert answers == [201] * most + [429] * (8 - most)


def test_take_backs_end_when_a_table_is_very_long(monkeypatch: pytest.MonkeyPatch, house: House) -> None:
    with house.two() as (red, _):
        red.play_first()
        monkeypatch.setattr(moves, "MOST_LINES", red.state["seq"])
        assert red.ask("undo", seq=red.state["seq"])["code"] == "undo"
        assert red.ask("takeback", seq=red.state["seq"])["code"] == "undo"
        red.play("pass")  # the game itself goes on


def test_old_positions_are_pruned_when_that_is_asked_for(house: House, database: str) -> None:
    record = "bastide 1\nplayers a b\n"
    kept = house.post("/api/positions", record=record).json()["position"]
    for arguments, status in (([], 200), (["--position-days", "1"], 200), (["--position-days", "0"], 404)):
        done = CliRunner().invoke(admin, ["prune", "--database", database, *arguments])
        assert done.exit_code == 0, done.output
        assert house.get(f"/api/positions/{kept}").status_code == status


def test_an_extra_turn_begins_with_the_full_time() -> None:
    """Whoever has two turns in a row has the time of two."""
    table = a_table(modules=["traders_and_builders"], clock=Clock("turn", seconds=60))
    for at in range(1000, 900_000, 1000):
        laid = [seat for seat, action in table.playing.history if action.verb == "place"]
        builder = next((action for action in table.playing.legal if action.piece == "builder"), None)
        follower = next((action for action in table.playing.legal if action.verb == "deploy"), None)
        table.play(str(builder or follower or table.playing.legal[0]), at)
        drawn = table.playing.history[-1][1].verb == "draw"
        if drawn and laid[-1:] == [table.decides]:  # the tile that was laid last was laid by the same seat
            assert table.clock.left[table.decides] == 60_000
            return
    raise AssertionError("nobody had an extra turn")


def test_an_option_is_given_once() -> None:
    """Thousands of lines with the same option were read again and again, for seconds."""
    with pytest.raises(BastideError, match="hand"):
        read_record("bastide 1\noption hand 3\noption hand 3\nplayers a b\n")


def test_a_process_that_gives_no_sign_of_life_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is dead is noticed by the system; one that hangs must be ended."""
    context = get_context("spawn")
    worker = run.Worker.__new__(run.Worker)
    worker.signs, theirs = context.Pipe(duplex=False)
    worker.process = context.Process(target=time.sleep, args=(600,))
    worker.process.start()
    worker.began = worker.heard = time.monotonic()
    worker.serves = False
    assert not worker.hangs  # it may take long to begin
    theirs.send("WATCHDOG=1")
    worker.hear()
    assert not worker.hangs
    monkeypatch.setattr(run, "HUNG", -1)
    assert worker.hangs
    pid = worker.process.pid
    run.replace_worker(worker)
    assert not Path(f"/proc/{pid}").exists()


@pytest.mark.parametrize("variable", ["BASTIDE_BOTS", "BASTIDE_BUDGET"])
def test_a_setting_that_is_no_number_is_refused_with_a_sentence(variable: str, database: str) -> None:
    command = [sys.executable, "-m", "bastide.cli", "serve", "--port", "0", "--database", database]
    done = subprocess.run(command, env={**os.environ, variable: "abc"}, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert f"{variable}: expected a whole number, got 'abc'" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_outage_is_one_line_of_the_log(database: str, caplog: pytest.LogCaptureFixture) -> None:
    def broken(connection: Connection) -> None:
        raise sqlite3.OperationalError("disk full")

    async def try_often() -> None:
        store = Store(database_url(database))
        await store.open()
        for _ in range(20):
            with pytest.raises(Refusal, match="cannot store anything"):
                await store.write(broken)
        await store.close()

    with caplog.at_level(logging.INFO, "bastide.server"):
        asyncio.run(try_often())
    assert [record.message for record in caplog.records if "cannot be used" in record.message] == [
        "the database cannot be used: OperationalError: disk full"
    ]


def test_who_is_too_fast_is_answered_by_number(house: House) -> None:
    with house.two() as (red, _):
        for number in range(150):
            red.send("ping", id=number)
        answers = [red.next() for _ in range(150)]
        assert any(answer.get("code") == "rate" for answer in answers)
        assert [answer["re"] for answer in answers if "re" in answer] == list(range(150))


def test_processes_leave_no_folder_behind(shared: Settings, tmp_path: Path) -> None:
    variables = {"BASTIDE_DATABASE": shared.database, "BASTIDE_REDIS": shared.redis, "TMPDIR": str(tmp_path)}
    with bastide("serve", "--port", "0", "--workers", "2", **variables) as process:
        address_of(process)
        until = time.monotonic() + 60
        while not list(tmp_path.iterdir()) and time.monotonic() < until:
            time.sleep(0.1)
        assert list(tmp_path.iterdir())
        process.send_signal(signal.SIGTERM)
        process.wait(60)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("file", "lines"),
    [
        ("deploy/bastide.service", ["StartLimitIntervalSec=0", "WatchdogSec=", "MemoryMax=", "SystemCallFilter="]),
        ("deploy/nginx.conf", ["limit_req", "Strict-Transport-Security", "[::]:443", "listen 80"]),
        ("deploy/compose.yaml", ["FORWARDED_ALLOW_IPS"]),
        ("deploy/Dockerfile", ["HEALTHCHECK", "EXPOSE", "--require-hashes"]),
        (".dockerignore", ["\n*\n", "**/.env"]),
    ],
)
def test_the_files_for_a_server_say_what_they_must(file: str, lines: list[str]) -> None:
    text = (ROOT / file).read_text()
    assert [line for line in lines if line not in text] == []
