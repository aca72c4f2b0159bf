"""Tables without a server, played at random, and thinking without an end."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from time import sleep
from typing import Any

from bastide.server.incoming import NewTable, WantedSeat
from bastide.server.setup import chairs_of, setup_of
from bastide.server.table import Line, Table

SEED = "5eed" * 16


def a_table(players: int = 2, seed: str = SEED, **wanted: Any) -> Table:
    """A table of people, all ready, that has begun."""
    seats = [WantedSeat("human")] * players
    new = NewTable(seats=seats, **wanted)
    chairs = chairs_of(seats)
    for chair in chairs:
        chair.entropy = f"{chair.seat:032x}"
    table = Table("sample", setup_of(new), seed, "", chairs)
    table.begin(0)
    return table


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


def never(data: bytes) -> str:
    """Gives no answer. Here, where a process of its own can find it."""
    while True:
        sleep(1)
