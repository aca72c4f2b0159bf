"""One table, many writers: whatever is acknowledged is stored once and in order, though processes are killed meanwhile.

Several clients hold the same seats and come to the table through several servers, which share nothing but a database
(and, where it is there, a Redis). They all answer whatever they are asked, at once; only one of them can be first.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from bastide.server.api.follow import follow
from bastide.server.load.players import say
from bastide.server.settings import Settings, database_url
from bastide.server.storage.store import Store
from bastide.server.tables.table import Line, Table
from tests.server.client import ENTROPY, PATIENCE
from tests.services import free_port

SERVERS = 3
AT_A_SEAT = 2  # clients
ENOUGH = 110  # acknowledgements; the game has more
KILL_EVERY = 20  # acknowledgements
QUIET = 0.3  # seconds after which a client that hears nothing tries another server
LEAVES, UNDOES = 0.05, 0.1  # how often a client leaves by itself, or takes something back
BROKEN = (OSError, WebSocketException, TimeoutError)
FAULTS = (1011, 4500)  # how a socket closes when its server cannot go on
LATE = {"begun", "stale", "turn", "undo"}  # somebody else was faster
ACTION = "action"  # names an action and its answer


class Move(NamedTuple):
    """A line as its sender expects it."""

    seq: int
    text: str


class Server:
    """`bastide serve` in a process of its own, always at the same address."""

    def __init__(self, database: str, variables: Mapping[str, str], log: Path) -> None:
        self.address = f"127.0.0.1:{(port := free_port())}"
        self._command = [sys.executable, "-m", "bastide.cli", "serve", "--port", str(port), "--database", database]
        self._environment = {**os.environ, **variables}
        self._log = log
        self.start()

    def start(self) -> None:
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(self._command, env=self._environment, stdout=log, stderr=log)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    async def answers(self) -> None:
        """Waits until it does."""
        async with asyncio.timeout(PATIENCE), httpx.AsyncClient() as client:
            while True:
                assert self.process.poll() is None, self._log.read_text()
                with suppress(httpx.TransportError):
                    await client.get(f"http://{self.address}/healthz")
                    return
                await asyncio.sleep(0.05)


@dataclass
class Crowd:
    """Clients at one table."""

    servers: list[Server]
    random: Random
    table: str = ""
    tried: set[Move] = field(default_factory=set)
    acknowledged: list[Move] = field(default_factory=list)
    unexpected: list[str] = field(default_factory=list)

    @property
    def enough(self) -> bool:
        """Is there nothing more to be learnt?"""
        return bool(self.unexpected) or len(self.acknowledged) >= ENOUGH

    async def gather(self) -> None:
        """All play until there are enough acknowledgements."""
        async with httpx.AsyncClient(base_url=f"http://{self.servers[0].address}", timeout=PATIENCE) as client:
            made = (await client.post("/api/tables", json={"seats": [{"kind": "human"}] * 2})).json()
        self.table = made["table"]
        tokens = [seat["token"] for seat in made["seats"]]
        guests = [self._stay(seat, tokens[seat], Random(self.random.random())) for seat in [0, 1] * AT_A_SEAT]
        async with asyncio.timeout(5 * PATIENCE):
            await asyncio.gather(self._kill(), *guests)

    async def _kill(self) -> None:
        """Ends a server now and then, without a warning; another one takes its place."""
        for moment in range(KILL_EVERY, ENOUGH, KILL_EVERY):
            while len(self.acknowledged) < moment and not self.enough:
                await asyncio.sleep(0.01)
            victim = self.random.choice(self.servers)
            victim.kill()
            victim.start()

    async def _stay(self, seat: int, token: str, random: Random) -> None:
        """Comes to the table through any server, and again through another."""
        while not self.enough:
            path = f"ws://{random.choice(self.servers).address}/api/tables/{self.table}/socket"
            try:
                async with connect(path, close_timeout=QUIET, open_timeout=PATIENCE, compression=None) as socket:
                    await say(socket, type="hello", version=2, token=token)
                    await self._answer(socket, seat, random)
            except ConnectionClosed as closed:
                if closed.rcvd is not None and closed.rcvd.code in FAULTS:
                    self.unexpected.append(str(closed))
            except BROKEN:  # killed, or nothing new to be heard there
                pass
            await asyncio.sleep(0.01)

    async def _answer(self, socket: ClientConnection, seat: int, random: Random) -> None:
        """Answers every question until the connection breaks, nothing is heard any more, or it is time to leave."""
        state: dict[str, Any] = {}
        followed: dict[str, Any] | None = None
        sent: Move | None = None
        while not self.enough and random.random() > LEAVES:
            message = json.loads(await asyncio.wait_for(socket.recv(), QUIET if sent is None else PATIENCE))
            match message["type"]:
                case "state" | "change":
                    followed = follow(followed, message)
                    state = followed or {}
                    if followed is None:
                        self.unexpected.append("a change was left out")
                case "done" if sent is not None and message["re"] == ACTION:
                    self.acknowledged.append(sent)
                    sent = None
                case "refused":
                    if message["code"] not in LATE:
                        self.unexpected.append(str(message))
                    if message["re"] == ACTION:
                        sent = None
            if state.get("status") == "waiting":
                await say(socket, type="ready", entropy=ENTROPY, seat=seat)
                state = {}
            elif sent is None and state.get("game") and state["game"]["question"]:
                sent = await self._act(socket, seat, state, random)
                state = {}

    async def _act(self, socket: ClientConnection, seat: int, state: dict[str, Any], random: Random) -> Move:
        """Plays, or takes back what was played."""
        if state["undo"] and random.random() < UNDOES:
            move, message = Move(state["seq"] + 1, "undo 1"), {"type": "undo"}
        else:
            action = random.choice(state["game"]["question"]["actions"])["text"]
            move, message = Move(state["seq"] + 1, f"{seat} {action}"), {"type": "play", "action": action}
        self.tried.add(move)
        await say(socket, id=ACTION, seq=state["seq"], **message)
        return move


@asynccontextmanager
async def running(database: str, variables: Mapping[str, str], log: Path) -> AsyncIterator[list[Server]]:
    """Several servers. The first one makes the database."""
    servers: list[Server] = []
    try:
        for _ in range(SERVERS):
            servers.append(Server(database, variables, log))
            await servers[0].answers()
        for server in servers:
            await server.answers()
        yield servers
    finally:
        for server in servers:
            server.kill()


async def stored(database: str, name: str) -> tuple[Table, list[Line]]:
    store = Store(database_url(database))
    try:
        return await store.load(name), await store.lines(name)
    finally:
        await store.close()


def replayed(table: Table, lines: list[Line]) -> Table:
    """Everything played again from the beginning: every action was legal, every draw the one that chance owed."""
    again = Table(table.name, table.setup, table.seed, table.invite, table.chairs)
    for line in lines:
        if line.text.startswith("draw "):
            assert line.text == str(again.next_draw())
        again.apply(line)
    return again


async def crowded(database: str, variables: Mapping[str, str], log: Path, seed: int) -> None:
    async with running(database, variables, log) as servers:
        crowd = Crowd(servers, Random(seed))
        await crowd.gather()
    table, lines = await stored(database, crowd.table)
    texts = {line.seq: line.text for line in lines}
    assert [line.seq for line in lines] == list(range(1, len(lines) + 1))
    assert [move for move in crowd.acknowledged if texts.get(move.seq) != move.text] == []
    assert len({move.seq for move in crowd.acknowledged}) == len(crowd.acknowledged)
    acted = {Move(line.seq, line.text) for line in lines if not line.text.startswith(("begin", "draw "))}
    assert acted <= crowd.tried
    assert replayed(table, lines).seq == len(lines)
    assert crowd.unexpected == []


def test_with_a_file_of_sqlite_and_no_news(database: str, tmp_path: Path) -> None:
    asyncio.run(crowded(database, {"BASTIDE_REDIS": ""}, tmp_path / "log", 1))


def test_with_postgresql_and_redis(shared: Settings, tmp_path: Path) -> None:
    asyncio.run(crowded(shared.database, {"BASTIDE_REDIS": shared.redis}, tmp_path / "log", 2))
