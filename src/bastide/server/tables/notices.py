"""What the processes of a server tell each other about tables.

A notice never carries lines: it says that a table is at line n, and whoever needs the lines reads the database. What
happens at a table is told in its shard, which only those follow who have a table of it open; that a process lives, and
who is where, is told to all.
"""

from __future__ import annotations

import hashlib
from typing import Protocol
from zlib import crc32

from msgspec import Struct

from bastide.server.api.outgoing import ChatLine, Thinking

CHANNEL = "bastide-tables"
SHARDS = 1024  # so many that a process with some hundred tables hears of few others
ALL = -1  # stands for the shard that all follow
MISSED = b""  # stands for all that may have been lost: look at the database again


class Audience(Struct, frozen=True):
    """Who is at a table in one process."""

    seats: list[int]
    watching: int


class Notice(Struct, frozen=True, omit_defaults=True):
    """News from a process; about a table, if one is named."""

    origin: str  # the process
    n: int  # of this process's notices in this shard: who hears 8 after 6 has missed one
    shard: int = ALL
    table: str = ""
    seq: int = 0  # the table's last line, as far as the process knows
    changed: bool = False  # something besides lines: seats, an offer, the next table
    holders: bool = False  # who holds which seat has changed
    message: ChatLine | Thinking | None = None
    audience: Audience | None = None
    ask: bool = False  # who is there in your process?
    numbers: dict[int, int] = {}  # of the last notices in other shards, where there were any since this was last said


class News(Protocol):
    """Carries notices to the other processes, and what they say in the shards that are followed to this one."""

    def publish(self, shard: int, data: bytes) -> None:
        """Tells everybody who follows a shard."""

    def follow(self, shard: int) -> None:
        """From now on it is heard what is said there."""

    def unfollow(self, shard: int) -> None:
        """From now on it is not."""


class Hearer(Protocol):
    """Whoever hears news."""

    def on_notice(self, data: bytes) -> None:
        """Some process said something, or MISSED."""

    def on_followed(self, shard: int) -> None:
        """A shard is heard from here on; what was said before may not have been."""


def shard_of(table: str) -> int:
    """Where it is told what happens at a table."""
    return crc32(table.encode()) % SHARDS


def channel_of(installation: str) -> str:
    """With this all channels of one installation begin; several may share a Redis."""
    return f"{CHANNEL}-{short_name(installation)}"


def short_name(installation: str) -> str:
    """A word that stands for an installation."""
    return hashlib.sha256(installation.encode()).hexdigest()[:16]
