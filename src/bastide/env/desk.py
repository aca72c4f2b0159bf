"""One game for a learner: actions as codes, positions as rows of numbers. What all environments are built on."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bastide.errors import IllegalAction
from bastide.game import Game
from bastide.game.codes import Codes
from bastide.game.observation import Observer
from bastide.notation.ascii import draw_board, standing
from bastide.rules import Rules

Numbers: TypeAlias = NDArray[np.int64]
Mask: TypeAlias = NDArray[np.int8]


class Desk:
    """A checked game with codes beside its actions."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.codes = Codes(rules)
        self.observer = Observer(rules)
        self.game = Game(rules, seed=0)

    def begin(self, seed: int) -> None:
        """A new game; its tiles follow from the seed."""
        self.game = Game(self.rules, seed=seed)

    def legal(self) -> list[int]:
        """The codes of what can be done now, in the order of `game.legal`."""
        return self.codes.listed(self.game.engine)

    def mask(self) -> Mask:
        """1 for each code that is legal now, 0 for the others; all 0 when the game is over."""
        mask: Mask = np.zeros(self.codes.size, dtype=np.int8)
        if not self.game.over:
            mask[self.legal()] = 1
        return mask

    def play(self, code: int) -> None:
        """Plays a legal code; another is refused."""
        legal = [] if self.game.over else self.legal()
        if code not in legal:
            raise IllegalAction("code", f"the action {code} is not legal now")
        self.game.play(self.game.legal[legal.index(code)])

    def observe(self, seat: int) -> Numbers:
        """The position as a seat may see it."""
        numbers: Numbers = np.array(self.observer.row(self.game.engine, seat), dtype=np.int64)
        return numbers

    def margins(self) -> list[float]:
        """For each seat: its points less the mean of the others'."""
        return margins(self.game.scores)

    def text(self) -> str:
        """The board and the standing, for people."""
        return f"{draw_board(self.game)}\n{standing(self.game)}\n"


def margins(scores: tuple[int, ...]) -> list[float]:
    """For each score: it less the mean of the others. They add up to 0. Alone there are no others: the score itself."""
    others = len(scores) - 1
    if others == 0:
        return [float(score) for score in scores]
    return [score - (sum(scores) - score) / others for score in scores]


def bounds() -> dict[str, Any]:
    """What the numbers of an observation lie between, as the packages' spaces want it: float32 holds them exactly."""
    return {"low": -(2**24), "high": 2**24, "dtype": np.int64}
