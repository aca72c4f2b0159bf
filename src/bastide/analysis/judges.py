"""Who says what a move is worth: the search, the bots' evaluation, or the plain score if the game ended now."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from bastide.bots import greedy
from bastide.bots.budget import Budget
from bastide.bots.evaluation import Evaluation
from bastide.bots.planner import Planner
from bastide.bots.search import MIN_ROUNDS, Search, Turn
from bastide.bots.thinkers import WORLDS
from bastide.errors import OptionError
from bastide.game import Engine, Game, Rng
from bastide.rules import Rules

POSITIONS = 10_000  # that the search judges for one turn
SURE = 1.96  # standard errors to either side of an interval: 95 %


@dataclass(frozen=True)
class Verdict:
    """One decision beside the best that was found."""

    value: float
    best: str  # the best action that was found
    best_value: float
    margin: float = 0.0  # half the interval of what was given away; 0 where the judge knows of no chance


class Judge(ABC):
    """Values are points by which a seat is, or can expect to be, ahead of the best other."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.rng = Rng(1)

    @abstractmethod
    def values(self, game: Engine, seat: int) -> list[float]:
        """What each legal action is worth, in their order."""

    @abstractmethod
    def lead(self, game: Engine, seat: int) -> float:
        """What the position is worth."""

    def verdicts(self, game: Game, line: Sequence[str]) -> list[Verdict]:
        """What there is to say of the first of these actions, or of several, by what their player knew."""
        values = self.values(game.view(game.seat).imagine(self.rng).engine, game.seat)
        legal = [str(one) for one in game.legal]
        best = max(range(len(values)), key=values.__getitem__)
        value = values[legal.index(line[0])]
        return [Verdict(value, line[0] if value == values[best] else legal[best], values[best])]


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


class BySearch(ByOutlook):
    """The points to be expected when the turn is tried again and again; the same seed each time, so the same answer."""

    def __init__(self, rules: Rules, positions: int = POSITIONS, seed: int = 1) -> None:
        super().__init__(rules)
        self.positions = positions
        self.search = Search(self.evaluation, seed)

    def verdicts(self, game: Game, line: Sequence[str]) -> list[Verdict]:
        """Of all actions of the turn up to the next draw."""
        search = self.search
        view = game.view(game.seat)
        count = WORLDS if self.rules.layout.secrets else 1
        search.begin([view.imagine(self.rng).engine for _ in range(count)])
        listed = choices(game, line)
        played = [numbers[texts.index(action)] for (numbers, texts), action in zip(listed, line, strict=False)]
        # a game that was given up ends within a turn: then the best that goes on as it was played
        turn = next(turn for turn in search.all if turn.actions[: len(played)] == played[: len(turn.actions)])
        played = turn.actions[: len(played)]
        search.ask(played)
        search.solve(self.positions)
        until = search.spent() + self.positions
        while not search.decided() and (search.spent() < until or len(search.race[0].results) < MIN_ROUNDS):
            search.run(1)
            search.run(len(search.race) - search.next)  # whole rounds: all have had as many trials
        search.rank()
        best = search.race[0]
        found = []
        for n, action in enumerate(played):
            after = best if best.actions[n] == action else self.best_after(played[: n + 1])
            numbers, texts = listed[n]
            margin = SURE * search.error(after, best)
            found.append(Verdict(search.mean(after), texts[numbers.index(best.actions[n])], search.mean(best), margin))
            best = after
        return found

    def best_after(self, actions: list[int]) -> Turn:
        """The best of the tried turns that begin with these actions."""
        return next(turn for turn in self.search.race if turn.actions[: len(actions)] == actions)


def choices(game: Game, line: Sequence[str]) -> list[tuple[list[int], list[str]]]:
    """For each action of a turn, all that could be done instead: as numbers of the engine and as text."""
    seat = game.seat
    found: list[tuple[list[int], list[str]]] = []
    while len(found) < len(line) and game.seat == seat:
        numbers = [int(number) for number in game.engine.actions[: game.engine.legal()]]
        found.append((numbers, [str(one) for one in game.legal]))
        game.play(line[len(found) - 1])
    for _ in found:
        game.undo()
    return found


JUDGES: dict[str, type[Judge]] = {"outlook": ByOutlook, "score": ByScore}  # of single actions
SEARCH = "search"


def judge(name: str, rules: Rules) -> Judge:
    """A judge by its name; `search:20000` judges so many positions for a turn."""
    kind, _, positions = name.partition(":")
    if kind == SEARCH:
        budget = Budget.parse(positions) if positions else Budget(count=POSITIONS)
        if budget.ms:
            raise OptionError(f"judge: expected a number of positions, the same on every machine, got {positions!r}")
        return BySearch(rules, budget.count)
    if name not in JUDGES:
        raise OptionError(f"unknown judge {name!r}; there are {', '.join([*JUDGES, SEARCH, f'{SEARCH}:20000'])}")
    return JUDGES[name](rules)
