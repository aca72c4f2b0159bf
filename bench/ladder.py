"""The ladder of the bots in every setting: search above planner, planner above greedy, greedy above random.

    python bench/ladder.py FOLDER --search search:8000
    python bench/ladder.py FOLDER --only "base 2" --games 400 --fixed

Each line is an arena of its own in FOLDER: the same tiles from swapped seats, every game kept, nothing played twice
when the command is given again. With four players each bot has two seats, so that one half is what equals would get.
A line ends after `--games` games, or before, when the sequential test of the arena is sure; `--fixed` plays them all.
What is known so far is written to FOLDER/ladder.md after every line.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

from bastide.arena import Arena, Sequential, Setup, Standings, Table, executor
from bastide.rules import Rules
from bastide.rules.registry import specs

BASE = "base"
PRESETS = ("bigbox2014", "anniversary2021")
SEATS = (2, 4)
UCT = "uct:5000"
TARGET = 0.6  # what the sequential test tells from one half
HEAD = "| rules | seats | first - second | games | won | interval | margin | means | idle farmers | ms a decision |"


@dataclass(frozen=True)
class Line:
    """Two bots in one setting."""

    rules: str  # a module alone, or a preset
    seats: int
    first: str
    second: str

    @property
    def setting(self) -> str:
        """Its rules and seats in words."""
        return f"{self.rules} {self.seats}"

    @property
    def name(self) -> str:
        """A folder for it."""
        return f"{self.setting} {self.first} {self.second}".replace(" ", "-").replace(":", "")

    def table(self) -> Table:
        """Its rules."""
        if self.rules in PRESETS:
            return Table.of(Rules.of(players=self.seats, preset=self.rules))
        return Table.of(Rules.of(modules=() if self.rules == BASE else (self.rules,), players=self.seats))


def ladder(search: str) -> list[Line]:
    """All lines, those of the base game for two first."""
    lines = [Line(BASE, 2, search, other) for other in ("greedy", UCT, search)]
    for first, second in ((search, "planner"), ("planner", "greedy"), ("greedy", "random")):
        lines += [Line(rules, seats, first, second) for rules in (*specs(), *PRESETS) for seats in SEATS]
    return lines


def row(line: Line, found: Standings) -> str:
    """A line as Markdown."""
    duel = found.duels[0]
    entrants = {standing.name: standing for standing in found.ladder}
    one, other = entrants[duel.one], entrants[duel.other]
    return (
        f"| {line.rules} | {line.seats} | {line.first} - {line.second} | {duel.games} | {100 * duel.score:.1f} % |"
        f" {100 * duel.low:.1f} to {100 * duel.high:.1f} | {duel.margin:+.1f} | {one.points:.1f} : {other.points:.1f} |"
        f" {100 * one.idle:.0f} % | {1000 * one.seconds:.0f} |"
    )


def main() -> None:
    """Reads the command line, plays, writes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--search", default="search:8000")
    parser.add_argument("--only", default="", help="only lines with this text in `RULES SEATS FIRST SECOND`")
    parser.add_argument("--games", type=int, default=200, help="most games of a line")
    parser.add_argument("--fixed", action="store_true", help="play all of them")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rows = []
    playing = executor(given.workers)
    for line in ladder(given.search):
        if given.only not in f"{line.setting} {line.first} {line.second}":
            continue
        setup = Setup((line.first, line.second), line.table(), given.seed)
        stop = None if given.fixed else Sequential(TARGET)
        found = Arena(setup, given.games, given.folder / line.name, stop).run(playing)
        rows.append(row(line, found))
        print(rows[-1], flush=True)
        rule = "| --- | ---: | --- | ---: | ---: | --- | ---: | --- | ---: | ---: |"
        (given.folder / "ladder.md").write_text("\n".join([HEAD, rule, *rows]) + "\n")
    playing.close()


if __name__ == "__main__":
    main()
