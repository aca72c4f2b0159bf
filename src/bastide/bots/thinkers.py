"""The bots that think: one ply on the evaluation, plain UCT, and the search."""
# interpreted: speaks to people

from __future__ import annotations

from time import perf_counter
from typing import Any, Protocol

from bastide.bots.bot import Bot
from bastide.bots.budget import Budget
from bastide.bots.evaluation import Evaluation
from bastide.bots.planner import Planner
from bastide.bots.search import Search
from bastide.bots.uct import Uct
from bastide.errors import BotError
from bastide.game import Action, Engine, Rng, View
from bastide.rules import Rules

WORLDS = 8  # positions imagined where things are hidden
SOLVED_A_MS = 50  # positions looked at for each millisecond of the budget, where the end is near
SECONDS = 0.005  # between two looks at the clock

MINDS = ("planner", "search", "uct")  # attributes


def without_mind(bot: Bot) -> dict[str, Any]:
    """What a copy gets: it goes on with the generator as it is, and makes its plans anew."""
    return {name: value for name, value in vars(bot).items() if name not in MINDS} | {"rules": None}


class PlannerBot(Bot):
    """The action that leads to the best end of its turn, judged by the evaluation."""

    def __init__(self, seed: int = 0) -> None:
        self.rng = Rng(seed)
        self.rules: Rules | None = None

    def __getstate__(self) -> dict[str, Any]:
        return without_mind(self)

    def choose(self, view: View) -> Action:
        values = self.values(view)
        most = max(values)
        best = [i for i, value in enumerate(values) if value == most]
        return view.legal[best[self.rng.below(len(best))]]

    def values(self, view: View) -> list[float]:
        """The lead that each legal action promises."""
        if self.rules is not view.rules:
            self.rules = view.rules
            self.planner = Planner(Evaluation(view.rules))
        return list(self.planner.values(view.imagine(self.rng).engine, view.seat))


class Thinking(Protocol):
    """What Search and Uct have in common."""

    def run(self, trials: int) -> None: ...
    def choice(self) -> list[int]: ...
    def decided(self) -> bool: ...
    def spent(self) -> int: ...


class Thinker(Bot):
    """Thinks within a budget for each turn, and can be stopped."""

    default = Budget()

    def __init__(self, seed: int = 0, budget: Budget | None = None) -> None:
        self.seed = seed
        self.rng = Rng(seed)
        self.budget = budget or self.default
        self.stopped = False
        self.rules: Rules | None = None

    def __getstate__(self) -> dict[str, Any]:
        return without_mind(self)

    def stop(self) -> None:
        self.stopped = True

    def worlds(self, view: View) -> list[Engine]:
        """Imagined positions: one, or several where things are hidden."""
        count = WORLDS if view.rules.layout.secrets else 1
        return [view.imagine(self.rng).engine for _ in range(count)]

    def think(self, mind: Thinking, budget: Budget, begun: float = 0.0) -> list[int]:
        """Trials until the budget is spent, from now or when it began; returns the chosen actions' numbers."""
        last = perf_counter()
        begun = begun or last
        already = mind.spent()
        step = 1
        while not mind.decided() and not self.stopped:
            mind.run(step)
            now = perf_counter()
            if budget.ms and (now - begun) * 1000 >= budget.ms:
                break
            if budget.count and mind.spent() - already >= budget.count:
                break
            if budget.ms:
                step = max(1, min(2 * step, int(step * SECONDS / max(now - last, 1e-6))))
            last = now
        return mind.choice()


class UctBot(Thinker):
    """Plain UCT; its budget counts playouts."""

    default = Budget(count=1000)

    def choose(self, view: View) -> Action:
        self.stopped = False
        if view.rules.scripted:
            raise BotError("uct plays games out to their end; a scripted game has none")
        if self.rules is not view.rules:
            self.rules = view.rules
            self.uct = Uct(view.rules, self.seed)
        worlds = self.worlds(view)
        self.uct.begin(worlds)
        return chosen(view, worlds[0], self.think(self.uct, self.budget)[0])


class SearchBot(Thinker):
    """The search; its budget counts positions judged. A turn is thought out once, for all its questions."""

    default = Budget(ms=400)

    def __init__(self, seed: int = 0, budget: Budget | None = None) -> None:
        super().__init__(seed, budget)
        self.planned: list[int] = []
        self.expected: list[tuple[int, Action]] = []

    def choose(self, view: View) -> Action:
        self.stopped = False
        if self.rules is not view.rules:
            self.rules = view.rules
            self.search = Search(Evaluation(view.rules), self.seed)
            self.planned = []
        world = view.imagine(self.rng).engine
        if not self.planned or view.history != self.expected:
            begun = perf_counter()
            self.search.begin(self.worlds(view))
            if not self.stopped:
                self.search.solve(self.budget.count or SOLVED_A_MS * self.budget.ms)
            self.planned = list(self.think(self.search, self.budget, begun))
        action = chosen(view, world, self.planned.pop(0))
        self.expected = [*view.history, (view.seat, action)]
        return action


def chosen(view: View, world: Engine, number: int) -> Action:
    """The legal action with this number in the engine."""
    numbers = [int(n) for n in world.actions[: world.legal()]]
    return view.legal[numbers.index(number)]
