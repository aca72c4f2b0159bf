"""What the processes of a server tell each other about tables, over one channel.

A notice never carries lines: it says that a table is at line n, and whoever needs the lines reads the database.
"""

from __future__ import annotations

import hashlib

from msgspec import Struct

from bastide.server.outgoing import Said, Thinking

CHANNEL = "bastide-tables"
MISSED = b""  # stands for all that may have been lost: look at the database again


class Audience(Struct, frozen=True):
    """Who is at a table in one process."""

    seats: list[int]
    watching: int


class Notice(Struct, frozen=True, omit_defaults=True):
    """News from a process; about a table, if one is named."""

    origin: str  # the process
    n: int  # of this process's notices: who hears 8 after 6 has missed one
    table: str = ""
    seq: int = 0  # the table's last line, as far as the process knows
    changed: bool = False  # something besides lines: seats, an offer, the next table
    message: Said | Thinking | None = None
    audience: Audience | None = None
    ask: bool = False  # who is there in your process?


def channel_of(installation: str) -> str:
    """The channel of one installation; several may share a Redis."""
    return f"{CHANNEL}-{short_name(installation)}"


def short_name(installation: str) -> str:
    """A word that stands for an installation."""
    return hashlib.sha256(installation.encode()).hexdigest()[:16]
