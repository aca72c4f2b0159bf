"""What the processes of a server tell each other about tables, over one channel."""

from __future__ import annotations

from msgspec import Struct

from bastide.server.outgoing import Said, Thinking
from bastide.server.table import Line

CHANNEL = "tables"
MISSED = b""  # stands for all that may have been lost: look at the database again


class Audience(Struct, frozen=True):
    """Who is at a table in one process."""

    seats: list[int]
    watching: int


class Notice(Struct, frozen=True):
    """News of a table: it has changed (by these lines, or otherwise), or one of the other members is news."""

    origin: str  # the process
    table: str = ""  # none: the process is alive, and that is all
    lines: list[Line] = []
    message: Said | Thinking | None = None
    audience: Audience | None = None
    ask: bool = False  # who is there in your process?
