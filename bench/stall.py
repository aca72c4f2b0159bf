"""How long the dearest requests of a stranger make others wait.

    python bench/stall.py [SECONDS]

A server of this machine is asked by a stranger (an address behind a web server), over several connections, as fast
as it answers, refusals too. Meanwhile others at a table ping every 10 ms: the longest wait is what others feel.
The first line is what they feel when nobody asks for anything.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from itertools import count
from multiprocessing import SimpleQueue, get_context
from random import Random
from subprocess import DEVNULL, Popen
from time import monotonic, perf_counter, sleep
from typing import Any

from websockets.asyncio.client import connect

from bastide.game import Game
from bastide.notation.record import write_record
from bastide.notation.replay import record_of
from bastide.rules import Rules
from bastide.rules.choose import BASE
from bastide.rules.registry import specs
from bastide.server.content.catalogue import VERSION
from bastide.server.load.figures import percentile

KIND = {"Content-Type": "application/json"}
FROM = "X-Forwarded-For"
CONNECTIONS = 8
EVERY = 0.05  # seconds between two pings of a socket: as many as it may send,
SOCKETS = 5  # of so many
HUMANS = [{"kind": "human"}, {"kind": "human"}]
PORT = 8779
Ask = Callable[[int], tuple[str, str, dict[str, Any] | None]]  # the nth request: method, path, body


def request(method: str, path: str, body: dict[str, Any] | None) -> dict[str, Any]:
    """One request of this machine itself."""
    connection = HTTPConnection("127.0.0.1", PORT, timeout=60)
    connection.request(method, path, None if body is None else json.dumps(body), KIND)
    found: dict[str, Any] = json.loads(connection.getresponse().read())
    return found


def long_game(players: int, **wanted: Any) -> str:
    """The record of a random game that is nearly over."""
    random, game = Random(1), Game(Rules.of(players=players, **wanted), seed=1)
    while game.tiles_left > 1:
        game.play(random.choice(game.legal))
    return write_record(record_of(game))


def some_boxes(n: int) -> list[str]:
    """The nth choice of boxes that go with the base game."""
    boxes = [name for name, found in specs().items() if name != BASE and not found.standalone]
    return [name for number, name in enumerate(boxes) if n + 1 >> number & 1] or boxes


def requests(position: str, record: str) -> dict[str, Ask]:
    """The dearest requests, by name."""
    everything = {"preset": "everything", "players": 8}
    options = "\n".join(f"option hand {n % 3}" for n in range(12_000))
    return {
        "nothing": lambda n: ("", "", None),
        "a position with a whole game": lambda n: ("GET", f"/api/positions/{position}", None),
        "another position of it": lambda n: ("POST", "/api/positions", {"record": record, "title": f"game {n}"}),
        "a choice of rules": lambda n: (
            "POST",
            "/api/choice",
            {**everything, "players": 2 + n % 7, "options": {"hand": 3 * (n % 2)}},
        ),
        "12,000 options": lambda n: ("POST", "/api/positions", {"record": f"bastide 1\n{options}\nplayers a b\n"}),
        "a new drawing": lambda n: ("GET", f"/api/drawings/day.svg?modules={','.join(some_boxes(n))}", None),
        "a table with all boxes": lambda n: ("POST", "/api/tables", {**everything, "seats": HUMANS * 4}),
        "a table from a whole game": lambda n: ("POST", "/api/tables", {"record": record, "seats": HUMANS * 4}),
        "all rules": lambda n: ("GET", "/api/rules", None),
        "the catalogue": lambda n: ("GET", "/api/catalogue", None),
    }


def pester(ask: Ask, address: str, first: int, seconds: float, answers: SimpleQueue[Counter[int]]) -> None:
    """A stranger on one connection, until the time is over."""
    until, connection = monotonic() + seconds, HTTPConnection("127.0.0.1", PORT, timeout=60)
    statuses: Counter[int] = Counter()
    for n in count(first, CONNECTIONS):
        method, path, body = ask(n)
        if not method or monotonic() > until:
            break
        with suppress(HTTPException, OSError):
            connection.request(method, path, None if body is None else json.dumps(body), KIND | {FROM: address})
            answer = connection.getresponse()
            answer.read()
            statuses[answer.status] += 1
    answers.put(statuses)


async def waits(table: str, seconds: float, later: float) -> list[float]:
    """How long the answers to pings take."""
    found = []
    await asyncio.sleep(later)
    async with connect(f"ws://127.0.0.1:{PORT}/api/tables/{table}/socket", compression=None) as socket:
        await socket.send(json.dumps({"type": "hello", "version": VERSION}))
        until, due = monotonic() + seconds, monotonic()
        while monotonic() < until:
            due = max(due + EVERY, monotonic())
            await asyncio.sleep(max(0.0, due - monotonic()))
            begun = perf_counter()
            await socket.send('{"type": "ping", "id": 1}')
            while '"pong"' not in str(await socket.recv()):
                pass
            found.append(perf_counter() - begun)
    return found


async def all_waits(table: str, seconds: float) -> list[float]:
    """The same of several sockets."""
    found = await asyncio.gather(*(waits(table, seconds, number / SOCKETS * EVERY) for number in range(SOCKETS)))
    return [wait for one in found for wait in one]


def measure(name: str, ask: Ask, address: str, table: str, seconds: float) -> None:
    """One line about one kind of request."""
    fork = get_context("fork")
    answers: SimpleQueue[Counter[int]] = fork.SimpleQueue()
    strangers = [fork.Process(target=pester, args=(ask, address, n, seconds, answers)) for n in range(CONNECTIONS)]
    for stranger in strangers:
        stranger.start()
    found = asyncio.run(all_waits(table, seconds))
    for stranger in strangers:
        stranger.join()
    statuses = sum((answers.get() for _ in strangers), Counter[int]())
    p50, p99, most = (percentile(found, share) for share in (0.5, 0.99, 1))
    print(f"{name}: p50 {p50:.1f} ms, p99 {p99:.1f} ms, longest {most:.1f} ms; answers {dict(statuses)}", flush=True)


@contextmanager
def server() -> Iterator[None]:
    """A server with the limits that are usual; its own machine is not limited."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "bastide.cli", "serve", "--port", str(PORT), "--database", f"{folder}/tables"]
        with Popen(command, stdout=DEVNULL, stderr=DEVNULL, env={**os.environ, "XDG_CACHE_HOME": folder}) as running:
            try:
                while True:
                    with suppress(OSError, ValueError):
                        request("GET", "/healthz", None)
                        break
                    sleep(0.1)
                yield
            finally:
                running.terminate()


def main() -> None:
    """All kinds of requests, one after the other."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 5.0
    record = long_game(8, preset="everything")
    with server():
        table = request("POST", "/api/tables", {"seats": HUMANS})["table"]
        position = request("POST", "/api/positions", {"record": record})["position"]
        for number, (name, ask) in enumerate(requests(position, record).items()):
            measure(name, ask, f"203.0.114.{number}", table, seconds)


if __name__ == "__main__":
    main()
