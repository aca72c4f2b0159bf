"""A bot that looks ahead: `bastide play --seats human,python:examples/my_search.py`.

For each of its actions it asks the evaluation of Bastide's own bots, after its own turn is played to the end with the
same greedy eye. It sees only what its seat may know: `view.imagine` deals the rest anew.
"""

from bastide import Action, Bot, State, View, evaluate
from bastide.game import Rng


class Lookahead(Bot):
    """Made once for each seat and game, with a seed."""

    def __init__(self, seed: int = 0) -> None:
        self.rng = Rng(seed)
        self.known: dict[bytes, float] = {}  # a transposition table: what was found for a position

    def choose(self, view: View) -> Action:
        """The action after which its own turn can end best."""
        state = view.imagine(self.rng)
        self.known.clear()
        best = max(state.legal(), key=lambda number: self.after(state, number, view.seat))
        return state.action(best)

    def after(self, state: State, number: int, seat: int) -> float:
        """What the position is worth after an action."""
        state.apply(number)
        value = self.value(state, seat)
        state.undo()
        return value

    def value(self, state: State, seat: int) -> float:
        """As long as it decides itself it takes the best; then the evaluation says."""
        key = state.key()
        if key not in self.known:
            mine = state.seat == seat and not state.over
            values = [self.after(state, number, seat) for number in state.legal()] if mine else [evaluate(state, seat)]
            self.known[key] = max(values)
        return self.known[key]
