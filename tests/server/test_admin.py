"""Looking after a server: health, figures, logs, the admin's commands, backup and restore."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable
from dataclasses import replace
from io import StringIO
from pathlib import Path
from time import monotonic, sleep

import pytest
from click.testing import CliRunner
from litestar.testing import TestClient

from bastide.cli.admin import command
from bastide.errors import BastideError
from bastide.notation.record import read_record
from bastide.server.app import create_app
from bastide.server.draws.proof import verify
from bastide.server.logs import PLAIN, JsonLines, add_context
from bastide.server.settings import Settings
from tests.server.client import PATIENCE, House
from tests.services import Postgres


def admin(*arguments: str) -> str:
    done = CliRunner().invoke(command, arguments, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def finished(house: House) -> str:
    """A game that is over."""
    with house.two() as (red, _):
        red.play_first()
        red.do("resign")
        return red.table


def test_health_tells_of_the_database(house: House) -> None:
    assert house.get("/healthz").json() == {"ok": True}


def test_a_server_without_its_database_is_not_healthy(shared: Settings) -> None:
    with Postgres() as own:
        settings = replace(shared, database=own.database("mine"))
        with TestClient(create_app(settings)) as client:
            house = House(client)
            with house.two() as (red, _):
                own.kill()
                while (answer := house.get("/healthz")).status_code == 200:
                    sleep(0.1)  # a write that succeeded a second ago is believed
                assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
                action = red.game["question"]["actions"][0]["text"]
                assert red.ask("play", seq=red.state["seq"], action=action)["code"] == "unavailable"
                own.start()
                while house.get("/healthz").status_code != 200:
                    sleep(0.1)
                red.until("state")
                red.play(action)


def test_figures_are_for_the_machine_itself(house: House) -> None:
    assert house.get("/metrics").status_code == 401


def test_figures_count_what_happened(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bastide.server.api.http.is_local", lambda address: True)
    with house.two() as (red, _):
        red.play_first()
        red.ask("play", seq=0, action="pass")
        text = house.get("/metrics").text
    assert "bastide_sockets 2.0" in text
    assert 'bastide_refused_total{code="stale"}' in text
    assert 'bastide_answer_seconds_count{type="play"}' in text


def test_logs_can_be_read_by_programs() -> None:
    try:
        raise ValueError("it broke")
    except ValueError:
        record = logging.LogRecord("bastide.server", logging.ERROR, "", 0, "table %s", ("x",), sys.exc_info())
    said = json.loads(JsonLines().format(record))
    assert (said["level"], said["logger"], said["message"]) == ("error", "bastide.server", "table x")
    assert "it broke" in said["error"]


def test_lines_of_the_log_name_the_request_and_the_table(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ValueError("it broke")

    written = StringIO()
    handler = logging.StreamHandler(written)
    handler.addFilter(add_context)
    handler.setFormatter(JsonLines())
    logger = logging.getLogger("bastide.server")
    logger.addHandler(handler)
    try:
        with house.two() as (red, _):
            monkeypatch.setattr("bastide.server.tables.lobby.summary", fail)
            monkeypatch.setattr("bastide.server.api.socket.regions_of", fail)
            assert house.get(f"/api/tables/{red.table}").status_code == 500
            assert red.ask("regions", kind="")["code"] == "internal"
    finally:
        logger.removeHandler(handler)
    by_http, by_socket = (json.loads(line) for line in written.getvalue().splitlines() if "it broke" in line)
    assert by_http["table"] == by_socket["table"] == red.table
    assert len(by_http["request"]) == len(by_socket["request"]) == 8
    assert by_http["request"] != by_socket["request"]
    handler.setFormatter(logging.Formatter(PLAIN))
    record = logging.LogRecord("bastide.server", logging.ERROR, "", 0, "it began", (), None)
    add_context(record)
    assert handler.format(record).endswith("bastide.server: it began")  # nothing is added where nothing is known


def test_tables_are_listed_exported_and_deleted(house: House, database: str) -> None:
    table = finished(house)
    waiting = house.make("human", "open")["table"]
    listed = admin("tables", "--database", database)
    assert f"{table}  over" in listed
    assert f"{waiting}  waiting" in listed
    assert waiting not in admin("tables", "--database", database, "--status", "over")
    assert verify(read_record(admin("export", "--database", database, table)))
    admin("delete", "--database", database, table)
    assert table not in admin("tables", "--database", database)
    assert CliRunner().invoke(command, ["delete", "--database", database, table]).exit_code != 0


def test_old_tables_are_pruned(house: House, database: str) -> None:
    table, waiting = finished(house), house.make("human", "open")["table"]
    assert "0 tables" in admin("prune", "--database", database)
    assert "1 tables" in admin("prune", "--database", database, "--days", "0")
    left = admin("tables", "--database", database)
    assert table not in left
    assert waiting in left


def test_abandoned_games_are_pruned(house: House, database: str) -> None:
    with house.two() as (red, _):
        assert "0 tables" in admin("prune", "--database", database)
        assert "1 tables" in admin("prune", "--database", database, "--abandoned-days", "0")
        assert red.table not in admin("tables", "--database", database)


def wait_until(holds: Callable[[], bool]) -> None:
    """Processes hear of decisions within seconds."""
    until = monotonic() + PATIENCE
    while not holds():
        assert monotonic() < until, "nothing happened"
        sleep(0.1)


def test_an_address_is_banned_and_served_again(house: House, database: str) -> None:
    admin("ban", "testclient", "--database", database, "--reason", "floods")
    wait_until(lambda: house.get("/api/catalogue").status_code == 403)
    answer = house.get("/api/tables")
    assert answer.json()["code"] == "banned"
    assert "ban   testclient" in admin("sanctions", "--database", database)
    admin("lift", "ban", "testclient", "--database", database)
    wait_until(lambda: house.get("/api/catalogue").status_code == 200)
    with pytest.raises(BastideError, match="has no ban"):
        admin("lift", "ban", "testclient", "--database", database)


def test_a_table_is_muted(house: House, database: str) -> None:
    with house.two() as (red, _):
        red.do("chat", text="hello")
        admin("mute", red.table, "--database", database)
        wait_until(lambda: red.ask("chat", text="hello").get("code") == "muted")
        red.play_first()


def test_a_table_is_closed_and_opened_again(house: House, database: str) -> None:
    made = house.make("human", "human")
    with house.at(made["table"]) as watching:
        admin("close", made["table"], "--database", database, "--reason", "abuse")
        refused = watching.until("refused")
    assert (refused["code"], refused["message"][-5:]) == ("closed", "abuse")
    assert house.get(f"/api/tables/{made['table']}").json()["code"] == "closed"
    admin("lift", "close", made["table"], "--database", database)
    with house.at(made["table"]) as watching:
        assert watching.state["status"] == "waiting"
    with pytest.raises(BastideError, match="no such table"):
        admin("close", "nothing", "--database", database)


def test_a_closed_table_stays_closed_when_a_server_starts(database: str) -> None:
    settings = Settings(database=database, page=Path("/nonexistent"))
    with TestClient(create_app(settings)) as client:
        table = House(client).make("human", "human")["table"]
    admin("close", table, "--database", database)
    with TestClient(create_app(settings)) as client:
        assert House(client).get(f"/api/tables/{table}").json()["code"] == "closed"


def test_who_asks_for_most_is_named(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(3):
        house.post("/api/choice", players=2)
    assert house.get("/metrics/spenders").status_code == 401
    monkeypatch.setattr("bastide.server.api.http.is_local", lambda address: True)
    assert house.get("/metrics/spenders").json() == [{"client": "testclient", "units": 90, "what": {"choice": 90}}]


def test_a_copy_made_while_tables_play_has_all_that_was_acknowledged(
    house: House, database: str, tmp_path: Path
) -> None:
    """Bots write without a pause; a copy page by page would begin again with each of their lines."""
    table = finished(house)
    busy = [house.make("random", "random")["table"] for _ in range(2)]
    copy = tmp_path / "copy.sqlite3"
    with house.at(busy[0]) as watching, house.at(busy[1]):
        before = watching.seen(10)["seq"]
        admin("backup", "--database", database, str(copy))
        assert watching.seen(before + 10)["status"] == "running"  # it was played on meanwhile
    assert "2 tables can be played on" in admin("check", "--database", str(copy))
    with pytest.raises(BastideError, match="exists already"):
        admin("backup", "--database", database, str(copy))
    with TestClient(create_app(Settings(database=str(copy)))) as client:
        restored = House(client)
        assert restored.get(f"/api/tables/{table}/state").json()["status"] == "over"
        assert restored.get(f"/api/tables/{busy[0]}/state").json()["seq"] >= before


def test_a_dump_of_postgresql_can_be_restored(shared: Settings, postgres: Postgres) -> None:
    with TestClient(create_app(shared)) as client:
        table = finished(House(client))
    name = shared.database.rpartition("/")[2]
    place = ("-h", "127.0.0.1", "-p", str(postgres.port), "-U", "bastide")
    dump = postgres.folder / f"{name}.dump"
    assert postgres.run("pg_dump", *place, "-Fc", "-f", str(dump), name)
    restored = postgres.database(f"{name}r")
    assert postgres.run("pg_restore", *place, "-d", f"{name}r", str(dump))
    with TestClient(create_app(replace(shared, database=restored))) as client:
        assert House(client).get(f"/api/tables/{table}/state").json()["status"] == "over"
