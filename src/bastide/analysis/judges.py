"""Who says what a move is worth: the bots' evaluation, or the plain score if the game ended now."""

from __future__ import annotations

from abc import ABC, abstractmethod

from bastide.bots import greedy
from bastide.bots.evaluation import Evaluation
from bastide.bots.planner import Planner
from bastide.errors import OptionError
from bastide.game import Engine
from bastide.rules import Rules


class Judge(ABC):
    """Values are points by which a seat is, or can expect to be, ahead of the best other."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    @abstractmethod
    def values(self, game: Engine, seat: int) -> list[float]:
        """What each legal action is worth, in their order."""

    @abstractmethod
    def lead(self, game: Engine, seat: int) -> float:
        """What the position is worth."""


class ByOutlook(Judge):
    """The points to be expected at the end of the game."""

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        self.evaluation = Evaluation(rules)
        self.planner = Planner(self.evaluation)

    def values(self, game: Engine, seat: int) -> list[float]:
        return [float(value) for value in self.planner.values(game, seat)]

    def lead(self, game: Engine, seat: int) -> float:
        return float(self.evaluation.lead(game, seat))


class ByScore(Judge):
    """The score if the game ended with this turn."""

    def values(self, game: Engine, seat: int) -> list[float]:
        actions = list(game.actions[: game.legal()])
        return [float(greedy.value_of(game, action, seat, greedy.DEPTH)) for action in actions]

    def lead(self, game: Engine, seat: int) -> float:
        return float(greedy.lead(game, seat))


JUDGES: dict[str, type[Judge]] = {"outlook": ByOutlook, "score": ByScore}


def judge(name: str, rules: Rules) -> Judge:
    """A judge by its name."""
    if name not in JUDGES:
        raise OptionError(f"unknown judge {name!r}; there are {', '.join(JUDGES)}")
    return JUDGES[name](rules)
