"""The other processes of this server: what they are told, what is heard from them, what is done about silence.

Nothing depends on a notice: every process numbers its notices in each shard, says twice a second that it lives and how
far its numbers have come, and hears itself say so. A number that is left out, a silence or a break makes this process
look at the database.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import Counter
from collections.abc import Sequence
from time import monotonic, perf_counter
from typing import TYPE_CHECKING

import msgspec

from bastide.server.api.outgoing import ChatLine, Thinking
from bastide.server.api.refusal import Refusal
from bastide.server.metrics import NEWS_LAG
from bastide.server.tables.clock import SECOND
from bastide.server.tables.notices import ALL, MISSED, Audience, News, Notice, shard_of
from bastide.server.tasks import end

if TYPE_CHECKING:
    from bastide.server.tables.open_table import OpenTable
    from bastide.server.tables.registry import TableRegistry

QUIET = 2.0  # seconds after which a process that says nothing may have something to tell: the database is looked at
GONE = 6.0  # seconds after which it is gone
LOOK = 5.0  # seconds between two looks that nothing has asked for

log = logging.getLogger("bastide.server")
decoder = msgspec.json.Decoder(Notice)


class Peer:
    """Another process, as far as it was heard."""

    def __init__(self) -> None:
        self.numbers: dict[int, int] = {}  # of its last notices, by shard
        self.heard_at = monotonic()
        self.missed = False  # it was silent, and the database was looked at because of it
        self.audiences: dict[str, Audience] = {}  # by table

    @property
    def silent_for(self) -> float:
        """Seconds since it was heard."""
        return monotonic() - self.heard_at


class Peers:
    """What this process and the others tell each other."""

    def __init__(self, registry: TableRegistry, news: News | None) -> None:
        self.origin = secrets.token_hex(8)
        self._registry = registry
        self._news = news  # none if this process is alone
        self._numbers: Counter[int] = Counter()  # of this process's last notices, by shard
        self._spoken: set[int] = set()  # shards in which there were some since it was last said how many
        self._followed: set[int] = set()
        self._unsure: set[int] = set()  # shards in which something may have been missed
        self._own = f'{{"origin":"{self.origin}"'.encode()  # with this own notices begin
        self._peers: dict[str, Peer] = {}
        self._heard_self_at = monotonic()
        self._said = 0.0, MISSED  # the last notice that this process lives, and its moment before
        self._looked_at = monotonic()
        self._looks: dict[str, asyncio.Task[None]] = {}  # tables that are being looked at
        self._look_again: dict[str, bool] = {}  # and went on meanwhile: did they get lines only?
        self.behind = True  # something may have been missed, in whatever shard

    # --- telling
    def announce(self, name: str, seq: int, changed: bool = False) -> None:
        """A table is at this line; `changed`: something else about it is new."""
        self._send(Notice(*self._head(shard_of(name)), name, seq, changed))

    def announce_holders(self, name: str) -> None:
        """Who holds which seat of a table has changed."""
        self._send(Notice(*self._head(shard_of(name)), name, changed=True, holders=True))

    def pass_on(self, name: str, message: ChatLine | Thinking) -> None:
        """Something besides the table itself."""
        self._send(Notice(*self._head(shard_of(name)), name, message=message))

    def tell_audience(self, open_table: OpenTable, ask: bool = False) -> None:
        """Who is at a table in this process, and at which line it is here. Told to all: the lobby shows every table."""
        here, seq = open_table.audience, open_table.seq or 0
        self._send(Notice(*self._head(ALL), open_table.name, seq, audience=here, ask=ask))

    def _tell_alive(self) -> None:
        """This process lives; so far its numbers have come."""
        numbers = {shard: self._numbers[shard] for shard in self._spoken}
        self._spoken.clear()
        self._said = perf_counter(), self._send(Notice(*self._head(ALL), numbers=numbers))
        if self._news is None:
            NEWS_LAG.observe(0.0)  # who is alone hears himself at once

    def _head(self, shard: int) -> tuple[str, int, int]:
        """The beginning of the next notice in a shard."""
        self._numbers[shard] += 1
        if shard != ALL:
            self._spoken.add(shard)
        return self.origin, self._numbers[shard], shard

    def _send(self, notice: Notice) -> bytes:
        """Tells the others, if there can be any; what was said."""
        if self._news is None:
            return MISSED
        data = msgspec.json.encode(notice)
        self._news.publish(notice.shard, data)
        return data

    # --- hearing
    def follow(self, name: str) -> None:
        """A table is open here: what happens there must be heard."""
        shard = shard_of(name)
        if self._news is not None and shard not in self._followed:
            self._followed.add(shard)
            self._news.follow(shard)

    def _unfollow(self) -> None:
        """Nobody needs to hear of shards without a table that is open here."""
        if self._news is not None:
            for shard in self._followed.difference(map(shard_of, self._registry.open_tables)):
                self._followed.discard(shard)
                self._news.unfollow(shard)

    def on_followed(self, shard: int) -> None:
        """A shard is heard from here on: what happened at its tables since they were read is looked for."""
        self._unsure.add(shard)

    def on_notice(self, data: bytes) -> None:
        """News from some process. One that cannot be read stops nothing."""
        try:
            self._handle(data)
        except Exception:
            log.exception("a notice could not be followed")

    def _handle(self, data: bytes) -> None:
        if data == MISSED:
            self.behind = True
            return
        if data.startswith(self._own):
            self._heard_self_at = monotonic()
            if data == self._said[1]:
                NEWS_LAG.observe(perf_counter() - self._said[0])
            return
        notice = decoder.decode(data)
        self._note(notice)
        open_table = self._registry.open_tables.get(notice.table)
        if open_table is None:
            return
        if notice.message is not None:
            if isinstance(notice.message, Thinking):
                open_table.thinking = notice.message.seat
            open_table.tell(notice.message)
        if notice.audience is not None:
            open_table.other_audiences[notice.origin] = notice.audience
            open_table.tell_presence()
            if notice.ask and open_table.listeners:
                self.tell_audience(open_table)
        if notice.holders:
            open_table.recheck_seats()
        if notice.changed or notice.seq > (open_table.seq or 0):
            self.look(notice.table, lines_only=not notice.changed)

    def _note(self, notice: Notice) -> None:
        """Remembers that a process was heard, and who is there; notices what was missed of it."""
        peer = self._peers.get(notice.origin)
        if peer is None:
            peer = self._peers[notice.origin] = Peer()
            self.behind = True  # whatever it said before was not heard
        if notice.n > peer.numbers.get(notice.shard, 0) + 1:
            self._unsure.add(notice.shard)
        peer.numbers[notice.shard] = notice.n
        for shard in self._followed.intersection(notice.numbers):
            if peer.numbers.get(shard, 0) < notice.numbers[shard]:
                self._unsure.add(shard)
                peer.numbers[shard] = notice.numbers[shard]
        peer.heard_at, peer.missed = monotonic(), False
        if notice.audience is not None:
            peer.audiences[notice.table] = notice.audience

    # --- looking at the database
    def look(self, name: str, lines_only: bool = False) -> None:
        """Reads what is new at a table, or its new lines; no table waits for another."""
        open_table = self._registry.open_tables.get(name)
        if open_table is None:
            return
        if open_table.unused and not open_table.lock.locked():
            open_table.invalidate()
        elif name in self._looks:
            self._look_again[name] = lines_only and self._look_again.get(name, True)
        else:
            self._looks[name] = asyncio.create_task(self._read(name, lines_only))

    async def _read(self, name: str, lines_only: bool) -> None:
        try:
            await self._registry.look_for_news(name, lines_only)
        except Refusal as refusal:
            if refusal.code == "unavailable":
                self.behind = True
        except Exception:
            log.exception("table %s could not be looked at", name)
        finally:
            del self._looks[name]
            if name in self._look_again:
                self.look(name, self._look_again.pop(name))

    async def sweep(self) -> None:
        """Twice a second: this process says that it lives; if something may have been missed, it looks."""
        self._unfollow()
        self._tell_alive()
        for origin, peer in list(self._peers.items()):
            if peer.silent_for > QUIET and not peer.missed:
                peer.missed = self.behind = True
            if peer.silent_for > GONE:
                await self._forget(origin)
        deaf = self._news is not None and monotonic() - self._heard_self_at > QUIET
        due = bool(self._peers) and monotonic() - self._looked_at > LOOK
        self.behind |= ALL in self._unsure
        if self.behind or deaf or due:
            await self._look_at(list(self._registry.open_tables.values()))
        elif self._unsure:
            entries = self._registry.open_tables.values()
            await self._look_at([entry for entry in entries if shard_of(entry.name) in self._unsure])

    async def _look_at(self, entries: Sequence[OpenTable]) -> None:
        """Tables in memory are compared with what is stored; seats are read again where news was missed."""
        behind, unsure = self.behind, self._unsure
        self.behind, self._unsure = False, set()
        if len(entries) == len(self._registry.open_tables):
            self._looked_at = monotonic()
        for entry in entries if self._peers else ():
            if behind or shard_of(entry.name) in unsure:
                entry.recheck_seats()
        known = [entry.in_memory for entry in entries if entry.in_memory is not None]
        try:
            for name in await self._registry.store.find_changed(known) if known else ():
                self.look(name)
        except Refusal:
            self.behind = True
            raise

    # --- processes that are silent
    def may_hear_from(self, open_table: OpenTable, seat: int) -> bool:
        """Could a player of this seat be heard now? Not if only a process that is silent has it."""
        if seat in open_table.audience.seats:
            return True
        there = [peer for peer in self._peers.values() if seat in seats_at(peer, open_table.name)]
        return not there or any(peer.silent_for <= QUIET for peer in there)

    def online(self, name: str) -> set[int]:
        """Seats of a table whose players are at other processes."""
        return {seat for peer in self._peers.values() for seat in seats_at(peer, name)}

    async def _forget(self, origin: str) -> None:
        """A process is gone: its players come back elsewhere, and clocks do not count its silence."""
        peer = self._peers[origin]
        names = [name for name, audience in peer.audiences.items() if audience.seats]
        if names:
            await self._registry.credit_time(round(peer.silent_for * SECOND), names)
        del self._peers[origin]
        for open_table in self._registry.open_tables.values():
            if open_table.other_audiences.pop(origin, None) is not None:
                open_table.tell_presence()

    async def settle(self) -> None:
        """Waits until all looks that have begun are over."""
        while self._looks:
            await asyncio.gather(*self._looks.values(), return_exceptions=True)

    async def close(self) -> None:
        """Nobody looks any more."""
        while self._looks:
            await end(self._looks.values())


def seats_at(peer: Peer, name: str) -> list[int]:
    """The seats whose players are at a table in another process."""
    audience = peer.audiences.get(name)
    return [] if audience is None else audience.seats
