"""Keeps tables in the browser's own database. Several pages may be open: nobody writes over what another one wrote."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Sequence
from types import SimpleNamespace
from typing import NamedTuple, Protocol

import msgspec

from bastide.errors import BastideError
from bastide.server.api.outgoing import ChatLine
from bastide.server.api.refusal import Refusal
from bastide.server.api.secret import hash_secret
from bastide.server.browser.links import content_of
from bastide.server.storage.rows import Conflict, ListedTable, may_differ, summary, update_from_row
from bastide.server.tables.clock import OUTAGE
from bastide.server.tables.outages import OutageWatch
from bastide.server.tables.setup import Chair, Setup
from bastide.server.tables.table import OPEN, RUNNING, WAITING, Line, Table, TakeBackOffer

TABLES, LINES, CHAT = "tables", "lines", "chat"
CHAT_SHOWN = 200
ATTEMPTS = 10

encode = msgspec.json.Encoder().encode
log = logging.getLogger("bastide.server")


class Change(NamedTuple):
    """One entry of the database: what it must be now (None: absent), and what it becomes (None: it goes)."""

    shelf: str
    key: str
    was: str | None
    now: str | None


class Shelves(Protocol):
    """The browser's database: texts by key on a few shelves, in the order of their keys."""

    async def get(self, shelf: str, key: str) -> str | None:
        """One text."""

    async def all(self, shelf: str, start: str) -> list[str]:
        """All texts whose keys begin like this."""

    async def commit(self, changes: Sequence[Change]) -> bool:
        """All of it or nothing: False if an entry is not what it must be. It is stored when this returns."""

    async def forget(self, table: str) -> None:
        """Everything about a table, on all shelves."""


class BrokenTable(BastideError):
    """What is stored of a table does not fit together."""


class Row(msgspec.Struct):
    """A table without its lines, as it is kept."""

    name: str
    created: int
    setup: str
    seed: str
    invite: str
    chairs: list[Chair]
    keys: list[tuple[str, int]]  # hashed, with the seats that they open
    seq: int
    changed: int
    status: str
    decides: int
    scores: str
    winners: str | None
    out: str
    deadline: int | None
    thinks: bool
    offer: str | None = None
    next: str | None = None
    public: bool = False
    broken: None = None  # whether it can be read is found out anew by each version of the program

    def update(self, **news: object) -> None:
        """What is new about it."""
        for name, value in news.items():
            setattr(self, name, value)


class BrowserStore:
    """Everything that this browser keeps; it has the methods of the server's `Store` that tables need."""

    sqlite = True  # one process, as far as clocks are concerned

    def __init__(self, shelves: Shelves) -> None:
        self._shelves = shelves
        self._broken: dict[str, str] = {}  # tables that this version of the program cannot read, and why
        self.watch = OutageWatch()

    # --- tables
    async def add(
        self, table: Table, begun: Sequence[Line] = (), holders: Sequence[tuple[str, int]] = (), after: str = ""
    ) -> bool:
        """A new table; `after` names the table whose rematch it is: False if that has another one already."""
        kept = {
            "name": table.name,
            "created": table.created,
            "setup": encode(table.setup).decode(),
            "seed": table.seed,
            "invite": table.invite,
            "chairs": table.chairs,
            "keys": holders,
            **summary(table),
        }
        row = msgspec.convert(kept, Row)
        changes = [Change(TABLES, table.name, None, text_of(row)), *lines_of(table.name, begun)]
        if not after:
            return await self._shelves.commit(changes)
        while True:
            text, before = await self._read(after)
            if before.next is not None:
                return False
            before.next = table.name
            if await self._shelves.commit([*changes, Change(TABLES, after, text, text_of(before))]):
                return True

    async def load(self, name: str) -> Table:
        """A table with all its lines played; refused, with the reason, if this program cannot do that."""
        row = await self._readable(name)
        try:
            return self._played(row, await self.lines(name))
        except Exception as error:
            await self.mark_broken(name, f"{type(error).__name__}: {error}")
            raise self._unreadable(name) from error

    def _played(self, row: Row, lines: Sequence[Line]) -> Table:
        setup = msgspec.json.decode(row.setup, type=Setup)
        table = Table(row.name, setup, row.seed, row.invite, row.chairs)
        table.created, table.changed = row.created, row.changed
        update_from_row(table, row)
        for line in lines:
            table.apply(line)
        if table.seq < row.seq:
            raise BrokenTable(f"expected {row.seq} lines, found {table.seq}")
        return table

    async def catch_up(self, table: Table, lines_only: bool = False) -> None:
        """Brings a table in memory to what is stored."""
        row = await self._readable(table.name)
        if not lines_only or table.game is None:
            table.chairs = row.chairs
            update_from_row(table, row)
        if row.seq > table.seq:
            for line in await self.lines(table.name):
                if line.seq > table.seq:
                    table.apply(line)

    async def append(self, table: Table, added: Sequence[Line]) -> None:
        """Commits the last lines of a proposed table. Raises Conflict if the stored table does not end before them."""

        def lengthen(row: Row) -> None:
            if row.seq != table.seq - len(added):
                raise Conflict
            if table.order:
                moved = {old: seat for seat, old in enumerate(table.order)}
                row.keys = [(key, moved[seat]) for key, seat in row.keys]
            row.update(chairs=table.chairs, **summary(table))

        await self._change(table.name, lengthen, lines_of(table.name, added))
        table.order = []

    async def lines(self, name: str) -> list[Line]:
        """All lines of a table."""
        return [msgspec.json.decode(text, type=Line) for text in await self._shelves.all(LINES, f"{name} ")]

    async def set_offer(self, name: str, offer: TakeBackOffer | None) -> None:
        """What is offered at a table now."""
        text = None if offer is None else encode(offer).decode()
        await self._change(name, lambda row: row.update(offer=text))

    async def find_changed(self, known: Sequence[Table]) -> list[str]:
        """Of these tables, those that are stored otherwise, may be, or are gone."""
        rows = {row.name: row for row in await self._rows()}
        return [t.name for t in known if t.name not in rows or may_differ(rows[t.name], t)]

    async def mark_broken(self, name: str, reason: str | None) -> None:
        """Notes why a table cannot be read, so that nobody tries again while this page is open."""
        log.warning("table %s: %s", name, reason)
        self._broken[name] = str(reason)

    async def remove(self, name: str) -> None:
        """A table with everything that belongs to it."""
        await self._shelves.forget(name)

    async def due(self, late_since: int, quiet_since: int) -> tuple[list[str], list[str]]:
        """Tables where time has run out, and tables where a bot must act or the game must begin and nothing happens."""
        rows = [row for row in await self._rows() if row.name not in self._broken]
        late = [row.name for row in rows if row.status == RUNNING and (row.deadline or late_since + 1) <= late_since]
        thinking = [row.name for row in rows if row.thinks and row.changed <= quiet_since and row.name not in late]
        return late, thinking

    # --- time during which no page was open
    async def note_running(self, now: int, always: bool = False) -> None:
        """Nothing is noted: clocks stand while no page is open (`credit`), from the last line on."""

    async def last_running(self) -> int:
        """Never noted."""
        return 0

    async def credit(
        self, now: int, since: int, each: int, least: int = OUTAGE, names: Collection[str] | None = None
    ) -> list[str]:
        """Gives the time back from `since` on, at these tables or at all, if it is long enough; says at which."""
        given: list[str] = []
        for row in await self._rows() if now - since >= least else ():
            wanted = (names is None or row.name in names) and row.status == RUNNING and row.name not in self._broken
            if not wanted or row.deadline is None or row.deadline <= since or row.changed > now - least:
                continue
            back = now - max(since, row.changed)
            line = Line(row.seq + 1, now, f"credit {back} {each}")
            was, row = await self._read(row.name)
            row.update(seq=line.seq, changed=now, deadline=(row.deadline or now) + back + each)
            if await self._shelves.commit([Change(TABLES, row.name, was, text_of(row)), *lines_of(row.name, [line])]):
                given.append(row.name)
        return given

    # --- seats
    async def take_seat(self, chair: Chair, name: str, key: str | None) -> bool:
        """Somebody takes a free seat of a table and may play it; False if it is not free any more."""
        taken = False

        def take(row: Row) -> None:
            nonlocal taken
            taken = row.chairs[chair.seat].kind == OPEN
            if taken:
                row.chairs[chair.seat] = chair
                row.keys += [(hash_secret(key), chair.seat)] if key is not None else []

        await self._change(name, take)
        return taken

    async def give_entropy(self, name: str, seat: int, entropy: str) -> None:
        """A seat's part in the draws; only the first one counts."""

        def give(row: Row) -> None:
            if row.chairs[seat].entropy is None:
                row.chairs[seat].entropy = entropy
            ready = all(chair.entropy is not None for chair in row.chairs)
            row.thinks = row.thinks or (row.status == WAITING and ready)

        await self._change(name, give)

    async def add_key(self, key: str, name: str, held: Sequence[int]) -> None:
        """This browser may play these seats from now on."""
        new = [(hash_secret(key), seat) for seat in held]
        await self._change(name, lambda row: row.keys.extend(pair for pair in new if pair not in row.keys))

    async def remove_key(self, key: str, name: str) -> None:
        """This browser leaves its seats at a table."""
        gone = hash_secret(key)
        await self._change(name, lambda row: row.update(keys=[pair for pair in row.keys if pair[0] != gone]))

    async def seats_of_key(self, key: str, name: str) -> list[int]:
        """The seats of a table that a browser may play."""
        return sorted(seat for held, seat in await self.key_holders(name) if held == hash_secret(key))

    async def key_holders(self, name: str) -> list[tuple[str, int]]:
        """The hashed keys of all browsers at a table, with their seats."""
        return [] if await self._shelves.get(TABLES, name) is None else (await self._read(name))[1].keys

    # --- lists
    async def tables_of(self, key: str) -> list[ListedTable]:
        """A browser's tables, the latest first. One that cannot be read is not hidden: who opens it is told why."""
        listed = [listed_of(row, key) for row in await self._rows()]
        return sorted((one for one in listed if one.mine), key=lambda one: -one.row.changed)

    async def public_tables(self, since: int) -> list[ListedTable]:
        """Nobody else can come here."""
        return []

    async def listed(self, name: str) -> ListedTable:
        """One table as lists show it."""
        return listed_of(await self._readable(name), "")

    # --- chat
    async def chat(self, name: str, latest: int = CHAT_SHOWN) -> list[ChatLine]:
        """What was said at a table of late."""
        texts = await self._shelves.all(CHAT, f"{name} ")
        return [msgspec.json.decode(text, type=ChatLine) for text in texts[-latest:]]

    async def say(
        self, name: str, at: int, seat: int, who: str, text: str, emote: str | None, system: bool
    ) -> ChatLine:
        """Adds to the chat."""
        for _ in range(ATTEMPTS):
            last = len(await self._shelves.all(CHAT, f"{name} "))
            said = ChatLine(n=last + 1, at=at, seat=seat, name=who, text=text, emote=emote, system=system)
            if await self._shelves.commit([Change(CHAT, chat_key(name, said.n), None, encode(said).decode())]):
                return said
        raise Refusal("rate")

    # --- positions: their names carry them
    async def add_position(self, name: str, at: int, title: str, goal: str, record: str, draws: Sequence[str]) -> None:
        """Nothing is kept: the link has everything (`links`)."""

    async def position(self, name: str) -> SimpleNamespace:
        """The position in a link."""
        kept = content_of(name)
        return SimpleNamespace(title=kept.title, goal=kept.goal, record=kept.record, draws=encode(kept.draws).decode())

    # --- rows
    async def _rows(self) -> list[Row]:
        """All that can be read: one that is damaged disturbs no other."""
        found = []
        for text in await self._shelves.all(TABLES, ""):
            try:
                found.append(row_of(text))
            except msgspec.DecodeError as error:
                log.warning("a table is left out: %s", error)
        return found

    async def _read(self, name: str) -> tuple[str, Row]:
        text = await self._shelves.get(TABLES, name)
        if text is None:
            raise Refusal("table")
        try:
            return text, row_of(text)
        except msgspec.DecodeError as error:
            raise Refusal("unreadable", f"what is kept of this game is damaged: {error}") from error

    async def _readable(self, name: str) -> Row:
        if name in self._broken:
            raise self._unreadable(name)
        return (await self._read(name))[1]

    def _unreadable(self, name: str) -> Refusal:
        return Refusal("unreadable", self._broken[name])

    async def _change(self, name: str, change: Callable[[Row], object], others: Sequence[Change] = ()) -> None:
        """Changes the row of a table; again, if another page was faster."""
        for _ in range(ATTEMPTS):
            text, row = await self._read(name)
            change(row)
            if await self._shelves.commit([Change(TABLES, name, text, text_of(row)), *others]):
                return
        raise Refusal("unavailable", "the browser's database is in use by too many pages")


def lines_of(name: str, added: Sequence[Line]) -> list[Change]:
    """New lines of a table; refused by the database if another page has written them."""
    return [Change(LINES, f"{name} {line.seq:06d}", None, encode(line).decode()) for line in added]


def chat_key(name: str, n: int) -> str:
    """Where a line of the chat is kept."""
    return f"{name} {n:06d}"


def row_of(text: str) -> Row:
    """The row of a table from its text."""
    return msgspec.json.decode(text, type=Row)


def text_of(row: Row) -> str:
    """The text of a row."""
    return encode(row).decode()


def listed_of(row: Row, key: str) -> ListedTable:
    """A table in a list."""
    mine = sorted(seat for held, seat in row.keys if held == hash_secret(key))
    return ListedTable(row, row.chairs, mine)
