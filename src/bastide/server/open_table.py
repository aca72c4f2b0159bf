"""A table that is open in this process: locked by one writer at a time, with all who look at it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Protocol

from bastide.server.notices import Audience
from bastide.server.outgoing import Outgoing, Presence
from bastide.server.store import Store
from bastide.server.table import Table


class Listener(Protocol):
    """Somebody who looks at a table."""

    seats: Sequence[int]

    def changed(self) -> None:
        """The table is another one now."""

    def tell(self, message: Outgoing) -> None:
        """Something besides the table itself."""


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

    def show(self) -> None:
        """Tells everybody here that the table is another one, if it is since the last time."""
        table = self._table
        if table is None or self.in_doubt:
            return
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
