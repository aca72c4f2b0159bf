"""What is kept of a table besides its lines, whatever keeps it: a database, or a browser."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from bastide.server.tables.setup import Chair
from bastide.server.tables.table import RUNNING, WAITING, Table, TakeBackOffer


class Conflict(Exception):
    """The table does not end where the writer thought: somebody else was first."""


@dataclass(frozen=True)
class ListedTable:
    """What lists show of a table: its row, its seats, and which of them somebody holds."""

    row: Any
    chairs: list[Chair]
    mine: list[int]


def may_differ(row: Any, table: Table) -> bool:
    """Could a stored table be another one than that in memory? Seats are taken before the game begins."""
    if row.status == WAITING or row.broken is not None:
        return True
    return (row.seq, offer_of(row), row.next) != (table.seq, table.offer, table.next)


def offer_of(row: Any) -> TakeBackOffer | None:
    """What is offered at a table."""
    return None if row.offer is None else msgspec.json.decode(row.offer, type=TakeBackOffer)


def update_from_row(table: Table, row: Any) -> None:
    """What may change about a table besides its lines."""
    table.offer = offer_of(row)
    table.next = row.next


def summary(table: Table) -> Mapping[str, object]:
    """What lists and timers need to know."""
    outcome = table.outcome
    awaited = table.awaited if table.status == RUNNING else table.decides
    timed = table.status == RUNNING and awaited not in table.out
    return {
        "seq": table.seq,
        "changed": table.changed,
        "status": table.status,
        "decides": awaited,
        "scores": msgspec.json.encode(table.game.scores if table.game else [0] * table.setup.players).decode(),
        "winners": None if outcome is None else msgspec.json.encode(outcome.winners).decode(),
        "out": msgspec.json.encode(table.out).decode(),
        "deadline": table.clock.deadline if timed else None,
        "thinks": table.bot_to_move is not None,
    }
