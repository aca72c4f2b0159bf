"""The arena: plays the games that are missing, stores every game, reports the standings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bastide.arena.executors import Executor
from bastide.arena.journal import Journal, Setup, read_results
from bastide.arena.match import Fixture, Result, check_made
from bastide.arena.ratings import Sequential
from bastide.arena.report import report
from bastide.arena.schedule import Pairing, bot_of, check, fixtures, labels, pairings
from bastide.arena.standings import Standings, of_pairing, standings, verdict
from bastide.arena.tables import rows, write_csv, write_parquet
from bastide.errors import BotError


@dataclass(frozen=True)
class Arena:
    """A round robin. `stop` ends a pairing as soon as its test has an answer; without it all games are played."""

    setup: Setup
    games: int  # for each pairing
    folder: Path
    stop: Sequential | None = None
    strict: bool = False  # a bot that fails ends everything, instead of losing its game

    def run(
        self, executor: Executor[Any], tell: Callable[[Result, int], None] = lambda result, left: None
    ) -> Standings:
        """Plays all games that the folder does not hold yet. `tell` gets each result once it is safe, and how many
        games are left at most. Interrupted, it leaves tables and report of what was played."""
        self.check()
        journal = Journal(self.folder, self.setup)
        try:
            decided = {pairing for pairing in pairings(self.setup.entrants) if self._decided(journal, pairing)}
            due = self._due(journal, decided)
            try:
                for result in executor.results(self.setup.table, due):
                    journal.check_bots(self.setup)
                    self._check_faults(result)
                    journal.add(result)
                    if self._decided(journal, result.pairing):
                        decided.add(result.pairing)
                    tell(result, self.left(journal, decided))
            finally:
                found = self.write(read_results(self.folder))  # what is safe, also when interrupted
            return found
        finally:
            journal.close()

    def _check_faults(self, result: Result) -> None:
        if self.strict and result.fault:
            name = labels(self.setup.entrants)[result.seats[result.faulty]]
            raise BotError(f"game {result.id}: {name}: {result.fault}")

    def check(self) -> None:
        """Refuses wrong rules, unknown bots and odd numbers before the first game."""
        check(self.setup.entrants, self.setup.table.seats, self.games)
        self.setup.table.rules()
        for name in self.setup.entrants:
            check_made(bot_of(name))

    def all(self) -> Iterator[Fixture]:
        """Every game of the arena."""
        return fixtures(self.setup.entrants, self.setup.table.seats, self.games, self.setup.seed)

    def left(self, journal: Journal, decided: set[Pairing]) -> int:
        """How many games are still to be played at most."""
        return sum(f.id not in journal.results and f.pairing not in decided for f in self.all())

    def _due(self, journal: Journal, decided: set[Pairing]) -> Iterator[Fixture]:
        """What is still to be played; `decided` grows while the games go on."""
        for fixture in self.all():
            if fixture.id not in journal.results and fixture.pairing not in decided:
                yield fixture

    def _decided(self, journal: Journal, pairing: Pairing) -> bool:
        if self.stop is None:
            return False
        return verdict(of_pairing(journal.results.values(), pairing), pairing[0], self.stop) != ""

    def write(self, results: list[Result]) -> Standings:
        """Tables and report, from all games that were ever played here."""
        found = standings(self.setup.entrants, results, self.stop or Sequential())
        table = rows(self.setup.entrants, results)
        write_csv(self.folder / "results.csv", table)
        write_parquet(self.folder / "results.parquet", table)
        (self.folder / "report.html").write_text(report(self.setup, results, found), encoding="utf-8")
        return found
