"""One ply on the evaluation: every way to finish the own turn, judged by the points to be expected from there."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec

from bastide.bots.evaluation import Evaluation
from bastide.game.engine import Engine
from bastide.native import i64
from bastide.rules.position import OVER

DEPTH: Final = 4  # own decisions looked ahead in a turn
FULL_LOOKS: Final = 4  # actions looked at in full when a good answer is enough
WORST: Final = -1e9


class Planner:
    """Finds what each action of a position is worth for whoever decides."""

    def __init__(self, evaluation: Evaluation) -> None:
        self.evaluation = evaluation
        self.leaves: i64 = 0  # positions judged so far
        self.best: float = WORST  # the best end of the turn found last: what it promises ...
        self.worth = vec[float]([0.0] * evaluation.rules.players)  # ... the points expected there, per player ...
        self.line = vec[i64]([0] * DEPTH)  # ... and the actions that lead there
        self.length: i64 = 0
        self.tried = vec[i64]([0] * DEPTH)

    def values(self, game: Engine, seat: i64) -> vec[float]:
        """What each legal action promises the seat (`Evaluation.aim`), in their order."""
        actions = game.actions[: game.legal()]
        found = vec[float]([0.0] * len(actions))
        self.best = WORST
        for i in range(i64(len(actions))):
            found[i] = self.value(game, actions[i], seat, 0)
        return found

    def value(self, game: Engine, action: i64, seat: i64, depth: i64) -> float:
        """What an action is worth with the best that the seat can do after it in the same turn."""
        mark = game.trail_len
        turn = game.active_player()
        game.apply(action)
        self.tried[depth] = action
        worth: float = WORST
        if depth + 1 < DEPTH and same_turn(game, turn, seat):
            actions = game.actions[: game.legal()]
            for i in range(i64(len(actions))):
                one = self.value(game, actions[i], seat, depth + 1)
                if one > worth:
                    worth = one
        else:
            worth = self.judge(game, seat, depth + 1)
        game.undo(mark)
        return worth

    def reply(self, game: Engine, seat: i64) -> None:
        """A good end of the turn at less than half the cost: of all actions only the most promising are looked at
        with everything that may follow, the others with the first that may follow."""
        actions = game.actions[: game.legal()]
        rough = vec[float]([0.0] * len(actions))
        self.best = WORST
        for i in range(i64(len(actions))):
            rough[i] = self.quick_value(game, actions[i], seat)
        for _look in range(i64(FULL_LOOKS)):
            top: i64 = 0
            for i in range(i64(len(actions))):
                if rough[i] > rough[top]:
                    top = i
            if rough[top] == WORST:
                return
            rough[top] = WORST
            self.value(game, actions[top], seat, 0)

    def quick_value(self, game: Engine, action: i64, seat: i64) -> float:
        """What an action is worth with the first that the seat can do after it."""
        mark = game.trail_len
        turn = game.active_player()
        game.apply(action)
        self.tried[0] = action
        depth: i64 = 1
        while depth < DEPTH and same_turn(game, turn, seat):
            game.legal()
            self.tried[depth] = game.actions[0]
            game.apply(self.tried[depth])
            depth += 1
        worth = self.judge(game, seat, depth)
        game.undo(mark)
        return worth

    def judge(self, game: Engine, seat: i64, length: i64) -> float:
        """Judges one end of the turn and remembers the best."""
        self.leaves += 1
        evaluation = self.evaluation
        evaluation.judge(game)
        worth = evaluation.aim(evaluation.worth, seat)
        if worth > self.best:
            self.best = worth
            self.length = length
            for i in range(length):
                self.line[i] = self.tried[i]
            for player in range(game.players):
                self.worth[player] = evaluation.worth[player]
        return worth


def same_turn(game: Engine, turn: i64, seat: i64) -> bool:
    """Does the seat decide again, in the same turn, before anything happens that it does not know?"""
    return game.active_player() == turn and game.question() != OVER and not game.chance() and game.player() == seat
