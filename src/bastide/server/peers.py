"""The other processes of this server: what they are told, what is heard from them, what is done about silence.

Nothing depends on a notice: every process numbers its notices, says twice a second that it lives, and hears itself say
so. A number that is left out, a silence or a break makes this process look at the database.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING

import msgspec

from bastide.server.clock import SECOND
from bastide.server.notices import MISSED, Audience, Notice
from bastide.server.outgoing import Said, Thinking
from bastide.server.refusal import Refusal

if TYPE_CHECKING:
    from bastide.server.open_table import OpenTable
    from bastide.server.registry import TableRegistry

QUIET = 2.0  # seconds after which a process that says nothing may have something to tell: the database is looked at
GONE = 6.0  # seconds after which it is gone
LOOK = 5.0  # seconds between two looks that nothing has asked for

log = logging.getLogger("bastide.server")


class Peer:
    """Another process, as far as it was heard."""

    def __init__(self, n: int) -> None:
        self.n = n  # of its last notice
        self.heard = monotonic()
        self.missed = False  # it was silent, and the database was looked at because of it
        self.audiences: dict[str, Audience] = {}  # by table

    @property
    def silent_for(self) -> float:
        """Seconds since it was heard."""
        return monotonic() - self.heard


class Peers:
    """What this process and the others tell each other."""

    def __init__(self, registry: TableRegistry, publish: Callable[[bytes], None]) -> None:
        self.origin = secrets.token_hex(8)
        self._registry = registry
        self._publish = publish
        self._n = 0
        self._peers: dict[str, Peer] = {}
        self._heard_self = monotonic()
        self._looked = monotonic()
        self._looks: dict[str, asyncio.Task[None]] = {}  # tables that are being looked at
        self._look_again: set[str] = set()  # and changed again meanwhile
        self.behind = True  # something may have been missed

    # --- telling
    def announce(self, name: str, seq: int, changed: bool = False) -> None:
        """A table is at this line; `changed`: something else about it is new."""
        self._send(Notice(self.origin, self._next(), name, seq, changed))

    def pass_on(self, name: str, message: Said | Thinking) -> None:
        """Something besides the table itself."""
        self._send(Notice(self.origin, self._next(), name, message=message))

    def tell_audience(self, open_table: OpenTable, ask: bool = False) -> None:
        """Who is at a table in this process, and at which line it is here."""
        here, seq = open_table.audience, open_table.seq or 0
        self._send(Notice(self.origin, self._next(), open_table.name, seq, audience=here, ask=ask))

    def _next(self) -> int:
        self._n += 1
        return self._n

    def _send(self, notice: Notice) -> None:
        self._publish(msgspec.json.encode(notice))

    # --- hearing
    async def on_notice(self, data: bytes) -> None:
        """News from some process. One that cannot be read stops nothing."""
        try:
            self._handle(data)
        except Exception:
            log.exception("a notice could not be followed")

    def _handle(self, data: bytes) -> None:
        if data == MISSED:
            self.behind = True
            return
        notice = msgspec.json.decode(data, type=Notice)
        if notice.origin == self.origin:
            self._heard_self = monotonic()
            return
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
        if notice.changed or notice.seq > (open_table.seq or 0):
            self.look(notice.table)

    def _note(self, notice: Notice) -> None:
        """Remembers that a process was heard, and who is there; notices what was missed of it."""
        peer = self._peers.get(notice.origin)
        if peer is None:
            peer = self._peers[notice.origin] = Peer(notice.n)
            self.behind = True  # whatever it said before was not heard
        if notice.n > peer.n + 1:
            self.behind = True
        peer.n, peer.heard, peer.missed = notice.n, monotonic(), False
        if notice.audience is not None:
            peer.audiences[notice.table] = notice.audience

    # --- looking at the database
    def look(self, name: str) -> None:
        """Reads what is new at a table; no table waits for another."""
        open_table = self._registry.open_tables.get(name)
        if open_table is None:
            return
        if open_table.unused and not open_table.lock.locked():
            open_table.invalidate()
        elif name in self._looks:
            self._look_again.add(name)
        else:
            self._looks[name] = asyncio.create_task(self._read(name))

    async def _read(self, name: str) -> None:
        try:
            await self._registry.look_for_lines(name)
        except Refusal as refusal:
            if refusal.code == "unavailable":
                self.behind = True
        except Exception:
            log.exception("table %s could not be looked at", name)
        finally:
            del self._looks[name]
            if name in self._look_again:
                self._look_again.discard(name)
                self.look(name)

    async def sweep(self) -> None:
        """Twice a second: this process says that it lives; if something may have been missed, it looks."""
        self._send(Notice(self.origin, self._next()))
        for origin, peer in list(self._peers.items()):
            if peer.silent_for > QUIET and not peer.missed:
                peer.missed = self.behind = True
            if peer.silent_for > GONE:
                await self._forget(origin)
        deaf = monotonic() - self._heard_self > QUIET
        due = bool(self._peers) and monotonic() - self._looked > LOOK
        if self.behind or deaf or due:
            await self._look_at_all()

    async def _look_at_all(self) -> None:
        """Every table in memory is compared with what is stored."""
        self.behind, self._looked = False, monotonic()
        entries = self._registry.open_tables.values()
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
            await self._registry.give_back(round(peer.silent_for * SECOND), names)
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
        for task in list(self._looks.values()):
            task.cancel()
        await self.settle()


def seats_at(peer: Peer, name: str) -> list[int]:
    """The seats whose players are at a table in another process."""
    audience = peer.audiences.get(name)
    return [] if audience is None else audience.seats
