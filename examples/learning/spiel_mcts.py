"""OpenSpiel's own MCTS plays Bastide as it is: no line of it knows the game.

pip install 'bastide[spiel]'
python examples/learning/spiel_mcts.py --games 6 --simulations 30
"""

from __future__ import annotations

import argparse

import numpy as np
from open_spiel.python.algorithms import evaluate_bots, mcts  # type: ignore[import-untyped]
from open_spiel.python.bots import uniform_random  # type: ignore[import-untyped]

from bastide.arena import wilson
from bastide.env import load_game


def main() -> None:
    """MCTS with random playouts against a random player, seats in turn."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=6)
    parser.add_argument("--simulations", type=int, default=30, help="for each decision")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    game = load_game(returns="outcome")
    rng = np.random.RandomState(given.seed)
    results = []
    for number in range(given.games):
        seat = number % 2
        evaluator = mcts.RandomRolloutEvaluator(1, rng)
        searching = mcts.MCTSBot(game, 1.4, given.simulations, evaluator, random_state=rng)
        other = uniform_random.UniformRandomBot(1 - seat, rng)
        bots = [searching, other] if seat == 0 else [other, searching]
        returns = evaluate_bots.evaluate_bots(game.new_initial_state(), bots, rng)
        results.append((returns[seat] + 1) / 2)
        print(
            f"game {number + 1}: {'won' if returns[seat] > 0 else 'lost' if returns[seat] < 0 else 'drawn'}", flush=True
        )
    low, high = wilson(float(np.mean(results)), len(results))
    print(f"{100 * np.mean(results):.0f} % ({100 * low:.0f} to {100 * high:.0f})")


if __name__ == "__main__":
    main()
