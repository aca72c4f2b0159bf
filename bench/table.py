"""What the scripts about bots share: games straight on the engine, and bots with weights of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from bastide import Rules
from bastide.bots.evaluation import Evaluation
from bastide.bots.planner import Planner
from bastide.bots.search import Search
from bastide.bots.weights import Weights
from bastide.game import Dealer, Engine, Rng, new_engine
from bastide.rules.position import OVER

Choose = Callable[[Engine, list[int]], int]  # the number of an action, after those of the game so far


def with_weights(rules: Rules, named: Mapping[str, float]) -> Evaluation:
    """The evaluation with these weights, the others as they are."""
    weights = Weights()
    for name, value in named.items():
        setattr(weights, name, value)
    return Evaluation(rules, weights)


def planner(evaluation: Evaluation) -> Choose:
    """Takes the action that promises most."""
    return best_by(Planner(evaluation))


def best_by(planner: Planner) -> Choose:
    """Takes the action to which a planner gives the highest value."""

    def choose(game: Engine, history: list[int]) -> int:
        values = list(planner.values(game, game.player()))
        game.legal()
        return int(game.actions[values.index(max(values))])

    return choose


def searcher(search: Search, positions: int) -> Choose:
    """Searches so many positions a turn."""
    planned: list[int] = []

    def choose(game: Engine, history: list[int]) -> int:
        if not planned:
            until = search.spent() + positions
            search.begin([game])
            search.solve(positions)
            while not search.decided() and search.spent() < until:
                search.run(1)
            planned.extend(search.choice())
        return planned.pop(0)

    return choose


def positions(rules: Rules, seated: Sequence[Choose], seed: int) -> Iterator[Engine]:
    """One game: shown whenever chance decides, and at its end."""
    game = new_engine(rules)
    dealer = Dealer(Rng(seed))
    history: list[int] = []
    while game.question() != OVER:
        game.trail_len = 0
        if game.chance():
            yield game
            history.append(int(dealer.deal(game)))
        else:
            history.append(seated[game.player()](game, history))
        game.apply(history[-1])
    yield game


def play(rules: Rules, seated: Sequence[Choose], seed: int) -> list[int]:
    """The scores of one game."""
    *_, end = positions(rules, seated, seed)
    return [int(end.score_of(seat)) for seat in range(rules.players)]
