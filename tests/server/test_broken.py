"""A table that cannot be read is marked, named and closed, and disturbs nobody."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import sleep

import msgspec
import pytest
from litestar.testing import TestClient

from bastide.errors import BastideError, EngineLimit
from bastide.server.app import create_app
from bastide.server.settings import Settings, database_url
from bastide.server.storage.database import migrate
from bastide.server.storage.store import Store
from bastide.server.tables.table import Line, Table
from bastide.server.thinking.bots import LocalBots
from bastide.server.thinking.jobs import Job, answer_job
from tests.server.client import ENTROPY, House
from tests.server.test_admin import admin
from tests.server.test_clock import Time, over

SUDDEN = {"kind": "sudden", "seconds": 60}


@contextmanager
def server(database: str, time: Time) -> Iterator[House]:
    with TestClient(create_app(Settings(database=database, page=Path("/nonexistent"), moment=time))) as client:
        yield House(client)


def sql(database: str, statement: str, *values: object) -> list[tuple[object, ...]]:
    """Changes a database behind the server's back."""
    with sqlite3.connect(database) as connection:
        found = connection.execute(statement, values).fetchall()
    connection.close()
    return found


def break_table(database: str, name: str) -> None:
    """As if a new version did not know an option any more."""
    sql(
        database,
        """update tables set setup = replace(setup, '"options":{', '"options":{"gone":1,') where name = ?""",
        name,
    )


def begun(house: House) -> tuple[str, str]:
    """A table with a clock at which somebody must decide; its name and the token of red."""
    made = house.make("human", "human", clock=SUDDEN)
    for seat in made["seats"]:
        with house.at(made["table"], seat["token"]) as player:
            player.do("ready", entropy=ENTROPY)
    return made["table"], made["seats"][0]["token"]


def test_a_table_that_cannot_be_read_stops_no_clock_elsewhere(database: str, caplog: pytest.LogCaptureFixture) -> None:
    time = Time()
    with server(database, time) as house:
        names = sorted(begun(house)[0] for _ in range(3))
    break_table(database, names[0])
    with caplog.at_level(logging.ERROR), server(database, time) as house:
        time.now += 10**6
        for name in names[1:]:
            with house.at(name) as watching:
                assert over(watching)["seats"][0]["out"] == "time"
        answer = house.get(f"/api/tables/{names[0]}/state")
        assert (answer.status_code, answer.json()["code"]) == (409, "unreadable")
    assert f"table {names[0]} cannot be played on" in caplog.text
    assert f"{names[0]}  broken" in admin("tables", "--database", database, "--status", "broken")


def test_a_table_that_breaks_while_it_is_open_closes_its_sockets_with_a_reason(database: str) -> None:
    time = Time()
    with server(database, time) as house, house.two(clock=SUDDEN) as (red, _):
        sql(database, "insert into lines values (?, ?, 0, '0 nonsense', 0)", red.table, red.state["seq"] + 1)
        sql(database, "update tables set seq = seq + 1 where name = ?", red.table)
        red.send("play", seq=red.state["seq"], action=red.game["question"]["actions"][0]["text"])
        while red.next().get("code") != "unreadable":
            pass
        assert sql(database, "select broken is not null from tables where name = ?", red.table) == [(1,)]


def test_a_table_that_cannot_be_read_hides_no_other_from_its_players(database: str) -> None:
    time = Time()
    with server(database, time) as house:
        one = house.client.post("/api/tables", json={"seats": [{"kind": "human"}, {"kind": "open"}]}).json()["table"]
        other = house.client.post("/api/tables", json={"seats": [{"kind": "human"}, {"kind": "open"}]}).json()["table"]
        cookies = dict(house.client.cookies)
    break_table(database, one)
    with server(database, time) as house:
        house.client.cookies.update(cookies)
        listed = house.client.get("/api/tables").json()["tables"]
        assert [entry["table"] for entry in listed] == [other]


def test_a_version_that_can_read_a_table_again_plays_on_with_it(database: str) -> None:
    time = Time()
    with server(database, time) as house:
        name, _ = begun(house)
    sql(database, "update tables set broken = 'an option that is gone' where name = ?", name)
    with server(database, time) as house:
        assert house.get(f"/api/tables/{name}/state").json()["status"] == "running"
    assert sql(database, "select broken from tables where name = ?", name) == [(None,)]


def test_a_table_whose_bots_and_their_stand_in_fail_is_marked_once(
    database: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It used to fail, say so and ask again, some hundred times a second, through every restart."""

    def no_room(self: Table, action: str, at: int, lag: int = 0) -> list[Line]:
        raise EngineLimit("no room for another tile")

    monkeypatch.setattr(Table, "play", no_room)
    with server(database, Time()) as house, caplog.at_level(logging.ERROR):
        made = house.make("random", "random")
        while sql(database, "select broken from tables where name = ?", made["table"]) == [(None,)]:
            house.get("/healthz")
        assert caplog.text.count("cannot be played on") == 1
        assert sql(database, "select count(*) from chat") == [(0,)]


def test_bots_finish_a_game_with_two_start_tiles(house: House, database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One small request kept a core busy for ever, through restarts: there was no room for the last tile."""

    async def think_here(self: LocalBots, job: Job) -> str:
        return answer_job(msgspec.json.encode(job))

    monkeypatch.setattr(LocalBots, "choose", think_here)
    monkeypatch.setattr(
        "bastide.server.storage.database.PRAGMAS", ("journal_mode=WAL", "synchronous=OFF")
    )  # only for speed
    start = [{"tile": "U", "cell": [cell, 0], "turn": 0} for cell in range(2)]
    with server(database, Time()) as house:
        table = house.make("random", "random", start=start)["table"]
        while sql(database, "select status, broken from tables") == [("running", None)]:
            sleep(0.05)
        assert house.get(f"/api/tables/{table}/state").json()["game"]["outcome"]["reason"] == "tiles"
    assert sql(database, "select broken from tables") == [(None,)]
    assert sql(database, "select count(*) from chat") == [(0,)]


def test_deleting_a_table_in_play_closes_its_sockets_with_a_reason(database: str) -> None:
    with server(database, Time()) as house, house.two() as (red, _):
        admin("delete", "--database", database, red.table)
        red.send("play", seq=red.state["seq"], action=red.game["question"]["actions"][0]["text"])
        while red.next().get("code") != "table":
            pass


# --- updates


def test_the_rules_of_a_table_are_stored_and_checked(database: str) -> None:
    with server(database, Time()) as house:
        name, _ = begun(house)
    ((stored,),) = sql(database, "select rules from tables where name = ?", name)
    assert len(str(stored)) == 64
    assert "1 tables can be played on" in admin("check", "--database", database)
    break_table(database, name)
    with pytest.raises(BastideError, match="1 of 1 tables cannot be played on"):
        admin("check", "--database", database)


def test_a_draw_that_was_not_due_is_found(database: str) -> None:
    """As if the number of a tile had been corrected: the game could go on, but its proof would fail at the end."""
    with server(database, Time()) as house:
        name, _ = begun(house)
    ((drawn,),) = sql(database, "select text from lines where \"table\" = ? and text like 'draw %'", name)
    sql(database, "update lines set text = ? where text = ?", "draw E" if drawn != "draw E" else "draw U", drawn)
    with pytest.raises(BastideError, match="1 of 1 tables cannot be played on"):
        admin("check", "--database", database)


def old_database(database: str, form: str) -> None:
    """A database as an older version has left it."""

    async def make() -> None:
        store = Store(database_url(database))
        async with store.writing() as connection:
            await connection.run_sync(lambda raw: migrate(raw, form))
        await store.close()

    asyncio.run(make())


def test_admin_changes_no_database_of_another_version(database: str) -> None:
    old_database(database, "0002")
    with pytest.raises(BastideError, match="the database has the form 0002, this program works with "):
        admin("tables", "--database", database)
    assert "0 tables can be played on" in admin("check", "--database", database)
    assert sql(database, "select version_num from alembic_version") == [("0002",)]


def test_admin_makes_no_database(tmp_path: Path) -> None:
    missing = tmp_path / "folder" / "tables.sqlite3"
    with pytest.raises(BastideError, match="there is no database at"):
        admin("tables", "--database", str(missing))
    assert not missing.parent.exists()


def test_a_database_of_a_newer_version_is_refused_with_a_sentence(database: str) -> None:
    old_database(database, "head")
    sql(database, "update alembic_version set version_num = '9999'")

    async def open_it() -> None:
        store = Store(database_url(database))
        try:
            await store.open()
        finally:
            await store.close()

    with pytest.raises(BastideError, match="a newer version of Bastide has changed the database to the form 9999"):
        asyncio.run(open_it())


def test_tables_of_an_older_version_know_their_last_line_and_who_is_out(database: str) -> None:
    old_database(database, "0002")
    columns = "name, created, changed, setup, seed, invite, status, decides, scores, thinks"
    sql(database, f"insert into tables ({columns}) values ('old', 0, 0, '{{}}', '', '', 'running', 0, '[]', 0)")
    sql(database, "insert into lines values ('old', 1, 0, 'begin'), ('old', 2, 0, 'draw E'), ('old', 3, 0, 'time 1')")
    old_database(database, "head")
    assert sql(database, "select seq, out, rules, broken from tables") == [(3, '{"1": "time"}', "", None)]
