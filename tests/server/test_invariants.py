"""Memory never runs ahead of the disk: every kind of message, with every write and every notice that can fail."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import pytest

from bastide.server.api.incoming import Join, NewTable, WantedSeat
from bastide.server.api.refusal import Refusal
from bastide.server.storage.rows import Conflict
from bastide.server.tables import lobby, moves
from bastide.server.tables.registry import TableRegistry
from bastide.server.tables.table import Line, Table
from tests.server.client import ENTROPY
from tests.server.faulty import ANSWER, BEFORE, COMMIT, Bus, FaultyStore
from tests.server.sample import a_table

NEW = NewTable(seats=[WantedSeat("human"), WantedSeat("open")])
BOTS = NewTable(seats=[WantedSeat("bot", bot="random"), WantedSeat("bot", bot="random")])


@dataclass
class Ground:
    """A table at which something goes wrong."""

    store: FaultyStore
    registry: TableRegistry
    bus: Bus
    name: str = ""
    invite: str = ""
    made: list[str] = field(default_factory=list)

    async def make(self, wanted: NewTable) -> None:
        made = await lobby.make(self.registry, wanted, "key")
        self.name, self.invite = made.table, made.invite or ""
        self.made.append(made.table)

    async def join(self) -> None:
        await lobby.join(self.registry, self.name, Join(self.invite), "other")

    async def ready(self, seat: int) -> None:
        await moves.ready(self.registry, self.name, [seat], seat, ENTROPY)

    async def play(self) -> None:
        table = await self.look()
        action = str(table.playing.legal[-1])
        await moves.play(self.registry, self.name, [table.decides], table.seq, action)

    async def turn(self) -> None:
        seat = (await self.look()).decides
        while (await self.look()).decides == seat:
            await self.play()

    async def look(self) -> Table:
        async with self.registry.locked(self.name) as open_table:
            return open_table.table.copy()

    async def joined(self) -> None:
        await self.make(NEW)
        await self.join()

    async def begun(self) -> None:
        await self.joined()
        await self.ready(0)
        await self.ready(1)

    async def offered(self) -> None:
        await self.begun()
        await self.turn()
        await self.take_back()

    async def take_back(self) -> None:
        await moves.take_back(self.registry, self.name, [0], (await self.look()).seq)

    async def answer(self, agree: bool) -> None:
        await moves.answer(self.registry, self.name, [1], (await self.look()).seq, agree)

    async def undo(self) -> None:
        await moves.undo(self.registry, self.name, [0], (await self.look()).seq, False)

    async def resign(self) -> None:
        await moves.resign(self.registry, self.name, [1], None)

    async def rematch(self) -> None:
        await lobby.rematch(self.registry, self.name, [0], lambda: None)

    async def say(self) -> None:
        await moves.say(self.registry, self.name, [0], "hello", None)


async def nothing(_: Ground) -> None:
    """No beginning is needed."""


async def after(ground: Ground, *steps: Callable[[Ground], Awaitable[None]]) -> None:
    for step in steps:
        await step(ground)


Deed = Callable[[Ground], Awaitable[None]]

# What is done, and what must have been done before.
KINDS: dict[str, tuple[Deed, Deed]] = {
    "make": (nothing, lambda ground: ground.make(NEW)),
    "make, of bots": (nothing, lambda ground: ground.make(BOTS)),
    "join": (lambda ground: ground.make(NEW), Ground.join),
    "ready": (Ground.joined, lambda ground: ground.ready(0)),
    "ready, the last": (lambda ground: after(ground, Ground.joined, lambda g: g.ready(0)), lambda g: g.ready(1)),
    "play": (Ground.begun, Ground.play),
    "undo": (lambda ground: after(ground, Ground.begun, Ground.play), Ground.undo),
    "takeback": (lambda ground: after(ground, Ground.begun, Ground.turn), Ground.take_back),
    "answer, yes": (Ground.offered, lambda ground: ground.answer(True)),
    "answer, no": (Ground.offered, lambda ground: ground.answer(False)),
    "resign": (Ground.begun, Ground.resign),
    "rematch": (lambda ground: after(ground, Ground.begun, Ground.resign), Ground.rematch),
    "chat": (Ground.begun, Ground.say),
}


async def run_on(url: str, work: Callable[[FaultyStore], Awaitable[None]]) -> None:
    """Does something with an empty database."""
    store = FaultyStore(url)
    await store.open()
    try:
        await work(store)
    finally:
        await store.close()


def processes(store: FaultyStore, number: int) -> list[Ground]:
    """Processes that share a database."""
    bus = Bus()
    return [Ground(store, bus.join(store, lambda: 1000), bus) for _ in range(number)]


def facts(table: Table) -> tuple[object, ...]:
    past = [str(action) for _, action in table.game.history] if table.game else []
    chairs = [(chair.kind, chair.entropy) for chair in table.chairs]
    return table.seq, past, chairs, table.pending, table.next, table.clock.left, str(table.transcript)


async def check_memory(ground: Ground) -> None:
    """What is seen is what is stored, and the lines have no gap."""
    if not ground.name:
        return
    stored = await ground.store.load(ground.name)
    assert facts(await ground.look()) == facts(stored)
    assert [line.seq for line in await ground.store.lines(ground.name)] == list(range(1, stored.seq + 1))


async def fail_once(store: FaultyStore, kind: str, how: str, number: int) -> bool:
    """One write of a message fails; says whether the message has so many."""
    before, act = KINDS[kind]
    (ground,) = processes(store, 1)
    await before(ground)
    store.arm(number, how)
    refused = ""
    try:
        await act(ground)
    except Refusal as refusal:
        refused = refusal.code
    reached = store.writes >= number
    store.arm(0)
    assert refused == ("unavailable" if reached else "")
    await check_memory(ground)
    if refused:
        with suppress(Refusal):  # the answer was lost, and it cannot be done twice
            await act(ground)
        await check_memory(ground)
    if ground.name and (await ground.look()).decides >= 0:
        await ground.play()
        await check_memory(ground)
    return reached


@pytest.mark.parametrize("how", [BEFORE, COMMIT, ANSWER])
def test_no_write_that_fails_leaves_memory_ahead_of_the_disk(either: str, how: str) -> None:
    """Each write of each message fails in turn. The client is told, and whoever tries again can play on."""

    async def fail_each(store: FaultyStore) -> None:
        for kind in KINDS:
            number = 1
            while await fail_once(store, kind, how, number):
                number += 1
            assert number > 1, f"{kind} stores nothing"

    asyncio.run(run_on(either, fail_each))


async def lose_once(ground: Ground, other: Ground, kind: str, lost: int) -> None:
    """One notice gets lost that a message brings; the other process must find out all the same."""
    before, act = KINDS[kind]
    bus = ground.bus
    await before(ground)
    other.name = ground.name
    async with other.registry.locked(other.name) as open_table:
        open_table.listeners.add(Deaf())
    await bus.deliver()
    first = bus.sent
    bus.lose = lambda n: n == first + lost
    await act(ground)
    for _ in range(2):
        for registry in (stop.registry for stop in bus.stops):
            await registry.peers.sweep()
        await bus.deliver()
    in_memory = other.registry.open_tables[other.name].in_memory
    assert in_memory is not None
    assert facts(in_memory) == facts(await ground.store.load(ground.name))


def test_no_notice_that_is_lost_leaves_another_process_behind(either: str) -> None:
    async def lose_each(store: FaultyStore) -> None:
        ground, other = processes(store, 2)
        for kind in KINDS:
            if not kind.startswith("make"):
                for lost in (1, 2, 3):
                    await lose_once(ground, other, kind, lost)

    asyncio.run(run_on(either, lose_each))


class Deaf:
    """Somebody at a table."""

    seats: Sequence[int] = (1,)

    def changed(self) -> None:
        """Looks elsewhere."""

    def tell(self, message: object) -> None:
        """Looks elsewhere."""

    def recheck_seats(self) -> None:
        """Keeps what it has."""


def test_a_line_after_a_gap_is_refused_by_the_database(either: str) -> None:
    async def write(store: FaultyStore) -> None:
        table = a_table()
        await store.add(Table(table.name, table.setup, table.seed, "", table.chairs))
        with pytest.raises(Conflict):
            await store.append(table, [Line(table.seq, 0, "draw D")])
        assert await store.lines(table.name) == []

    asyncio.run(run_on(either, write))
