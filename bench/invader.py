"""A sparring partner: builds large cities and brings knights into those of others, more than is good for it.

    bastide arena --players search:8000 --code bench/invader.py --games 40
    python bench/contested.py search:8000 python:bench/invader.py --games 40

Bots that play against their likes never meet this, because none of them does it.
"""

from __future__ import annotations

from bastide.bots.evaluation import Evaluation
from bastide.bots.planner import Planner
from bastide.bots.thinkers import PlannerBot
from bastide.bots.weights import Weights
from bastide.game import View


def daring() -> Weights:
    """The weights of the evaluation, but for what makes an invader."""
    weights = Weights()
    weights.join = 1.5  # sees regions that one tile can join as good as joined
    weights.own = 0.3  # is sure that its own regions will be completed ...
    weights.crowd = 0.6  # ... even large ones
    weights.others = 1.1  # and what the others lose counts more than what it wins
    return weights


class Invader(PlannerBot):
    """A planner with other weights."""

    def values(self, view: View) -> list[float]:
        if self.rules is not view.rules:
            self.rules = view.rules
            self.planner = Planner(Evaluation(view.rules, daring()))
        return list(self.planner.values(view.imagine(self.rng).engine, view.seat))
