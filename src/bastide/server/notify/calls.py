"""Calls who is away when his turn begins, by Web Push. Only where the server has a key for it, and who asked for it.

A subscription belongs to a browser: it is called for every seat whose key that browser has.
"""

from __future__ import annotations

import asyncio
import logging
import re
import socket
import ssl
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextvars import Context
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import delete, insert, select

from bastide.errors import BastideError, OptionError
from bastide.server.api.incoming import Subscription
from bastide.server.api.origins import is_address, is_private
from bastide.server.api.refusal import Refusal
from bastide.server.api.secret import hash_secret
from bastide.server.settings import Settings
from bastide.server.storage.schema import keys, subscriptions
from bastide.server.tables.clock import DAY, SECOND
from bastide.server.tables.lobby import link
from bastide.server.tables.open_table import OpenTable
from bastide.server.tables.registry import TableRegistry
from bastide.server.tables.table import HUMAN, NOBODY, RUNNING
from bastide.server.tasks import end

if TYPE_CHECKING:
    from bastide.server.notify.push import Signer

# A name with a dot, the usual port; no user, no sign that could end a line.
ENDPOINT = re.compile(r"https://((?:[a-z0-9-]+\.)+[a-z0-9-]+)(?::443)?(/[\x21-\x7e]*)")
CONTACT = re.compile(r"(mailto:|https://)\S+")
PORT = 443
WAIT = 10.0  # seconds within which a push service must have answered
AT_ONCE = 8  # messages under way
PAUSE = 5 * SECOND  # between two messages to one browser
KNOWN = 10_000  # tables and browsers that are remembered
LONGEST = 7 * DAY  # for which a push service keeps a message
SHORTEST = 60 * SECOND
ROOM = 512  # bytes to which every message is filled up: its length tells nothing
GONE = (404, 410)  # answers that say: this browser does not subscribe any more

log = logging.getLogger("bastide.server")


class Message(msgspec.Struct, frozen=True):
    """What a browser is told: nothing but this."""

    title: str  # of the table
    link: str


@dataclass(frozen=True)
class Subscriber:
    """A browser that wants to be called."""

    key_hash: str
    endpoint: str
    p256dh: str
    auth: str


def signer_of(settings: Settings) -> Signer | None:
    """The server's key for Web Push; nothing where it is switched off."""
    if not settings.push_key:
        return None
    try:
        from bastide.server.notify.push import Signer, private_key
    except ModuleNotFoundError as missing:
        raise BastideError(f"BASTIDE_PUSH_KEY needs {missing.name}: pip install 'bastide[push]'") from missing
    if not CONTACT.fullmatch(settings.push_contact):
        raise OptionError(
            f"BASTIDE_PUSH_CONTACT: expected mailto:ADDRESS or https://ADDRESS, got {settings.push_contact!r}"
        )
    try:
        return Signer(private_key(settings.push_key), settings.push_contact)
    except ValueError as error:
        raise OptionError(f"BASTIDE_PUSH_KEY: expected a key of `bastide admin push-keys`: {error}") from error


class Caller:
    """Looks at every table that goes on: is somebody asked who is not there?"""

    def __init__(self, registry: TableRegistry, signer: Signer | None) -> None:
        self.signer = signer
        self._registry = registry
        self._asked: OrderedDict[str, int] = OrderedDict()  # who was asked last, by table
        self._called_at: OrderedDict[str, int] = OrderedDict()  # by browser
        self._tasks: set[asyncio.Task[None]] = set()
        self._room = asyncio.Semaphore(AT_ONCE)

    def lines_committed(self, open_table: OpenTable) -> None:
        """A table went on."""
        if self.signer is None:
            return
        table = open_table.table
        seat = table.awaited if table.status == RUNNING else NOBODY
        if remember(self._asked, table.name, seat) == seat or seat == NOBODY:
            return
        if table.chairs[seat].kind != HUMAN or seat in self._registry.online(table.name):
            return
        deadline = table.clock.deadline
        left = LONGEST if deadline is None else min(LONGEST, max(SHORTEST, deadline - self._registry.now()))
        message = Message(table.setup.title or "Bastide", link(table.name))
        calling = self._call(self.signer, table.name, seat, message, left // SECOND)
        task = asyncio.create_task(calling, name=table.name, context=Context())  # no part of the request that began it
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            log.error("table %s: nobody could be called", task.get_name(), exc_info=error)

    async def _call(self, signer: Signer, table: str, seat: int, message: Message, seconds: int) -> None:
        """Calls all browsers of a seat that have asked for it."""
        called = set()
        for browser in await self._subscribers(table, seat):
            now = self._registry.now()
            if browser.endpoint in called or now - self._called_at.get(browser.key_hash, -PAUSE) < PAUSE:
                continue
            remember(self._called_at, browser.key_hash, now)
            called.add(browser.endpoint)
            async with self._room:
                await self._send(signer, browser, signer.topic(table), message, seconds)

    async def _send(self, signer: Signer, browser: Subscriber, topic: str, message: Message, seconds: int) -> None:
        from bastide.server.notify.push import decode, encrypt

        parts = ENDPOINT.fullmatch(browser.endpoint)
        assert parts, "it was checked before it was stored"
        body = encrypt(msgspec.json.encode(message), decode(browser.p256dh), decode(browser.auth), ROOM)
        headers = {
            "TTL": str(seconds),
            "Topic": topic,
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "Authorization": signer.authorization(f"https://{parts[1]}", self._registry.now() // SECOND),
        }
        try:
            status = await send(browser.endpoint, headers, body)
        except (OSError, ValueError, asyncio.IncompleteReadError) as error:  # TimeoutError is an OSError
            log.warning("the push service %s cannot be reached: %s", parts[1], error)
            return
        if status in GONE:
            await self.unsubscribe(browser.key_hash)
        elif not 200 <= status < 300:
            log.warning("the push service %s refuses a message: %d", parts[1], status)

    # --- who wants to be called
    async def subscribe(self, key: str, wanted: Subscription) -> None:
        """A browser wants to be called, at this address; what it wanted before is replaced."""
        if self.signer is None:
            raise Refusal("option", "this server has no key for Web Push")
        from bastide.server.notify.push import decode, public_key

        check_endpoint(wanted.endpoint)
        try:
            public_key(decode(wanted.p256dh))
        except ValueError as error:
            raise Refusal("shape", "p256dh: expected a point of the curve P-256") from error
        row = {"endpoint": wanted.endpoint, "p256dh": wanted.p256dh, "auth": wanted.auth, "at": self._registry.now()}
        async with self._registry.store.writing() as connection:
            own = hash_secret(key)
            await connection.execute(delete(subscriptions).where(subscriptions.c.key_hash == own))
            await connection.execute(insert(subscriptions).values(key_hash=own, **row))

    async def unsubscribe(self, key_hash: str) -> None:
        """A browser is not called any more."""
        async with self._registry.store.writing() as connection:
            await connection.execute(delete(subscriptions).where(subscriptions.c.key_hash == key_hash))

    async def _subscribers(self, table: str, seat: int) -> Sequence[Subscriber]:
        held = select(keys.c.key_hash).where(keys.c.table == table, keys.c.seat == seat)
        wanted = select(subscriptions).where(subscriptions.c.key_hash.in_(held)).order_by(subscriptions.c.at)
        async with self._registry.store.reading() as connection:
            found = await connection.execute(wanted)
            return [Subscriber(row.key_hash, row.endpoint, row.p256dh, row.auth) for row in found]

    async def settle(self) -> None:
        """Waits until everybody has been called."""
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def close(self) -> None:
        """Nobody is called any more."""
        while self._tasks:
            await end(self._tasks)


def remember(memory: OrderedDict[str, int], name: str, value: int) -> int | None:
    """Notes a value; what it was before. The longest unheard-of are forgotten first."""
    before = memory.pop(name, None)
    memory[name] = value
    while len(memory) > KNOWN:
        memory.popitem(last=False)
    return before


def check_endpoint(text: str) -> str:
    """The name of the push service in an address; refused if it cannot be one on the public network."""
    found = ENDPOINT.fullmatch(text)
    if not found or is_address(found[1]):
        raise Refusal("shape", "endpoint: expected https://NAME/PATH of a push service")
    return found[1]


async def public_address(host: str) -> str:
    """Where a host is. Refused if any of its addresses is private: nobody reaches our own network through us."""
    found = await asyncio.get_running_loop().getaddrinfo(host, PORT, type=socket.SOCK_STREAM)
    addresses = [str(address[0]) for *_, address in found]
    if not addresses or any(is_private(address) for address in addresses):
        raise ValueError(f"{host} is not on the public network")
    return addresses[0]


async def send(endpoint: str, headers: Mapping[str, str], body: bytes) -> int:
    """Hands a message to a push service; the status of its answer. Redirections are not followed."""
    parts = ENDPOINT.fullmatch(endpoint)
    assert parts, "it was checked before it was stored"
    lines = {"Host": parts[1], "Content-Length": str(len(body)), "Connection": "close", **headers}
    head = f"POST {parts[2]} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    async with asyncio.timeout(WAIT):
        address = await public_address(parts[1])  # this very address is used: a name may change what it means
        reader, writer = await asyncio.open_connection(address, PORT, ssl=tls(), server_hostname=parts[1])
        try:
            writer.write(f"{head}\r\n".encode() + body)
            await writer.drain()
            return int((await reader.readuntil(b"\r\n")).split()[1])
        finally:
            writer.close()


def tls() -> ssl.SSLContext:
    """How push services are known: by certificates that everybody trusts."""
    return ssl.create_default_context()
