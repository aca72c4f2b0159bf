"""Six levels of strength, evenly spread: each wins about one game in four against the next (bench/levels.py).

The weak ones overlook much and hesitate between good moves; none plays nonsense.
"""
# interpreted: speaks to people

from __future__ import annotations

from collections.abc import Callable
from math import exp

from bastide.bots.bot import Bot
from bastide.bots.budget import Budget
from bastide.bots.thinkers import PlannerBot, SearchBot
from bastide.game import Action, View

ALWAYS_SEEN = 6  # actions that nobody overlooks: with a piece there are seldom more
RESOLUTION = 1 << 20  # resolution of the random draw


class WeakPlannerBot(PlannerBot):
    """A planner that overlooks places and hesitates between those it sees.

    Of many actions it sees a share (`attention`). One that promises `temperature` points less is taken e times less
    often.
    """

    def __init__(self, seed: int, temperature: float, attention: float) -> None:
        super().__init__(seed)
        self.temperature = temperature
        self.attention = attention

    def choose(self, view: View) -> Action:
        values = self.values(view)
        seen = self.seen(len(values))
        top = max(values[i] for i in seen)
        weights = [exp((values[i] - top) / self.temperature) for i in seen]
        point = int(self.rng.below(RESOLUTION)) / RESOLUTION * sum(weights)
        for i, weight in zip(seen, weights, strict=True):
            point -= weight
            if point < 0:
                return view.legal[i]
        return view.legal[seen[-1]]

    def seen(self, actions: int) -> list[int]:
        """Those of so many actions that it does not overlook."""
        rest = list(range(actions))
        count = min(actions, max(ALWAYS_SEEN, round(self.attention * actions)))
        return [rest.pop(int(self.rng.below(len(rest)))) for _ in range(count)]


LEVELS: dict[int, Callable[[int], Bot]] = {
    1: lambda seed: WeakPlannerBot(seed, temperature=1.2, attention=0.43),
    2: lambda seed: WeakPlannerBot(seed, temperature=0.92, attention=0.54),
    3: lambda seed: WeakPlannerBot(seed, temperature=0.7, attention=0.66),
    4: lambda seed: WeakPlannerBot(seed, temperature=0.43, attention=0.83),
    5: PlannerBot,
    6: lambda seed: SearchBot(seed, Budget(ms=1000)),
}


def level(number: int, seed: int = 0) -> Bot:
    """The bot of a level."""
    return LEVELS[number](seed)
