"""Six levels of strength. The weak ones overlook much and hesitate between good moves; none plays nonsense."""
# interpreted: speaks to people

from __future__ import annotations

from collections.abc import Callable
from math import exp

from bastide.bots.bot import Bot
from bastide.bots.budget import Budget
from bastide.bots.thinkers import PlannerBot, SearchBot
from bastide.game import Action, View

CLOSE_LOOKS = 1 << 20  # how finely chance decides


class Hesitant(PlannerBot):
    """A planner that may take a worse action: e times less likely for each `heat` points that it promises less.

    It sees only a share of the actions (`attention`), the same for all that look alike at first sight.
    """

    def __init__(self, seed: int, heat: float, attention: float) -> None:
        super().__init__(seed)
        self.heat = heat
        self.attention = attention

    def choose(self, view: View) -> Action:
        values = self.values(view)
        best = max(values)
        seen = [i for i in range(len(values)) if int(self.rng.below(CLOSE_LOOKS)) < self.attention * CLOSE_LOOKS]
        seen = seen or [values.index(best)]
        top = max(values[i] for i in seen)
        weights = [exp((values[i] - top) / self.heat) for i in seen]
        point = int(self.rng.below(CLOSE_LOOKS)) / CLOSE_LOOKS * sum(weights)
        for i, weight in zip(seen, weights, strict=True):
            point -= weight
            if point < 0:
                return view.legal[i]
        return view.legal[seen[0]]


LEVELS: dict[int, Callable[[int], Bot]] = {
    1: lambda seed: Hesitant(seed, heat=6.0, attention=0.3),
    2: lambda seed: Hesitant(seed, heat=3.5, attention=0.5),
    3: lambda seed: Hesitant(seed, heat=1.5, attention=0.8),
    4: PlannerBot,
    5: lambda seed: SearchBot(seed, Budget(count=4000)),
    6: lambda seed: SearchBot(seed, Budget(ms=1000)),
}


def level(number: int, seed: int = 0) -> Bot:
    """The bot of a level."""
    return LEVELS[number](seed)
