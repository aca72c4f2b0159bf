"""What a weight of the evaluation does: a bot with other weights against another, on the same tiles from all seats.

    python bench/variants.py "planner others=0.9" "planner others=1" --games 400
    python bench/variants.py "search:8000 others=0.9" "search:8000 others=1" --games 160 --players 4 --modules river

The first word is `planner`, or `search:` with the positions of a turn; then weights by name (`bots/weights.py`). With
more than two players the two sit in turn. Given the same bot twice, the means are what it scores against itself.
"""

from __future__ import annotations

import argparse
from math import sqrt

from bastide import Rules
from bastide.arena.ratings import wilson
from bastide.bots.evaluation import Evaluation
from bastide.bots.planner import Planner
from bastide.bots.search import Search
from bastide.bots.weights import Weights
from bastide.game import Dealer, Engine, Rng, new_engine
from bastide.rules.position import OVER


class Variant:
    """A bot with its weights."""

    def __init__(self, text: str, rules: Rules, seed: int) -> None:
        bot, *named = text.split()
        weights = Weights()
        for name, value in (word.split("=") for word in named):
            setattr(weights, name, float(value))
        evaluation = Evaluation(rules, weights)
        self.planner = Planner(evaluation)
        self.search = Search(evaluation, seed)
        self.positions = int(bot.partition(":")[2] or 0)
        self.planned: list[int] = []

    def choose(self, game: Engine) -> int:
        """The number of an action."""
        if not self.positions:
            values = list(self.planner.values(game, game.who()))
            game.legal()
            return int(game.actions[values.index(max(values))])
        if not self.planned:
            until = self.search.spent() + self.positions
            self.search.begin([game])
            self.search.solve(self.positions)
            while not self.search.decided() and self.search.spent() < until:
                self.search.run(1)
            self.planned = list(self.search.choice())
        return self.planned.pop(0)


def play(rules: Rules, seated: list[Variant], seed: int) -> list[int]:
    """The scores of one game."""
    game = new_engine(rules)
    dealer = Dealer(Rng(seed))
    while game.asks() != OVER:
        game.trail_len = 0
        game.apply(dealer.deal(game) if game.chance() else seated[game.who()].choose(game))
    return [int(game.score_of(seat)) for seat in range(rules.players)]


def main() -> None:
    """Reads the command line, plays, prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--modules", default="")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rules = Rules.of(modules=[name for name in given.modules.split(",") if name], players=given.players)
    won = 0.0
    points = [0.0, 0.0]
    margins = []
    for deck in range(given.games // 2):
        margin = 0.0
        for swapped in (0, 1):
            holders = [(seat + swapped) % 2 for seat in range(rules.players)]  # 0: the first bot
            texts = (given.first, given.second)
            seated = [Variant(texts[holder], rules, deck + seat) for seat, holder in enumerate(holders)]
            scores = play(rules, seated, given.seed * 1_000_003 + deck)
            best = [holder for holder, score in zip(holders, scores, strict=True) if score == max(scores)]
            won += best.count(0) / len(best)
            for holder, score in zip(holders, scores, strict=True):
                share = score / holders.count(holder)
                points[holder] += share
                margin += share / 2 if holder == 0 else -share / 2
        margins.append(margin)
    low, high = wilson(won / given.games, given.games)
    mean = sum(margins) / len(margins)
    error = sqrt(sum((m - mean) ** 2 for m in margins) / (len(margins) - 1) / len(margins))
    print(f"{given.first} - {given.second}: {100 * won / given.games:.1f} % of {given.games}", end=" ")
    print(f"({100 * low:.1f} to {100 * high:.1f}), margin {mean:+.2f} (s.e. {error:.2f}), means", end=" ")
    print(" : ".join(f"{p / given.games:.1f}" for p in points))


if __name__ == "__main__":
    main()
