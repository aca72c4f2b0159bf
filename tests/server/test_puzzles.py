"""Puzzles over HTTP: the collection, one of them, and the dearest turns of a game that is over."""

from __future__ import annotations

import pytest

from tests.server.client import House
from tests.server.test_analysis_cache import over

__all__ = ["over"]  # a fixture


def test_the_collection_is_listed_and_each_can_be_had(house: House) -> None:
    listed = house.get("/api/puzzles").json()
    assert len(listed) >= 60
    one = listed[-1]
    found = house.get(f"/api/puzzles/{one['id']}").json()
    assert {key: found[key] for key in one} == one
    assert found["solution"]
    assert house.client.get("/api/puzzles/none").json()["code"] == "table"


def test_a_puzzle_is_a_table_on_which_its_turn_is_asked(house: House) -> None:
    listed = house.get("/api/puzzles").json()
    for module in dict.fromkeys(one["module"] for one in listed):
        name = next(one["id"] for one in listed if one["module"] == module)
        puzzle = house.get(f"/api/puzzles/{name}").json()
        wish = {"record": "\n".join(puzzle["record"]) + "\n", "seats": [{"kind": "human"}, {"kind": "human"}]}
        assert house.client.post("/api/tables", json=wish).status_code == 201, module


def test_the_dearest_turns_of_a_seat(house: House, over: str) -> None:
    judged = house.get(f"/api/tables/{over}/analysis").json()
    for seat in (0, 1):
        found = house.get(f"/api/tables/{over}/puzzles?seat={seat}").json()
        assert [one["seat"] for one in found] == [seat] * 3
        said = {move["action"] for turn in judged["turns"] if turn["seat"] == seat for move in turn["moves"]}
        assert all(action in said for one in found for action in one["tempting"])
    assert house.client.get(f"/api/tables/{over}/puzzles?seat=5").json()["code"] == "shape"


def test_no_puzzles_of_a_game_that_goes_on(house: House) -> None:
    made = house.make("human", "human")
    refused = house.client.get(f"/api/tables/{made['table']}/puzzles").json()
    assert refused["code"] in ("waiting", "running")


@pytest.mark.parametrize("path", ["/api/puzzles", "/api/puzzles/none"])
def test_puzzles_need_no_cookie(house: House, path: str) -> None:
    house.client.cookies.clear()
    assert house.client.get(path).status_code in (200, 404)
