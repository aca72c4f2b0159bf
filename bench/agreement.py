"""Is the analysis repeatable? Two runs of it with other seeds, on the turns of games between weak bots.

    python bench/agreement.py --games 8

Counted are the turns of which one run or both say that more than two points were given away: in how many of these do
both name the same best turn, and how far apart are the two losses, in standard errors of their difference?
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from math import hypot
from statistics import fmean, median

from bastide import Game, Rules, bot
from bastide.analysis.judges import POSITIONS, SURE, BySearch
from bastide.analysis.review import moves_on
from bastide.arena.ratings import wilson

CLAIM = 2.0  # points
Said = tuple[list[int], float, float]  # of one run: the best turn, what was given away, half its interval


def said(judging: BySearch, game: Game, line: list[str]) -> Said:
    """One run on one turn."""
    verdicts = judging.verdicts(game, line)
    loss = sum(one.best_value - one.value for one in verdicts)
    return list(judging.search.race[0].actions), loss, hypot(*(one.margin for one in verdicts))


def turns(rules: Rules, name: str, seed: int) -> Iterator[tuple[Game, list[str]]]:
    """The game before every turn of two bots, and what was played."""
    played = Game(rules, seed=seed)
    bots = [bot(name, seed + seat) for seat in range(rules.players)]
    while not played.over:
        played.play(bots[played.seat].choose(played.view(played.seat)))
    game = Game(rules, seed=seed)
    fresh = False
    for n, (_, action) in enumerate(played.history):
        if action.verb == "draw":
            fresh = True
            continue
        if fresh:
            yield game, moves_on(played.history[n:])
        game.play(action)
        fresh = False


def main() -> None:
    """Reads the command line, plays, prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=8)
    parser.add_argument("--bot", default="bot:3")
    parser.add_argument("--positions", type=int, default=POSITIONS)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rules = Rules.of()
    runs = [BySearch(rules, given.positions, seed) for seed in (1, 2)]
    agreed: list[bool] = []
    both: list[bool] = []  # those of them of which both runs say so
    apart: list[float] = []
    for number in range(given.games):
        for game, line in turns(rules, given.bot, given.seed * 1_000_003 + number):
            (best, loss, margin), (best2, loss2, margin2) = (said(judging, game, line) for judging in runs)
            if max(loss, loss2) > CLAIM:
                agreed.append(best == best2)
                if min(loss, loss2) > CLAIM:
                    both.append(best == best2)
                apart.append(SURE * abs(loss - loss2) / max(hypot(margin, margin2), 1e-9) if loss != loss2 else 0.0)
    for text, part in (("one run or both", agreed), ("both", both)):
        share, (low, high) = fmean(part), wilson(fmean(part), len(part))
        print(f"claimed by {text}: {100 * share:.1f} % of {len(part)} agree ({100 * low:.1f} to {100 * high:.1f})")
    far = fmean(errors > SURE for errors in apart)
    print(f"apart by {median(apart):.2f} standard errors (median), by more than {SURE} in {100 * far:.0f} %")


if __name__ == "__main__":
    main()
