"""A table that is open in this process: locked by one writer at a time, with all who look at it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from bastide.server.api.feed import Feed
from bastide.server.api.outgoing import Outgoing, Presence
from bastide.server.tables.notices import Audience
from bastide.server.tables.show import state_of
from bastide.server.tables.table import Table

if TYPE_CHECKING:  # in a browser there is another one
    from bastide.server.storage.store import Store


PRESENCE = (
    0.3  # seconds between two messages about who is there: a crowd that comes is told of a few times, not by each
)


class Listener(Protocol):
    """Somebody who looks at a table."""

    seats: Sequence[int]

    def changed(self) -> None:
        """The table is another one now."""

    def tell(self, message: Outgoing) -> None:
        """Something besides the table itself."""

    def recheck_seats(self) -> None:
        """Who holds which seat has changed."""


class OpenTable:
    """A table that is open in this process. What is in memory is stored; it may be older than what is stored."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.lock = asyncio.Lock()
        self.listeners: set[Listener] = set()
        self.other_audiences: dict[str, Audience] = {}  # who is there, by process
        self.bot_task: asyncio.Task[None] | None = None
        self.thinking: int | None = None
        self.used_at = 0  # when somebody last had to do with it
        self.in_doubt = False  # a commit failed, or news was lost: what is stored must be looked at
        self._feeds: dict[tuple[int, ...], Feed] = {}  # what was told, by the seats that one holds
        self._bots: list[bool] = []  # by seat
        self._table: Table | None = None
        self._shown_version: tuple[object, ...] = ()
        self._presence: Presence | None = None  # as it was told,
        self._presence_timer: asyncio.TimerHandle | None = None  # a moment ago

    @property
    def table(self) -> Table:
        """The table; while the lock is held, or nobody is at work on it."""
        if self._table is None:
            raise AssertionError("a table is used by who holds its lock")
        return self._table

    @property
    def unused(self) -> bool:
        """Is nobody interested in it here?"""
        return not self.listeners and (self.bot_task is None or self.bot_task.done())

    @property
    def known(self) -> bool:
        """Is it in memory, as it is stored?"""
        return self._table is not None and not self.in_doubt

    @property
    def settled(self) -> bool:
        """The same, and nobody is at work on it?"""
        return self.known and not self.lock.locked()

    # --- what is in memory
    async def refresh(self, store: Store) -> bool:
        """Loads the table if it is not in memory, looks again if it is in doubt; says whether it looked again."""
        if self._table is None:
            self._table = await store.load(self.name)
            self._bots = [chair.bot is not None for chair in self._table.chairs]
        elif self.in_doubt:
            await store.catch_up(self._table)
        else:
            return False
        looked_again, self.in_doubt = self.in_doubt, False
        return looked_again

    def replace(self, table: Table) -> None:
        """What was proposed is stored now."""
        self._table = table

    def invalidate(self) -> None:
        """Forgets what is in memory; it is loaded again when it is needed."""
        self._table = None

    @property
    def in_memory(self) -> Table | None:
        """The table, to be compared with what is stored; none if it is not in memory."""
        return self._table

    @property
    def seq(self) -> int | None:
        """The number of the last line in memory; none if the table is not there."""
        return None if self._table is None else self._table.seq

    def notify_listeners(self) -> None:
        """Tells everybody here that the table is another one, if it is since the last time."""
        table = self._table
        if table is None or self.in_doubt:
            return
        now = table.seq, table.chairs, table.offer, table.next
        if now != self._shown_version:
            self._shown_version = now
            self.changed()

    def update_feed(self, seats: Sequence[int], now: int) -> Feed:
        """What those who hold these seats are told, up to now; while the lock is held, or nobody is at work on it."""
        feed = self._feeds.setdefault(tuple(seats), Feed())
        feed.update(state_of(self.table, seats, now, self.online, self.thinking))
        return feed

    def fresh_feed(self, seats: Sequence[int]) -> Feed | None:
        """The same, if it was made since the last change; the lock is not needed."""
        feed = self._feeds.get(tuple(seats))
        return feed if feed is not None and feed.fresh and self.known else None

    # --- who is there
    def join(self, listener: Listener) -> None:
        """Somebody looks at the table from now on."""
        self.listeners.add(listener)

    def leave(self, listener: Listener) -> None:
        """Somebody looks at it no more. What nobody needs to be told any more is forgotten."""
        self.listeners.discard(listener)
        there = {tuple(other.seats) for other in self.listeners}
        self._feeds = {seats: feed for seats, feed in self._feeds.items() if seats in there}

    @property
    def audience(self) -> Audience:
        """Who is there in this process."""
        seats = {seat for listener in self.listeners for seat in listener.seats}
        return Audience(sorted(seats), sum(not listener.seats for listener in self.listeners))

    @property
    def online(self) -> set[int]:
        """Seats whose players are there, in any process."""
        return {seat for audience in (self.audience, *self.other_audiences.values()) for seat in audience.seats}

    def changed(self) -> None:
        """Tells everybody here that the table is another one."""
        for feed in self._feeds.values():
            feed.fresh = False
        for listener in list(self.listeners):
            listener.changed()

    def recheck_seats(self) -> None:
        """Everybody here reads again which seats he holds."""
        for listener in list(self.listeners):
            listener.recheck_seats()

    def tell(self, message: Outgoing) -> None:
        """Tells everybody here something besides."""
        for listener in list(self.listeners):
            listener.tell(message)

    def tell_presence(self) -> None:
        """Tells everybody here who is there: at once, or soon if that was told a moment ago."""
        if self._presence_timer is None:
            self._presence_timer = asyncio.get_running_loop().call_later(PRESENCE, self._tell_presence_again)
            self._presence = self._find_presence()
            self.tell(self._presence)

    def _tell_presence_again(self) -> None:
        self._presence_timer = None
        if self._find_presence() != self._presence:
            self.tell_presence()

    def _find_presence(self) -> Presence:
        online = self.online
        present = [bot or seat in online for seat, bot in enumerate(self._bots)]
        watching = sum(audience.watching for audience in (self.audience, *self.other_audiences.values()))
        return Presence(online=present, watching=watching)
