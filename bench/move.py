"""What a move costs a server, without a network: processor time of whole games at the application itself.

    python bench/move.py [TABLES] [--profile]

Two programs at each table send random moves straight to the application (ASGI) as soon as they are asked; a database
of SQLite takes the lines. What these programs need themselves is small and counted too. Times vary with the machine:
set one run beside another, one after the other, with the sources of another commit in PYTHONPATH.
"""

from __future__ import annotations

import asyncio
import cProfile
import pstats
import sys
import tempfile
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

import msgspec
from httpx import ASGITransport, AsyncClient
from litestar import Litestar
from msgspec import UNSET, Struct, UnsetType

from bastide.server.app import create_app
from bastide.server.content.catalogue import VERSION
from bastide.server.settings import Settings

TABLE = {"aids": True, "seats": [{"kind": "human"}, {"kind": "human"}]}
SHOWN = 45  # lines of the profile


class Choice(Struct):
    """An action."""

    text: str


class Question(Struct):
    """What can be done."""

    actions: list[Choice]


class Game(Struct):
    """A game, or what changed in it."""

    question: Question | UnsetType | None = UNSET


class Told(Struct):
    """A message, as far as a player needs it."""

    type: str
    seq: int | None = None
    status: str = ""
    code: str = ""
    game: Game | UnsetType | None = UNSET


told = msgspec.json.Decoder(Told)


class Player:
    """A socket that plays at random once all tables have begun."""

    def __init__(self, table: str, token: str, random: Random, start: asyncio.Event) -> None:
        self.table, self._token, self._random, self._start = table, token, random, start
        self.moves = 0
        self._question: Question | None = None
        self._seq: int | None = None
        self._incoming: asyncio.Queue[Any] = asyncio.Queue()

    async def run(self, app: Litestar) -> None:
        """Plays until the game is over."""
        path = f"/api/tables/{self.table}/socket"
        scope: Any = {
            "type": "websocket",
            "asgi": {"version": "3.0"},
            "scheme": "ws",
            "http_version": "1.1",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "root_path": "",
            "headers": [(b"host", b"127.0.0.1")],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 80),
            "subprotocols": [],
            "state": {},
        }
        self._incoming.put_nowait({"type": "websocket.connect"})
        self._say(type="hello", version=VERSION, token=self._token)
        await app(scope, self._incoming.get, self._hear)

    def _say(self, **message: Any) -> None:
        self._incoming.put_nowait({"type": "websocket.receive", "text": msgspec.json.encode(message).decode()})

    async def _hear(self, sent: Any) -> None:
        if sent["type"] != "websocket.send":
            return
        message = told.decode(sent["text"])
        match message.type:
            case "state" if message.status == "waiting":
                self._say(type="ready", entropy="0" * 32)
            case "state" | "change":
                self._see(message)
            case "refused" if message.code not in ("begun", "stale"):
                raise AssertionError(sent["text"])

    def _see(self, message: Told) -> None:
        """A new position."""
        if message.status == "over":
            self._incoming.put_nowait({"type": "websocket.disconnect", "code": 1000})
        if message.game and message.game.question is not UNSET:
            self._question = message.game.question
            self._seq = message.seq
            if self._start.is_set():
                self.move()

    @property
    def is_asked(self) -> bool:
        """Is it this player's turn?"""
        return self._question is not None

    def move(self) -> None:
        """Answers the question, if there is one."""
        if self._question is not None:
            action = self._random.choice(self._question.actions).text
            self._say(type="play", seq=self._seq, action=action)
            self._question = None
            self.moves += 1


async def play(tables: int, profile: cProfile.Profile | None) -> tuple[int, float]:
    """Whole games at so many tables: how many moves, and the processor time for all."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(database=f"{folder}/tables.sqlite3", page=Path("/nonexistent"))
        app = create_app(settings)
        transport = ASGITransport(app)  # type: ignore[arg-type]
        async with app.lifespan(), AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            players, start = [], asyncio.Event()
            for number in range(tables):
                made = (await client.post("/api/tables", json=TABLE)).json()
                for seat in made["seats"]:
                    players.append(Player(made["table"], seat["token"], Random(number), start))
            running = [asyncio.create_task(player.run(app)) for player in players]
            while sum(player.is_asked for player in players) < tables:
                await asyncio.sleep(0.1)
            if profile is not None:
                profile.enable()
            begun = process_time()
            start.set()
            for player in players:
                player.move()
            await asyncio.gather(*running)
            spent = process_time() - begun
            if profile is not None:
                profile.disable()
    return sum(player.moves for player in players), spent


def main() -> None:
    """One run, told in a line."""
    numbers = [int(argument) for argument in sys.argv[1:] if argument.isdecimal()]
    profile = cProfile.Profile() if "--profile" in sys.argv else None
    moves, spent = asyncio.run(play(numbers[0] if numbers else 20, profile))
    print(f"{moves} moves, {1000 * spent / moves:.3f} ms of a core for each")
    if profile is not None:
        pstats.Stats(profile).sort_stats("tottime").print_stats(SHOWN)


if __name__ == "__main__":
    main()
