"""Somebody at a table: reads messages, answers each, and sends what has changed."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Sequence
from time import monotonic
from typing import Protocol

import msgspec

from bastide.errors import BastideError
from bastide.game import Action, View
from bastide.game.explain import why_not
from bastide.server.api import incoming
from bastide.server.api.feed import Feed
from bastide.server.api.incoming import BODY, NESTED, Incoming, MessageId, Question
from bastide.server.api.limits import Limits
from bastide.server.api.outgoing import (
    Aids,
    Beat,
    Done,
    Outgoing,
    Pong,
    Refused,
    Region,
    RegionFacts,
    Regions,
    Welcome,
    WhyNot,
)
from bastide.server.api.refusal import Refusal
from bastide.server.api.secret import hash_secret
from bastide.server.content.catalogue import EMOTES, VERSION
from bastide.server.draws.links import CHAIN
from bastide.server.metrics import FAULTS, REFUSED, answering
from bastide.server.tables import lobby, moves
from bastide.server.tables.registry import TableRegistry
from bastide.server.tables.show import aids_for, prospect_at, region_at, regions_of
from bastide.server.tasks import end

HELLO_WITHIN = 10.0  # seconds
RATE, BURST = 20.0, 100.0  # messages a second in the long run, and at once
PAUSE = 0.5  # seconds until a table is looked for again while the database is away
BEAT = 10.0  # seconds between two beats
LAGS = 5  # beats that are remembered
OUTBOX = 200  # messages kept for a client that reads slowly, the news of the table among them
NEWS = ""  # stands in the queue for what is new at the table when its turn comes
CLOSE_POLICY, CLOSE_TOO_BIG, CLOSE_FAULT = 1008, 1009, 1011

log = logging.getLogger("bastide.server")
decoder: msgspec.json.Decoder[Incoming] = msgspec.json.Decoder(Incoming)
encode = msgspec.json.Encoder().encode


class ClientGone(Exception):
    """The client has left."""


class Wire(Protocol):
    """What carries texts between a client and the server. Both raise ClientGone when the client has left."""

    async def send_text(self, text: str, /) -> None: ...
    async def receive_text(self) -> str: ...


class Connection:
    """Somebody at a table, or somebody who watches it."""

    def __init__(self, wire: Wire, registry: TableRegistry, table: str, limits: Limits, address: str) -> None:
        self.wire = wire
        self._limits, self._address = limits, address
        self.registry = registry
        self.table = table
        self.seats: Sequence[int] = ()
        self._key: str | None = None  # of the browser,
        self._token = ""  # or the seat's own secret
        self._payers: list[str] = []  # who pays besides the address and the seats
        self._to_be_shuffled = False
        self._seats_in_doubt = False  # somebody gave seats up, or has a new link
        self._greeted = asyncio.Event()  # nothing is sent before the welcome
        self._feed: Feed | None = None  # what was told of the table,
        self._n = 0  # up to this state
        self._outbox: deque[str] = deque()
        self._wake = asyncio.Event()
        self._credit, self._counted = BURST, monotonic()
        self._timer: asyncio.TimerHandle | None = None  # until the next beat
        self._lags: deque[int] = deque(maxlen=LAGS)  # ms from the server to the client and back, of the last beats
        self._beats, self._beaten = 0, 0.0  # number and moment of the last beat

    # --- sending
    def changed(self) -> None:
        """The table is another one now: that is told as soon as the client can take it."""
        if NEWS not in self._outbox:
            self._outbox.append(NEWS)
            self._wake.set()

    def recheck_seats(self) -> None:
        """Who holds which seat has changed: the own ones are read again before anything is answered or sent."""
        self._seats_in_doubt = True
        self.changed()

    def _whole_state_last(self) -> None:
        """The whole state follows whatever is to be said before."""
        self._feed = None
        if NEWS in self._outbox:
            self._outbox.remove(NEWS)
        self.changed()

    def tell(self, message: Outgoing) -> None:
        """Anything else, in order."""
        if len(self._outbox) == OUTBOX:
            self._outbox.remove(next(text for text in self._outbox if text is not NEWS))
        self._outbox.append(encode(message).decode())
        self._wake.set()

    async def send_all(self) -> None:
        """Sends what there is, for ever. A slow client gets the whole state, never a long queue of changes."""
        await self._greeted.wait()
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._outbox:
                text = self._outbox.popleft()
                if text is not NEWS:
                    await self.wire.send_text(text)
                    continue
                news = await self._news()
                if news is not None:
                    for change in news:
                        await self.wire.send_text(change)
                    continue
                self.changed()  # after whatever else there is to say: nobody waits for the database to hear of that
                if len(self._outbox) == 1:
                    await asyncio.sleep(PAUSE)

    def _beat(self) -> None:
        """Again and again: whoever sends a beat back shows how long messages are under way."""
        self._beats, self._beaten = self._beats + 1, monotonic()
        self.tell(Beat(n=self._beats))
        self._timer = asyncio.get_running_loop().call_later(BEAT, self._beat)

    async def _news(self) -> Sequence[str] | None:
        """What is new at the table since the last time, or the whole state; none while it cannot be read."""
        try:
            await self._refresh_seats()
            feed = await self.registry.feed(self.table, self.seats, anew=self._feed is None)
        except Refusal as refusal:
            if refusal.code != "unavailable":
                raise
            return None
        news = feed.news_after(self._n) if feed is self._feed else None
        self._feed, self._n = feed, feed.n
        return [feed.whole()] if news is None else news

    async def _refresh_seats(self) -> None:
        """Reads the own seats again if they were shuffled or may be somebody else's now.

        Refused if the token opens no seat any more, and again until it is known which seats are left.
        """
        if self._to_be_shuffled:
            async with self.registry.locked(self.table) as open_table:
                self._to_be_shuffled = open_table.table.game is None
            self._seats_in_doubt |= not self._to_be_shuffled
        if not self._seats_in_doubt:
            return
        self._seats_in_doubt = False
        try:
            seats = await lobby.held_seats(self.registry, self.table, self._key, self._token)
        except BaseException:
            self._seats_in_doubt = True
            raise
        if seats != self.seats:
            self.seats = seats
            self.registry.presence_changed(self.registry.entry(self.table))

    # --- receiving
    async def receive(self) -> Incoming:
        """The next message; refuses what is none."""
        text = await self.wire.receive_text()
        self._count(text)
        if len(text.encode()) > BODY:
            raise Refusal("too_big")
        try:
            return decoder.decode(text)
        except msgspec.DecodeError as error:  # also a ValidationError: well-formed, but not what was expected
            raise Refusal("shape", str(error), re=id_of(text)) from error
        except RecursionError as error:
            raise Refusal("shape", NESTED) from error

    def _count(self, text: str) -> None:
        """Refuses whoever sends too much."""
        moment = monotonic()
        self._credit = min(BURST, self._credit + (moment - self._counted) * RATE)
        self._counted = moment
        self._credit -= 1
        if self._credit < 0:
            raise Refusal("rate", re=id_of(text))

    async def run(self, key: str | None) -> None:
        """Sends and receives until one of the two ends; why it ended is raised."""
        tasks = [asyncio.create_task(self.serve(key)), asyncio.create_task(self.send_all())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            ended = [task for task in tasks if task.done()]
        finally:
            await end(tasks)
        try:
            for task in ended:
                task.result()
        finally:
            del task, tasks, ended  # the error would know them, and they the error: a cycle that holds the table

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
        self._payers = [f"key {hash_secret(key)}"] if key else []
        self._pay("hello")
        async with self.registry.locked(self.table) as open_table:
            self._to_be_shuffled = open_table.table.setup.shuffle and open_table.table.game is None
        self.seats = await lobby.held_seats(self.registry, self.table, key, hello.token)
        open_table = self.registry.entry(self.table)
        open_table.join(self)  # before the chat is read: what is said meanwhile follows the welcome
        try:
            await self._greet(hello.id)
            self.changed()
            self.registry.presence_changed(open_table, ask=True)
            while True:
                await self._next()
        finally:
            if self._timer is not None:
                self._timer.cancel()
            open_table.leave(self)
            self.registry.presence_changed(open_table)

    async def _greet(self, re: MessageId) -> None:
        """The first message; then a beat every now and then."""
        chat = await self.registry.store.chat(self.table)
        mine, moment = list(self.seats), self.registry.now()
        welcome = Welcome(version=VERSION, table=self.table, mine=mine, chat=chat, now=moment, re=re)
        self._outbox.appendleft(encode(welcome).decode())
        self._wake.set()
        self._greeted.set()
        self._beat()

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
            if self._credit < -BURST:
                raise  # who does not listen is sent away
            asked = refusal.re if re is None else re
            self.tell(Refused(re=asked, code=refusal.code, message=refusal.message, reason=refusal.reason))
            if refusal.code in ("stale", "unavailable"):  # what is stored may not be what the client has seen
                self._whole_state_last()
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
            self._limits.check_mute(self._address, self.table)
        self._limits.spend(self._address, kind, [*self._payers, *(f"seat {self.table} {seat}" for seat in self.seats)])

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
        await self._refresh_seats()
        registry, name, mine = self.registry, self.table, self.seats
        match message:
            case incoming.Ping():
                return Pong(re=message.id, now=registry.now())
            case incoming.AskAids():
                return await self._aids(message)
            case incoming.AskRegion():
                return await self._region(message)
            case incoming.AskRegions():
                wanted = message.kind
                return Regions(re=message.id, regions=[r for r in await self._regions() if wanted in ("", r.kind)])
            case incoming.Why():
                return await self._why(message)
            case incoming.Hello():
                raise Refusal("shape", "hello was said already")
            case incoming.AskState():
                self._whole_state_last()
                seq = registry.entry(name).seq or 0
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

    async def _aids(self, message: incoming.AskAids) -> Outgoing:
        async with self.registry.locked(self.table) as open_table:
            found, seq = aids_for(open_table.table, self.seats), open_table.table.seq
        return Aids(re=message.id, seq=seq, **msgspec.structs.asdict(found))

    async def _region(self, message: incoming.AskRegion) -> Outgoing:
        async with self.registry.locked(self.table) as open_table:
            found = region_at(regions_of(open_table.table, self.seats), message.cell, message.spot)
            prospect = prospect_at(open_table.table, self.seats, message.cell, message.spot)
        return Region(re=message.id, prospect=prospect, **msgspec.structs.asdict(found))

    async def _regions(self) -> list[RegionFacts]:
        async with self.registry.locked(self.table) as open_table:
            return regions_of(open_table.table, self.seats)

    async def _why(self, message: incoming.Why) -> Outgoing:
        """Why an action is illegal. Only who is asked may know what is legal."""
        async with self.registry.locked(self.table) as open_table:
            table = open_table.table
            await moves.check_running(self.registry, open_table, self.seats)
            view = View(table.playing, table.viewpoint(self.seats))
            if not view.mine:
                raise Refusal("turn")
            try:
                action = Action.parse(message.action)
            except BastideError as error:
                raise Refusal.of(error) from error
            if action in view.legal:
                return WhyNot(re=message.id, legal=True, reason="", message="")
            reason, sentence = why_not(table.playing.engine, action)
            return WhyNot(re=message.id, legal=False, reason=reason, message=sentence)


class Numbered(msgspec.Struct):
    """What is read of a message that is refused."""

    id: MessageId = None


def id_of(text: str) -> MessageId:
    """The number of a message, as far as it can be read."""
    try:
        return msgspec.json.decode(text, type=Numbered).id
    except (msgspec.DecodeError, RecursionError):
        return None
