"""The collector of cycles hardly ever looks at what has stayed, so nothing that is large may need it to leave."""

from __future__ import annotations

import asyncio
import gc
import json
from contextlib import suppress
from time import monotonic
from typing import Any

from bastide.game import Game
from bastide.server.api.incoming import NewTable, WantedSeat
from bastide.server.api.limits import Limits
from bastide.server.api.socket import ClientGone, Connection
from bastide.server.content.catalogue import VERSION
from bastide.server.settings import database_url
from bastide.server.storage.store import Store
from bastide.server.tables import lobby
from bastide.server.tables.open_table import PRESENCE
from bastide.server.tables.registry import TableRegistry
from bastide.server.tables.table import Table
from tests.server.client import ENTROPY, PATIENCE


class Client:
    """Gets ready, plays a few times as soon as it is asked, then leaves."""

    def __init__(self, token: str) -> None:
        self.plays = 0
        self._waiting: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._waiting.put_nowait({"type": "hello", "version": VERSION, "token": token})

    async def receive_text(self) -> str:
        if self.plays == 4:
            raise ClientGone
        return json.dumps(await self._waiting.get())

    async def send_text(self, text: str, /) -> None:
        message = json.loads(text)
        if message["type"] == "state" and message["status"] == "waiting":
            self._waiting.put_nowait({"type": "ready", "entropy": ENTROPY})
        question = (message.get("game") or {}).get("question")
        if question:
            self.plays += 1
            self._waiting.put_nowait({"type": "play", "seq": message["seq"], "action": question["actions"][0]["text"]})


async def come_and_go(database: str) -> list[str]:
    """Two play and leave; what is left of them and of their table."""
    store = Store(database_url(database))
    await store.open()
    registry = TableRegistry(store, None, lambda: 0)
    made = await lobby.make(registry, NewTable(seats=[WantedSeat("human"), WantedSeat("human")]), "key")
    limits = Limits(100, 100, 100, lambda: 0)
    before = {id(thing) for thing in there()}
    async with asyncio.TaskGroup() as group:
        for seat in made.seats:
            group.create_task(stay(Connection(Client(seat.token or ""), registry, made.table, limits, "127.0.0.1")))
    registry.open_tables.clear()
    until = monotonic() + PATIENCE
    while (left := still_there(before)) and monotonic() < until:
        await asyncio.sleep(PRESENCE)  # until nobody has to be told who is there
    await store.close()
    return left


async def stay(connection: Connection) -> None:
    """Until the client leaves."""
    with suppress(ClientGone):
        await connection.run(None)


def still_there(before: set[int]) -> list[str]:
    """What has come since and has not left."""
    return [type(thing).__name__ for thing in there() if id(thing) not in before]


def there() -> list[object]:
    return [thing for thing in gc.get_objects() if isinstance(thing, Connection | Table | Game)]


def test_who_leaves_is_freed_with_the_table_without_the_collector(database: str) -> None:
    """What ended a connection knew the tasks that had raised it, and so the connection and its table stayed."""
    gc.collect()
    gc.disable()
    try:
        assert asyncio.run(come_and_go(database)) == []
    finally:
        gc.enable()
