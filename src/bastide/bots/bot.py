"""What a bot is."""
# interpreted: speaks to people

from __future__ import annotations

import copyreg

from bastide.bots.greedy import best_actions
from bastide.game import Action, Rng, View


def generator_at(state: int) -> Rng:
    """A generator as it was."""
    rng = Rng(0)
    rng.x = state
    return rng


copyreg.pickle(Rng, lambda rng: (generator_at, (int(rng.x),)))  # so that bots can be copied and pickled


class Bot:
    """Subclass it and write `choose`; it is asked only when its seat has to decide.

    Where somebody counts the time, `time_ms` is set before each question: milliseconds for it, 0 for no limit.
    """

    time_ms: int = 0

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def choose(self, view: View) -> Action:
        """One of `view.legal`. `view` holds what the seat may know, and no more."""
        raise NotImplementedError

    def ended(self, view: View) -> None:
        """The game is over, and `view` shows how. For bots that learn or keep notes."""

    def cpu_seconds(self) -> float:
        """Processor time that it used in other processes."""
        return 0.0

    def stop(self) -> None:
        """Asked from another thread: answer as soon as possible. Bots that answer at once need not listen."""

    def close(self) -> None:
        """The bot is needed no longer: let go of programs and files."""


class RandomBot(Bot):
    """Any legal action, each as likely as the others."""

    def __init__(self, seed: int = 0) -> None:
        self.rng = Rng(seed)

    def choose(self, view: View) -> Action:
        return view.legal[self.rng.below(len(view.legal))]


class GreedyBot(Bot):
    """The action after which it would stand best if the game ended with this turn; the fixed yardstick."""

    def __init__(self, seed: int = 0) -> None:
        self.rng = Rng(seed)

    def choose(self, view: View) -> Action:
        best = best_actions(view.imagine(self.rng).engine, view.seat)
        return view.legal[best[self.rng.below(len(best))]]
