"""Measures the environments: steps a CPU second on one core, random actions. Run with the compiled package."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from bastide.cli.bench import pin
from bastide.env import BastideEnv, BatchEnv
from bastide.env.names import name_of
from bastide.env.observations import Observations
from bastide.game.batch import Batch
from bastide.native import compiled
from bastide.rules import Rules

ROUNDS = 5
GAMES = 2  # whole games in each round: late in a game an observation costs more than at its beginning
SIZES = {"": (1, 64, 1024), "everything": (1, 64)}
MODES = {"": "codes", "row": "codes", "candidates": "list", "planes": "window", "regions": "list"}
THROUGH = 64  # games in a BatchEnv
STEPS = 20_000


def best(action: Callable[[], None], steps: int) -> float:
    """Steps in a second of CPU time, the best of several rounds."""
    most = 0.0
    for _ in range(ROUNDS):
        start = time.process_time()
        action()
        most = max(most, steps / (time.process_time() - start))
    return most


def in_batch(rules: Rules, games: int, kind: str) -> float:
    """Steps a second of a batch, each with an observation of this kind, or with none."""
    batch = Batch(rules, games, 1, MODES[kind])
    writer = Observations(kind, rules, games).writer if kind else None
    if writer is not None:
        batch.writers.append(writer)
    rounds = 2 * GAMES * rules.shape.squares * (100 if games == 1 else 1)  # two actions a tile

    def steps() -> None:
        for _ in range(rounds):
            batch.random_step()
            if writer is not None:
                batch.show(writer)

    return best(steps, games * rounds)


def through_env(preset: str, kind: str) -> float:
    """The same through `BatchEnv.step`: actions as an array, rewards and ends as arrays back."""
    env = BatchEnv(name_of(preset or "base"), THROUGH, 1, observation=kind, actions=MODES[kind])
    rng, games = np.random.default_rng(1), np.arange(THROUGH)
    rounds = 2 * GAMES * int(env.rules.shape.squares)

    def steps() -> None:
        for _ in range(rounds):
            chosen = env.legal[games, (rng.random(THROUGH) * env.counts).astype(np.int64)]
            for game in np.flatnonzero(chosen < 0):  # it has no number in this numbering
                chosen[game] = env.legal[game, : env.counts[game]].max()
            env.step(chosen)

    return best(steps, THROUGH * rounds)


def in_gymnasium(preset: str, kind: str) -> float:
    """Steps of a learner who plays at random against a random opponent, with observation and mask."""
    env = BastideEnv(name_of(preset or "base"), opponents="random", observation=kind, actions=MODES[kind])
    rng = np.random.default_rng(1)
    draws = rng.random(STEPS).tolist()
    _, info = env.reset(seed=1)

    def steps() -> None:
        nonlocal info
        for draw in draws:
            legal = info["action_mask"].nonzero()[0]
            _, _, ended, _, info = env.step(legal[int(draw * len(legal))])
            if ended:
                _, info = env.reset()

    return best(steps, STEPS)


def main() -> None:
    """One line for each size of batch, then Gymnasium."""
    if not compiled():
        raise SystemExit("the engine is not compiled; figures would mean nothing")
    pin()
    print(f"{'rules':12}{'games':>10}" + "".join(f"{kind or 'steps/s':>14}" for kind in MODES))
    for preset, sizes in SIZES.items():
        rules = Rules.of(preset=preset)
        for games in sizes:
            figures = [in_batch(rules, games, kind) for kind in MODES]
            print(f"{preset or 'base':12}{games:>10}" + "".join(f"{figure:>14,.0f}" for figure in figures))
        figures = [through_env(preset, kind) for kind in MODES if kind]
        print(f"{preset or 'base':12}{'BatchEnv':>10}{'':>14}" + "".join(f"{figure:>14,.0f}" for figure in figures))
        figures = [in_gymnasium(preset, kind) for kind in MODES if kind]
        print(f"{preset or 'base':12}{'gymnasium':>10}{'':>14}" + "".join(f"{figure:>14,.0f}" for figure in figures))


if __name__ == "__main__":
    main()
