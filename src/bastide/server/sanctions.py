"""What whoever runs the server has decided: who is banned, what is muted, which tables are closed (`bastide admin`).

It stands in the database, so that every process hears of it within seconds.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import delete, insert, select, update

from bastide.server.api.limits import Limits
from bastide.server.api.prices import client_of
from bastide.server.api.refusal import CLOSED, Refusal
from bastide.server.storage.schema import sanctions, tables
from bastide.server.storage.store import Store
from bastide.server.tables.clock import SECOND
from bastide.server.tables.registry import TableRegistry

BAN, MUTE, CLOSE = "ban", "mute", "close"
KINDS = (BAN, MUTE, CLOSE)
LOOK = 5 * SECOND  # between two looks into the database


@dataclass(frozen=True)
class Sanction:
    """One decision: an address is banned, an address or a table muted, a table closed."""

    kind: str
    subject: str
    at: int
    reason: str


async def add_sanction(store: Store, sanction: Sanction) -> None:
    """Decides something; what was decided about the same before is replaced. Refused if there is no such table."""
    subject = sanction.subject
    if sanction.kind == CLOSE:
        if not await store.exists(subject):
            raise Refusal("table")
    elif not await store.exists(subject):
        subject = client_of(subject)
    async with store.writing() as connection:
        known = (sanctions.c.kind == sanction.kind) & (sanctions.c.subject == subject)
        await connection.execute(delete(sanctions).where(known))
        row = {"kind": sanction.kind, "subject": subject, "at": sanction.at, "reason": sanction.reason}
        await connection.execute(insert(sanctions).values(row))
        if sanction.kind == CLOSE:
            closed = f"{CLOSED}{sanction.reason}"
            await connection.execute(update(tables).where(tables.c.name == subject).values(broken=closed))


async def lift_sanction(store: Store, kind: str, subject: str) -> None:
    """Takes a decision back; refused if there is none."""
    async with store.writing() as connection:
        known = (sanctions.c.kind == kind) & sanctions.c.subject.in_([subject, client_of(subject)])
        if not (await connection.execute(delete(sanctions).where(known))).rowcount:
            raise Refusal("shape", f"{subject} has no {kind}")
        if kind == CLOSE:
            restored_match = (tables.c.name == subject) & tables.c.broken.startswith(CLOSED)
            await connection.execute(update(tables).where(restored_match).values(broken=None))


async def list_sanctions(store: Store) -> list[Sanction]:
    """All decisions, the latest first."""
    async with store.reading() as connection:
        found = await connection.execute(select(sanctions).order_by(sanctions.c.at.desc()))
        return [Sanction(row.kind, row.subject, row.at, row.reason) for row in found]


class SanctionPoller:
    """Keeps a process to what was decided."""

    def __init__(self, registry: TableRegistry, limits: Limits) -> None:
        self._registry = registry
        self._limits = limits
        self._looked_at: int | None = None
        self._closed: frozenset[str] = frozenset()

    async def look(self) -> None:
        """Reads what was decided, now and then; whoever is at a table that was closed is told."""
        now = self._registry.now()
        if self._looked_at is not None and now - self._looked_at < LOOK:
            return
        decided = await list_sanctions(self._registry.store)
        subjects = {kind: frozenset(one.subject for one in decided if one.kind == kind) for kind in KINDS}
        self._limits.banned, self._limits.muted = subjects[BAN], subjects[MUTE]
        for name in subjects[CLOSE] - self._closed:
            self._registry.look_again(name)
        self._closed, self._looked_at = subjects[CLOSE], now
