"""Keeps tables. Whatever was acknowledged is committed; two writers of the same line number cannot both succeed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any

import msgspec
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Row, and_, delete, event, func, insert, or_, select, update
from sqlalchemy.engine import make_url
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bastide.server.appender import Appender
from bastide.server.outgoing import Said
from bastide.server.refusal import Refusal
from bastide.server.schema import chat, keys, lines, positions, running, seats, tables
from bastide.server.secret import hash_secret
from bastide.server.setup import Chair, Setup
from bastide.server.table import OPEN, RUNNING, WAITING, Line, Table, TakeBackOffer

MIGRATIONS = Path(__file__).parent / "migrations"
# WAL lets readers and one writer work together, and is itself waited for; FULL waits until a commit is on the disk.
PRAGMAS = ("busy_timeout=10000", "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON")

# PostgreSQL: a connection is tried before it is used, for the database may have been started anew since.
POOL: Mapping[str, Any] = {
    "pool_size": 10,
    "max_overflow": 10,
    "pool_pre_ping": True,
    "connect_args": {"timeout": 5, "command_timeout": 10},
}
UNAVAILABLE = (SQLAlchemyError, OSError)
MIGRATING = 0xBA57  # the number of a lock: one process migrates at a time
OWN_TABLES = 100  # shown in a list
CHAT_SHOWN = 200
ATTEMPTS = 10


log = logging.getLogger("bastide.server")


class Store:
    """Everything that the server keeps."""

    def __init__(self, url: str) -> None:
        self.sqlite = make_url(url).get_backend_name() == "sqlite"
        self._turn: AbstractAsyncContextManager[object] = asyncio.Lock() if self.sqlite else nullcontext()
        if self.sqlite:
            self.engine: AsyncEngine = create_async_engine(url)
            event.listen(self.engine.sync_engine, "connect", prepare_sqlite)
        else:
            self.engine = create_async_engine(url, **POOL)
        self._appender = Appender(self.writing)

    async def open(self) -> None:
        """Brings the database to the newest form; of several processes one after the other."""
        async with self.writing() as connection:
            if self.sqlite:
                await connection.exec_driver_sql("BEGIN IMMEDIATE")
            else:
                await connection.execute(select(func.pg_advisory_xact_lock(MIGRATING)))
            await connection.run_sync(migrate)

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """A connection to look. Refused while the database cannot be reached."""
        try:
            async with self.engine.connect() as connection:
                yield connection
        except UNAVAILABLE as error:
            raise unavailable(error) from error

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A connection to change something: committed at the end, or nothing has changed and it is refused.

        SQLite takes one writer at a time; who waits here waits in order and is woken at once.
        """
        try:
            async with self._turn, self.engine.begin() as connection:
                yield connection
        except IntegrityError:
            raise
        except UNAVAILABLE as error:
            raise unavailable(error) from error

    async def close(self) -> None:
        """Gives all connections back."""
        await self.engine.dispose()

    # --- tables
    async def add(self, table: Table) -> None:
        """A new table with its seats."""
        row = {
            "name": table.name,
            "created": table.created,
            "setup": msgspec.json.encode(table.setup).decode(),
            "seed": table.seed,
            "invite": table.invite,
            **summary(table),
        }
        chairs = [{"table": table.name, **msgspec.structs.asdict(chair)} for chair in table.chairs]
        async with self.writing() as connection:
            await connection.execute(insert(tables).values(row))
            await connection.execute(insert(seats), chairs)

    async def load(self, name: str) -> Table:
        """A table with all its lines played; refused if there is none of this name."""
        async with self.reading() as connection:
            row = (await connection.execute(select(tables).where(tables.c.name == name))).one_or_none()
            if row is None:
                raise Refusal("table")
            found = await connection.execute(select(seats).where(seats.c.table == name).order_by(seats.c.seat))
            chairs = [chair_of(chair) for chair in found]
            told = await connection.execute(select(lines).where(lines.c.table == name).order_by(lines.c.seq))
            past = [Line(line.seq, line.at, line.text) for line in told]
        setup = msgspec.json.decode(row.setup, type=Setup)
        table = Table(name, setup, row.seed, row.invite, chairs)
        table.created, table.changed = row.created, row.changed
        freshen(table, row)
        for line in past:
            table.apply(line)
        return table

    async def catch_up(self, table: Table) -> None:
        """Brings a table in memory to what is stored: seats, offer, and lines that others have added."""
        async with self.reading() as connection:
            row = (await connection.execute(select(tables).where(tables.c.name == table.name))).one()
            found = await connection.execute(select(seats).where(seats.c.table == table.name).order_by(seats.c.seat))
            chairs = [chair_of(chair) for chair in found]
            newer = and_(lines.c.table == table.name, lines.c.seq > table.seq)
            told = await connection.execute(select(lines).where(newer).order_by(lines.c.seq))
            added = [Line(line.seq, line.at, line.text) for line in told]
        table.chairs = chairs
        freshen(table, row)
        for line in added:
            if line.seq == table.seq + 1:
                table.apply(line)

    async def append(self, table: Table, added: Sequence[Line]) -> None:
        """Commits lines that the table in memory has gone on by. Raises Conflict if somebody else was first."""
        rows = [{"table": table.name, "seq": line.seq, "at": line.at, "text": line.text} for line in added]
        await self._appender.append(table.name, rows, summary(table))

    async def lines(self, name: str) -> list[Line]:
        """All lines of a table."""
        async with self.reading() as connection:
            found = await connection.execute(select(lines).where(lines.c.table == name).order_by(lines.c.seq))
            return [Line(line.seq, line.at, line.text) for line in found]

    async def set_offer(self, name: str, offer: TakeBackOffer | None) -> None:
        """What is offered at a table now."""
        text = None if offer is None else msgspec.json.encode(offer).decode()
        async with self.writing() as connection:
            await connection.execute(update(tables).where(tables.c.name == name).values(offer=text))

    async def set_next(self, name: str, following: str) -> bool:
        """The rematch of a table; only the first one counts."""
        first = and_(tables.c.name == name, tables.c.next.is_(None))
        async with self.writing() as connection:
            return (await connection.execute(update(tables).where(first).values(next=following))).rowcount == 1

    async def find_changed(self, known: Mapping[str, int]) -> list[str]:
        """Tables that may have changed since these moments, of those that are named."""
        wanted = select(tables.c.name, tables.c.changed, tables.c.status, tables.c.offer)
        async with self.reading() as connection:
            found = await connection.execute(wanted.where(tables.c.name.in_(known)))
            return [row.name for row in found if row.changed != known[row.name] or row.offer or row.status == WAITING]

    async def exists(self, name: str) -> bool:
        """Is there such a table?"""
        async with self.reading() as connection:
            return await connection.scalar(select(tables.c.name).where(tables.c.name == name)) is not None

    async def ping(self) -> None:
        """Refused if the database cannot be reached."""
        async with self.reading() as connection:
            await connection.execute(select(1))

    async def remove(self, name: str) -> None:
        """A table with everything that belongs to it."""
        async with self.writing() as connection:
            await connection.execute(delete(tables).where(tables.c.name == name))

    async def due(self, late_since: int, quiet_since: int) -> tuple[list[str], list[str]]:
        """Tables where time has run out, and tables where a bot must act and has not for a while."""
        late = and_(tables.c.status == RUNNING, tables.c.deadline <= late_since)
        thinking = and_(tables.c.status == RUNNING, tables.c.thinks, tables.c.changed <= quiet_since)
        async with self.reading() as connection:
            found = (
                await connection.execute(select(tables.c.name, late.label("late")).where(or_(late, thinking)))
            ).all()
        return [row.name for row in found if row.late], [row.name for row in found if not row.late]

    # --- time during which no server runs
    async def note_running(self, now: int) -> None:
        """A server runs now; only worth a line while a clock runs somewhere."""
        clocks = select(tables.c.name).where(tables.c.status == RUNNING, tables.c.deadline.is_not(None)).exists()
        async with self.writing() as connection:
            await connection.execute(update(running).where(running.c.at < now, clocks).values(at=now))

    async def credit(self, now: int, least: int, each: int) -> int:
        """Gives the time back during which no server ran, if it was long enough; says at how many tables.

        The seat that decides gets all of it, and every seat gets some to come back. Several processes that start at
        once may call this: a table that has a new line is not given anything.
        """
        given = 0
        async with self.writing() as connection:
            last = await connection.scalar(select(running.c.at)) or 0  # never noted: a table counts from its last line
            timed = and_(tables.c.status == RUNNING, tables.c.deadline > last, tables.c.changed <= now - least)
            found = (await connection.execute(select(tables.c.name, tables.c.changed).where(timed))).all()
            for row in found if now - last >= least else ():
                back = now - max(last, row.changed)
                seq = await connection.scalar(select(func.max(lines.c.seq)).where(lines.c.table == row.name)) or 0
                line = {"table": row.name, "seq": seq + 1, "at": now, "text": f"credit {back} {each}"}
                await connection.execute(insert(lines).values(line))
                later = {"changed": now, "deadline": tables.c.deadline + back + each}
                await connection.execute(update(tables).where(tables.c.name == row.name).values(later))
                given += 1
        return given

    # --- seats
    async def take_seat(self, chair: Chair, name: str) -> bool:
        """Somebody takes a free seat of a table; False if it is not free any more, or the colour was taken."""
        free = and_(seats.c.table == name, seats.c.seat == chair.seat, seats.c.kind == OPEN)
        values = msgspec.structs.asdict(chair)
        try:
            async with self.writing() as connection:
                return (await connection.execute(update(seats).where(free).values(values))).rowcount == 1
        except IntegrityError:
            return False

    async def give_entropy(self, name: str, seat: int, entropy: str) -> None:
        """A seat's part in the draws; only the first one counts."""
        first = and_(seats.c.table == name, seats.c.seat == seat, seats.c.entropy.is_(None))
        async with self.writing() as connection:
            await connection.execute(update(seats).where(first).values(entropy=entropy))

    async def add_key(self, key: str, name: str, held: Sequence[int]) -> None:
        """A browser may play these seats from now on."""
        for seat in held:
            with suppress(IntegrityError):  # it knew already
                async with self.writing() as connection:
                    await connection.execute(insert(keys).values(key_hash=hash_secret(key), table=name, seat=seat))

    async def remove_key(self, key: str, name: str) -> None:
        """A browser leaves its seats at a table."""
        async with self.writing() as connection:
            await connection.execute(delete(keys).where(keys.c.key_hash == hash_secret(key), keys.c.table == name))

    async def seats_of_key(self, key: str, name: str) -> list[int]:
        """The seats of a table that a browser may play."""
        own = and_(keys.c.key_hash == hash_secret(key), keys.c.table == name)
        async with self.reading() as connection:
            return list((await connection.execute(select(keys.c.seat).where(own).order_by(keys.c.seat))).scalars())

    async def key_holders(self, name: str) -> list[tuple[str, int]]:
        """The hash_secret keys of all browsers at a table, with their seats."""
        async with self.reading() as connection:
            found = await connection.execute(select(keys.c.key_hash, keys.c.seat).where(keys.c.table == name))
            return [(row.key_hash, row.seat) for row in found]

    async def give_keys(self, holders: Sequence[tuple[str, int]], name: str) -> None:
        """Browsers get seats at a new table."""
        rows = [{"key_hash": key_hash, "table": name, "seat": seat} for key_hash, seat in holders]
        if rows:
            async with self.writing() as connection:
                await connection.execute(insert(keys), rows)

    async def tables_of(self, key: str) -> list[Row[Any]]:
        """The rows of a browser's tables."""
        own = select(keys.c.table).where(keys.c.key_hash == hash_secret(key))
        async with self.reading() as connection:
            wanted = select(tables).where(tables.c.name.in_(own)).order_by(tables.c.changed.desc()).limit(OWN_TABLES)
            return list(await connection.execute(wanted))

    async def chairs(self, name: str) -> list[Chair]:
        """The seats of a table."""
        async with self.reading() as connection:
            found = await connection.execute(select(seats).where(seats.c.table == name).order_by(seats.c.seat))
            return [chair_of(row) for row in found]

    # --- chat
    async def chat(self, name: str) -> list[Said]:
        """What was said at a table of late."""
        async with self.reading() as connection:
            latest = select(chat).where(chat.c.table == name).order_by(chat.c.n.desc()).limit(CHAT_SHOWN)
            return [said_of(row) for row in reversed(list(await connection.execute(latest)))]

    async def say(self, name: str, at: int, seat: int, who: str, text: str, emote: str | None, system: bool) -> Said:
        """Adds to the chat."""
        for _ in range(ATTEMPTS):
            with suppress(IntegrityError):  # two spoke at once: the next number is free
                async with self.writing() as connection:
                    last = await connection.scalar(select(func.max(chat.c.n)).where(chat.c.table == name))
                    said = Said(n=(last or 0) + 1, at=at, seat=seat, name=who, text=text, emote=emote, system=system)
                    await connection.execute(insert(chat).values(table=name, **msgspec.structs.asdict(said)))
                    return said
        raise Refusal("rate")

    # --- positions
    async def add_position(self, name: str, at: int, title: str, goal: str, record: str, draws: Sequence[str]) -> None:
        """A position under a name made from its content."""
        row = {"name": name, "created": at, "title": title, "goal": goal, "record": record}
        with suppress(IntegrityError):  # it is kept already
            async with self.writing() as connection:
                draws_text = msgspec.json.encode(draws).decode()
                await connection.execute(insert(positions).values(**row, draws=draws_text))

    async def position(self, name: str) -> Row[Any]:
        """A position that was kept; refused if there is none of this name."""
        async with self.reading() as connection:
            row = (await connection.execute(select(positions).where(positions.c.name == name))).one_or_none()
        if row is None:
            raise Refusal("table", "there is no such position")
        return row


def unavailable(error: Exception) -> Refusal:
    """The database is away, or its disk is full."""
    log.error("the database cannot be used: %s", error)
    return Refusal("unavailable")


def prepare_sqlite(connection: Any, _: object) -> None:
    """Settings of every connection to SQLite."""
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def migrate(connection: Connection) -> None:
    """Runs the migrations that this database has not seen."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def chair_of(row: Row[Any]) -> Chair:
    """A seat from its row."""
    return Chair(row.seat, row.kind, row.name, row.colour, row.bot, row.token_hash, row.entropy)


def said_of(row: Row[Any]) -> Said:
    """A line of the chat from its row."""
    return Said(n=row.n, at=row.at, seat=row.seat, name=row.name, text=row.text, emote=row.emote, system=row.system)


def freshen(table: Table, row: Row[Any]) -> None:
    """What may change about a table besides its lines."""
    table.offer = None if row.offer is None else msgspec.json.decode(row.offer, type=TakeBackOffer)
    table.next = row.next


def summary(table: Table) -> Mapping[str, object]:
    """What lists and timers need to know."""
    outcome = table.outcome
    timed = table.status == RUNNING and table.decides not in table.out
    return {
        "changed": table.changed,
        "status": table.status,
        "decides": table.decides,
        "scores": msgspec.json.encode(table.game.scores if table.game else [0] * table.setup.players).decode(),
        "winners": None if outcome is None else msgspec.json.encode(outcome.winners).decode(),
        "deadline": table.clock.deadline if timed else None,
        "thinks": table.plays_itself is not None,
    }
