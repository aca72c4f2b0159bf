"""Learns what the evaluation looks up (`bots/corrections.py`): temporal differences of games against itself.

    python bench/learn.py src/bastide/bots/learned.json --rounds 4 --games 4000 --seed 1

Planners play each other; now and then one takes another action than the best (`SLIP`). The worth of each position is
drawn to the mean of what was thought of the following ones, the later the less (TD(lambda)); what comes before a slip
learns nothing from it. After each round all tables are fitted to the games of all rounds (least squares, with a pull
towards nothing), and written: the next round plays with them. It begins with nothing.

Needs numpy. Each of `--rules` is a number of players with names of modules; the file comes first.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from dataclasses import dataclass, field
from datetime import UTC, datetime
from math import exp
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

import numpy as np

from bastide import Rules
from bastide.bots.evaluation import Evaluation
from bastide.bots.learned import SIZES, write
from bastide.bots.planner import Planner
from bastide.game import Dealer, Rng, new_engine
from bastide.rules.position import OVER

SLIP = 0.15  # share of actions that may be another than the best
TEMPERATURES = (0.3, 1.0)  # of a game: one that promises so many points less is taken e times less often
LAMBDA = 0.7
PULL = 300.0  # squared error for which a table's number may grow from nothing to one
REPEATS = 5  # new expectations from new tables, after each round
STEPS = 25  # of the method of conjugate gradients, each time

Numbers = Any  # arrays; numpy is optional here


@dataclass
class Games:
    """Positions of games, as the first seat sees them."""

    looks: list[Numbers] = field(default_factory=list)  # per position: places in the tables ...
    signs: list[Numbers] = field(default_factory=list)  # ... and whether they count for the first seat
    thought: list[float] = field(default_factory=list)  # per position: its lead without the tables
    slipped: list[bool] = field(default_factory=list)  # ... and whether a slip led to it
    ends: list[int] = field(default_factory=list)  # per game: the number of positions up to its end ...
    leads: list[float] = field(default_factory=list)  # ... and its final lead


def lead(worths: list[float]) -> float:
    """By how much the first seat is ahead of the others."""
    return worths[0] - sum(worths[1:]) / (len(worths) - 1)


def play(evaluation: Evaluation, values: Numbers, random: Random, games: Games) -> None:
    """Adds one game of planners that slip now and then."""
    planner, corrections = Planner(evaluation), evaluation.corrections
    game = new_engine(evaluation.rules)
    dealer = Dealer(Rng(random.randrange(1 << 31)))
    temperature = random.choice(TEMPERATURES)
    slipped = False
    while game.question() != OVER:
        if game.chance():
            game.apply(dealer.deal(game))
            continue
        worths = list(planner.values(game, game.player()))
        best = max(worths)
        number = worths.index(best)
        if random.random() < SLIP:
            number = random.choices(range(len(worths)), [exp((worth - best) / temperature) for worth in worths])[0]
            slipped = slipped or worths[number] < best
        game.legal()
        game.apply(game.actions[number])
        game.trail_len = 0
        if game.chance() and game.question() != OVER:
            corrections.noting = True
            evaluation.judge(game)
            corrections.noting = False
            notes = np.array(list(corrections.notes[: int(corrections.noted)]), np.int32)
            looks = notes[1::2]
            signs = np.where(notes[0::2] == 0, 1.0, -1.0 / (int(game.players) - 1)).astype(np.float32)
            games.looks.append(looks)
            games.signs.append(signs)
            games.thought.append(lead([float(worth) for worth in evaluation.worth]) - float(signs @ values[looks]))
            games.slipped.append(slipped)
            slipped = False
    games.ends.append(len(games.thought))
    games.leads.append(lead([float(game.score_of(seat)) for seat in range(int(game.players))]))


def returns(values: Numbers, games: Games) -> Numbers:
    """What each position is drawn to."""
    goals = np.array(values)
    first = 0
    for end, final in zip(games.ends, games.leads, strict=True):
        for i in range(end - 1, first - 1, -1):
            if i == end - 1:
                goals[i] = final
            elif not games.slipped[i + 1]:
                goals[i] = (1 - LAMBDA) * values[i + 1] + LAMBDA * goals[i + 1]
        first = end
    return goals


def fit(games: Games, tables: Numbers) -> Numbers:
    """All tables anew, from all games."""
    looks, signs = np.concatenate(games.looks), np.concatenate(games.signs)
    starts = np.cumsum([0, *(len(one) for one in games.looks[:-1])])
    rows: Numbers = np.repeat(np.arange(len(games.looks)), [len(one) for one in games.looks])
    thought = np.array(games.thought)
    used = np.ones(len(thought))
    used[:-1] = ~np.array(games.slipped[1:])
    used[np.array(games.ends) - 1] = 1

    def told(tables: Numbers) -> Numbers:
        return np.add.reduceat(signs * tables[looks], starts)

    def gathered(errors: Numbers) -> Numbers:
        return np.bincount(looks, weights=signs * (used * errors)[rows], minlength=len(tables))

    for _repeat in range(REPEATS):
        values = thought + told(tables)
        goals = returns(values, games)
        rest = gathered(goals - values) - PULL * tables
        step = rest.copy()
        size = rest @ rest
        for _step in range(STEPS):
            product = gathered(told(step)) + PULL * step
            length = size / (step @ product)
            tables = tables + length * step
            rest = rest - length * product
            before, size = size, rest @ rest
            step = rest + size / before * step
        print(f"  error {np.std((goals - values)[used > 0]):.3f}, tables {np.abs(tables).sum():.0f}", flush=True)
    return tables


def main() -> None:
    """Reads the command line, plays, learns, writes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--games", type=int, default=4000, help="of a round")
    parser.add_argument("--rules", nargs="+", default=["2"], help="each: players, then modules, as in '2 river abbot'")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    random = Random(given.seed)
    table = [Rules.of(players=int(words[0]), modules=words[1:]) for words in map(str.split, given.rules)]
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], check=True, capture_output=True, text=True).stdout
    tables = np.zeros(sum(SIZES.values()))
    games = Games()
    for number in range(given.rounds):
        evaluations = [Evaluation(rules) for rules in table]
        for evaluation in evaluations:
            for i, value in enumerate(tables.tolist()):
                evaluation.corrections.values[i] = value
        for i in range(given.games):
            play(evaluations[i % len(table)], tables, random, games)
        print(f"round {number + 1}: {len(games.ends)} games, {process_time():.0f} s", flush=True)
        tables = fit(games, tables)
        made = {
            "command": " ".join(["python bench/learn.py", os.path.relpath(given.file), *sys.argv[2:]]),
            "commit": commit.strip(),
            "date": datetime.now(UTC).date().isoformat(),
            "rules": given.rules,
            "games": len(games.ends),
            "positions": len(games.thought),
            "seed": given.seed,
            "rounds": number + 1,
        }
        write(given.file, tables.tolist(), made)
        print(f"  written, {process_time():.0f} s", flush=True)


if __name__ == "__main__":
    main()
