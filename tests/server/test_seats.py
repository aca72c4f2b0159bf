"""Who holds a seat while sockets are open: seats given up, links replaced, and what is said meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from litestar.exceptions import WebSocketDisconnect

from bastide.server.api.outgoing import ChatLine
from bastide.server.storage.store import Store
from bastide.server.tables.registry import TableRegistry
from tests.server.client import House, Player


@contextmanager
def browser(house: House, table: str, key: str) -> Iterator[Player]:
    """Somebody at a table whose seats are known by the browser's cookie."""
    house.client.cookies.clear()
    with house.client.websocket_connect(f"/api/tables/{table}/socket", headers={"cookie": f"bastide={key}"}) as socket:
        player = Player(socket, table)
        assert player.hello()["type"] == "welcome"
        yield player


def key_after(house: House) -> str:
    """The key that the last answer gave to the browser."""
    return str(house.client.cookies["bastide"])


def new_link(house: House, table: str, seat: int, **headers: str) -> dict[str, str]:
    house.client.cookies.clear()
    answer = house.client.post(f"/api/tables/{table}/seats/{seat}/link", headers=headers)
    assert answer.status_code == 200, answer.text
    found: dict[str, str] = answer.json()
    return found


def test_who_leaves_a_table_loses_the_seats_at_sockets_that_are_open(house: House) -> None:
    table = house.make("human", "human")["table"]
    key = key_after(house)
    with browser(house, table, key) as player:
        assert player.state["mine"] == [0, 1]
        house.client.post(f"/api/tables/{table}/leave", headers={"cookie": f"bastide={key}"})
        assert player.until("state")["mine"] == []
        assert player.ask("resign", seat=0)["code"] == "token"


def test_an_old_link_opens_a_seat_no_more(house: House) -> None:
    """Neither by a new socket nor by one that is open: whoever found the link loses the seat."""
    made = house.make("human", "human")
    table, old, other = made["table"], made["seats"][0]["token"], made["seats"][1]["token"]
    key = key_after(house)
    house.post(f"/api/tables/{table}/enter", token=old)
    thief = key_after(house)
    with (
        browser(house, table, key) as owner,
        browser(house, table, thief) as by_browser,
        house.at(table, old) as by_token,
        house.at(table, other) as blue,
    ):
        assert by_browser.state["mine"] == by_token.state["mine"] == [0]
        new = new_link(house, table, 0, cookie=f"bastide={key}")
        assert by_browser.until("state")["mine"] == []
        with pytest.raises(WebSocketDisconnect) as closed:
            by_token.until("close")
        assert closed.value.code == 1008
        assert by_token.received[-1]["code"] == "token"
        assert owner.do("ready", seat=0, entropy="00" * 16)["mine"] == [0, 1]
        assert blue.do("ready", entropy="00" * 16)["status"] == "running"
    assert house.get(f"/api/tables/{table}/state", authorization=f"Bearer {old}").status_code == 401
    assert new["link"] == f"/table/{table}#seat={new['token']}"
    with house.at(table, new["token"]) as again:
        assert again.state["mine"] == [0]


def test_a_program_replaces_its_own_token(house: House) -> None:
    made = house.make("human", "human")
    table, token = made["table"], made["seats"][1]["token"]
    new = new_link(house, table, 1, authorization=f"Bearer {token}")
    with house.at(table, new["token"]) as blue:
        assert blue.state["mine"] == [1]


def test_nobody_replaces_the_link_of_another_seat(house: House) -> None:
    made = house.make("human", "human")
    house.client.cookies.clear()
    bearer = {"authorization": f"Bearer {made['seats'][1]['token']}"}
    for seat, headers in ((0, bearer), (0, {}), (7, bearer)):
        answer = house.client.post(f"/api/tables/{made['table']}/seats/{seat}/link", headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (401, "token")


def test_what_is_said_while_somebody_comes_is_not_lost(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line of the chat that is stored after the chat was read for the welcome, and before anything else is sent."""
    registries: list[TableRegistry] = []
    read, entry = Store.chat, TableRegistry.entry

    def remember(self: TableRegistry, name: str) -> object:
        registries.append(self)
        return entry(self, name)

    async def read_and_say(self: Store, name: str) -> list[ChatLine]:
        found = await read(self, name)
        await registries[-1].say(name, -1, "", "meanwhile", None)
        return found

    table = house.make("human", "human")["table"]
    monkeypatch.setattr(TableRegistry, "entry", remember)
    monkeypatch.setattr(Store, "chat", read_and_say)
    with house.client.websocket_connect(f"/api/tables/{table}/socket") as socket:
        player = Player(socket, table)
        assert player.ask("hello", version=2)["chat"] == []
        assert player.until("chat")["text"] == "meanwhile"
