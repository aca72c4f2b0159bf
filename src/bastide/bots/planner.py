"""One ply on the evaluation: every way to finish the own turn, judged by the points to be expected from there."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec

from bastide.bots.evaluation import Evaluation
from bastide.game.engine import Engine
from bastide.native import i64
from bastide.rules.position import OVER

DEPTH: Final = 4  # own decisions looked ahead in a turn
NEVER: Final = -1e9


class Planner:
    """Finds what each action of a position is worth for whoever decides."""

    def __init__(self, evaluation: Evaluation) -> None:
        self.evaluation = evaluation
        self.leaves: i64 = 0  # positions judged so far
        self.best: float = NEVER  # lead in the best end of the turn found by the last `values` ...
        self.worth = vec[float]([0.0] * evaluation.rules.players)  # ... and the points expected there, per player

    def values(self, game: Engine, seat: i64) -> vec[float]:
        """The lead that each legal action promises the seat, in their order."""
        actions = game.actions[: game.legal()]
        found = vec[float]([0.0] * len(actions))
        self.best = NEVER
        for i in range(i64(len(actions))):
            found[i] = self.value(game, actions[i], seat, DEPTH)
        return found

    def value(self, game: Engine, action: i64, seat: i64, depth: i64) -> float:
        """What an action is worth with the best that the seat can do after it in the same turn."""
        mark = game.trail_len
        turn = game.turn_of()
        game.apply(action)
        worth: float = NEVER
        if depth > 1 and game.turn_of() == turn and game.asks() != OVER and not game.chance() and game.who() == seat:
            actions = game.actions[: game.legal()]
            for i in range(i64(len(actions))):
                one = self.value(game, actions[i], seat, depth - 1)
                if one > worth:
                    worth = one
        else:
            worth = self.judge(game, seat)
        game.undo(mark)
        return worth

    def judge(self, game: Engine, seat: i64) -> float:
        """Judges one end of the turn and remembers the best."""
        self.leaves += 1
        evaluation = self.evaluation
        worth = evaluation.lead(game, seat)
        if worth > self.best:
            self.best = worth
            for who in range(game.players):
                self.worth[who] = evaluation.worth[who]
        return worth
