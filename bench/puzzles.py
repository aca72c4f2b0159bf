"""Makes the collection of puzzles: puzzles.json in the folder of every module.

    python bench/puzzles.py --each 7

Bots play; a turn of theirs becomes a puzzle if one way to play it is clearly the best and greed does not find it. The
evaluation names the candidates. Then the search compares the best ways to play the turn, all with the same draws
(`--rounds`), and bots that search with a real budget (`--budget`, different seeds) must all choose the solution. A
puzzle of a box must be about the box: its tile, its piece, or a rule behind the solution.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any

from bastide.analysis.judges import ByOutlook
from bastide.analysis.puzzles import DIGITS, Puzzle, Turns, as_json, greedy_line, lines_of, turns_of, with_turns
from bastide.bots import bot
from bastide.bots.search import Search
from bastide.game import CHANCE, Game, Rng
from bastide.homes import homes
from bastide.notation.record import read_record
from bastide.notation.replay import replay
from bastide.rules import Rules
from bastide.rules.build import compiled
from bastide.rules.choose import BASE, choose
from bastide.rules.registry import specs

FILE = "puzzles.json"
PLAYERS = ("red", "blue")
PLAYED_BY = "planner"
EARLIEST, LATEST = 3, 45  # tiles on the board
TEMPTED = 1.5  # points that greed gives away
CLEAR = 1.0  # points by which the solution is ahead of everything else
SURE = 2.0  # standard errors
SEEDS = 3  # of bots that must agree
FEWEST = 8  # ways to play the turn
EASY = 4.0  # points ahead
NAMING = ("place", "deploy", "take", "move", "choose")  # actions that name a tile or a piece
TOLD = ("scores", "takes", "shares", "claims", "extends", "again", "hinders")  # facts that make a solution one
GAMES = 400


@dataclass(frozen=True)
class Effort:
    """How much is looked at."""

    rounds: int  # trials of each way to play
    budget: int  # positions that a bot judges
    games: int  # that are played for a module


def main() -> None:
    """Makes the puzzles of some modules, or of all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=7, help="puzzles for each module")
    parser.add_argument("--rounds", type=int, default=120)
    parser.add_argument("--budget", type=int, default=40_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=GAMES, help="games for each module, at most")
    parser.add_argument("--out", type=Path, help="a folder for all files, instead of those of the modules")
    parser.add_argument("modules", nargs="*", default=list(specs()))
    wanted = parser.parse_args()
    for module in wanted.modules:
        effort = Effort(wanted.rounds, wanted.budget, wanted.games)
        found = list(make(module, wanted.each, wanted.seed, effort))
        write((wanted.out / f"{module}.json") if wanted.out else homes()[module].folder / FILE, found)


def make(module: str, count: int, seed: int, effort: Effort) -> Iterator[dict[str, Any]]:
    """Puzzles about one module, easy ones first."""
    others = [] if module == BASE else [module]
    rules = compiled(choose("", others, len(PLAYERS), "", {}))
    found: list[dict[str, Any]] = []
    for number in range(effort.games):
        puzzle = next(puzzles_in(rules, module, seed * 10_000 + number, effort), None)
        if puzzle is not None:
            found.append(puzzle)
            print(f"{module}: game {number}, {len(found)} of {count}, level {puzzle['level']}", flush=True)
        if len(found) == count:
            break
    yield from sorted(found, key=lambda one: (one["level"], len(one["record"])))


def puzzles_in(rules: Rules, module: str, seed: int, effort: Effort) -> Iterator[dict[str, Any]]:
    """Turns of one game that are puzzles."""
    judging = ByOutlook(rules)
    for record in moments(rules, seed):
        found = checked(replay(read_record(record)), judging, module, effort)
        if found is not None:
            yield found


def moments(rules: Rules, seed: int) -> list[str]:
    """The records of a game up to each of its turns, in an order of their own."""
    game = Game(rules, names=PLAYERS, seed=seed)
    bots = [bot(PLAYED_BY, seed + seat) for seat in range(len(PLAYERS))]
    found = []
    began: tuple[int, int] | None = None
    while not game.over and len(game.board) <= LATEST:
        moment = (game.turn, len(game.board))
        if game.tile is not None and moment != began and len(game.board) >= EARLIEST:
            began = moment
            found.append(game.record())
        game.play(bots[game.seat].choose(game.view(game.seat)))
    rng = Rng(seed)
    return [found.pop(int(rng.below(len(found)))) for _ in range(len(found))]


def checked(game: Game, judging: ByOutlook, module: str, effort: Effort) -> dict[str, Any] | None:
    """The turn that is asked now as a puzzle, if it is one."""
    if game.seat == CHANCE:
        return None
    turns = turns_of(game, judging)
    lines = lines_of(turns)
    tempting = greedy_line(game)
    values = dict(lines)
    if len(lines) < FEWEST or values[lines[0][0]] - values[tempting] < CLEAR:
        return None
    if not interesting(with_turns(game, judging, turns, tempting), module):
        return None
    judged, sure = searched(game, turns, effort)
    puzzle = with_turns(game, judging, judged, tempting)
    second = lines_of(judged)[1][1]
    ahead = puzzle.value(puzzle.solution) - second
    if not sure or ahead < CLEAR or puzzle.loss(tempting) < TEMPTED or not interesting(puzzle, module):
        return None
    if any(chosen(game, seed, effort.budget) != puzzle.solution for seed in range(SEEDS)):
        return None
    seen = puzzle.solution == lines[0][0]
    level = 3 if not seen else 2 if ahead < EASY else 1
    check = {"ahead": round(ahead, DIGITS), "rounds": effort.rounds, "budget": effort.budget, "bots": SEEDS}
    return {"level": level, **as_json(puzzle), "checked": check}


def searched(game: Game, turns: Turns, effort: Effort) -> tuple[Turns, bool]:
    """The turns with what trials say about the best of them; is the first surely ahead of the second?

    Whatever was not tried is worth no more than the worst that was.
    """
    view = game.view(game.seat)
    search = Search(ByOutlook(game.rules).evaluation, 1)
    count = 8 if game.rules.layout.secrets else 1
    worlds = [view.imagine(Rng(number + 1)).engine for number in range(count)]
    search.begin(worlds)
    tried: dict[tuple[str, ...], list[float]] = {}
    for turn in list(search.race):
        line = words(game, turn.actions)
        tried[line] = []
        for number in range(effort.rounds):
            search.rounds = number
            tried[line].append(search.trial(turn))
    means = {line: sum(results) / len(results) for line, results in tried.items()}
    ranked = sorted(means, key=means.__getitem__, reverse=True)
    judged = rated(turns, means, min(means.values()))
    return judged, len(ranked) > 1 and surely(tried[ranked[0]], tried[ranked[1]])


def surely(first: Sequence[float], second: Sequence[float]) -> bool:
    """Is the first better, by more than chance?"""
    gaps = [a - b for a, b in zip(first, second, strict=True)]
    mean = sum(gaps) / len(gaps)
    spread = sqrt(sum((gap - mean) ** 2 for gap in gaps) / (len(gaps) - 1) / len(gaps))
    return mean >= SURE * spread


def words(game: Game, numbers: Sequence[int]) -> tuple[str, ...]:
    """The actions of a turn as text."""
    line = []
    for number in numbers:
        legal = [int(one) for one in game.engine.actions[: game.engine.legal()]]
        line.append(str(game.legal[legal.index(number)]))
        game.play(line[-1])
    for _ in line:
        game.undo()
    return tuple(line)


def rated(turns: Turns, means: dict[tuple[str, ...], float], most: float, before: tuple[str, ...] = ()) -> Turns:
    """The same turns with other values."""
    found: Turns = {}
    for action, rest in turns.items():
        line = (*before, action)
        if isinstance(rest, dict):
            found[action] = rated(rest, means, most, line)
        else:
            found[action] = round(means.get(line, min(rest, most)), DIGITS)
    return found


def interesting(puzzle: Puzzle, module: str) -> bool:
    """Is there something to tell, and is it about the module?"""
    return any(fact.fact in TOLD for fact in puzzle.why) and about(puzzle, module)


def about(puzzle: Puzzle, module: str) -> bool:
    """Does a puzzle show something of the module?"""
    spec = specs()[module]
    if module == BASE or spec.standalone:
        return True
    plain = compiled(choose("", [], len(PLAYERS), "", {}))
    known = {tile.id for tile in plain.tiles} | {piece.name for piece in plain.layout.pieces}
    used = {words[1] for words in map(str.split, puzzle.solution) if words[0] in NAMING}
    return bool(used - known) or any(fact.rule.startswith(f"{spec.prefix}-") for fact in puzzle.why)


def chosen(game: Game, seed: int, budget: int) -> tuple[str, ...]:
    """The turn that a bot plays."""
    player = bot(f"search:{budget}", seed)
    seat, turn = game.seat, game.turn
    line: list[str] = []
    while not line or (not game.over and game.seat == seat and game.turn == turn):
        line.append(str(player.choose(game.view(seat))))
        game.play(line[-1])
    for _ in line:
        game.undo()
    return tuple(line)


def write(path: Path, puzzles: Sequence[dict[str, Any]]) -> None:
    """One puzzle, one line for each of its members."""
    said = [
        "  {\n"
        + ",\n".join(f'    "{key}": {json.dumps(value, ensure_ascii=False)}' for key, value in puzzle.items())
        + "\n  }"
        for puzzle in puzzles
    ]
    path.write_text("[\n" + ",\n".join(said) + "\n]\n", "utf-8")


if __name__ == "__main__":
    main()
