"""A stored table as the corpus keeps it, and what must come of it."""

from __future__ import annotations

from msgspec import Struct

from bastide.server.api.outgoing import WhyOut
from bastide.server.tables.setup import Chair, Setup
from bastide.server.tables.table import Line, Table


class Facts(Struct, frozen=True):
    """What a table is after its last line."""

    status: str
    decides: int
    scores: list[int]
    out: dict[int, WhyOut]
    left: list[int]  # ms on the clocks
    tiles: int
    legal: list[str]


class StoredTable(Struct, frozen=True):
    """What a server stores of a table, and what is true of it at the end."""

    setup: Setup
    seed: str
    chairs: list[Chair]
    lines: list[str]  # number, moment, lag, text
    facts: Facts

    @property
    def read_lines(self) -> list[Line]:
        """The lines."""
        parts = [line.split(" ", 3) for line in self.lines]
        return [Line(int(seq), int(at), text, int(lag)) for seq, at, lag, text in parts]


def line_text(line: Line) -> str:
    """A line as it is kept here."""
    return f"{line.seq} {line.at} {line.lag} {line.text}"


def facts_of(table: Table) -> Facts:
    """What a table is now."""
    game = table.playing
    legal = [] if game.over else [str(action) for action in game.legal]
    return Facts(
        table.status, table.decides, list(game.scores), table.out, table.clock.left, len(game.board), sorted(legal)
    )
