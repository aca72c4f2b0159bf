"""Actions of players as numbers from 0 to a fixed size, for learners. See docs/environments.md."""

from __future__ import annotations

from librt.vecs import vec

from bastide.game.engine import DISCARD, TARGET, Engine
from bastide.kernel.offsets import SEGMENTS
from bastide.kernel.shape import zeros
from bastide.native import i64
from bastide.rules.position import DEPLOY, PLACE
from bastide.rules.rules import Rules


class Codes:
    """The action space of some rules: places, discard, pass, deployments, and answers to questions of modules.

    Answers are numbered by their order among the legal actions, because only a module knows what they mean.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        question = len(rules.target_of) > 0
        for chance in rules.chance:
            if chance == 0:
                question = True
        self.discard: i64 = 4 * rules.shape.cells  # before it: cell * 4 + quarter turns
        self.passes: i64 = self.discard + 1  # after it: piece * SEGMENTS + segment
        self.answers: i64 = self.passes + 1 + rules.pieces * SEGMENTS
        self.room: i64 = rules.shape.actions  # most actions that are legal at once
        self.size: i64 = self.answers + self.room if question else self.answers
        self.buffer = zeros(self.room)

    def __reduce__(self) -> tuple[object, ...]:
        return Codes, (self.rules,)

    def listed(self, game: Engine) -> list[i64]:
        """The codes of the legal actions of a player, in the engine's order."""
        count = game.legal()
        self.write_codes(game, count, self.buffer, 0)
        return [self.buffer[i] for i in range(count)]

    def write_codes(self, game: Engine, count: i64, out: vec[i64], at: i64) -> None:
        """Writes the codes of the legal actions, `count` of them in `game.actions`, to `out` from place `at` on."""
        question = game.question()
        actions = game.actions
        if question == PLACE:
            for i in range(count):
                action = actions[i]
                out[at + i] = self.discard if action == DISCARD else action
        elif question == DEPLOY:
            for i in range(count):
                action = actions[i]
                out[at + i] = self.answers + i if action >= TARGET else self.passes + action
        else:
            for i in range(count):
                out[at + i] = self.answers + i
