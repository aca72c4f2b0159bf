"""Puzzles: every answer is known, the collection holds what it promises, and the script can make more."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from bastide.analysis.puzzles import COSTLY, Puzzle, as_json, dearest, follow, greedy_line, lines_of, puzzle_of
from bastide.analysis.review import review
from bastide.bots import bot
from bastide.game import CHANCE, Game
from bastide.homes import homes
from bastide.notation.record import read_record
from bastide.notation.replay import replay
from bastide.rules import Rules
from bastide.rules.registry import specs

CLEAR = 1.0  # points by which a solution is ahead of everything else
TEMPTED = 1.5  # points that greed gives away
ROUNDED = 0.051
MAKER = Path(__file__).parents[2] / "bench/puzzles.py"


@cache
def collection() -> dict[str, list[dict[str, Any]]]:
    return {name: homes()[name].json("puzzles.json") for name in specs()}


def test_the_collection_has_something_of_every_box() -> None:
    assert all(len(puzzles) >= 3 for puzzles in collection().values()), {n: len(p) for n, p in collection().items()}
    every = [puzzle for puzzles in collection().values() for puzzle in puzzles]
    assert len(every) >= 60
    assert len({puzzle["id"] for puzzle in every}) == len(every)
    assert {puzzle["level"] for puzzle in every} >= {2, 3}


@pytest.mark.parametrize("module", specs())
def test_a_puzzle_has_one_best_turn_that_greed_misses(module: str) -> None:
    for said in collection()[module]:
        game = replay(read_record("\n".join(said["record"]) + "\n"))
        assert game.seat == said["seat"] != CHANCE
        assert module in game.rules.module_names
        lines = lines_of(said["turns"])
        (best, value), (_, second) = lines[:2]
        assert list(best) == said["solution"]
        assert value - second >= CLEAR - ROUNDED, said["id"]
        assert tuple(said["tempting"]) == greedy_line(game)
        assert value - follow(said["turns"], said["tempting"]) >= TEMPTED - ROUNDED
        assert set(said["turns"]) == {str(action) for action in game.legal}  # every answer is known
        assert said["why"]
        for action in said["solution"]:
            game.play(action)


def test_what_a_puzzle_tells_is_true() -> None:
    """A scored region is scored, and what is claimed is claimed: the reasons are made again from the record."""
    for said in collection()["base"]:
        game = replay(read_record("\n".join(said["record"]) + "\n"))
        before = game.scores
        events = [event for action in said["solution"] for event in game.play(action)]
        assert events
        gained = game.scores[said["seat"]] - before[said["seat"]]
        assert gained == sum(fact["points"] for fact in said["why"] if fact["fact"] == "scores")


@cache
def played() -> Game:
    game = Game(Rules.of(players=2), seed=5)
    bots = [bot("random", 1), bot("bot:4", 2)]
    while not game.over:
        game.play(bots[game.seat].choose(game.view(game.seat)))
    return game


def test_the_dearest_turns_of_a_game_become_puzzles() -> None:
    record = read_record(played().record())
    judged = review(record)
    moves = [(move.n, move.action, move.loss) for turn in judged.turns if turn.seat == 0 for move in turn.moves]
    found = dearest(record, moves, 3)
    assert len(found) == 3
    losses = [puzzle.loss(puzzle.tempting) for puzzle in found]
    assert min(losses) >= COSTLY
    worst = max(
        sum(loss for _, _, loss in run)
        for run in [[m for m in moves if m[0] == n or m[0] == n + 1] for n, _, _ in moves]
    )
    assert losses[0] == pytest.approx(worst, abs=0.2)
    for puzzle in found:
        assert puzzle.seat == 0
        assert puzzle.loss(puzzle.solution) == 0


def test_a_puzzle_is_the_same_however_often_it_is_made() -> None:
    game = replay(read_record("bastide 1\nplayers red blue\n\nred: draw E\n"))
    once, twice = puzzle_of(game), puzzle_of(game)
    assert once == twice
    assert once.id == twice.id
    assert json.loads(json.dumps(as_json(once)))["turns"] == once.turns
    assert isinstance(once, Puzzle)
    assert not game.board.figures  # nothing was left behind


def test_the_script_finds_puzzles(tmp_path: Path) -> None:
    few = ["--each", "1", "--rounds", "12", "--budget", "400", "--games", "5", "--out", str(tmp_path)]
    subprocess.run([sys.executable, MAKER, *few, "inns_and_cathedrals"], check=True, capture_output=True)
    (found,) = json.loads((tmp_path / "inns_and_cathedrals.json").read_text("utf-8"))
    best, second = lines_of(found["turns"])[:2]
    assert list(best[0]) == found["solution"]
    assert best[1] - second[1] >= CLEAR - ROUNDED
    assert found["checked"]["budget"] == 400
