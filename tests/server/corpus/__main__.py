"""Makes the tables of the release at hand: `python -m tests.server.corpus`. Folders of releases that are out stay."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from bastide.server.api.incoming import Clock, StartTile
from bastide.server.tables.table import RUNNING, Line, Table
from tests.server.corpus.tables import StoredTable, facts_of, line_text
from tests.server.sample import a_waiting_table, chain_of, give_links

HERE = Path(__file__).parent
START = [StartTile("U", (0, 0), 0), StartTile("U", (1, 0), 0)]
PUZZLE = """bastide 1
players red blue
draws scripted

red: draw E
"""


class Writer:
    """Plays at a table at random and keeps its lines."""

    def __init__(self, table: Table, seed: int) -> None:
        self.table = Table(table.name, table.setup, table.seed, "", table.chairs)
        self.random = Random(seed)
        self.at = 1_000_000
        self.lines: list[Line] = [] if self.table.wanted else self.table.begin(self.at)
        self.lines += give_links(self.table, self.at)

    def act(self, count: int) -> None:
        """So many actions, or until the end."""
        for _ in range(count):
            if self.table.status != RUNNING:
                return
            self.at += self.random.randrange(1000, 9000)
            action = str(self.random.choice(self.table.playing.legal))
            self.lines += self.table.play(action, self.at, self.random.randrange(300))
            self.lines += give_links(self.table, self.at)

    def write(self, text: str) -> None:
        """A line that is no action."""
        self.at += 500
        self.lines += self.table.add(text, self.at)


def whole(writer: Writer) -> None:
    """A game from its beginning to its end."""
    writer.act(10_000)


def half(writer: Writer) -> None:
    """A game that is not over."""
    writer.act(70)


def taken_back(writer: Writer) -> None:
    """Undone actions, whole turns played anew, time given back, a seat that resigns and one that runs out of time."""
    for number in range(12):
        writer.act(4)
        seat = writer.table.decides
        count = writer.table.may_undo(seat) or writer.table.take_back(number % 3)
        if count:
            writer.write(f"undo {count}")
        writer.write("credit 700 15000" if number % 4 == 0 else "credit 300 0")
    writer.write("resign 1")
    writer.act(6)
    writer.write(f"time {writer.table.decides}")


def with_chains(writer: Writer) -> None:
    """Turns taken back by consent, a chain that is changed, and a seat that is out of time while its link is wanted."""
    for _ in range(6):
        writer.act(5)
        seat = writer.table.decides
        if writer.table.take_back(seat):
            writer.lines += writer.table.take_turn_back(seat, writer.at)
    while not writer.table.wanted:
        writer.lines += writer.table.play(str(writer.random.choice(writer.table.playing.legal)), writer.at)
    writer.lines += writer.table.change_chain(writer.table.wanted[0], chain_of(7).end, writer.at)
    while writer.table.wanted:
        writer.write(f"time {writer.table.wanted[0]}")


# What is kept: the wish, the number of players, how it is played.
TABLES: dict[str, tuple[dict[str, Any], int, Callable[[Writer], None]]] = {
    "base": ({}, 2, whole),
    "clock": ({"clock": Clock("increment", seconds=600, increment=5)}, 3, taken_back),
    "days": ({"clock": Clock("days", days=3), "preset": "bigbox2014"}, 4, half),
    "everything": ({"preset": "everything"}, 3, whole),
    "hand": ({"options": {"hand": 3}, "modules": ["river"]}, 2, half),
    "puzzle": ({"record": PUZZLE, "draws": ["C", "U", "U", "D"]}, 2, whole),
    "start": ({"start": START}, 2, whole),
    "chains": ({"fair": 2, "chains": True, "clock": Clock("turn", seconds=60)}, 4, with_chains),
    "shuffled": ({"fair": 2, "chains": True, "shuffle": True}, 3, half),
}


def main() -> None:
    """Writes one file for each table."""
    folder = HERE / version("bastide")
    folder.mkdir(exist_ok=True)
    for number, (name, (wanted, players, play)) in enumerate(TABLES.items()):
        options = {"fair": 1, "chains": False, **wanted}  # the first ones began before there were chains
        writer = Writer(a_waiting_table(players, f"{number:064x}", **options), number)
        play(writer)
        table = writer.table
        stored = StoredTable(
            table.setup, table.seed, table.chairs, [line_text(line) for line in writer.lines], facts_of(table)
        )
        (folder / f"{name}.json").write_bytes(msgspec.json.format(msgspec.json.encode(stored), indent=1) + b"\n")


if __name__ == "__main__":
    main()
