"""What was learned, as a bot.

BASTIDE_JUDGE=build/ppo/judge.npz bastide arena --players greedy --code examples/learning/learned_bot.py
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
from network import Judge

from bastide import Action, Bot, View
from bastide.env.observations import Observations
from bastide.game import Rng

JUDGE = Path(os.environ.get("BASTIDE_JUDGE", "build/ppo/judge.npz"))


class LearnedBot(Bot):
    """Takes the candidate with the highest mark. It plays what its judge was taught: the base game for two."""

    def __init__(self, seed: int = 0) -> None:
        self.rng = Rng(seed)
        self.judge = Judge.load(JUDGE)

    def choose(self, view: View) -> Action:
        """What the rows of the environment say about the position that the seat knows."""
        engine = view.imagine(self.rng).engine
        seen = Observations("candidates", view.rules, 1)
        count = int(engine.legal())
        seen.writer.write(0, engine, view.seat, count)
        rows = seen.one()[:count]
        return view.legal[int(np.argmax(self.judge.marks(rows)))]
