"""Six levels of strength. The weak ones overlook much and hesitate between good moves; none plays nonsense."""
# interpreted: speaks to people

from __future__ import annotations

from collections.abc import Callable
from math import exp

from bastide.bots.bot import Bot
from bastide.bots.budget import Budget
from bastide.bots.thinkers import PlannerBot, SearchBot
from bastide.game import Action, View

GLANCE = 6  # actions that nobody overlooks: with a piece there are seldom more
FINE = 1 << 20  # resolution of the random draw


class Hesitant(PlannerBot):
    """A planner that overlooks places and hesitates between those it sees.

    Of many actions it sees a share (`attention`). One that promises `heat` points less is taken e times less often.
    """

    def __init__(self, seed: int, heat: float, attention: float) -> None:
        super().__init__(seed)
        self.heat = heat
        self.attention = attention

    def choose(self, view: View) -> Action:
        values = self.values(view)
        seen = self.seen(len(values))
        top = max(values[i] for i in seen)
        weights = [exp((values[i] - top) / self.heat) for i in seen]
        point = int(self.rng.below(FINE)) / FINE * sum(weights)
        for i, weight in zip(seen, weights, strict=True):
            point -= weight
            if point < 0:
                return view.legal[i]
        return view.legal[seen[-1]]

    def seen(self, actions: int) -> list[int]:
        """Those of so many actions that it does not overlook."""
        rest = list(range(actions))
        count = min(actions, max(GLANCE, round(self.attention * actions)))
        return [rest.pop(int(self.rng.below(len(rest)))) for _ in range(count)]


LEVELS: dict[int, Callable[[int], Bot]] = {
    1: lambda seed: Hesitant(seed, heat=1.5, attention=0.2),
    2: lambda seed: Hesitant(seed, heat=0.8, attention=0.3),
    3: lambda seed: Hesitant(seed, heat=0.4, attention=0.6),
    4: PlannerBot,
    5: lambda seed: SearchBot(seed, Budget(count=8000)),
    6: lambda seed: SearchBot(seed, Budget(ms=1000)),
}


def level(number: int, seed: int = 0) -> Bot:
    """The bot of a level."""
    return LEVELS[number](seed)
