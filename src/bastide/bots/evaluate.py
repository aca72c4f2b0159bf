"""What the bots think of a position, for programs of others."""
# interpreted: one call for each question

from __future__ import annotations

from functools import lru_cache

from bastide.bots.evaluation import Evaluation
from bastide.errors import OptionError
from bastide.game.state import State
from bastide.rules import Rules


def evaluate(state: State, seat: int) -> float:
    """By how many points a seat can expect to be ahead of the others when the game ends; the state stays as it is."""
    if not 0 <= seat < state.rules.players:
        raise OptionError(f"seat: expected 0 to {state.rules.players - 1}, got {seat}")
    return evaluation_of(state.rules).lead(state.engine, seat)


@lru_cache(maxsize=16)
def evaluation_of(rules: Rules) -> Evaluation:
    """One for all positions by the same rules: making it takes longer than asking it."""
    return Evaluation(rules)
