"""What a weight of the evaluation does: a bot with other weights against another, on the same tiles from all seats.

    python bench/variants.py "planner others=0.9" "planner others=1" --games 400
    python bench/variants.py "search:8000 others=0.9" "search:8000 others=1" --games 160 --players 4 --modules river
    python bench/variants.py search:20000 "before search:40000" --games 400

The first word is `planner`, or `search:` with the positions of a turn; then weights by name (`bots/weights.py`).
`before` is a bot of an earlier commit (`bench/before.py`). With more than two players the two sit in turn. Given the
same bot twice, the means are what it scores against itself. What is known so far is printed after `--every` games.
"""

from __future__ import annotations

import argparse
from time import process_time

import before
from table import Choose, planner, play, searcher, with_weights

from bastide import Rules
from bastide.arena.ratings import mean_interval, wilson
from bastide.bots.search import Search


def chooser(text: str, rules: Rules, seed: int) -> Choose:
    """A bot with its weights."""
    bot, *named = text.split()
    if bot == "before":
        return before.chooser(named[0], rules, seed)
    evaluation = with_weights(rules, {name: float(value) for name, value in (word.split("=") for word in named)})
    positions = int(bot.partition(":")[2] or 0)
    return searcher(Search(evaluation, seed), positions) if positions else planner(evaluation)


def main() -> None:
    """Reads the command line, plays, prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--modules", default="")
    parser.add_argument("--preset", default="")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--every", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    modules = [name for name in given.modules.split(",") if name]
    rules = Rules.of(players=given.players, preset=given.preset, modules=modules)
    won = 0.0
    points = [0.0, 0.0]
    margins = []
    for deck in range(given.games // 2):
        margin = 0.0
        for swapped in (0, 1):
            holders = [(seat + swapped) % 2 for seat in range(rules.players)]  # 0: the first bot
            texts = (given.first, given.second)
            seated = [chooser(texts[holder], rules, deck + seat) for seat, holder in enumerate(holders)]
            scores = play(rules, seated, given.seed * 1_000_003 + deck)
            best = [holder for holder, score in zip(holders, scores, strict=True) if score == max(scores)]
            won += best.count(0) / len(best)
            for holder, score in zip(holders, scores, strict=True):
                share = score / holders.count(holder)
                points[holder] += share
                margin += share / 2 if holder == 0 else -share / 2
        margins.append(margin)
        games = 2 * (deck + 1)
        if games % given.every == 0 or games >= given.games - 1:
            low, high = wilson(won / games, games)
            mean, least, most = mean_interval(margins)
            print(f"{given.first} - {given.second}: {100 * won / games:.1f} % of {games}", end=" ")
            print(f"({100 * low:.1f} to {100 * high:.1f}), margin {mean:+.2f} ({least:+.2f} to {most:+.2f})", end=", ")
            print("means", " : ".join(f"{p / games:.1f}" for p in points), f"{process_time():.0f} s", flush=True)


if __name__ == "__main__":
    main()
