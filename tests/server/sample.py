"""Tables without a server, played at random, and thinking without an end."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from random import Random
from time import sleep
from typing import Any

from msgspec.structs import replace

from bastide.server.api.incoming import NewTable, WantedSeat
from bastide.server.api.limits import Limits
from bastide.server.draws.links import CHAIN, hash_link
from bastide.server.sanctions import SanctionPoller
from bastide.server.tables.registry import TableRegistry
from bastide.server.tables.setup import chairs_of, setup_of
from bastide.server.tables.table import Line, Table

SEED = "5eed" * 16
LINKS = 400  # in a chain of the tests


class Chain:
    """What a page keeps: a chain, and how to find the next link."""

    def __init__(self, seed: object) -> None:
        self.links = [sha256(str(seed).encode()).hexdigest()]
        for _ in range(LINKS):
            self.links.append(hash_link(self.links[-1]))

    @property
    def end(self) -> str:
        return self.links[-1]

    def after(self, end: str) -> str:
        """The link that comes after this one."""
        return self.links[self.links.index(end) - 1]


def a_table(players: int = 2, seed: str = SEED, fair: int = 2, chains: bool = False, **wanted: Any) -> Table:
    """A table of people, all ready, that has begun; with chains, if wanted, else they give entropy only."""
    table = a_waiting_table(players, seed, fair, chains, **wanted)
    table.begin(0)
    return table


def a_waiting_table(players: int, seed: str, fair: int, chains: bool, bots: int = 0, **wanted: Any) -> Table:
    """The same before its first line; the last seats may be bots."""
    seats = [WantedSeat("human")] * (players - bots) + [WantedSeat("bot", bot="random")] * bots
    new = NewTable(seats=seats, **wanted)
    chairs = chairs_of(seats)
    for chair in chairs[: players - bots]:
        chair.entropy = CHAIN + chain_of(chair.seat).end if chains else f"{chair.seat:032x}"
    return Table("sample", replace(setup_of(new), fair=fair), seed, "", chairs)


@cache
def chain_of(seat: int) -> Chain:
    """The chain of a seat of the tests."""
    return Chain(seat)


def give_links(table: Table, at: int = 0) -> list[Line]:
    """Everybody shows the links that are wanted, as pages do by themselves."""
    lines = []
    while table.wanted:
        seat = table.wanted[0]
        lines += table.reveal(seat, link_of(table, seat), at)
    return lines


def link_of(table: Table, seat: int) -> str:
    """The next link of a seat's chain."""
    end = table.links.end(seat, table.chairs[seat].entropy or "")
    return next(chain for chain in map(chain_of, range(8)) if end in chain.links).after(end)


def a_fresh_beginning(table: Table) -> list[Line]:
    """The lines with which the table began: `begin` and the draws before the first decision."""
    draws = [action for _, action in table.playing.history]
    return [Line(number, 0, text) for number, text in enumerate(["begin", *map(str, draws)], 1)]


def played(table: Table, seed: int) -> Iterator[Table]:
    """The table after each of many random actions."""
    random = Random(seed)
    at = 0
    while table.outcome is None:
        yield table
        at += 1000
        table.play(str(random.choice(table.playing.legal)), at)
    yield table


def a_poller(registry: TableRegistry) -> SanctionPoller:
    """Who keeps a process to what its operator decided; nothing was."""
    return SanctionPoller(registry, Limits(1, 1, 1, registry.now))


def dawdle(data: bytes) -> str:
    """Takes its time. Here, where a process of its own can find it."""
    sleep(0.4)
    return data.decode()


def never(data: bytes) -> str:
    """Gives no answer. Here, where a process of its own can find it."""
    while True:
        sleep(1)
