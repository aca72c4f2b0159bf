"""Lists of tables are read from columns: no line is played, and one query is enough."""

from __future__ import annotations

import asyncio
from typing import Any

from sqlalchemy import Engine, event

from bastide.server.api.incoming import NewTable, WantedSeat
from bastide.server.api.responses import Summary
from bastide.server.storage.store import Store
from bastide.server.tables import lobby
from bastide.server.tables.registry import TableRegistry
from tests.server.client import House, begun

TABLES = 12


def test_a_list_takes_one_query_however_long_it_is(either: str) -> None:
    """It used to load and play every table: four queries for each."""
    asked: list[str] = []

    def note(_: object, __: object, statement: str, *more: object) -> None:
        asked.append(statement)

    async def look() -> tuple[list[Summary], TableRegistry]:
        store = Store(either)
        await store.open()
        registry = TableRegistry(store, None, lambda: 1000)
        new = NewTable(seats=[WantedSeat("human"), WantedSeat("open")], title="Sunday")
        for _ in range(TABLES):
            await lobby.make(registry, new, "key")
        await lobby.make(registry, new, "somebody else's")
        event.listen(Engine, "before_cursor_execute", note)
        found = await lobby.summaries(registry, "key")
        event.remove(Engine, "before_cursor_execute", note)
        await store.close()
        return found, registry

    listed, registry = asyncio.run(look())
    assert [(entry.title, entry.mine) for entry in listed] == [("Sunday", [0])] * TABLES
    assert len([statement for statement in asked if "FROM" in statement]) == 1
    assert not registry.open_tables  # nothing was loaded


def of_browser(house: House, key: str) -> list[dict[str, Any]]:
    house.client.cookies.set("bastide", key)
    found: list[dict[str, Any]] = house.client.get("/api/tables").json()["tables"]
    return found


def test_a_list_says_what_the_table_itself_says(house: House) -> None:
    clock = {"kind": "sudden", "seconds": 600}
    seats = [{"kind": "human"}, {"kind": "human"}, {"kind": "bot", "bot": "random"}]
    body = {"seats": seats, "modules": ["river"], "clock": clock}
    house.client.cookies.clear()
    table = house.client.post("/api/tables", json=body).json()["table"]
    key = house.client.cookies["bastide"]
    (entry,) = of_browser(house, key)
    assert (entry["status"], entry["decides"], entry["mine"], entry["deadline"]) == ("waiting", -1, [0, 1], None)
    state = house.client.get(f"/api/tables/{table}/state").json()
    assert entry["seats"] == state["seats"]
    assert entry["modules"] == state["rules"]["modules"] == ["base", "river"]
    assert (entry["clock"], entry["scores"]) == (clock, [0, 0, 0])


def test_a_list_knows_who_is_out_and_who_is_there(house: House) -> None:
    with begun(house, house, clock={"kind": "sudden", "seconds": 600}) as (red, blue):
        summary = house.get(f"/api/tables/{red.table}").json()
        assert [seat["online"] for seat in summary["seats"]] == [True, True]
        assert summary["decides"] == 0
        assert summary["deadline"] > summary["changed"]
        red.play_first()
        blue.do("resign")
        summary = house.get(f"/api/tables/{red.table}").json()
        assert summary["seats"] == house.get(f"/api/tables/{red.table}/state").json()["seats"]
    assert [seat["out"] for seat in summary["seats"]] == [None, "resigned"]
    assert (summary["status"], summary["winners"], summary["deadline"]) == ("over", [0], None)
