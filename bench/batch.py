"""Measures the batch environment: steps a second on one core, random actions. Run with the compiled package."""

from __future__ import annotations

import time
from collections.abc import Callable

from bastide.cli.bench import pin
from bastide.game.batch import Batch
from bastide.native import compiled
from bastide.rules import Rules

ROUNDS = 5
GAMES = 2  # whole games in each round: late in a game an observation costs more than at its beginning
SIZES = {"": (1, 64, 1024), "everything": (1, 64)}


def best(action: Callable[[], None], steps: int) -> float:
    """Steps in a second of CPU time, the best of several rounds."""
    most = 0.0
    for _ in range(ROUNDS):
        start = time.process_time()
        action()
        most = max(most, steps / (time.process_time() - start))
    return most


def main() -> None:
    """One line for each size of batch."""
    if not compiled():
        raise SystemExit("the engine is not compiled; figures would mean nothing")
    pin()
    print(f"{'rules':12}{'games':>6}{'steps/s':>12}{'with observations':>20}")
    for preset, sizes in SIZES.items():
        rules = Rules.of(preset=preset)
        for games in sizes:
            batch = Batch(rules, games, 1)
            rounds = 2 * GAMES * rules.shape.squares * (100 if games == 1 else 1)  # two actions a tile

            def steps(batch: Batch = batch, rounds: int = rounds) -> None:
                for _ in range(rounds):
                    batch.random_step()

            def observed(batch: Batch = batch, rounds: int = rounds) -> None:
                for _ in range(rounds):
                    batch.random_step()
                    batch.observe()

            plain, seen = best(steps, games * rounds), best(observed, games * rounds)
            print(f"{preset or 'base':12}{games:>6}{plain:>12,.0f}{seen:>20,.0f}")


if __name__ == "__main__":
    main()
