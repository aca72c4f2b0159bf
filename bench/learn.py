"""Learns what the evaluation looks up (`bots/corrections.py`), from games of planners against themselves.

    python bench/learn.py src/bastide/bots/learned.json --rounds 2 --games 1500 --seed 1

It learns from two things. The worth of each position is drawn to the mean of what was thought of the following ones,
the later the less (TD(lambda)); now and then a planner takes another action than the best (`SLIP`), and what comes
before a slip learns nothing from it. And ways to play one turn are compared: each is tried as the search does, going on
for some turns with the same draws for all, and by how much one is better than another is learned from that.

After each round all tables are fitted to the games of all rounds (least squares, with a pull towards what it began
with), and written: the next round plays with them. It begins with nothing, or `--further` with what the file says.

Needs numpy. Each of `--rules` is a number of players with names of modules; the file comes first.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from math import exp
from pathlib import Path
from random import Random
from statistics import fmean
from time import process_time
from typing import Any

import numpy as np

from bastide import Rules
from bastide.bots.evaluation import Evaluation
from bastide.bots.learned import SIZES, read, write
from bastide.bots.planner import Planner
from bastide.bots.search import Search
from bastide.game import Dealer, Engine, Rng, new_engine
from bastide.rules.position import OVER

SLIP = 0.15  # share of actions that may be another than the best
TEMPERATURES = (0.3, 1.0)  # of a game: one that promises so many points less is taken e times less often
LAMBDA = 0.7
COMPARED = 0.5  # share of turns of which several ways to play them are compared ...
LIKED = 7  # ... those that the evaluation likes best ...
ODD = 3  # ... and some others, for what it dislikes may be good
TRIALS = 2  # of each of these ways
AHEAD = 4  # turns that a trial goes on for ...
EARLY = 1  # ... not counted of these: the first, in which little is tried out yet
SURER = 8.0  # how much more a comparison says than what came of a position
PULL = 300.0  # squared error for which a table's number may grow from nothing to one
REPEATS = 4  # new expectations from new tables, after each round
STEPS = 25  # of the method of conjugate gradients, each time

Numbers = Any  # arrays; numpy is optional here


@dataclass
class Positions:
    """Positions as the first seat sees them."""

    looks: list[Numbers] = field(default_factory=list)  # per position: places in the tables ...
    signs: list[Numbers] = field(default_factory=list)  # ... and whether they count for the first seat
    thought: list[float] = field(default_factory=list)  # per position: its lead without the tables


@dataclass
class Games(Positions):
    """Those of games, in their order."""

    slipped: list[bool] = field(default_factory=list)  # per position: did a slip lead to it?
    ends: list[int] = field(default_factory=list)  # per game: the number of positions up to its end ...
    leads: list[float] = field(default_factory=list)  # ... and its final lead


@dataclass
class Turns(Positions):
    """Those after different ways to play a turn."""

    numbers: list[int] = field(default_factory=list)  # per position: of the turn
    told: list[float] = field(default_factory=list)  # ... and its lead by trials
    count: int = 0


class Teacher:
    """Plays by the tables as they are by now."""

    def __init__(self, rules: Rules, tables: Numbers, random: Random) -> None:
        self.rules = rules
        self.random = random
        evaluation = Evaluation(rules)
        evaluation.corrections.take(tables.tolist())
        self.search = Search(evaluation, 1)
        self.planner = Planner(evaluation)
        self.plain = Evaluation(rules)  # without tables: it notes where it would have looked
        self.plain.corrections.take([0.0] * len(tables))
        self.plain.corrections.note_looks()

    def look(self, game: Engine, positions: Positions) -> None:
        """Adds a position."""
        self.plain.judge(game)
        corrections = self.plain.corrections
        notes = np.array(list(corrections.notes[: int(corrections.noted)]), np.int32)
        signs = np.where(notes[0::2] == 0, 1.0, -1.0 / (int(game.players) - 1))
        positions.looks.append(notes[1::2])
        positions.signs.append(signs.astype(np.float32))
        positions.thought.append(lead(list(self.plain.worth)))

    def play(self, games: Games, turns: Turns) -> None:
        """Adds one game of planners that slip now and then, and what some of its turns might have been."""
        random = self.random
        game = new_engine(self.rules)
        dealer = Dealer(Rng(random.randrange(1 << 31)))
        temperature = random.choice(TEMPERATURES)
        slipped = False
        drawn = False
        while game.question() != OVER:
            game.trail_len = 0
            if game.chance():
                game.apply(dealer.deal(game))
                drawn = True
                continue
            if drawn and random.random() < COMPARED:
                self.compare(game, turns)
            drawn = False
            worths = list(self.planner.values(game, game.player()))
            best = max(worths)
            number = worths.index(best)
            if random.random() < SLIP:
                number = random.choices(range(len(worths)), [exp((worth - best) / temperature) for worth in worths])[0]
                slipped = slipped or worths[number] < best
            game.legal()
            game.apply(game.actions[number])
            if game.chance() and game.question() != OVER:
                self.look(game, games)
                games.slipped.append(slipped)
                slipped = False
        games.ends.append(len(games.thought))
        games.leads.append(final(game))

    def compare(self, game: Engine, turns: Turns) -> None:
        """Adds what trials say of several ways to play a turn, if no game ends with it."""
        self.search.all = []
        self.search.list_turns(game, game.player(), [])
        race = sorted(self.search.all, key=lambda turn: -turn.lead)
        rest = race[LIKED:]
        seeds = [self.random.randrange(1 << 31) for _ in range(TRIALS)]
        for turn in race[:LIKED] + self.random.sample(rest, min(ODD, len(rest))):
            mark = game.trail_len
            for action in turn.actions:
                game.apply(action)
            if game.question() != OVER:
                self.look(game, turns)
                turns.numbers.append(turns.count)
                turns.told.append(fmean(self.trial(game, seed) for seed in seeds))
            game.undo(mark)
        turns.count += 1

    def trial(self, game: Engine, seed: int) -> float:
        """The lead of the first seat, in the eyes of planners that go on for some turns."""
        mark = game.trail_len
        dealer = Dealer(Rng(seed))
        leads: list[float] = []
        while game.question() != OVER and len(leads) < AHEAD:
            if game.chance():
                game.apply(dealer.deal(game))
                continue
            self.planner.reply(game, game.player())
            for i in range(int(self.planner.length)):
                game.apply(self.planner.line[i])
            leads.append(lead(list(self.planner.worth)))
        if game.question() == OVER:
            leads += [final(game)] * (AHEAD - len(leads))
        game.undo(mark)
        return fmean(leads[EARLY:])


def lead(worths: Sequence[float]) -> float:
    """By how much the first seat is ahead of the others."""
    return worths[0] - sum(worths[1:]) / (len(worths) - 1)


def final(game: Engine) -> float:
    """The same when the game has ended."""
    return lead([float(game.score_of(seat)) for seat in range(int(game.players))])


def returns(values: Numbers, games: Games) -> Numbers:
    """What each position is drawn to."""
    goals = np.array(values)
    first = 0
    for end, last in zip(games.ends, games.leads, strict=True):
        for i in range(end - 1, first - 1, -1):
            if i == end - 1:
                goals[i] = last
            elif not games.slipped[i + 1]:
                goals[i] = (1 - LAMBDA) * values[i + 1] + LAMBDA * goals[i + 1]
        first = end
    return goals


def fit(games: Games, turns: Turns, tables: Numbers, begun: Numbers) -> Numbers:
    """All tables anew, from all games."""
    looks, signs = np.concatenate(games.looks + turns.looks), np.concatenate(games.signs + turns.signs)
    lengths = [len(one) for one in games.looks + turns.looks]
    starts = np.cumsum([0, *lengths[:-1]])
    rows: Numbers = np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)
    thought = np.array(games.thought + turns.thought)
    played = len(games.thought)
    numbers = np.array(turns.numbers)
    sizes = np.bincount(numbers)
    weight = np.full(len(thought), SURER)
    weight[: played - 1] = ~np.array(games.slipped[1:])
    weight[np.array(games.ends) - 1] = 1

    def told(tables: Numbers) -> Numbers:
        return np.add.reduceat(signs * tables[looks], starts)

    def gathered(errors: Numbers) -> Numbers:
        weighted = weight * compared(errors)
        return np.bincount(looks, weights=signs * weighted[rows], minlength=len(tables))

    def compared(errors: Numbers) -> Numbers:
        """Of the ways to play a turn only the differences count."""
        means = np.bincount(numbers, weights=errors[played:]) / np.maximum(sizes, 1)
        return np.concatenate([errors[:played], errors[played:] - means[numbers]])

    for _repeat in range(REPEATS):
        values = thought + told(tables)
        errors = np.concatenate([returns(values[:played], games), turns.told]) - values
        rest = gathered(errors) - PULL * (tables - begun)
        step = rest.copy()
        size = rest @ rest
        for _step in range(STEPS):
            product = gathered(told(step)) + PULL * step
            length = size / (step @ product)
            tables = tables + length * step
            rest = rest - length * product
            before, size = size, rest @ rest
            step = rest + size / before * step
        errors = compared(errors)
        print(f"  error {np.std(errors[:played][weight[:played] > 0]):.3f}, of comparisons", end=" ")
        print(f"{np.std(errors[played:]):.3f}, tables {np.abs(tables).sum():.0f}", flush=True)
    return tables


def main() -> None:
    """Reads the command line, plays, learns, writes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--games", type=int, default=1500, help="of a round")
    parser.add_argument("--rules", nargs="+", default=["2"], help="each: players, then modules, as in '2 river abbot'")
    parser.add_argument("--further", action="store_true", help="begin with the tables of the file")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    random = Random(given.seed)
    table = [Rules.of(players=int(words[0]), modules=words[1:]) for words in map(str.split, given.rules)]
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], check=True, capture_output=True, text=True).stdout
    before, known = read(given.file) if given.further else ({}, [0.0] * sum(SIZES.values()))
    begun = np.array(known)
    tables = begun
    games, turns = Games(), Turns()
    for number in range(given.rounds):
        teachers = [Teacher(rules, tables, random) for rules in table]
        for i in range(given.games):
            teachers[i % len(table)].play(games, turns)
        print(f"round {number + 1}: {len(games.ends)} games, {turns.count} turns, {process_time():.0f} s", flush=True)
        tables = fit(games, turns, tables, begun)
        made = {
            "command": " ".join(["python bench/learn.py", os.path.relpath(given.file), *sys.argv[2:]]),
            "commit": commit.strip(),
            "date": datetime.now(UTC).date().isoformat(),
            "rules": given.rules,
            "games": len(games.ends),
            "positions": len(games.thought),
            "turns": turns.count,
            "seed": given.seed,
            "rounds": number + 1,
            "further": before,  # how the tables were made with which it began
        }
        write(given.file, tables.tolist(), made)
        print(f"  written, {process_time():.0f} s", flush=True)


if __name__ == "__main__":
    main()
