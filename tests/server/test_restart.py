"""What was acknowledged is stored: servers come and go, and of two who write at once one is told that he is late."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from litestar.testing import TestClient
from websockets.sync.client import ClientConnection, connect

from bastide.server.app import create_app
from bastide.server.settings import Settings, database_url
from bastide.server.storage.store import Store
from bastide.server.tables.caretaker import QUIET
from bastide.server.thinking.bots import LocalBots
from bastide.server.thinking.jobs import Job
from tests.server.client import ENTROPY, House
from tests.server.test_clock import Time


def test_a_new_server_goes_on_with_the_game(database: str) -> None:
    settings = Settings(database=database)
    with TestClient(create_app(settings)) as client, House(client).two() as (red, _):
        red.play_first()
        before = red.play("pass")
    with TestClient(create_app(settings)) as client:
        after = House(client).get(f"/api/tables/{before['table']}/state").json()
    assert after["seq"] == before["seq"]
    for part in ("tiles", "figures", "scores", "tile", "decides", "left"):
        assert after["game"][part] == before["game"][part]


def test_a_bot_that_was_thinking_thinks_again_after_a_restart(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def for_ever(self: LocalBots, job: Job) -> str:
        await asyncio.sleep(3600)
        return job.bot

    with monkeypatch.context() as patch:
        patch.setattr(LocalBots, "choose", for_ever)
        with TestClient(create_app(Settings(database=database))) as client:
            house = House(client)
            made = house.make("human", "random")
            token = made["seats"][0]["token"]
            with house.at(made["table"], token) as red:
                red.do("ready", entropy=ENTROPY)
                red.play_first()
                red.play("pass")
                assert red.until("thinking")["seat"] == 1
    with TestClient(create_app(Settings(database=database))) as client, House(client).at(made["table"], token) as red:
        assert len(red.await_question()["tiles"]) == 3


def test_a_game_that_did_not_begin_although_all_were_ready_begins_by_itself(database: str) -> None:
    """The server ended between the last seat's part in the draws and the first line."""

    async def make_ready() -> None:
        store = Store(database_url(database))
        for seat in range(2):
            await store.give_entropy(made["table"], seat, ENTROPY)
        await store.close()

    time = Time()
    settings = Settings(database=database, moment=time)
    with TestClient(create_app(settings)) as client:
        made = House(client).make("human", "human")
    asyncio.run(make_ready())
    with TestClient(create_app(settings)) as client, House(client).at(made["table"]) as watching:
        assert watching.state["status"] == "waiting"
        time.now += QUIET
        while watching.state["status"] == "waiting":
            watching.until("state")
        assert (watching.state["seq"], len(watching.game["tiles"])) == (2, 1)


def test_two_servers_with_one_database_cannot_both_write_a_line(database: str) -> None:
    settings = Settings(database=database)
    with TestClient(create_app(settings)) as one, TestClient(create_app(settings)) as other:
        made = House(one).make("human", "human")
        tokens = [seat["token"] for seat in made["seats"]]
        with House(one).at(made["table"], tokens[0]) as here, House(other).at(made["table"], tokens[1]) as there:
            here.do("ready", entropy=ENTROPY)
            there.do("ready", entropy=ENTROPY)
        with House(one).at(made["table"], tokens[0]) as here, House(other).at(made["table"], tokens[0]) as there:
            seq = here.state["seq"]
            actions = here.game["question"]["actions"]
            first, second = actions[0]["text"], actions[-1]["text"]
            here.do("play", seq=seq, action=first)
            answer = there.ask("play", seq=seq, action=second)
            assert answer["code"] == "stale"
            assert there.until("state")["game"]["tiles"] == here.game["tiles"]


def test_of_two_messages_at_once_one_is_stale(house: House) -> None:
    made = house.make("human", "human")
    tokens = [seat["token"] for seat in made["seats"]]
    with house.at(made["table"], tokens[0]) as red, house.at(made["table"], tokens[0]) as also_red:
        with house.at(made["table"], tokens[1]) as blue:
            red.do("ready", entropy=ENTROPY)
            blue.do("ready", entropy=ENTROPY)
        seq = red.seen(2)["seq"]
        actions = red.game["question"]["actions"]
        first, second = actions[0]["text"], actions[-1]["text"]
        red.send("play", id=1, seq=seq, action=first)
        also_red.send("play", id=1, seq=seq, action=second)
        answers = []
        for player in (red, also_red):
            while player.next().get("re") != 1:
                pass
            answers.append(player.received[-1])
        assert sorted(answer.get("code", "done") for answer in answers) == ["done", "stale"]
        assert len(house.get(f"/api/tables/{made['table']}/state").json()["game"]["tiles"]) == 2


# --- a server of its own process


@contextmanager
def served(database: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """`bastide serve` on a free port; yields its address."""
    command = [sys.executable, "-m", "bastide.cli", "serve", "--port", "0", "--database", database]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://(\S+)/", process.stdout.readline())
            assert found is not None
            yield found[1], process
        finally:
            process.kill()


def send(socket: ClientConnection, **message: Any) -> dict[str, Any]:
    """Sends a message and waits for its answer."""
    socket.send(json.dumps({"id": 1, **message}))
    while True:
        answer: dict[str, Any] = json.loads(socket.recv(timeout=60))
        if answer.get("re") == 1:
            return answer


def test_nothing_acknowledged_is_lost_when_the_server_is_killed(database: str) -> None:
    with served(database) as (address, process):
        with httpx.Client(base_url=f"http://{address}", transport=httpx.HTTPTransport(retries=20)) as client:
            made = client.post("/api/tables", json={"seats": [{"kind": "human"}] * 2}, timeout=60).json()
            path = f"/api/tables/{made['table']}"
            token = made["seats"][0]["token"]
            with connect(f"ws://{address}{path}/socket") as socket:
                cookie = client.cookies["bastide"]
                assert send(socket, type="hello", version=2, token=token)["type"] == "welcome"
                send(socket, type="ready", entropy=ENTROPY)
            with connect(f"ws://{address}{path}/socket", additional_headers={"Cookie": f"bastide={cookie}"}) as socket:
                assert send(socket, type="hello", version=2)["mine"] == [0, 1]
                send(socket, type="ready", entropy=ENTROPY, seat=1)
                for _ in range(6):
                    state = client.get(f"{path}/state").json()
                    action = state["game"]["question"]["actions"][-1]["text"]
                    done = send(socket, type="play", seq=state["seq"], action=action)
                    assert done["type"] == "done"
        process.kill()
        process.wait()
    with served(database) as (address, _), httpx.Client(transport=httpx.HTTPTransport(retries=20)) as client:
        state = client.get(f"http://{address}{path}/state", timeout=60).json()
    assert state["seq"] == done["seq"]
    assert action in [entry["action"] for entry in state["game"]["log"]]
