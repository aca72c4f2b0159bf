"""What turns are really worth: positions of games between planners, and how each turn fared when played on.

    python bench/trials.py trials-base.jsonl --seconds 1200 --seed 1
    python bench/trials.py trials-hg.jsonl --modules hunters_and_gatherers --seconds 600

For `bench/gains.py`. Of a position the turns that the evaluation likes best are tried, and some others. A trial plays
on for some turns, or to the end of the game, by good answers of the planner (`Planner.reply`); in the n-th trial all
turns meet the same draws. One position is one line: the actions that lead to it, the turns, and what each seat could
expect after each turn of each trial.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random
from time import process_time

from bastide import Rules
from bastide.bots.evaluation import Evaluation
from bastide.bots.planner import Planner
from bastide.bots.search import Search
from bastide.game import Dealer, Engine, Rng, new_engine
from bastide.rules.position import DRAW, OVER

LIKED = 7  # turns tried that the evaluation likes best ...
ODD = 3  # ... and others, for what it dislikes may be good
EVERY = 6  # turns of a game from one position to the next
SLIP = 0.15  # share of turns that a game goes on with any of the liked turns: boards that planners would not make


@dataclass(frozen=True)
class Position:
    """A position, its turns, and how they fared."""

    actions: list[int]
    turns: list[list[int]]
    course: list[list[list[list[float]]]]  # per turn, trial and turn after it: what each seat can expect


def trial(game: Engine, planner: Planner, seed: int, ahead: int) -> list[list[float]]:
    """What each seat can expect after each of the turns that planners go on with, or has in the end."""
    mark = game.trail_len
    dealer = Dealer(Rng(seed))
    found: list[list[float]] = []
    while game.question() != OVER and len(found) < ahead:
        if game.chance():
            game.apply(dealer.deal(game))
        else:
            planner.reply(game, game.player())
            for i in range(int(planner.length)):
                game.apply(planner.line[i])
            found.append([round(float(worth), 2) for worth in planner.worth])
    if game.question() == OVER:
        found.append([float(game.score_of(seat)) for seat in range(game.rules.players)])
    game.undo(mark)
    return found


def tried(game: Engine, search: Search, trials: int, ahead: int, random: Random) -> Position:
    """The turns of a position that are worth trying, and some others, with their results."""
    search.all = []
    search.list_turns(game, game.player(), [])
    race = sorted(search.all, key=lambda turn: -turn.lead)
    rest = race[LIKED:]
    turns = [list(turn.actions) for turn in race[:LIKED] + random.sample(rest, min(ODD, len(rest)))]
    seeds = [random.randrange(1 << 31) for _ in range(trials)]
    found = []
    for turn in turns:
        mark = game.trail_len
        for action in turn:
            game.apply(action)
        found.append([trial(game, search.planner, seed, ahead) for seed in seeds])
        game.undo(mark)
    return Position([], turns, found)


def one_game(evaluation: Evaluation, trials: int, ahead: int, random: Random) -> list[Position]:
    """Positions of one game between planners that slip now and then."""
    search = Search(evaluation, 1)
    game = new_engine(evaluation.rules)
    dealer = Dealer(Rng(random.randrange(1 << 31)))
    done: list[int] = []
    found = []
    wait = random.randrange(EVERY)
    while game.question() != OVER:
        if game.chance():
            new = [int(dealer.deal(game))]
            wait -= int(game.question() == DRAW)
        else:
            search.all = []
            search.list_turns(game, game.player(), [])
            race = sorted(search.all, key=lambda turn: -turn.lead)[:LIKED]
            if wait < 0 and len(race) > 1:
                wait = random.randrange(2 * EVERY)
                found.append(replace(tried(game, search, trials, ahead, random), actions=list(done)))
            new = list((random.choice(race) if random.random() < SLIP else race[0]).actions)
        for action in new:
            game.apply(action)
        done += new
        game.trail_len = 0
    return found


def main() -> None:
    """Reads the command line, plays, writes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--seconds", type=float, default=600, help="of CPU time")
    parser.add_argument("--trials", type=int, default=16)
    parser.add_argument("--ahead", type=int, default=12, help="turns that a trial goes on for")
    parser.add_argument("--modules", default="")
    parser.add_argument("--preset", default="")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    random = Random(given.seed)
    modules = [name for name in given.modules.split(",") if name]
    rules = Rules.of(players=given.players, preset=given.preset, modules=modules)
    evaluation = Evaluation(rules)
    with given.file.open("a") as file:
        while process_time() < given.seconds:
            for position in one_game(evaluation, given.trials, given.ahead, random):
                file.write(json.dumps(asdict(position)) + "\n")
            file.flush()


if __name__ == "__main__":
    main()
