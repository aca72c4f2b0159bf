"""Verifies the results of an arena by replaying every record."""

from __future__ import annotations

from pathlib import Path

from bastide.arena.journal import Setup, read_results
from bastide.arena.match import Result
from bastide.errors import BastideError
from bastide.game import Game
from bastide.game.seeds import mixed
from bastide.notation.record import read_record
from bastide.notation.replay import replay


def verify(folder: Path) -> tuple[int, list[str]]:
    """How many games a folder holds, and what is wrong with them.

    Each record is played again by the rules of the folder. The tiles must be those that the seed of the pair deals, the
    scores and winners those of the result; a game that a bot lost by a fault must have been unfinished.
    """
    setup = Setup.read(folder)
    results = read_results(folder)
    wrong = []
    for result in results:
        try:
            why = fault_in(setup, result)
        except BastideError as error:
            why = str(error)
        if why:
            wrong.append(f"{result.id}: {why}")
    return len(results), wrong


def fault_in(setup: Setup, result: Result) -> str:
    """What is wrong with a result; empty if nothing."""
    replayed = replay(read_record(result.record))
    rules = setup.table.rules()
    if replayed.rules.choice != rules.choice:
        return "its record is of another game"
    game = Game(rules, names=replayed.names, seed=mixed(result.seed, "dealer"))
    for _, action in replayed.history:
        if action.verb != "draw" and action in game.legal:
            game.play(action)
    if game.history != replayed.history:
        return "its tiles are not those of its seed"
    if game.scores != result.scores:
        return f"expected the scores {list(game.scores)}, the result says {list(result.scores)}"
    if result.fault:
        return "it was lost by a fault, but is finished" if game.over else ""
    if game.outcome is None:
        return "it is not finished"
    if tuple(game.outcome.winners) != result.winners:
        return f"expected the winners {list(game.outcome.winners)}, the result says {list(result.winners)}"
    return ""
