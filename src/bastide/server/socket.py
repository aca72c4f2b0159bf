"""One WebSocket at a table: reads messages, answers each, and sends the latest state whenever it has changed."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

import msgspec
from litestar import WebSocket, websocket
from litestar.di import NamedDependency
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath

from bastide.errors import BastideError
from bastide.game import Action, View
from bastide.game.explain import why_not
from bastide.server import incoming, lobby, moves
from bastide.server.catalogue import EMOTES, VERSION
from bastide.server.incoming import BODY, NESTED, Incoming, Question
from bastide.server.limits import Limits
from bastide.server.links import CHAIN
from bastide.server.logs import begin_request
from bastide.server.metrics import FAULTS, REFUSED, SOCKETS, answering
from bastide.server.outgoing import (
    Beat,
    Because,
    Done,
    Outgoing,
    Pong,
    Refused,
    Region,
    RegionFacts,
    Regions,
    Welcome,
)
from bastide.server.refusal import Refusal
from bastide.server.registry import TableRegistry
from bastide.server.secret import COOKIE, hash_secret
from bastide.server.show import region_at, regions_of

HELLO_WITHIN = 10.0  # seconds
RATE, BURST = 20.0, 100.0  # messages a second in the long run, and at once
PAUSE = 0.5  # seconds until a table is looked for again while the database is away
BEAT = 10.0  # seconds between two beats
LAGS = 5  # beats that are remembered
OUTBOX = 200  # messages kept for a client that reads slowly, the latest state among them
STATE = ""  # stands in the queue for the state as it is when its turn comes
CLOSE_POLICY, CLOSE_TOO_BIG, CLOSE_FAULT = 1008, 1009, 1011
GONE = (WebSocketDisconnect, OSError, RuntimeError)  # what a socket may raise whose client has left

log = logging.getLogger("bastide.server")
decoder: msgspec.json.Decoder[Incoming] = msgspec.json.Decoder(Incoming)
encode = msgspec.json.Encoder().encode


class ClientGone(Exception):
    """The client has left."""


class Connection:
    """Somebody at a table, or somebody who watches it."""

    def __init__(
        self, socket: WebSocket[Any, Any, Any], registry: TableRegistry, table: str, limits: Limits, address: str
    ) -> None:
        self.socket = socket
        self._limits, self._address = limits, address
        self.registry = registry
        self.table = table
        self.seats: Sequence[int] = ()
        self._key: str | None = None  # of the browser,
        self._token = ""  # or the seat's own secret
        self._to_be_shuffled = False
        self.known: list[int] = []  # lines of the log that were sent
        self._outbox: deque[str] = deque()
        self._wake = asyncio.Event()
        self._credit, self._counted = BURST, monotonic()
        self.greeted = False
        self._lags: deque[int] = deque(maxlen=LAGS)  # ms from the server to the client and back, of the last beats
        self._beats, self._beaten = 0, 0.0  # number and moment of the last beat

    # --- sending
    def changed(self) -> None:
        """The table is another one now: a state is sent as soon as the client can take it."""
        if STATE not in self._outbox:
            self._outbox.append(STATE)
            self._wake.set()

    def _state_last(self) -> None:
        """The state follows whatever is to be said before."""
        if STATE in self._outbox:
            self._outbox.remove(STATE)
        self.changed()

    def tell(self, message: Outgoing) -> None:
        """Anything else, in order."""
        if len(self._outbox) == OUTBOX:
            self._outbox.remove(next(text for text in self._outbox if text is not STATE))
        self._outbox.append(encode(message).decode())
        self._wake.set()

    async def send_all(self) -> None:
        """Sends what there is, for ever. A slow client gets fewer states, never a queue of them."""
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), BEAT)
            self._wake.clear()
            if monotonic() - self._beaten > BEAT and self.greeted:
                self._beats, self._beaten = self._beats + 1, monotonic()
                self.tell(Beat(n=self._beats))
            while self._outbox:
                text: str | None = self._outbox.popleft()
                if text is STATE:
                    text = await self._state()
                if text is not None:
                    await self._send(text)
                    continue
                self.changed()  # after whatever else there is to say: nobody waits for the database to hear of that
                if len(self._outbox) == 1:
                    await asyncio.sleep(PAUSE)

    async def _send(self, text: str) -> None:
        try:
            await self.socket.send_text(text)
        except GONE as error:
            raise ClientGone from error

    async def _state(self) -> str | None:
        """The latest state, without the part of the log that the client has; none while it cannot be read."""
        try:
            await self._follow_shuffle()
            state = await self.registry.state_text(self.table, self.seats, self.known)
        except Refusal as refusal:
            if refusal.code != "unavailable":
                raise
            return None
        self.known[state.log_from :] = state.seqs
        return state.text

    async def _follow_shuffle(self) -> None:
        """Once the seats were shuffled, the client has others."""
        if not self._to_be_shuffled:
            return
        async with self.registry.locked(self.table) as open_table:
            if open_table.table.game is None:
                return
        self.seats = await lobby.mine(self.registry, self.table, self._key, self._token)
        self._to_be_shuffled = False
        self.registry.present(open_table)

    # --- receiving
    async def receive(self) -> Incoming:
        """The next message; refuses what is none."""
        try:
            text = await self.socket.receive_text()
        except GONE as error:
            raise ClientGone from error
        self._count()
        if len(text.encode()) > BODY:
            raise Refusal("too_big")
        try:
            return decoder.decode(text)
        except msgspec.DecodeError as error:  # also a ValidationError: well-formed, but not what was expected
            raise Refusal("shape", str(error)) from error
        except RecursionError as error:
            raise Refusal("shape", NESTED) from error

    def _count(self) -> None:
        """Refuses whoever sends too much."""
        moment = monotonic()
        self._credit = min(BURST, self._credit + (moment - self._counted) * RATE)
        self._counted = moment
        if self._credit < 1:
            raise Refusal("rate")
        self._credit -= 1

    async def run(self, key: str | None) -> None:
        """Sends and receives until one of the two ends; why it ended is raised."""
        tasks = [asyncio.create_task(self.serve(key)), asyncio.create_task(self.send_all())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            ended = [task for task in tasks if task.done()]
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        for task in ended:
            task.result()

    async def serve(self, key: str | None) -> None:
        """Greets, then answers until the client leaves."""
        try:
            hello = await asyncio.wait_for(self.receive(), HELLO_WITHIN)
        except TimeoutError:
            raise Refusal("shape", "expected hello as the first message, got nothing") from None
        if not isinstance(hello, incoming.Hello):
            raise Refusal("shape", "expected hello as the first message")
        if hello.version != VERSION:
            raise Refusal("version", f"this server speaks version {VERSION}, not {hello.version}")
        self._key, self._token = key, hello.token
        self._pay("hello")
        self.seats = await lobby.mine(self.registry, self.table, key, hello.token)
        async with self.registry.locked(self.table) as open_table:
            self._to_be_shuffled = open_table.table.setup.shuffle and open_table.table.game is None
        chat = await self.registry.store.chat(self.table)
        mine, moment = list(self.seats), self.registry.now()
        self.tell(Welcome(version=VERSION, table=self.table, mine=mine, chat=chat, now=moment, re=hello.id))
        self.greeted = True
        open_table = self.registry.entry(self.table)
        open_table.listeners.add(self)
        try:
            self.changed()
            self.registry.present(open_table, ask=True)
            while True:
                await self._next()
        finally:
            open_table.listeners.discard(self)
            self.registry.present(open_table)

    async def _next(self) -> None:
        """Answers one message."""
        re: incoming.MessageId = None
        try:
            message = await self.receive()
            re = message.id
            if isinstance(message, incoming.Beat):
                self._measure(message.n)
            else:
                kind = type(message).__struct_config__.tag
                assert isinstance(kind, str), "every message has a type"
                with answering(kind):
                    self._pay(kind)
                    self.tell(await self._answer(message))
        except Refusal as refusal:
            REFUSED.labels(refusal.code).inc()
            self.tell(Refused(re=re, code=refusal.code, message=refusal.message, reason=refusal.reason))
            if refusal.code in ("stale", "unavailable"):  # what is stored may not be what the client has seen
                self._state_last()
        except ClientGone:
            raise
        except Exception:
            FAULTS.inc()
            log.exception("a message could not be answered")
            usual = Refusal("internal")
            self.tell(Refused(re=re, code=usual.code, message=usual.message))

    def _pay(self, kind: str) -> None:
        """Refuses whoever asks for too much work, by address, browser or seat; and what is said by who is muted."""
        if kind in ("chat", "emote"):
            self._limits.hear(self._address, self.table)
        key = [f"key {hash_secret(self._key)}"] if self._key else []
        self._limits.spend(self._address, kind, [*key, *(f"seat {self.table} {seat}" for seat in self.seats)])

    def _measure(self, beat: int) -> None:
        """The client has sent a beat back."""
        if beat == self._beats:
            self._lags.append(round((monotonic() - self._beaten) * 1000))

    @property
    def lag(self) -> int:
        """The shortest of the last beats: a client that dawdles now and then gains nothing by it."""
        return min(self._lags, default=0)

    async def _answer(self, message: Question) -> Outgoing:
        """Does what a message asks for."""
        await self._follow_shuffle()
        registry, name, mine = self.registry, self.table, self.seats
        match message:
            case incoming.Ping():
                return Pong(re=message.id, now=registry.now())
            case incoming.AskRegion():
                found = region_at(await self._regions(), message.cell, message.spot)
                return Region(re=message.id, **msgspec.structs.asdict(found))
            case incoming.AskRegions():
                wanted = message.kind
                return Regions(re=message.id, regions=[r for r in await self._regions() if wanted in ("", r.kind)])
            case incoming.Why():
                return await self._why(message)
            case incoming.Hello():
                raise Refusal("shape", "hello was said already")
            case incoming.Ready():
                part = CHAIN + message.chain if message.chain else message.entropy
                seq = await moves.ready(registry, name, mine, message.seat, part)
            case incoming.Link():
                seq = await moves.reveal(registry, name, mine, message.seat, message.link)
            case incoming.Chain():
                seq = await moves.change_chain(registry, name, mine, message.seat, message.chain)
            case incoming.Play():
                seq = await moves.play(registry, name, mine, message.seq, message.action, self.lag, message.link)
            case incoming.Undo():
                seq = await moves.undo(registry, name, mine, message.seq, message.whole)
            case incoming.TakeBack():
                seq = await moves.take_back(registry, name, mine, message.seq)
            case incoming.Answer():
                seq = await moves.answer(registry, name, mine, message.seq, message.agree)
            case incoming.Resign():
                seq = await moves.resign(registry, name, mine, message.seat)
            case incoming.Rematch():
                seq = await lobby.rematch(registry, name, mine, lambda: self._limits.count_table(self._address))
            case incoming.Chat():
                seq = await moves.say(registry, name, mine, message.text, None)
            case incoming.Emote():
                if message.name not in EMOTES:
                    raise Refusal("shape", f"expected an emote, one of {', '.join(EMOTES)}")
                seq = await moves.say(registry, name, mine, "", message.name)
        return Done(re=message.id, seq=seq)

    async def _regions(self) -> list[RegionFacts]:
        async with self.registry.locked(self.table) as open_table:
            return regions_of(open_table.table, self.seats)

    async def _why(self, message: incoming.Why) -> Outgoing:
        """Why an action is illegal. Only who is asked may know what is legal."""
        async with self.registry.locked(self.table) as open_table:
            table = open_table.table
            await moves.check_running(self.registry, open_table, self.seats)
            view = View(table.playing, table.eyes(self.seats))
            if not view.mine:
                raise Refusal("turn")
            try:
                action = Action.parse(message.action)
            except BastideError as error:
                raise Refusal.of(error) from error
            if action in view.legal:
                return Because(re=message.id, legal=True, reason="", message="")
            reason, sentence = why_not(table.playing.engine, action)
            return Because(re=message.id, legal=False, reason=reason, message=sentence)


def same_site(origin: str | None, host: str | None) -> bool:
    """Does a request come from a page of this server? Programs that are no browsers send no origin."""
    if origin is None:
        return True
    try:
        return urlsplit(origin).netloc == host
    except ValueError:  # no address at all
        return False


@websocket("/api/tables/{table:str}/socket")
async def table_socket(
    socket: WebSocket[Any, Any, Any],
    table: FromPath[str],
    registry: NamedDependency[TableRegistry],
    limits: NamedDependency[Limits],
) -> None:
    """A table's socket: see docs/protocol.md."""
    begin_request(table)
    await socket.accept()
    address = socket.client.host if socket.client else ""
    connection = Connection(socket, registry, table, limits, address)
    try:
        limits.admit(address)
        if not same_site(socket.headers.get("origin"), socket.headers.get("host")):
            raise Refusal("origin")
        with limits.socket(address), SOCKETS.track_inprogress():
            await connection.run(socket.cookies.get(COOKIE))
    except ClientGone:
        pass
    except Refusal as refusal:
        REFUSED.labels(refusal.code).inc()
        with suppress(*GONE):
            refused = Refused(re=None, code=refusal.code, message=refusal.message)
            await socket.send_text(encode(refused).decode())
            await socket.close(CLOSE_TOO_BIG if refusal.code == "too_big" else CLOSE_POLICY, refusal.code)
    except Exception:
        FAULTS.inc()
        log.exception("a socket could not be served")
        with suppress(*GONE):
            await socket.close(CLOSE_FAULT, "internal")
