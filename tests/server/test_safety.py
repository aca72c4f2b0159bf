"""What protects players from each other and from other sites. SECURITY.md names all of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from litestar.testing import TestClient

import bastide
from bastide.server.api.limits import HOUR, Limits
from bastide.server.api.prices import is_local
from bastide.server.api.refusal import Refusal
from bastide.server.app import HEADERS, create_app
from bastide.server.metrics import SOCKETS
from bastide.server.settings import Settings
from tests.server.client import ENTROPY, PATIENCE, House

SERVER = Path(bastide.__file__).parent / "server"
OTHER = {"origin": "https://elsewhere.example"}


def test_tokens_are_not_kept(house: House, database: str) -> None:
    made = house.make("human", "open")
    token = made["seats"][0]["token"]
    assert len(bytes.fromhex(token)) == 16
    kept = b"".join(file.read_bytes() for file in Path(database).parent.iterdir())
    assert made["table"].encode() in kept
    assert token.encode() not in kept


def test_the_cookie_is_out_of_reach_for_scripts_and_other_sites(house: House) -> None:
    cookie = house.post("/api/tables", seats=[{"kind": "human"}, {"kind": "open"}]).headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert "path=/" in cookie


def test_pages_of_other_sites_are_refused(house: House) -> None:
    table = house.make("human", "open")["table"]
    answer = house.client.post(f"/api/tables/{table}/leave", headers=OTHER)
    assert (answer.status_code, answer.json()["code"]) == (403, "origin")
    with house.client.websocket_connect(f"/api/tables/{table}/socket", headers=OTHER) as socket:
        assert socket.receive_json(timeout=20)["code"] == "origin"


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "null", "x"])
def test_an_origin_that_is_no_address_is_another_site(house: House, origin: str) -> None:
    table = house.make("human", "open")["table"]
    answer = house.client.post(f"/api/tables/{table}/leave", headers={"origin": origin})
    assert (answer.status_code, answer.json()["code"]) == (403, "origin")
    with house.client.websocket_connect(f"/api/tables/{table}/socket", headers={"origin": origin}) as socket:
        assert socket.receive_json(timeout=20)["code"] == "origin"


@pytest.mark.parametrize("host", ["localhost:x", "[", "localhost:99999"])
def test_a_host_that_is_none_is_refused(house: House, host: str) -> None:
    """Together with a body of the wrong form it was a fault of the server."""
    answer = house.client.post("/api/tables", json={"public": []}, headers={"host": host})
    assert (answer.status_code, answer.json()["code"]) == (403, "origin")


@pytest.mark.parametrize("path", ["/", "/api/catalogue", "/api/tables/nowhere", "/api/nothing", "/healthz"])
def test_every_answer_has_the_headers_that_keep_foreign_scripts_out(house: House, path: str) -> None:
    answer = house.get(path)
    for name, value in HEADERS.items():
        assert answer.headers[name] == value
    policy = dict(part.strip().split(" ", 1) for part in HEADERS["Content-Security-Policy"].split(";"))
    assert policy["default-src"] == "'self'"
    assert (
        policy["script-src"] == "'self' 'wasm-unsafe-eval'"
    )  # the engine may run in the page; no text becomes a script
    assert policy["frame-ancestors"] == policy["object-src"] == "'none'"


def test_a_body_has_a_limit(house: House) -> None:
    answer = house.client.post("/api/choice", content=b" " * 70_000, headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (413, "too_big")


def test_what_is_nested_too_deep_is_refused(house: House) -> None:
    body = '{"seats": ' + "[" * 20_000
    answer = house.client.post("/api/tables", content=body, headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (400, "shape")
    with house.two() as (red, _):
        red.socket.send_text('{"type": "ping", "more": ' + "[" * 20_000)
        assert red.until("refused")["code"] == "shape"


def test_messages_have_a_rate(house: House) -> None:
    with house.two() as (red, _):
        for _ in range(150):
            red.send("ping")
        assert red.until("refused")["code"] == "rate"


@pytest.fixture
def guarded(database: str) -> Iterator[House]:
    """A server that lets an address do little."""
    with TestClient(create_app(Settings(database=database, tables_per_hour=2, sockets=1))) as client:
        yield House(client)


def test_tables_of_an_address_are_limited(guarded: House) -> None:
    guarded.make("human", "open")
    guarded.make("human", "open")
    answer = guarded.post("/api/tables", seats=[{"kind": "human"}, {"kind": "open"}])
    assert (answer.status_code, answer.json()["code"]) == (429, "rate")


def test_a_rematch_counts_as_a_table(database: str) -> None:
    settings = Settings(database=database, tables_per_hour=2)
    with TestClient(create_app(settings)) as client, House(client).two() as (red, blue):
        red.do("resign")
        red.do("rematch")
        assert blue.ask("rematch")["type"] == "done"  # it is there already
        refused = House(client).post("/api/tables", seats=[{"kind": "human"}, {"kind": "open"}])
        assert (refused.status_code, refused.json()["code"]) == (429, "rate")


def open_sockets() -> float:
    """How many sockets the servers of this process have open."""
    return next(sample.value for metric in SOCKETS.collect() for sample in metric.samples)


def test_sockets_of_an_address_are_limited(guarded: House) -> None:
    table = guarded.make("human", "open")["table"]
    with guarded.at(table), guarded.client.websocket_connect(f"/api/tables/{table}/socket") as second:
        assert second.receive_json(timeout=20)["code"] == "rate"
    until = monotonic() + PATIENCE
    while open_sockets() and monotonic() < until:  # the server hears of a closed socket in its own time
        sleep(0.01)
    with guarded.at(table) as again:
        assert again.ask("ping")["type"] == "pong"


def test_the_limit_of_tables_is_one_of_the_last_hour() -> None:
    moment = [0]
    limits = Limits(1, 1, 100, lambda: moment[0])
    limits.count_table("192.0.2.1")
    limits.count_table("192.0.2.2")
    limits.count_table("127.0.0.1")
    limits.count_table("127.0.0.1")
    with pytest.raises(Refusal):
        limits.count_table("192.0.2.1")
    moment[0] = HOUR
    limits.count_table("192.0.2.1")


@pytest.mark.parametrize(
    ("address", "home"),
    [
        ("127.0.0.1", True),
        ("::1", True),
        ("::ffff:127.0.0.1", True),
        ("192.0.2.1", False),
        ("testclient", False),
        ("", False),
    ],
)
def test_only_the_machine_itself_is_at_home(address: str, home: bool) -> None:
    assert is_local(address) == home


def test_texts_come_back_as_text(house: House) -> None:
    """The page shows them as text; nothing that the server sends is markup made from what people typed."""
    name = "<b>Ann</b>"
    answer = house.post("/api/tables", seats=[{"kind": "human", "name": name}, {"kind": "bot", "bot": "random"}])
    made = answer.json()
    with house.at(made["table"], made["seats"][0]["token"]) as red:
        red.do("ready", entropy=ENTROPY)
        red.do("chat", text="<script>alert(1)</script>")
        assert red.state["seats"][0]["name"] == name
    state = house.get(f"/api/tables/{made['table']}/state")
    assert state.headers["content-type"].startswith("application/json")
    assert state.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("name", ["../../etc", "os", "bastide.modules.river", "river/../base", "", "River\u0000"])
def test_modules_come_from_the_installed_list_only(house: House, name: str) -> None:
    answer = house.post("/api/choice", modules=[name])
    assert answer.status_code in (400, 422), answer.text


@pytest.mark.parametrize("member", ["title", "name", "chat"])
def test_letters_that_no_database_keeps_are_refused(house: House, member: str) -> None:
    bad = "a\u0000b"
    if member == "chat":
        with house.two() as (red, _):
            assert red.ask("chat", text=bad)["code"] == "shape"
        return
    seat: dict[str, Any] = {"kind": "human", **({"name": bad} if member == "name" else {})}
    answer = house.post("/api/tables", seats=[seat, {"kind": "open"}], **({"title": bad} if member == "title" else {}))
    assert (answer.status_code, answer.json()["code"]) == (400, "shape")


def test_nothing_that_was_sent_is_ever_run() -> None:
    """No pickle, no eval: messages are data."""
    forbidden = {"pickle", "marshal", "shelve"}, {"eval", "exec", "compile", "__import__"}
    for file in SERVER.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Import):
                assert not forbidden[0] & {alias.name for alias in node.names}, file
            elif isinstance(node, ast.ImportFrom):
                assert node.module not in forbidden[0], file
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in forbidden[1], file
