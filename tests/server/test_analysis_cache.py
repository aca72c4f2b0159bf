"""Analyses of games that are over: beside the bots, once, and never while a game goes on."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest

from bastide.analysis import as_json, review
from bastide.notation.record import read_record
from bastide.server.thinking import analysis_cache, bots
from bastide.server.thinking.bots import LocalBots
from bastide.server.thinking.jobs import BotFailed
from tests.server.client import ENTROPY, House
from tests.server.sample import never
from tests.server.test_bots import a_job

FEW = "+".join(f"{name}=0" for name in "CDEFGHIJKLMNOPQRST")  # a house rule: 28 tiles, for a short game
PUZZLE = "bastide 1\nplayers red blue\ndraws scripted\n\nred: draw E; place E 0,-1 180\n"


@pytest.fixture
def over(house: House) -> str:
    """A table where bots have played a whole game."""
    made = house.make("greedy", "random", options={"tile_counts": FEW})
    with house.at(made["table"]) as watching:
        while watching.state["status"] != "over":
            watching.until("state")
    return str(made["table"])


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The records that were asked about."""
    found: list[str] = []
    usual = LocalBots.review

    async def noting(self: LocalBots, record: str) -> str:
        found.append(record)
        return await usual(self, record)

    monkeypatch.setattr(LocalBots, "review", noting)
    return found


def test_it_is_the_analysis_of_the_record(house: House, over: str) -> None:
    found = house.get(f"/api/tables/{over}/analysis").json()
    record = read_record(house.get(f"/api/tables/{over}/record").text)
    assert found == msgspec.json.decode(msgspec.json.encode(as_json(review(record))))
    assert found["over"]
    assert [turn["number"] for turn in found["turns"]] == list(range(1, 29))


def test_its_moves_and_turns_are_steps_of_the_replay(house: House, over: str) -> None:
    steps = house.get(f"/api/tables/{over}/replay").json()["steps"]
    turns = house.get(f"/api/tables/{over}/analysis").json()["turns"]
    for turn in turns:
        for move in turn["moves"]:
            assert steps[move["n"]]["action"] == move["action"]
            assert steps[move["n"]]["seat"] == turn["seat"]
        assert steps[turn["n"]]["action"] == turn["actions"][-1]
    assert turns[-1]["n"] == len(steps) - 1


def test_it_is_computed_once(house: House, over: str, asked: list[str]) -> None:
    with ThreadPoolExecutor(3) as people:
        found = list(people.map(lambda _: house.get(f"/api/tables/{over}/analysis").json(), range(3)))
    assert found[0] == found[1] == found[2] == house.get(f"/api/tables/{over}/analysis").json()
    assert len(asked) == 1


def test_only_the_latest_are_kept(house: House, over: str, asked: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis_cache, "KEPT", 0)
    house.get(f"/api/tables/{over}/analysis")
    house.get(f"/api/tables/{over}/analysis")
    assert len(asked) == 2


def test_not_while_the_game_goes_on(house: House, asked: list[str]) -> None:
    assert house.get("/api/tables/nothing/analysis").json()["code"] == "table"
    made = house.make("human", "open")
    assert house.get(f"/api/tables/{made['table']}/analysis").json()["code"] == "waiting"
    with house.two() as (red, _):
        red.play_first()
        refused = house.get(f"/api/tables/{red.table}/analysis")
        assert (refused.status_code, refused.json()["code"]) == (409, "running")
        assert asked == []
        red.do("resign")
        found = house.get(f"/api/tables/{red.table}/analysis").json()
    assert not found["over"]  # somebody gave up: nothing was counted at the end
    assert [move["action"].split()[0] for turn in found["turns"] for move in turn["moves"]] == ["place"]


def test_a_puzzle_can_be_analysed(house: House) -> None:
    made = house.make("human", "human", record=PUZZLE, draws=["U"])
    with house.at(made["table"], made["seats"][0]["token"]) as red:
        red.do("ready", entropy=ENTROPY)
        with house.at(made["table"], made["seats"][1]["token"]) as blue:
            blue.do("ready", entropy=ENTROPY)
            red.seen(blue.state["seq"])
            red.play("deploy follower 0,-1 city S")
            blue.seen(red.state["seq"])
            blue.play_first()
            blue.play("pass")
    found = house.get(f"/api/tables/{made['table']}/analysis").json()
    assert found["over"]
    assert found["scores"][0] == 4


def test_a_failure_is_told_and_the_next_one_asks_anew(house: House, over: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def asleep(self: LocalBots, record: str) -> str:
        raise BotFailed("it fell asleep")

    with monkeypatch.context() as patch:
        patch.setattr(LocalBots, "review", asleep)
        refused = house.get(f"/api/tables/{over}/analysis")
        assert (refused.status_code, refused.json()["code"]) == (503, "unavailable")
        assert "it fell asleep" in refused.json()["message"]
    assert house.get(f"/api/tables/{over}/analysis").status_code == 200


def test_too_many_at_once_are_refused(house: House, over: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis_cache, "PENDING", 0)
    assert house.get(f"/api/tables/{over}/analysis").json()["code"] == "rate"


def test_a_bot_does_not_wait_for_an_analysis(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "review_record", never)

    async def both() -> str:
        thinkers = LocalBots(1, 60)
        analysis = asyncio.create_task(thinkers.review("bastide 1"))
        try:
            answer = await thinkers.choose(a_job("greedy"))
            assert not analysis.done()
            return answer
        finally:
            analysis.cancel()
            await thinkers.close()

    assert asyncio.run(both()).startswith("place ")
