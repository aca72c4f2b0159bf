"""What strangers may send to a real server: heads without end, requests that never come, frames, foreign names."""

from __future__ import annotations

import http.client
import json
import logging
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode
from websockets.sync.client import ClientConnection, connect

from bastide.errors import RecordError
from bastide.notation.record import Header, Record, write_record
from bastide.server.api import connections
from bastide.server.api.origins import known_host
from bastide.server.api.secret import COOKIE, SECURE_COOKIE
from bastide.server.app import create_app
from bastide.server.content.catalogue import VERSION
from bastide.server.metrics import FAULTS
from bastide.server.run import config, listen
from bastide.server.settings import Settings
from bastide.server.watchdog import WatchedServer
from tests.server.client import PATIENCE, House

BODY = json.dumps({"seats": [{"kind": "human"}, {"kind": "open"}]})
JSON = {"Content-Type": "application/json"}
UNFINISHED = b"POST /api/choice HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """A server of this process that listens on all addresses, as `--host ::` does."""
    folder = tmp_path_factory.mktemp("strangers")
    app = create_app(Settings(database=str(folder / "tables.sqlite3"), page=Path("/nonexistent"), hosts="play.example"))
    listening = listen("::", 0)
    server = WatchedServer(config(app))
    running = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    running.start()
    try:
        yield listening.getsockname()[1]
    finally:
        server.should_exit = True
        running.join()


def ask(port: int, method: str, path: str, body: str = "", **headers: str) -> tuple[int, http.client.HTTPMessage, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, body or None, {**JSON, **named})
    answer = connection.getresponse()
    said = answer.read().decode()
    connection.close()
    return answer.status, answer.headers, said


def faults() -> float:
    return next(sample.value for metric in FAULTS.collect() for sample in metric.samples)


def read_to_end(client: socket.socket) -> bytes:
    """All that the server sends until it closes the connection."""
    client.settimeout(PATIENCE)
    found = b""
    with suppress(ConnectionResetError):
        while piece := client.recv(65536):
            found += piece
    return found


def test_a_head_without_end_is_cut_off(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port)) as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nX: ")
        with suppress(OSError):
            for _ in range(1000):
                client.sendall(b"a" * 10_000)
            raise AssertionError("ten million bytes of a head were taken")
    assert ask(port, "GET", "/healthz")[0] == 200


@pytest.mark.parametrize("begun", [b"", b"GET / HTTP/1.1\r\nHost: x\r\n", UNFINISHED], ids=["nothing", "head", "body"])
def test_a_request_that_does_not_come_is_given_up(port: int, begun: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "REQUEST_SECONDS", 0.3)
    before = faults()
    with socket.create_connection(("127.0.0.1", port)) as client:
        client.sendall(begun)
        read_to_end(client)
    assert faults() == before


def test_an_answer_may_take_longer_than_a_request(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A socket stays open, too: the time limit is for what has not arrived."""
    monkeypatch.setattr(connections, "REQUEST_SECONDS", 0.2)
    with at_table(port) as watching, pytest.raises(TimeoutError):
        watching.recv(timeout=0.6)


def test_who_leaves_in_the_middle_of_a_request_is_no_fault(port: int, caplog: pytest.LogCaptureFixture) -> None:
    before = faults()
    with caplog.at_level(logging.WARNING):
        for _ in range(5):
            with socket.create_connection(("127.0.0.1", port)) as client:
                client.sendall(UNFINISHED)
        assert ask(port, "GET", "/healthz")[0] == 200
    assert faults() == before
    assert caplog.records == []


# --- sockets


@contextmanager
def at_table(port: int) -> Iterator[ClientConnection]:
    """Somebody who watches a new table and has heard all that there is to hear."""
    table = json.loads(ask(port, "POST", "/api/tables", BODY)[2])["table"]
    with connect(f"ws://127.0.0.1:{port}/api/tables/{table}/socket", compression=None) as client:
        client.send(json.dumps({"type": "hello", "version": VERSION}))
        while json.loads(client.recv(timeout=PATIENCE))["type"] != "state":
            pass
        with suppress(TimeoutError):
            while True:
                client.recv(timeout=0.1)
        yield client


PING = Frame(Opcode.PING, b"").serialize(mask=True)
EMPTY_PART = Frame(Opcode.CONT, b"", fin=False).serialize(mask=True)
FIRST_PART = Frame(Opcode.TEXT, b"", fin=False).serialize(mask=True)


@pytest.mark.parametrize("flood", [PING * 5000, FIRST_PART + EMPTY_PART * 5000], ids=["pings", "parts"])
def test_who_sends_frames_without_end_is_sent_away(port: int, flood: bytes) -> None:
    with at_table(port) as client:
        with suppress(OSError):
            client.socket.sendall(flood)
        with suppress(ConnectionClosed):
            while True:
                client.recv(timeout=PATIENCE)
        assert client.close_code == 1008
    assert ask(port, "GET", "/healthz")[0] == 200


def test_who_goes_on_sending_too_much_is_sent_away(port: int) -> None:
    refused = []
    with at_table(port) as client:
        with suppress(ConnectionClosed, OSError):
            for number in range(400):
                client.send(json.dumps({"type": "ping", "id": number}))
        with suppress(ConnectionClosed):
            while True:
                message = json.loads(client.recv(timeout=PATIENCE))
                refused += [message] if message["type"] == "refused" else []
        assert client.close_code == 1008
    assert {message["code"] for message in refused} == {"rate"}
    assert refused[0]["re"] >= 100  # who waits for the answer to this message is told


def test_messages_are_not_compressed(port: int) -> None:
    """A compressor takes 44 kB a socket, and a message of a few bytes cannot become a large one."""
    table = json.loads(ask(port, "POST", "/api/tables", BODY)[2])["table"]
    with connect(f"ws://127.0.0.1:{port}/api/tables/{table}/socket", compression="deflate") as client:
        assert client.protocol.extensions == []


def test_a_message_of_the_wrong_form_is_answered_by_its_number(house: House) -> None:
    with house.two() as (red, _):
        red.send("play", id=77, seq="x", action=1)
        assert red.until("refused")["re"] == 77


# --- names, cookies, texts


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost:8421", 200),
        ("127.0.0.1", 200),
        ("[::1]:8421", 200),
        ("my-machine", 200),
        ("my-machine.local", 200),
        ("play.example", 200),
        ("PLAY.example:443", 200),
        ("evil.example", 403),
        ("localhost.evil.example", 403),
        ("", 200),
        ("[", 403),
        ("[::.", 403),
        ("a.b:c", 403),
    ],
)
def test_a_name_that_somebody_else_gives_away_is_refused(port: int, host: str, status: int) -> None:
    """DNS rebinding: a page of evil.example must not talk to a server in the visitor's own network."""
    assert ask(port, "GET", "/api/tables", Host=host)[0] == status


def test_who_comes_from_outside_may_use_any_name() -> None:
    """A server that everybody can reach has nothing to lose by it."""
    assert known_host("any.example", "203.0.114.7", ())
    for inside in ("127.0.0.1", "::ffff:10.0.0.1", "192.168.1.2", "fd00::1", "100.64.0.1"):
        assert not known_host("any.example", inside, ())


@pytest.mark.parametrize("proxy", ["127.0.0.1", "::1"])
def test_a_web_server_on_the_same_machine_is_believed(port: int, proxy: str) -> None:
    """Also where one socket listens for both families: the proxy's address is ::ffff:127.0.0.1 then."""
    connection = http.client.HTTPConnection(proxy, port, timeout=PATIENCE)
    forwarded = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.114.7", "Host": "play.example"}
    connection.request("POST", "/api/tables", BODY, {**JSON, **forwarded})
    cookie = connection.getresponse().headers["set-cookie"]
    connection.close()
    assert cookie.startswith(f"{SECURE_COOKIE}=")
    assert "Secure" in cookie
    assert "Domain" not in cookie


def test_a_page_without_tls_is_another_site_than_the_server_with_it(port: int) -> None:
    https = {"X_Forwarded_Proto": "https", "Host": "play.example"}
    assert ask(port, "POST", "/api/tables", BODY, Origin="https://play.example", **https)[0] == 201
    assert ask(port, "POST", "/api/tables", BODY, Origin="http://play.example", **https)[0] == 403


def test_a_cookie_that_the_server_did_not_make_is_no_key(port: int) -> None:
    for planted in ("x" * 3000, "A" * 32, "../../etc"):
        _, headers, _ = ask(port, "POST", "/api/tables", BODY, Cookie=f"{COOKIE}={planted}")
        assert planted not in headers["set-cookie"]


@pytest.mark.parametrize("letter", ["\n", "\r", "\t", "\x1b", "\x9b", "\u202e", "\u2066", "\u2028", "\x00"])
def test_letters_that_bend_a_screen_are_refused(house: House, letter: str) -> None:
    bad = f"Sunday{letter}players a b c"
    human = {"kind": "human"}
    for wanted in ({"title": bad}, {"seats": [{**human, "name": bad}, human]}, {"options": {"hand": bad}}):
        answer = house.post("/api/tables", **{"seats": [human, human], **wanted})
        assert (answer.status_code, answer.json()["code"]) == (400, "shape"), wanted
    record = f"bastide 1\ntitle {bad}\nplayers red blue\n"
    if letter not in "\n\r\t":
        for wanted in ({"record": record}, {"record": "bastide 1\nplayers red blue\n", "goal": bad}):
            assert house.post("/api/positions", **wanted).json()["code"] == "shape"
    with house.two() as (red, _):
        assert red.ask("chat", text=bad)["code"] == "shape"


def test_a_record_with_a_broken_line_is_not_written() -> None:
    for title in ("Sunday\nplayers a b c", "Sunday\x1b[31m"):
        with pytest.raises(RecordError, match="without control characters"):
            write_record(Record(Header(title=title, players=("red", "blue"))))


def test_a_content_type_has_one_charset(port: int) -> None:
    for path in ("/", "/metrics", "/api/catalogue"):
        assert ask(port, "GET", path)[1]["content-type"].count("charset") <= 1
