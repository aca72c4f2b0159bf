"""Tables of two programs that play at random over real sockets and come back by themselves when a connection breaks."""

from __future__ import annotations

import asyncio
import gc
import json
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from random import Random
from time import monotonic
from typing import Any
from urllib.request import Request, urlopen

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from bastide.server.api.follow import follow
from bastide.server.content.catalogue import VERSION
from bastide.server.load.figures import Figures
from bastide.server.tasks import end

BROKEN = (OSError, WebSocketException, TimeoutError)
AGAIN = 0.25  # seconds until the next attempt to connect
ANSWER = 10.0  # seconds for an answer; then the connection is given up
OPENED = 10  # tables or watchers a second, at the beginning
WATCH = 10.0  # seconds between two looks at the figures
decoder = msgspec.json.Decoder()
TABLE = {"aids": True, "seats": [{"kind": "human"}, {"kind": "human"}]}


@dataclass
class Move:
    """An action that was sent and has not reached everybody yet."""

    sent: float
    seq: int  # of the line that it will be, or a later one
    waiting: set[int]


@dataclass
class Seat:
    """One socket."""

    number: int
    token: str
    socket: ClientConnection | None = None
    seq: int = 0
    question: dict[str, Any] | None = None
    state: dict[str, Any] | None = None
    ready: bool = False
    lost: float = 0.0  # when the connection broke


@dataclass
class Pair:
    """A table and its two players."""

    address: str
    figures: Figures
    random: Random
    pace: float
    deflate: bool = False  # are messages compressed, as browsers ask for?
    enough: int = 0  # games at all tables after which all stop; 0: only time ends it
    made: dict[str, Any] = field(default_factory=dict)
    seats: list[Seat] = field(default_factory=list)
    acknowledged: list[tuple[str, int, str]] = field(default_factory=list)  # table, line, text: said to be stored
    over: bool = False
    move: Move | None = None
    finished: list[str] = field(default_factory=list)  # tables whose games came to their end
    _changed: asyncio.Event = field(default_factory=asyncio.Event)
    _sent: float = 0.0  # when the last action was sent,
    _line: tuple[str, int, str] = ("", 0, "")  # and what it will be

    # --- a table
    async def sit_down(self) -> None:
        """A new table."""
        self.made = await asyncio.to_thread(post, f"http://{self.address}/api/tables", TABLE)
        self.figures.begun += 1
        self.seats = [Seat(seat["seat"], seat["token"]) for seat in self.made["seats"]]
        self.over, self.move = False, None

    def _goes_on(self, until: float) -> bool:
        """Is there time left, and are there games to be played?"""
        return monotonic() < until and not 0 < self.enough <= self.figures.games

    async def run(self, until: float) -> None:
        """Plays one game after the other."""
        while self._goes_on(until):
            with suppress(*BROKEN):
                await self.sit_down()
                await self._one_game(until)
                continue
            await asyncio.sleep(AGAIN)

    async def _one_game(self, until: float) -> None:
        """Both seats listen while one of them plays."""
        listening = [asyncio.create_task(self._stay(seat, until)) for seat in self.seats]
        try:
            await self._play(until)
        finally:
            await end(listening)
        if self.over:
            self.figures.games += 1
            self.finished.append(self.made["table"])

    async def _play(self, until: float) -> None:
        """Whoever is asked answers, at the pace."""
        due = monotonic() + self.random.random() * self.pace
        while not self.over and self._goes_on(until):
            await asyncio.sleep(max(0.0, due - monotonic()))
            late = monotonic() - due
            due = max(due + self.pace, monotonic())
            asked = [seat for seat in self.seats if seat.question is not None and seat.socket is not None]
            if not asked:
                due = monotonic() + 0.05
                continue
            self.figures.late.append(late)
            with suppress(*BROKEN):
                await self._act(asked[0])

    async def _act(self, seat: Seat) -> None:
        """Sends an action and waits for its answer."""
        assert seat.question is not None
        assert seat.socket is not None
        action = self.random.choice(seat.question["actions"])["text"]
        seat.question = None
        self._changed.clear()
        self._sent, self._line = monotonic(), (self.made["table"], seat.seq + 1, f"{seat.number} {action}")
        self.move = Move(self._sent, seat.seq + 1, {other.number for other in self.seats if other.socket is not None})
        await say(seat.socket, type="play", id="move", seq=seat.seq, action=action)
        with suppress(TimeoutError):
            await asyncio.wait_for(self._changed.wait(), ANSWER)

    # --- a socket
    async def _stay(self, seat: Seat, until: float) -> None:
        """Connects, listens, and connects again."""
        while self._goes_on(until) and not self.over:
            with suppress(*BROKEN):
                path = f"ws://{self.address}/api/tables/{self.made['table']}/socket"
                async with connect_to(path, self.deflate) as socket:
                    await say(socket, type="hello", id="hello", version=VERSION, token=seat.token)
                    seat.socket = socket
                    async for text in socket:
                        await self._receive(seat, decoder.decode(text), len(text))
            if seat.socket is not None:
                seat.socket, seat.question, seat.state, seat.ready = None, None, None, False
                seat.lost = seat.lost or monotonic()
                self._changed.set()
            await asyncio.sleep(AGAIN)

    async def _receive(self, seat: Seat, message: dict[str, Any], size: int) -> None:
        match message["type"]:
            case "state" | "change":
                self.figures.sizes.append(size)
                seat.state = follow(seat.state, message)
                if seat.state is None:
                    raise WebSocketException("a change was left out")
                await self._see(seat, seat.state)
            case "done" if message["re"] == "move":
                self._acknowledge()
            case "refused":
                self._refused(message)
            case "beat":
                assert seat.socket is not None
                await say(seat.socket, **message)

    async def _see(self, seat: Seat, state: dict[str, Any]) -> None:
        """A new position."""
        if seat.lost:
            self.figures.away.append(monotonic() - seat.lost)
            seat.lost = 0.0
        seat.seq = state["seq"]
        seat.question = state["game"] and state["game"]["question"]
        self.over = state["status"] == "over"
        if state["status"] == "waiting" and not seat.ready:
            assert seat.socket is not None
            seat.ready = True
            await say(seat.socket, type="ready", entropy=secrets.token_hex(16))
        move = self.move
        if move is not None and seat.seq >= move.seq:
            move.waiting.discard(seat.number)
            if not move.waiting:
                self.figures.shown.append(monotonic() - move.sent)
                self.move = None

    def _acknowledge(self) -> None:
        """The server says that the action is stored."""
        self.figures.acknowledged.append(monotonic() - self._sent)
        self.acknowledged.append(self._line)
        self._changed.set()

    def _refused(self, message: dict[str, Any]) -> None:
        """Nothing was stored. That is no error where another was faster or the database was away."""
        self.move = None
        self._changed.set()
        if message["code"] == "stale":
            self.figures.stale += 1
        elif message["code"] == "unavailable":
            self.figures.unavailable += 1
        elif message["code"] != "begun":
            self.figures.errors.append(f"{message['code']}: {message['message']}")


async def watch_table(pair: Pair, until: float) -> None:
    """Somebody who watches what this pair plays."""
    while monotonic() < until:
        with suppress(*BROKEN):
            async with connect_to(
                f"ws://{pair.address}/api/tables/{pair.made['table']}/socket", pair.deflate
            ) as socket:
                await say(socket, type="hello", version=VERSION)
                async for text in socket:
                    if '"status":"over"' in str(text):
                        break
        await asyncio.sleep(AGAIN)


def connect_to(path: str, deflate: bool) -> connect:
    """A socket."""
    return connect(path, open_timeout=5, max_queue=64, compression="deflate" if deflate else None)


async def say(socket: ClientConnection, **message: Any) -> None:
    """Sends a message."""
    await socket.send(json.dumps(message))


def ignore(_: Figures) -> None:
    """Nobody looks."""


def post(url: str, body: dict[str, Any]) -> dict[str, Any]:
    """Asks the server by HTTP."""
    request = Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urlopen(request, timeout=ANSWER) as answer:
        found: dict[str, Any] = json.load(answer)
        return found


async def play(
    address: str,
    tables: int,
    pace: float,
    seconds: float,
    games: int = 0,
    opened: int = OPENED,
    watchers: int = 0,
    deflate: bool = False,
    watch: Callable[[Figures], None] = ignore,
    begun: Callable[[Figures], None] = ignore,
) -> tuple[Figures, list[Pair]]:
    """So many tables play for so long, or until so many games are over; a new one begins when a game is over.

    So many are opened a second, as people come, and then as many `watchers` of the first one; what is counted begins
    when all are there: `begun` sees the figures then, and `watch` now and then.
    """
    figures = Figures()
    pairs = [Pair(address, figures, Random(1 + number), pace, deflate, games) for number in range(tables)]
    opening = (tables + watchers) / opened
    until = monotonic() + opening + seconds

    async def one(number: int) -> None:
        await asyncio.sleep(number / opened)
        await (pairs[number].run(until) if number < tables else watch_table(pairs[0], until))

    async def count() -> None:
        await asyncio.sleep(opening)
        figures.begin()
        begun(figures)
        while True:
            await asyncio.sleep(WATCH)
            watch(figures)

    with no_collector():
        counting = asyncio.create_task(count())
        running = [asyncio.create_task(one(number)) for number in range(tables + watchers)]
        await asyncio.gather(*running[:tables])
        for task in (counting, *running[tables:]):
            task.cancel()
        figures.end()
    return figures, pairs


@contextmanager
def no_collector() -> Iterator[None]:
    """No cycles are looked for in this block: a thousand tables make that half a second, which would be counted."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
