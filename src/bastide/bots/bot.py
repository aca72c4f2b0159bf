"""What a bot is, and the bots that come with Bastide, by name."""
# interpreted: speaks to people

from __future__ import annotations

from collections.abc import Callable

from bastide.bots.greedy import best_actions
from bastide.errors import OptionError
from bastide.game import Action, Rng, View


class Bot:
    """Subclass it and write `choose`; it is asked only when its seat has to decide."""

    def choose(self, view: View) -> Action:
        """One of `view.legal`. `view` holds what the seat may know, and no more."""
        raise NotImplementedError


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
        best = best_actions(view.imagine(self.rng), view.seat)
        return view.legal[best[self.rng.below(len(best))]]


BOTS: dict[str, Callable[[int], Bot]] = {"random": RandomBot, "greedy": GreedyBot}


def names() -> list[str]:
    """The bots there are."""
    return list(BOTS)


def bot(name: str, seed: int = 0) -> Bot:
    """A bot by its name."""
    if name not in BOTS:
        raise OptionError(f"unknown bot {name!r}; there are {', '.join(BOTS)}")
    return BOTS[name](seed)
