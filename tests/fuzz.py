"""The long run: many games of every module, every pair, every preset and many mixtures against the oracle.

`scripts/fuzz --games 2000` plays everything, `--games 10000 base` the base game, `--games 100 abbot+river` one pair,
`--games 500 modules pairs` two groups. The games of a subject are spread over its settings. `--bots planner` lets bots
decide: random players hardly ever close a city or fight for a field. `--done FILE` notes what has been played, so that
the same command goes on where it was stopped.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from itertools import combinations, islice
from pathlib import Path
from random import Random

from bastide.rules.registry import presets, specs
from tests.agreement import Disagreement, Setting, agree
from tests.mixtures import mixture as house_rules

CHUNK = 20  # games in one piece of work
TABLES = (2, 5)  # numbers of players
LARGE = (6, 7, 8)
MIXTURES = 120  # settings in which everything is drawn by lot
HOUSE_RULES = 200  # mixtures of house rules
# Options that do nothing unless other boxes and options are in play.
TOGETHER: dict[str, tuple[tuple[str, ...], tuple[tuple[str, str], ...]]] = {
    "river_bends": (("wheel_of_fortune",), (("river", "anniversary"),)),
    "companion_abbot": (("anniversary",), ()),
    "vineyards_for_gardens": (("hills_and_sheep",), ()),
}

Subjects = dict[str, list[Setting]]  # what is played, and the settings over which its games are spread


# All there is to compare; a group is made only when it is played.
GROUPS: dict[str, Callable[[], Subjects]] = {
    "base": lambda: {"base": base_settings()},
    "modules": lambda: {name: [Setting((name,), n) for n in TABLES] for name in boxes()},
    "pairs": lambda: {"+".join(pair): [Setting(pair, n) for n in TABLES] for pair in combinations(boxes(), 2)},
    "presets": lambda: dict(preset_settings()),
    "games": lambda: {s.name: [Setting((s.name,), n) for n in range(2, 6)] for s in specs().values() if s.standalone},
    "options": lambda: {str(setting): [setting] for setting in option_settings()},
    "crossed": lambda: {f"{name} crossed": list(crossed_settings(name)) for name in boxes()},
    "large": lambda: {"large tables": list(large_settings())},
    "mixtures": lambda: {"mixtures": [mixture(Random(number)) for number in range(MIXTURES)]},
    "house": lambda: {"house rules": [house_rules(number) for number in range(HOUSE_RULES)]},
}


def boxes() -> list[str]:
    """What may be added to the base game."""
    return [spec.name for spec in specs().values() if not spec.standalone and spec.name != "base"]


def base_settings() -> list[Setting]:
    """Editions, numbers of players and variants."""
    found = [Setting(players=n, edition=edition) for edition in specs()["base"].editions for n in TABLES]
    found += [Setting(options=(("farmers", "off"),)), Setting(players=8)]
    found += [Setting(players=3, edition="classic", options=(("hand", 3),))]
    found += [Setting(edition="classic", options=(("hand", 3), ("tactical_end", "last_drawn")))]
    return found


def preset_settings() -> Iterator[tuple[str, list[Setting]]]:
    """Every preset that has boxes."""
    for name, preset in presets().items():
        if preset.get("modules"):
            options = tuple(sorted(preset.get("options", {}).items()))
            edition = preset.get("edition", "")
            yield name, [Setting(tuple(preset["modules"]), n, options, edition) for n in TABLES]


def option_settings() -> Iterator[Setting]:
    """Every value that is not the default of every option of a box besides the base game."""
    for spec in specs().values():
        if spec.name != "base":
            for option in spec.options:
                others, using_folder = TOGETHER.get(option.name, ((), ()))
                for value in option.values[1:]:
                    yield Setting((spec.name, *others), 3, ((option.name, value), *using_folder))


def crossed_settings(box: str) -> Iterator[Setting]:
    """Every value that is not the default of every option of the base game, together with a box."""
    for option in specs()["base"].options:
        for value in option.values[1:]:
            hand = (("hand", 3),) if option.name == "tactical_end" else ()
            yield Setting((box,), 3, ((option.name, value), *hand))


def large_settings() -> Iterator[Setting]:
    """Six to eight players: with each box, and where fields are counted for each city."""
    for players in LARGE:
        yield Setting(players=players, options=(("hand", 3),))
        more = (("more_players", "on"),)
        yield Setting(("traders_and_builders", "inns_and_cathedrals"), players, more, "classic")
        yield Setting(tuple(presets()["everything"]["modules"]), players)
        for box in boxes():
            yield Setting((box,), players)


def mixture(random: Random) -> Setting:
    """Boxes, options and the number of players by lot."""
    chosen = tuple(box for box in boxes() if random.random() < 0.4)
    options = {
        option.name: random.choice(option.values)
        for spec in specs().values()
        if spec.name in ("base", *chosen)
        for option in spec.options
        if random.random() < 0.4
    }
    return Setting(chosen, random.randint(2, 8), tuple(options.items()))


def chosen(names: list[str]) -> Subjects:
    """The subjects of these groups and of these names; without names, all."""
    found: Subjects = {}
    every: Subjects = {}
    for name in names or GROUPS:
        if name not in GROUPS:  # the name of one subject
            every = every or {subject: settings for group in GROUPS.values() for subject, settings in group().items()}
        if name in every:
            found[name] = every[name]
        elif name in GROUPS:
            found |= GROUPS[name]()
        else:
            sys.exit(f"expected one of {', '.join(GROUPS)} or of {', '.join(every)}; got {name!r}")
    return found


@dataclass(frozen=True)
class Piece:
    """Some games of one subject."""

    subject: str
    bots: str
    seeds: range

    def __str__(self) -> str:
        return f"{self.bots}\t{self.subject}\t{self.seeds.start}\t{len(self.seeds)}"


def play(piece: Piece, settings: list[Setting]) -> int:
    """All games of a piece, in a process of their own; returns the number of actions."""
    return sum(agree(settings[seed % len(settings)], seed, piece.bots) for seed in piece.seeds)


@dataclass
class Run:
    """What has been played so far."""

    done: Path | None  # a line for each piece that agreed, with its number of actions
    games: Counter[str] = field(default_factory=Counter)  # per subject
    actions: Counter[str] = field(default_factory=Counter)
    differ: dict[str, str] = field(default_factory=dict)

    def left(self, pieces: list[Piece]) -> Iterator[Piece]:
        """The pieces that are not noted as done; those that are count as played."""
        lines = self.done.read_text("utf-8").splitlines() if self.done and self.done.exists() else []
        noted = {head: int(actions) for head, _, actions in (line.rpartition("\t") for line in lines)}
        for piece in pieces:
            if str(piece) in noted:
                self.count(piece, noted[str(piece)])
            elif piece.subject not in self.differ:  # looked at late: one difference of a subject is enough
                yield piece

    def count(self, piece: Piece, actions: int) -> None:
        """A piece in which both sides agreed."""
        self.games[piece.subject] += len(piece.seeds)
        self.actions[piece.subject] += actions

    def finish(self, piece: Piece, job: Future[int]) -> None:
        """Takes the result of a piece and notes it."""
        try:
            self.count(piece, job.result())
        except Disagreement as difference:
            self.differ.setdefault(piece.subject, str(difference))
            return
        if self.done:
            with self.done.open("a", encoding="utf-8") as file:
                file.write(f"{piece}\t{job.result()}\n")

    def run(self, pieces: list[Piece], subjects: Subjects, workers: int) -> None:
        """Plays all pieces that are left, some at a time."""
        total = sum(len(piece.seeds) for piece in pieces)
        waiting = self.left(pieces)
        with ProcessPoolExecutor(workers) as pool:
            jobs: dict[Future[int], Piece] = {}
            while True:
                for piece in islice(waiting, 2 * workers - len(jobs)):
                    jobs[pool.submit(play, piece, subjects[piece.subject])] = piece
                if not jobs:
                    return
                for job in wait(jobs, return_when=FIRST_COMPLETED).done:
                    self.finish(jobs.pop(job), job)
                state = f"{self.games.total()} of {total} games, {len(self.differ)} differ"
                print(f"\r{state}", end="", file=sys.stderr, flush=True)

    def report(self, subjects: Subjects) -> None:
        """One line for each subject, and what differs."""
        print(file=sys.stderr)
        for name in subjects:
            if name in self.differ:
                print(f"DIFFER: {name}\n{self.differ[name]}")
            else:
                print(f"agree: {name}: {self.games[name]} games, {self.actions[name]} actions")
        print(f"{self.games.total()} games, {self.actions.total()} actions agree; {len(self.differ)} subjects differ")


def main() -> None:
    """Plays, shows how far it is, and says which subjects differ."""
    parser = argparse.ArgumentParser(prog="scripts/fuzz", description=__doc__.splitlines()[0])
    parser.add_argument("subjects", nargs="*", help=f"groups ({', '.join(GROUPS)}) or names; all if none")
    parser.add_argument("--games", type=int, default=100, help="for each subject (default 100)")
    parser.add_argument("--bots", default="random", help="who decides: random (default), planner, greedy ...")
    parser.add_argument("--seed", type=int, help="the first seed (default: by the clock; 0 with --done)")
    parser.add_argument("--done", type=Path, help="a file that notes what has been played, to go on later")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    wanted = parser.parse_args()
    subjects = chosen(wanted.subjects)
    by_clock = int(time.time()) % 10**6 * 1000
    first: int = wanted.seed if wanted.seed is not None else 0 if wanted.done else by_clock
    print(f"{len(subjects)} subjects, {wanted.games} games each, {wanted.bots}, seeds from {first}", flush=True)
    end = first + wanted.games
    pieces = [
        Piece(name, wanted.bots, range(at, min(at + CHUNK, end)))
        for at in range(first, end, CHUNK)
        for name in subjects
    ]
    run = Run(wanted.done)
    run.run(pieces, subjects, wanted.workers)
    run.report(subjects)
    sys.exit(bool(run.differ))


if __name__ == "__main__":
    main()
