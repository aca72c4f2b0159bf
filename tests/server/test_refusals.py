"""Bad requests are answered with a code and a sentence, and change nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from bastide.server.api.refusal import REFUSALS
from tests.server.client import ENTROPY, House


def lines(house: House, table: str) -> tuple[int, int]:
    state = house.get(f"/api/tables/{table}/state").json()
    return state["seq"], len(state["game"]["tiles"])


def refused(answer: dict[str, Any], code: str) -> None:
    assert answer["type"] == "refused", answer
    assert answer["code"] == code
    assert answer["message"]


def refused_by_http(answer: httpx.Response, status: int, code: str) -> None:
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.json()["message"]


def test_a_wrong_token_opens_nothing(house: House) -> None:
    with house.two() as (red, _):
        before = lines(house, red.table)
        with house.client.websocket_connect(f"/api/tables/{red.table}/socket") as socket:
            socket.send_json({"type": "hello", "version": 2, "token": "0" * 32})
            refused(socket.receive_json(timeout=20), "token")
        answer = house.get(f"/api/tables/{red.table}/state", authorization="Bearer " + "0" * 32)
        refused_by_http(answer, 401, "token")
        refused_by_http(house.post(f"/api/tables/{red.table}/enter", token="0" * 32), 401, "token")
        assert house.client.get("/api/tables").json() == {"tables": []}, "the browser has no seat"
        assert lines(house, red.table) == before


def test_a_spectator_cannot_play(house: House) -> None:
    with house.two() as (red, _), house.at(red.table) as watching:
        before = lines(house, red.table)
        action = red.game["question"]["actions"][0]["text"]
        refused(watching.ask("play", seq=before[0], action=action), "token")
        refused(watching.ask("resign"), "token")
        refused(watching.ask("ready", entropy=ENTROPY), "token")
        assert lines(house, red.table) == before


def test_only_the_seat_that_decides_may_act(house: House) -> None:
    with house.two() as (red, blue):
        before = lines(house, red.table)
        action = red.game["question"]["actions"][0]["text"]
        refused(blue.ask("play", seq=before[0], action=action), "turn")
        assert lines(house, red.table) == before


@pytest.mark.parametrize("off", [-1, 1, 1000])
def test_a_stale_number_is_answered_with_the_position(house: House, off: int) -> None:
    with house.two() as (red, _):
        before = lines(house, red.table)
        action = red.game["question"]["actions"][0]["text"]
        refused(red.ask("play", seq=before[0] + off, action=action), "stale")
        assert red.until("state")["seq"] == before[0]
        assert lines(house, red.table) == before


def test_illegal_actions_say_why(house: House) -> None:
    with house.two() as (red, _):
        before = lines(house, red.table)
        answer = red.ask("play", seq=before[0], action=f"place {red.game['tile']} 7,7 0")
        refused(answer, "illegal")
        assert answer["reason"] == "apart"
        refused(red.ask("play", seq=before[0], action="draw D"), "illegal")
        refused(red.ask("play", seq=before[0], action="pass"), "illegal")
        refused(red.ask("play", seq=before[0], action="conquer D"), "syntax")
        refused(red.ask("play", seq=before[0], action=""), "syntax")
        assert lines(house, red.table) == before


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "null",
        "[]",
        '"play"',
        "{}",
        '{"type": "conquer"}',
        '{"type": "play"}',
        '{"type": "play", "seq": "x", "action": "pass"}',
        '{"type": "play", "seq": 1e99, "action": "pass"}',
        '{"type": "play", "seq": 2, "action": ["pass"]}',
        '{"type": "emote", "name": "dance"}',
        '{"type": "chat", "text": ""}',
        '{"type": "hello", "version": 2}',
        '{"type": "region", "cell": [1, 99999999999], "spot": "x"}',
        "\x00\ufffd",
        '{"type": "chat", "text": "' + "x" * 301 + '"}',
    ],
)
def test_rubbish_is_refused_and_the_socket_stays_open(house: House, text: str) -> None:
    with house.two() as (red, _):
        before = lines(house, red.table)
        red.socket.send_text(text)
        refused(red.until("refused"), "shape")
        assert red.ask("ping")["type"] == "pong"
        assert lines(house, red.table) == before


def test_binary_frames_are_refused(house: House) -> None:
    with house.two() as (red, _):
        red.socket.send_bytes(b"\xff\x00")
        refused(red.until("refused"), "shape")
        assert red.ask("ping")["type"] == "pong"


def test_a_huge_message_is_refused(house: House) -> None:
    with house.two() as (red, _):
        before = lines(house, red.table)
        red.socket.send_text('{"type": "chat", "text": "' + "x" * 70_000 + '"}')
        refused(red.until("refused"), "too_big")
        assert lines(house, red.table) == before


def test_whoever_sends_too_much_is_slowed_down(house: House) -> None:
    with house.two() as (red, _):
        for _ in range(150):
            red.send("ping")
        answers = [red.next() for _ in range(150)]
        assert any(answer.get("code") == "rate" for answer in answers)


@pytest.mark.parametrize(
    ("first", "code"),
    [
        ({"type": "ping"}, "shape"),
        ({"type": "hello", "version": 1}, "version"),
        ({"type": "hello"}, "shape"),
    ],
)
def test_the_first_message_is_hello(house: House, first: dict[str, Any], code: str) -> None:
    table = house.make("human", "random")["table"]
    with house.client.websocket_connect(f"/api/tables/{table}/socket") as socket:
        socket.send_json(first)
        refused(socket.receive_json(timeout=20), code)


def test_a_page_of_another_site_gets_nothing(house: House) -> None:
    table = house.make("human", "random")["table"]
    other = {"origin": "https://elsewhere.example"}
    with house.client.websocket_connect(f"/api/tables/{table}/socket", headers=other) as socket:
        refused(socket.receive_json(timeout=20), "origin")
    answer = house.client.post("/api/tables", json={"seats": [{"kind": "human"}]}, headers=other)
    assert (answer.status_code, answer.json()["code"]) == (403, "origin")
    own = {"origin": "http://testserver.local"}
    assert house.client.post("/api/choice", json={}, headers=own).status_code == 200


def test_there_is_no_such_table(house: House) -> None:
    with house.client.websocket_connect("/api/tables/nowhere/socket") as socket:
        socket.send_json({"type": "hello", "version": 2})
        refused(socket.receive_json(timeout=20), "table")
    for path in ("", "/state", "/replay", "/record", "/log"):
        answer = house.get(f"/api/tables/nowhere{path}")
        assert (answer.status_code, answer.json()["code"]) == (404, "table")
    assert house.get("/api/positions/nowhere").json()["code"] == "table"


HUMANS = [{"kind": "human"}, {"kind": "human"}]


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"seats": HUMANS, "modules": ["no_such_box"]}, 422, "module"),
        ({"seats": HUMANS, "edition": "stone_age"}, 422, "option"),
        ({"seats": HUMANS, "preset": "chaos"}, 422, "option"),
        ({"seats": HUMANS, "options": {"hand": 17}}, 422, "option"),
        ({"seats": HUMANS, "options": {"players": 3}}, 422, "option"),
        ({"seats": HUMANS * 3, "edition": "classic"}, 422, "option"),
        ({"seats": [{"kind": "human"}, {"kind": "bot", "bot": "oracle"}]}, 422, "option"),
        ({"seats": [{"kind": "human", "colour": "red"}] * 2}, 422, "option"),
        ({"seats": [{"kind": "human", "colour": "mauve"}, {"kind": "open"}]}, 422, "option"),
        ({"seats": HUMANS, "draws": ["Q9"]}, 422, "option"),
        ({"seats": HUMANS, "start": [{"tile": "Q9", "cell": [0, 0]}]}, 422, "option"),
        ({"seats": HUMANS, "record": "bastide 9"}, 422, "record"),
        ({"seats": HUMANS, "record": "bastide 1\nplayers a b\nstart D 1001,0 0\n"}, 422, "record"),
        ({"seats": HUMANS, "record": f"bastide 1\nplayers a b\noption hand {'9' * 5000}\n"}, 422, "record"),
        ({"seats": HUMANS, "record": "bastide 1\nplayers a b\n\n", "modules": ["x"]}, 400, "shape"),
        ({"seats": HUMANS, "position": "nowhere"}, 404, "table"),
        ({"seats": HUMANS, "clock": {"kind": "sudden"}}, 400, "shape"),
        ({"seats": HUMANS, "clock": {"kind": "hourglass", "seconds": 5}}, 400, "shape"),
        ({"seats": [{"kind": "ghost"}, {"kind": "open"}]}, 400, "shape"),
        ({"seats": [{"kind": "human", "name": "x" * 41}, {"kind": "open"}]}, 400, "shape"),
        ({"seats": [{"kind": "human", "name": "a\x07b"}, {"kind": "open"}]}, 400, "shape"),
        ({"seats": HUMANS * 5}, 400, "shape"),
        ({"seats": "all"}, 400, "shape"),
        ({}, 400, "shape"),
        ([], 400, "shape"),
    ],
)
def test_tables_that_cannot_be_made(house: House, body: Any, status: int, code: str) -> None:
    refused_by_http(house.client.post("/api/tables", json=body), status, code)
    assert house.client.get("/api/tables").json() == {"tables": []}


def test_bodies_that_are_no_json(house: House) -> None:
    for rubbish in (b"", b'{"seats": [', b"\xff\xfe\x00", b"seats=2"):
        answer = house.client.post("/api/tables", content=rubbish, headers={"content-type": "application/json"})
        refused_by_http(answer, 400, "shape")
    assert house.client.get("/api/tables").json() == {"tables": []}


def test_a_body_with_letters_that_are_none_is_refused(house: House) -> None:
    """JSON that is well-formed but for the letters of a text was a fault of the server."""
    body = b'{"seats": [{"kind": "human", "name": "\xe5"}, {"kind": "human"}]}'
    answer = house.client.post("/api/tables", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400
    assert answer.json()["code"] == "shape"
    assert "UTF-8" in answer.json()["message"]


def test_huge_bodies(house: House) -> None:
    huge = b'{"modules": ["' + b"x" * 400_000 + b'"]}'
    for path in ("/api/choice", "/api/tables"):
        answer = house.client.post(path, content=huge, headers={"content-type": "application/json"})
        refused_by_http(answer, 413, "too_big")
    assert house.client.get("/api/tables").json() == {"tables": []}


def test_paths_that_do_not_exist(house: House) -> None:
    answer = house.get("/api/nothing")
    assert (answer.status_code, answer.json()["code"]) == (404, "shape")
    answer = house.client.delete("/api/tables")
    assert (answer.status_code, answer.json()["code"]) == (405, "shape")


def test_invites(house: House) -> None:
    made = house.make("human", "open", "open")
    path = f"/api/tables/{made['table']}/join"
    assert house.post(path, invite="0" * 32).json()["code"] == "token"
    assert house.post(path, invite=made["invite"], colour="red").json()["code"] == "option"
    assert house.post(path, invite=made["invite"], seat=0).json()["code"] == "begun"
    assert house.post(path, invite=made["invite"], colour="black").status_code == 201
    assert house.post(path, invite=made["invite"]).json()["seat"] == 2
    assert house.post(path, invite=made["invite"]).json()["code"] == "begun"


def test_before_the_game_begins(house: House) -> None:
    made = house.make("human", "open")
    with house.at(made["table"], made["seats"][0]["token"]) as red:
        refused(red.ask("play", seq=0, action="pass"), "waiting")
        refused(red.ask("rematch"), "waiting")
        assert house.get(f"/api/tables/{made['table']}/record").json()["code"] == "waiting"


def test_aids_that_are_off_are_off_for_everybody(house: House) -> None:
    with house.two(preset="tournament") as (red, _):
        refused(red.ask("aids"), "aids")
        assert (red.state["clock"]["kind"], red.state["clock"]["seconds"]) == ("sudden", 900)
        assert "worth" not in red.game["question"]["actions"][0]
        refused(red.ask("region", cell=[0, 0], spot="city N"), "aids")


def test_every_code_is_in_the_protocol() -> None:
    text = Path(__file__).parents[2].joinpath("docs/protocol.md").read_text("utf-8")
    assert [code for code in REFUSALS if f"`{code}`" not in text] == []
