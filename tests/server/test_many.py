"""Several servers on one database: any of them may take any request, and what one does the others tell."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from litestar.testing import TestClient
from saq import Queue

from bastide.notation.record import read_record
from bastide.server.app import create_app
from bastide.server.draws.proof import verify
from bastide.server.many.workers import REVIEWS
from bastide.server.settings import Settings
from tests.server.client import ENTROPY, House, Player, begun
from tests.server.served import bastide
from tests.server.test_admin import admin
from tests.services import RedisServer
from tests.web.boards import position


@contextmanager
def servers(settings: Settings, number: int = 2) -> Iterator[list[House]]:
    """Servers that share a database and a Redis."""
    with TestClient(create_app(settings)) as first:
        if number == 1:
            yield [House(first)]
            return
        with servers(settings, number - 1) as others:
            yield [House(first), *others]


@contextmanager
def apart(settings: Settings) -> Iterator[tuple[Player, Player]]:
    """Two people at one table, each at a server of his own, who have begun."""
    with servers(settings) as (one, other), begun(one, other) as players:
        yield players


def test_moves_and_chat_reach_who_is_at_another_server(shared: Settings) -> None:
    with apart(shared) as (red, blue):
        red.play_first()
        red.play("pass")
        assert blue.seen(red.state["seq"])["game"]["tiles"] == red.game["tiles"]
        blue.play_first()
        blue.do("chat", text="your turn soon")
        assert red.until("chat")["text"] == "your turn soon"
        assert red.seen(blue.state["seq"])["game"]["tiles"] == blue.game["tiles"]


def test_presence_counts_all_servers(shared: Settings) -> None:
    with apart(shared) as (red, blue):
        for player in (red, blue):
            while not any(message.get("online") == [True, True] for message in player.received):
                player.next()


def test_draws_are_proved_whoever_made_them(shared: Settings) -> None:
    """A server that heard of the beginning from another one knows every seat's part in the draws."""
    with servers(shared) as (one, other), begun(one, other) as players:
        for player in players * 2:
            player.await_question()
            player.play_first()
            player.play("pass")
        players[1].do("resign")
        record = one.get(f"/api/tables/{players[0].table}/record").text
    assert verify(read_record(record)).draws > 4


def test_a_take_back_is_agreed_across_servers(shared: Settings) -> None:
    with apart(shared) as (red, blue):
        red.play_first()
        red.play("pass")
        blue.seen(red.state["seq"])
        red.do("takeback", seq=red.state["seq"])
        while blue.state["offer"] is None:
            blue.until("state")
        blue.do("answer", seq=blue.state["seq"], agree=True)
        assert len(red.seen(blue.state["seq"])["game"]["tiles"]) == 1


def test_of_two_servers_that_write_the_same_line_one_is_told_so(shared: Settings) -> None:
    """The second server has not heard of the move: it has no Redis."""
    with servers(shared, 1) as (one,), servers(replace(shared, redis=""), 1) as (deaf,):
        made = one.make("human", "human")
        tokens = [seat["token"] for seat in made["seats"]]
        with one.at(made["table"], tokens[0]) as red, one.at(made["table"], tokens[1]) as blue:
            red.do("ready", entropy=ENTROPY)
            blue.do("ready", entropy=ENTROPY)
        with one.at(made["table"], tokens[0]) as here, deaf.at(made["table"], tokens[0]) as there:
            actions = here.game["question"]["actions"]
            first, second = actions[0]["text"], actions[-1]["text"]
            here.play(first)
            answer = there.ask("play", seq=there.state["seq"], action=second)
            assert answer["code"] == "stale"
            assert there.until("state")["game"]["tiles"] == here.game["tiles"]


def test_any_server_answers_with_what_another_has_stored(shared: Settings) -> None:
    with servers(shared) as (one, other):
        made = one.make("human", "open")
        path = f"/api/tables/{made['table']}"
        assert other.get(f"{path}/state").json()["seats"][1]["kind"] == "open"
        joined = one.post(f"{path}/join", invite=made["invite"], name="Ann")
        assert joined.status_code == 201
        assert other.get(f"{path}/state").json()["seats"][1]["name"] == "Ann"
        assert other.post(f"{path}/join", invite=made["invite"]).json()["code"] == "begun"


def test_moves_arrive_although_redis_was_away(shared: Settings) -> None:
    with RedisServer() as own, apart(replace(shared, redis=own.url)) as (red, blue):
        own.kill()
        red.play_first()
        assert len(blue.seen(red.state["seq"])["game"]["tiles"]) == 2
        own.start()
        red.play("pass")
        blue.seen(red.state["seq"])
        blue.play_first()
        assert len(red.seen(blue.state["seq"])["game"]["tiles"]) == 3


def test_moves_arrive_although_redis_hangs(shared: Settings) -> None:
    """A Redis that is stopped keeps its connections and says nothing: nobody is told that news is lost."""
    with RedisServer() as own, apart(replace(shared, redis=own.url)) as (red, blue), own.stopped():
        red.play_first()
        assert len(blue.seen(red.state["seq"])["game"]["tiles"]) == 2
        red.play("pass")
        blue.seen(red.state["seq"])
        blue.play_first()
        assert len(red.seen(blue.state["seq"])["game"]["tiles"]) == 3


def test_a_copy_of_an_installation_may_share_its_redis(database: str, tmp_path: Path, redis: RedisServer) -> None:
    """They used to play each other's moves: what was acknowledged got lost, and the table could not be read again."""
    copy = str(tmp_path / "copy.sqlite3")
    original = Settings(database=database, redis=redis.url, page=Path("/nonexistent"))
    with servers(original, 1) as (house,), house.two() as (red, blue):
        admin("backup", "--database", database, copy)
        with servers(replace(original, database=copy), 1) as (other,), other.at(red.table) as visitor:
            copied = visitor.state["seq"]
            red.play_first()
            red.play("pass")
            blue.seen(red.state["seq"])
            blue.play_first()
            shown = visitor.ask("ping")
            assert shown["type"] == "pong"
            assert visitor.state["seq"] == copied == other.get(f"/api/tables/{red.table}/state").json()["seq"]
            assert not any(seat["online"] for seat in visitor.state["seats"])
            assert not any(any(message["online"]) for message in visitor.received if message["type"] == "presence")
        blue.play("pass")
        red.seen(blue.state["seq"])
    for kept, last in ((database, blue.state["seq"]), (copy, copied)):
        assert "1 tables can be played on" in admin("check", "--database", kept)
        assert f"running  {last} lines" in re.sub(r"\d{4}-\S+ \S+  ", "", admin("tables", "--database", kept))


@contextmanager
def worker(redis: str) -> Iterator[subprocess.Popen[str]]:
    """`bastide work`."""
    with bastide("work", "--redis", redis) as process:
        yield process


def test_bots_think_in_workers(shared: Settings) -> None:
    with servers(shared) as (one, other):
        made = one.make("human", "greedy")
        token = made["seats"][0]["token"]
        with one.at(made["table"], token) as red, other.at(made["table"]) as watching:
            red.do("ready", entropy=ENTROPY)
            red.play_first()
            red.play("pass")
            assert watching.until("thinking")["bot"] == "greedy"  # nobody answers yet
            with worker(shared.redis):
                assert len(red.await_question()["tiles"]) == 3
                assert len(watching.seen(red.state["seq"])["game"]["tiles"]) == 3


def test_a_worker_that_dies_is_replaced_by_another(shared: Settings) -> None:
    with servers(shared, 1) as (one,), worker(shared.redis) as first:
        made = one.make("greedy", "greedy")
        with one.at(made["table"]) as watching:
            while watching.state["seq"] < 10:
                watching.until("state")
            first.kill()
            with worker(shared.redis):
                while watching.state["seq"] < 40:
                    watching.until("state")
        assert not any(message["type"] == "chat" for message in watching.received)  # no bot failed


def test_games_are_analysed_in_workers(shared: Settings) -> None:
    """One server asks; the other one has heard of the end of the game too."""
    with servers(shared) as (one, other), begun(one, other) as (red, blue):
        path = f"/api/tables/{red.table}/analysis"
        red.play_first()
        blue.seen(red.state["seq"])
        assert other.get(path).json()["code"] == "running"
        red.do("resign")
        with worker(shared.redis):
            found = one.get(path).json()
            assert found == other.get(path).json()
        assert [turn["player"] for turn in found["turns"]] == ["red"]


def test_a_bot_does_not_wait_behind_games_to_be_analysed(shared: Settings) -> None:
    """A worker with one process for bots gets far more large games than it can analyse meanwhile."""
    record = position(-1, preset="everything")

    async def games(number: int) -> int:
        """Adds so many games to the queue; says how many wait."""
        queue = Queue.from_url(own.url, name=REVIEWS)
        for _ in range(number):
            await queue.enqueue("analyse", data=record, timeout=60)
        waiting = await queue.count("queued")
        await queue.disconnect()
        return waiting

    with RedisServer() as own:
        assert asyncio.run(games(200)) == 200
        with servers(replace(shared, redis=own.url), 1) as (one,), worker(own.url):
            with one.waiting_for("greedy") as red:
                assert len(red.await_question()["tiles"]) == 3
            assert asyncio.run(games(0)) > 100


def test_several_processes_need_redis() -> None:
    command = [sys.executable, "-m", "bastide.cli", "serve", "--port", "0", "--workers", "2"]
    environment = {name: value for name, value in os.environ.items() if name != "BASTIDE_REDIS"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode != 0
    assert "several processes need BASTIDE_REDIS" in done.stderr


@pytest.mark.parametrize("option", [[], ["--redis", ""]])
def test_a_worker_needs_redis(option: list[str]) -> None:
    command = [sys.executable, "-m", "bastide.cli", "work", *option]
    environment = {name: value for name, value in os.environ.items() if name != "BASTIDE_REDIS"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode != 0
    assert "expected redis://" in done.stderr
