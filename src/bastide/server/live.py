"""A table that is open in this process: locked by one writer at a time, with all who look at it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Protocol

from bastide.server.notices import Here
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


class Live:
    """A table that is open here."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.lock = asyncio.Lock()
        self.listeners: set[Listener] = set()
        self.elsewhere: dict[str, Here] = {}  # who is there, by process
        self.thought: asyncio.Task[None] | None = None
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
        return not self.listeners and (self.thought is None or self.thought.done())

    # --- what is in memory
    async def refresh(self, store: Store) -> None:
        """Loads the table if it is not here."""
        if self._table is None:
            self._table = await store.load(self.name)
            self._bots = [chair.bot is not None for chair in self._table.chairs]

    def drop(self) -> None:
        """What is in memory may not be what is stored: it is loaded again."""
        self._table = None

    @property
    def seq(self) -> int | None:
        """The number of the last line in memory; none if the table is not there."""
        return None if self._table is None else self._table.seq

    @property
    def changed_at(self) -> int:
        """The moment of the last line that is known here."""
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
    def here(self) -> Here:
        """Who is there in this process."""
        seats = {seat for listener in self.listeners for seat in listener.seats}
        return Here(sorted(seats), sum(not listener.seats for listener in self.listeners))

    @property
    def online(self) -> set[int]:
        """Seats whose players are there, in any process."""
        return {seat for here in (self.here, *self.elsewhere.values()) for seat in here.seats}

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
        watching = sum(here.watching for here in (self.here, *self.elsewhere.values()))
        self.tell(Presence(online=present, watching=watching))
