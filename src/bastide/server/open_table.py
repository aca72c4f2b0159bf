"""A table that is open in this process: locked by one writer at a time, with all who look at it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Protocol

from bastide.server.notices import Audience
from bastide.server.outgoing import Outgoing, Presence
from bastide.server.store import Store
from bastide.server.table import Line, Table


class Listener(Protocol):
    """Somebody who looks at a table."""

    seats: Sequence[int]

    def changed(self) -> None:
        """The table is another one now."""

    def tell(self, message: Outgoing) -> None:
        """Something besides the table itself."""


class OpenTable:
    """A table that is open in this process."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.lock = asyncio.Lock()
        self.listeners: set[Listener] = set()
        self.other_audiences: dict[str, Audience] = {}  # who is there, by process
        self.bot_task: asyncio.Task[None] | None = None
        self.thinking: int | None = None
        self._bots: list[bool] = []  # by seat
        self._table: Table | None = None
        self._shown: tuple[object, ...] = ()

    @property
    def table(self) -> Table:
        """The table; only while the lock is held."""
        if self._table is None:
            raise AssertionError("a table is used by who holds its lock")
        return self._table

    @property
    def unused(self) -> bool:
        """Is nobody interested in it here?"""
        return not self.listeners and (self.bot_task is None or self.bot_task.done())

    # --- what is in memory
    async def refresh(self, store: Store) -> None:
        """Loads the table if it is not in memory."""
        if self._table is None:
            self._table = await store.load(self.name)
            self._bots = [chair.bot is not None for chair in self._table.chairs]

    def invalidate(self) -> None:
        """What is in memory may not be what is stored: it is loaded again."""
        self._table = None

    @property
    def seq(self) -> int | None:
        """The number of the last line in memory; none if the table is not there."""
        return None if self._table is None else self._table.seq

    @property
    def changed_at(self) -> int:
        """The moment of the last line that is known in this process."""
        return 0 if self._table is None else self._table.changed

    async def follow(self, store: Store, lines: Sequence[Line]) -> None:
        """Goes on by lines that another process has stored; if some are missing, or it changed otherwise, looks.

        Also before the game has begun: until then seats are taken and give their part in the draws.
        """
        table = self.table
        news = [line for line in lines if line.seq > table.seq]
        if not lines or table.game is None or (news and news[0].seq != table.seq + 1):
            await store.catch_up(table)
            return
        for line in news:
            table.apply(line)

    def show(self) -> None:
        """Tells everybody here that the table is another one, if it is since the last time."""
        table = self.table
        now = table.seq, table.chairs, table.offer, table.next
        if now != self._shown:
            self._shown = now
            self.changed()

    # --- who is there
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
        for listener in list(self.listeners):
            listener.changed()

    def tell(self, message: Outgoing) -> None:
        """Tells everybody here something besides."""
        for listener in list(self.listeners):
            listener.tell(message)

    def tell_presence(self) -> None:
        """Tells everybody here who is there."""
        online = self.online
        present = [bot or seat in online for seat, bot in enumerate(self._bots)]
        watching = sum(audience.watching for audience in (self.audience, *self.other_audiences.values()))
        self.tell(Presence(online=present, watching=watching))
