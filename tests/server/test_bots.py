"""Bots in processes of their own; one that fails is told of, and the game goes on."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest
from litestar.testing import TestClient

from bastide.game import Action
from bastide.server.app import create_app
from bastide.server.settings import Settings
from bastide.server.tables.caretaker import job_of
from bastide.server.thinking import bots
from bastide.server.thinking.bots import LocalBots, ProcessPool
from bastide.server.thinking.jobs import BotFailed, Job, game_of_job
from tests.server.client import House
from tests.server.sample import a_table, dawdle, never


def a_job(bot: str = "random") -> Job:
    table = a_table()
    table.chairs[0].bot = bot
    job = job_of(table)
    assert job is not None
    return job


def answers(thinkers: LocalBots, *jobs: Job) -> list[str]:
    async def ask() -> list[str]:
        try:
            return [await thinkers.choose(job) for job in jobs]
        finally:
            await thinkers.close()

    return asyncio.run(ask())


def test_a_bot_answers_with_a_legal_action() -> None:
    job = a_job("greedy")
    (answer,) = answers(LocalBots(1, 60), job)
    assert Action.parse(answer) in game_of_job(job).legal


def test_a_process_goes_back_and_forth_with_the_game() -> None:
    table = a_table()
    table.chairs[0].bot = table.chairs[1].bot = "random"
    first = job_of(table)
    assert first is not None
    table.play(str(table.playing.legal[0]), 0)
    second = job_of(table)
    assert second is not None
    for job in (first, second, first):
        assert [str(action) for _, action in game_of_job(job).history] == job.history


def test_a_bot_that_raises_has_failed() -> None:
    with pytest.raises(BotFailed, match="unknown bot 'nobody'"):
        answers(LocalBots(1, 60), a_job("nobody"))


def test_a_bot_that_is_too_slow_has_failed_and_the_next_one_is_asked_anew() -> None:
    thinkers = LocalBots(1, 0.0001)
    with pytest.raises(BotFailed, match="no answer within"):
        answers(thinkers, a_job())
    thinkers.seconds = 60
    assert answers(thinkers, a_job())


def test_nobody_fails_because_others_were_before_it() -> None:
    """Eight bots of 0.4 s with a limit of 2 s at one process: the last one begins after the limit."""

    async def ask() -> list[str]:
        pool = ProcessPool(1)
        try:
            await pool.ask(dawdle, b"first", 60)  # starting a process takes its time
            return await asyncio.gather(*(pool.ask(dawdle, str(n).encode(), 2) for n in range(8)))
        finally:
            pool.close()

    assert asyncio.run(ask()) == [str(n) for n in range(8)]


def test_only_the_process_that_is_late_is_ended() -> None:
    async def ask() -> list[str | BaseException]:
        pool = ProcessPool(2)
        try:
            await asyncio.gather(*(pool.ask(dawdle, b"first", 60) for _ in range(2)))
            return await asyncio.gather(
                pool.ask(never, b"", 1), *(pool.ask(dawdle, b"good", 30) for _ in range(4)), return_exceptions=True
            )
        finally:
            pool.close()

    late, *others = asyncio.run(ask())
    assert isinstance(late, BotFailed)
    assert others == ["good"] * 4


def die(data: bytes) -> str:
    os._exit(1)


def test_a_process_that_dies_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    thinkers = LocalBots(1, 60)
    with monkeypatch.context() as patch:
        patch.setattr(bots, "answer_job", die)
        with pytest.raises(BotFailed, match="its process died"):
            answers(thinkers, a_job())
    assert answers(thinkers, a_job())


@pytest.mark.parametrize("answer", ["place D 50,50 0", "nonsense", ""])
def test_a_table_does_not_get_stuck_when_its_bot_fails(
    database: str, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    async def wrong(self: LocalBots, job: Job) -> str:
        if not answer:
            raise BotFailed("it fell asleep")
        return answer

    monkeypatch.setattr(LocalBots, "choose", wrong)
    app = create_app(Settings(database=database, page=Path("/nonexistent")))
    with TestClient(app) as client, House(client).waiting_for("greedy") as red:
        assert len(red.await_question()["tiles"]) == 3
        said = next(message for message in red.received if message["type"] == "chat")
        assert said["system"]
        assert "greedy failed" in said["text"]


def test_bots_play_among_themselves(house: House) -> None:
    made = house.make("random", "random")
    assert made["seats"] == []
    with house.at(made["table"]) as watching:
        while watching.state["status"] != "over":
            watching.until("state")
        assert watching.game["outcome"]["reason"] == "tiles"
