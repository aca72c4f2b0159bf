"""Keeps tables. Whatever was acknowledged is committed; two writers of the same line number cannot both succeed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, Select, and_, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from bastide.errors import BastideError
from bastide.server.api.outgoing import ChatLine
from bastide.server.api.refusal import Refusal
from bastide.server.api.secret import hash_secret
from bastide.server.storage.appender import Appender
from bastide.server.storage.database import Database
from bastide.server.storage.rows import Conflict, ListedTable, may_differ, summary, update_from_row
from bastide.server.storage.schema import chat, installation, keys, lines, positions, running, seats, tables
from bastide.server.tables.clock import OUTAGE
from bastide.server.tables.rules_hash import rules_hash
from bastide.server.tables.setup import Chair, Setup
from bastide.server.tables.table import OPEN, OVER, RUNNING, WAITING, Line, Table, TakeBackOffer

OWN_TABLES = 100  # shown in a list
PUBLIC_TABLES = 30
CHAT_SHOWN = 200
ATTEMPTS = 10
SLICE = 50  # lines of a table that are played at a time when it is loaded
CHAIR = ("seat", "kind", "name", "colour", "bot", "token_hash", "entropy")  # columns, in the order of Chair

log = logging.getLogger("bastide.server")


class BrokenTable(BastideError):
    """What is stored of a table does not fit together."""


class Store(Database):
    """Everything that the server keeps."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self._appender = Appender(self)

    # --- tables
    async def add(
        self, table: Table, begun: Sequence[Line] = (), holders: Sequence[tuple[str, int]] = (), after: str = ""
    ) -> bool:
        """A new table with its seats, the lines with which it began, and the hashed keys that may play its seats.

        All of it or nothing. `after` names the table whose rematch it is: False if that has another one already.
        """
        row = {
            "name": table.name,
            "created": table.created,
            "setup": msgspec.json.encode(table.setup).decode(),
            "seed": table.seed,
            "invite": table.invite,
            "rules": rules_hash(table.setup.rules()),
            "public": table.setup.public,
            **summary(table),
        }
        chairs = [{"table": table.name, **msgspec.structs.asdict(chair)} for chair in table.chairs]
        keep = [{"key_hash": key_hash, "table": table.name, "seat": seat} for key_hash, seat in holders]

        def add(connection: Connection) -> bool:
            if after:
                first = and_(tables.c.name == after, tables.c.next.is_(None))
                if connection.execute(update(tables).where(first).values(next=table.name)).rowcount != 1:
                    return False
            connection.execute(insert(tables).values(row))
            for entries, values in ((seats, chairs), (lines, rows_of(table.name, begun)), (keys, keep)):
                if values:
                    connection.execute(insert(entries), values)
            return True

        return await self.write(add)

    async def load(self, name: str) -> Table:
        """A table with all its lines played; refused if there is none of this name, or if it is known as unreadable."""
        row, chairs, added = await self.read(partial(read_table, name=name))
        setup = msgspec.json.decode(row.setup, type=Setup)
        await asyncio.to_thread(setup.rules)  # others go on while they are compiled, which may take half a second
        table = Table(name, setup, row.seed, row.invite, chairs)
        table.created, table.changed = row.created, row.changed
        update_from_row(table, row)
        if setup.past:
            await asyncio.to_thread(table.prepare)
        for number, line in enumerate(added, 1):
            table.apply(line)
            if number % SLICE == 0:
                await asyncio.sleep(0)
        if table.seq < row.seq:  # more may have come between the two looks
            raise BrokenTable(f"expected {row.seq} lines, found {table.seq}")
        return table

    async def catch_up(self, table: Table, lines_only: bool = False) -> None:
        """Brings a table in memory to what is stored: lines that others have added; seats and offer, if wanted."""
        if lines_only and table.game is not None:
            added = await self.read(partial(read_lines, name=table.name, after=table.seq))
        else:
            row, table.chairs, added = await self.read(partial(read_table, name=table.name, after=table.seq))
            update_from_row(table, row)
        for line in added:
            table.apply(line)

    async def append(self, table: Table, added: Sequence[Line]) -> None:
        """Commits the last lines of a proposed table. Raises Conflict if the stored table does not end before them."""
        rows = rows_of(table.name, added)
        if table.order:
            await self._append_shuffled(table, rows)
            table.order = []
        else:
            await self._appender.append(table.name, table.seq - len(added), rows, summary(table))

    async def _append_shuffled(self, table: Table, rows: Sequence[Mapping[str, object]]) -> None:
        """The lines with which a game begins whose seats were shuffled, and the seats as they are now."""
        at_table = seats.c.table == table.name
        moved = {old: seat for seat, old in enumerate(table.order)}
        same = and_(tables.c.name == table.name, tables.c.seq == table.seq - len(rows))

        def append(connection: Connection) -> None:
            if connection.execute(update(tables).where(same).values(summary(table))).rowcount != 1:
                raise Conflict
            connection.execute(delete(seats).where(at_table))
            chairs = [{"table": table.name, **msgspec.structs.asdict(chair)} for chair in table.chairs]
            connection.execute(insert(seats), chairs)
            held = connection.execute(select(keys).where(keys.c.table == table.name)).all()
            connection.execute(delete(keys).where(keys.c.table == table.name))
            if held:
                again = [{"key_hash": row.key_hash, "table": row.table, "seat": moved[row.seat]} for row in held]
                connection.execute(insert(keys), again)
            connection.execute(insert(lines), rows)

        await self.write(append)

    async def lines(self, name: str) -> list[Line]:
        """All lines of a table."""
        return await self.read(partial(read_lines, name=name))

    async def set_offer(self, name: str, offer: TakeBackOffer | None) -> None:
        """What is offered at a table now."""
        text = None if offer is None else msgspec.json.encode(offer).decode()
        await self.execute(update(tables).where(tables.c.name == name).values(offer=text))

    async def find_changed(self, known: Sequence[Table]) -> list[str]:
        """Of these tables, those that are stored otherwise, may be, or are gone."""
        wanted = select(tables.c.name, tables.c.seq, tables.c.status, tables.c.offer, tables.c.next, tables.c.broken)
        names = [table.name for table in known]
        found = {row.name: row for row in await self.rows(wanted.where(tables.c.name.in_(names)))}
        return [table.name for table in known if table.name not in found or may_differ(found[table.name], table)]

    async def mark_broken(self, name: str, reason: str | None) -> None:
        """Notes why a table cannot be read, so that nobody tries again; None: it can."""
        await self.execute(update(tables).where(tables.c.name == name).values(broken=reason))

    async def set_checked(self, name: str, rules: str, broken: str | None) -> None:
        """A table was replayed with these rules, or cannot be."""
        values = {"broken": broken} if broken else {"broken": None, "rules": rules}
        await self.execute(update(tables).where(tables.c.name == name).values(values))

    async def name_of_installation(self) -> str:
        """What tells this database apart from others, also from its own copies under another name."""
        async with self.reading() as connection:
            name = str(await connection.scalar(select(installation.c.name)))
            if self.sqlite:
                return f"{name}-{Path(str(self.engine.url.database)).absolute()}"
            return f"{name}-{await connection.scalar(select(func.current_database()))}"

    async def exists(self, name: str) -> bool:
        """Is there such a table?"""
        return bool(await self.rows(select(tables.c.name).where(tables.c.name == name)))

    async def remove(self, name: str) -> None:
        """A table with everything that belongs to it."""
        await self.execute(delete(tables).where(tables.c.name == name))

    async def due(self, late_since: int, quiet_since: int) -> tuple[list[str], list[str]]:
        """Tables where time has run out, and tables where a bot must act or the game must begin and nothing happens."""
        late = and_(tables.c.status == RUNNING, tables.c.broken.is_(None), tables.c.deadline <= late_since)
        thinking = and_(tables.c.thinks, tables.c.broken.is_(None), tables.c.changed <= quiet_since)
        found = await self.rows(select(tables.c.name, late.label("late")).where(or_(late, thinking)))
        return [row.name for row in found if row.late], [row.name for row in found if not row.late]

    # --- time during which no server runs
    async def note_running(self, now: int, always: bool = False) -> None:
        """A server runs now; only worth a write while a clock runs somewhere, or to see whether one succeeds."""
        clocks = select(tables.c.name).where(tables.c.status == RUNNING, tables.c.deadline.is_not(None)).exists()
        noted = update(running).values(at=now)
        await self.execute(noted if always else noted.where(running.c.at < now, clocks))

    async def last_moment(self) -> int:
        """The latest moment that a server has noted; 0 if there is none."""
        lines_at = select(func.max(tables.c.changed)).where(tables.c.status == RUNNING)
        return max(await self.last_running(), *[row[0] or 0 for row in await self.rows(lines_at)])

    async def last_running(self) -> int:
        """When a server was last seen to run; 0 if that was never noted."""
        return max((row.at for row in await self.rows(select(running.c.at))), default=0)

    async def credit(
        self, now: int, since: int, each: int, least: int = OUTAGE, names: Collection[str] | None = None
    ) -> list[str]:
        """Gives the time back from `since` on, at these tables or at all, if it is long enough; says at which.

        The seat that decides gets all of it, and every seat gets `each` to come back. Several processes may call this
        at once: a table that has a new line is not given anything.
        """
        timed = and_(
            tables.c.status == RUNNING,
            tables.c.broken.is_(None),
            tables.c.deadline > since,
            tables.c.changed <= now - least,
        )
        if names is not None:
            timed = and_(timed, tables.c.name.in_(names))

        def give(connection: Connection) -> list[str]:
            given = []
            wanted = select(tables.c.name, tables.c.changed, tables.c.seq).where(timed).order_by(tables.c.name)
            for row in connection.execute(wanted).all() if now - since >= least else ():
                back = now - max(since, row.changed)
                same = and_(tables.c.name == row.name, tables.c.seq == row.seq)
                later = {"seq": row.seq + 1, "changed": now, "deadline": tables.c.deadline + back + each}
                if connection.execute(update(tables).where(same).values(later)).rowcount == 1:
                    line = {"table": row.name, "seq": row.seq + 1, "at": now, "text": f"credit {back} {each}", "lag": 0}
                    connection.execute(insert(lines).values(line))
                    given.append(row.name)
            return given

        return await self.write(give)

    # --- seats
    async def take_seat(self, chair: Chair, name: str, key: str | None) -> bool:
        """Somebody takes a free seat of a table and may play it; False if it, or its colour, is not free any more.

        A bot has no key.
        """
        free = and_(seats.c.table == name, seats.c.seat == chair.seat, seats.c.kind == OPEN)
        values = msgspec.structs.asdict(chair)

        def take(connection: Connection) -> bool:
            taken = connection.execute(update(seats).where(free).values(values)).rowcount == 1
            if taken and key is not None:
                connection.execute(insert(keys).values(key_hash=hash_secret(key), table=name, seat=chair.seat))
            return taken

        try:
            return await self.write(take)
        except IntegrityError:
            return False

    async def give_entropy(self, name: str, seat: int, entropy: str) -> None:
        """A seat's part in the draws; only the first one counts. With the last one the server must begin the game."""
        first = and_(seats.c.table == name, seats.c.seat == seat, seats.c.entropy.is_(None))
        missing = select(seats.c.seat).where(seats.c.table == name, seats.c.entropy.is_(None)).exists()
        ready = and_(tables.c.name == name, tables.c.status == WAITING, ~missing)
        given = update(seats).where(first).values(entropy=entropy)
        await self.execute(given, update(tables).where(ready).values(thinks=True))

    async def add_key(self, key: str, name: str, held: Sequence[int]) -> None:
        """A browser may play these seats from now on."""
        for seat in held:
            with suppress(IntegrityError):  # it knew already
                await self.execute(insert(keys).values(key_hash=hash_secret(key), table=name, seat=seat))

    async def replace_token(self, name: str, seat: int, token_hash: str, key: str | None) -> None:
        """A seat has a new secret; of the browsers that may play it only this one is left."""
        at_seat = and_(seats.c.table == name, seats.c.seat == seat)
        others = and_(keys.c.table == name, keys.c.seat == seat)
        if key is not None:
            others = and_(others, keys.c.key_hash != hash_secret(key))
        await self.execute(update(seats).where(at_seat).values(token_hash=token_hash), delete(keys).where(others))

    async def remove_key(self, key: str, name: str) -> None:
        """A browser leaves its seats at a table."""
        await self.execute(delete(keys).where(keys.c.key_hash == hash_secret(key), keys.c.table == name))

    async def seats_of_key(self, key: str, name: str) -> list[int]:
        """The seats of a table that a browser may play."""
        own = and_(keys.c.key_hash == hash_secret(key), keys.c.table == name)
        return [row.seat for row in await self.rows(select(keys.c.seat).where(own).order_by(keys.c.seat))]

    async def key_holders(self, name: str) -> list[tuple[str, int]]:
        """The hash_secret keys of all browsers at a table, with their seats."""
        held = select(keys.c.key_hash, keys.c.seat).where(keys.c.table == name)
        return [(row.key_hash, row.seat) for row in await self.rows(held)]

    async def tables_of(self, key: str) -> list[ListedTable]:
        """A browser's tables that can be read, the latest first."""
        own = select(keys.c.table).where(keys.c.key_hash == hash_secret(key))
        wanted = select(tables).where(tables.c.name.in_(own), tables.c.broken.is_(None))
        return await self._listed(wanted.order_by(tables.c.changed.desc()).limit(OWN_TABLES), key)

    async def public_tables(self, since: int) -> list[ListedTable]:
        """Tables that everybody may find, that can be read, are not over and changed since then, the latest first."""
        found = and_(tables.c.public.is_(True), tables.c.broken.is_(None), tables.c.changed >= since)
        wanted = select(tables).where(found, tables.c.status != OVER).order_by(tables.c.changed.desc())
        return await self._listed(wanted.limit(PUBLIC_TABLES), "")

    async def listed(self, name: str) -> ListedTable:
        """One table as lists show it; refused if there is none of this name, or if it cannot be read."""
        found = await self._listed(select(tables).where(tables.c.name == name), "")
        if not found:
            raise Refusal("table")
        if found[0].row.broken is not None:
            raise Refusal.of_table(found[0].row.broken)
        return found[0]

    async def _listed(self, wanted: Select[Any], key: str) -> list[ListedTable]:
        """These tables with their seats, by one query."""
        table = wanted.subquery()
        own = and_(keys.c.key_hash == hash_secret(key), keys.c.table == table.c.name, keys.c.seat == seats.c.seat)
        held = select(keys.c.seat).where(own).correlate(table, seats).exists()
        chairs = [seats.c[name].label(f"chair_{name}") for name in CHAIR]
        order = table.c.changed.desc(), table.c.name, seats.c.seat
        joined = select(table, *chairs, held.label("held")).join(seats, seats.c.table == table.c.name).order_by(*order)
        found: dict[str, ListedTable] = {}
        for row in await self.rows(joined):
            entry = found.setdefault(row.name, ListedTable(row, [], []))
            entry.chairs.append(Chair(*(row._mapping[f"chair_{name}"] for name in CHAIR)))
            if row.held:
                entry.mine.append(entry.chairs[-1].seat)
        return list(found.values())

    # --- chat
    async def chat(self, name: str) -> list[ChatLine]:
        """What was said at a table of late."""
        latest = select(chat).where(chat.c.table == name).order_by(chat.c.n.desc()).limit(CHAT_SHOWN)
        return [chat_line_of(row) for row in reversed(await self.rows(latest))]

    async def say(
        self, name: str, at: int, seat: int, who: str, text: str, emote: str | None, system: bool
    ) -> ChatLine:
        """Adds to the chat."""

        def add(connection: Connection) -> ChatLine:
            last = connection.scalar(select(func.max(chat.c.n)).where(chat.c.table == name))
            said = ChatLine(n=(last or 0) + 1, at=at, seat=seat, name=who, text=text, emote=emote, system=system)
            connection.execute(insert(chat).values(table=name, **msgspec.structs.asdict(said)))
            return said

        for _ in range(ATTEMPTS):
            with suppress(IntegrityError):  # two spoke at once: the next number is free
                return await self.write(add)
        raise Refusal("rate")

    # --- positions
    async def add_position(self, name: str, at: int, title: str, goal: str, record: str, draws: Sequence[str]) -> None:
        """A position under a name made from its content."""
        row = {"name": name, "created": at, "title": title, "goal": goal, "record": record}
        with suppress(IntegrityError):  # it is kept already
            draws_text = msgspec.json.encode(draws).decode()
            await self.execute(insert(positions).values(**row, draws=draws_text))

    async def position(self, name: str) -> Row[Any]:
        """A position that was kept; refused if there is none of this name."""
        for row in await self.rows(select(positions).where(positions.c.name == name)):
            return row
        raise Refusal("table", "there is no such position")


def read_table(connection: Connection, name: str, after: int = 0) -> tuple[Row[Any], list[Chair], list[Line]]:
    """What is stored of a table, with its lines from one on; refused if there is none, or if it is unreadable."""
    row = connection.execute(select(tables).where(tables.c.name == name)).one_or_none()
    if row is None:
        raise Refusal("table")
    if row.broken is not None:
        raise Refusal.of_table(row.broken)
    found = connection.execute(select(seats).where(seats.c.table == name).order_by(seats.c.seat))
    chairs = [Chair(row.seat, row.kind, row.name, row.colour, row.bot, row.token_hash, row.entropy) for row in found]
    return row, chairs, read_lines(connection, name, after)


def rows_of(name: str, added: Sequence[Line]) -> list[dict[str, object]]:
    """The rows of lines."""
    return [{"table": name, "seq": line.seq, "at": line.at, "text": line.text, "lag": line.lag} for line in added]


def read_lines(connection: Connection, name: str, after: int = 0) -> list[Line]:
    """The lines of a table from one on."""
    wanted = select(lines).where(lines.c.table == name, lines.c.seq > after).order_by(lines.c.seq)
    return [Line(row.seq, row.at, row.text, row.lag) for row in connection.execute(wanted)]


def chat_line_of(row: Row[Any]) -> ChatLine:
    """A line of the chat from its row."""
    return ChatLine(n=row.n, at=row.at, seat=row.seat, name=row.name, text=row.text, emote=row.emote, system=row.system)
