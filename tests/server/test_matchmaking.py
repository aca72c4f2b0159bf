"""Bots on free seats, and tables that everybody may find."""

from __future__ import annotations

from typing import Any

import httpx

from tests.server.client import House

ENTROPY = "ab" * 16


def listed(house: House) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = house.get("/api/public").json()["tables"]
    return found


def fill(house: House, made: dict[str, Any], bot: str) -> httpx.Response:
    bearer = {"authorization": f"Bearer {made['seats'][0]['token']}"}
    return house.client.post(f"/api/tables/{made['table']}/fill", json={"bot": bot}, headers=bearer)


def test_the_computer_takes_the_free_seat_and_the_game_begins(house: House) -> None:
    made = house.make("human", "open")
    with house.at(made["table"], made["seats"][0]["token"]) as ann:
        ann.ask("ready", entropy=ENTROPY)
        assert fill(house, made, "random").status_code == 204
        state = ann.until("state")
        while state["status"] == "waiting":
            state = ann.until("state")
    assert [(seat["kind"], seat["bot"]) for seat in state["seats"]] == [("human", None), ("bot", "random")]
    assert fill(house, made, "random").json()["code"] == "begun"


def test_only_who_sits_there_calls_the_computer(house: House) -> None:
    made = house.make("human", "open")
    wrong = fill(house, made, "nobody")
    assert (wrong.json()["code"], wrong.json()["message"][:14]) == ("option", "bot: expected ")
    assert house.post(f"/api/tables/{made['table']}/fill", bot="random").json()["code"] == "token"
    assert house.get(f"/api/tables/{made['table']}").json()["seats"][1]["kind"] == "open"


def test_a_public_table_is_listed_while_somebody_waits_at_it(house: House) -> None:
    house.make("human", "open")  # for friends only
    made = house.make("human", "open", public=True, title="Come in")
    assert listed(house) == []  # nobody is there
    with house.at(made["table"], made["seats"][0]["token"]) as ann:
        (entry,) = listed(house)
        assert (entry["table"]["title"], entry["invite"]) == ("Come in", made["invite"])
        assert entry["table"]["mine"] == []
        ann.ask("ready", entropy=ENTROPY)
        joined = house.post(f"/api/tables/{made['table']}/join", invite=entry["invite"], name="Bob").json()
        with house.at(made["table"], joined["token"]) as bob:
            bob.ask("ready", entropy=ENTROPY)
            (entry,) = listed(house)
            assert (entry["table"]["status"], entry["invite"]) == ("running", None)  # to be watched
            bob.ask("resign")
    assert listed(house) == []
