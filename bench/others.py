"""Bastide's environments beside others, in one run on one core: steps in a second of CPU time, random legal actions.

    pip install 'bastide[env,spiel]' pgx catanatron
    python bench/others.py

What is not installed is left out and said so. A step holds what a learner needs: the observation and which actions are
legal, except where the line says otherwise. The games differ: the table shows what a learner can expect of each, not
whose code is better.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from bastide.cli.bench import pin
from bastide.env import BastideEnv, BatchEnv

SECONDS = 3.0  # of each measurement
ROUNDS = 3
GAMES = 64


def rate(some: Callable[[], int]) -> float:
    """Steps in a second of CPU time, the best of several rounds; `some` plays a few and says how many."""
    some()  # what is made or compiled once is not counted
    most = 0.0
    for _ in range(ROUNDS):
        start, done = time.process_time(), 0
        while (spent := time.process_time() - start) < SECONDS / ROUNDS:
            done += some()
        most = max(most, done / spent)
    return most


def bastide_batch(observation: str, actions: str) -> Callable[[], int]:
    """64 games through `BatchEnv.step`."""
    env = BatchEnv(games=GAMES, observation=observation, actions=actions)
    rng, games = np.random.default_rng(1), np.arange(GAMES)

    def some() -> int:
        for _ in range(20):
            env.step(env.legal[games, (rng.random(GAMES) * env.counts).astype(np.int64)])
        return 20 * GAMES

    return some


def bastide_gymnasium() -> Callable[[], int]:
    """One game through Gymnasium, against a random opponent."""
    env = BastideEnv(opponents="random", observation="candidates", actions="list")
    rng = random.Random(1)
    told = env.reset(seed=1)[1]

    def some() -> int:
        nonlocal told
        for _ in range(200):
            _, _, ended, _, told = env.step(rng.randrange(told["legal"]))
            if ended:
                told = env.reset()[1]
        return 200

    return some


def pgx_batch(name: str) -> Callable[[], int]:
    """64 games of Pgx, stepped by one compiled function."""
    import jax
    import jax.numpy as jnp
    import pgx

    env: Any = pgx.make(name)

    def step(state: Any, key: Any) -> Any:
        action = jax.random.categorical(key, jnp.where(state.legal_action_mask, 0.0, -1e9))
        fresh = env.init(key)
        state = jax.tree_util.tree_map(
            lambda new, old: jnp.where(state.terminated | state.truncated, new, old), fresh, state
        )
        return env.step(state, action, key)

    steps = jax.jit(jax.vmap(step))
    key = jax.random.PRNGKey(1)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, GAMES))

    def some() -> int:
        nonlocal key, state
        for _ in range(10):
            key, own = jax.random.split(key)
            state = steps(state, jax.random.split(own, GAMES))
        jax.block_until_ready(state)
        return 10 * GAMES

    return some


def spiel(name: str) -> Callable[[], int]:
    """A game of OpenSpiel in C++, through its Python interface."""
    import pyspiel

    game = pyspiel.load_game(name)
    rng = random.Random(1)
    state = game.new_initial_state()

    def some() -> int:
        nonlocal state
        done = 0
        while done < 100:
            if state.is_terminal():
                state = game.new_initial_state()
            elif state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, chances)[0])
            else:
                state.observation_tensor(state.current_player())
                state.apply_action(rng.choice(state.legal_actions()))
                done += 1
        return done

    return some


def catanatron() -> Callable[[], int]:
    """Decisions in games of Catanatron's random players."""
    from catanatron import Color, Game, RandomPlayer

    def some() -> int:
        game = Game([RandomPlayer(Color.RED), RandomPlayer(Color.BLUE)])
        game.play()
        state: Any = game.state
        return len(getattr(state, "actions", None) or state.action_records)

    return some


MEASURED: dict[str, Callable[[], Callable[[], int]]] = {
    "Bastide, BatchEnv of 64, candidates": lambda: bastide_batch("candidates", "list"),
    "Bastide, BatchEnv of 64, planes": lambda: bastide_batch("planes", "window"),
    "Bastide, BatchEnv of 64, row": lambda: bastide_batch("row", "codes"),
    "Bastide, Gymnasium, candidates": bastide_gymnasium,
    "Pgx, 64 games, backgammon": lambda: pgx_batch("backgammon"),
    "Pgx, 64 games, go 9x9": lambda: pgx_batch("go_9x9"),
    "Pgx, 64 games, chess": lambda: pgx_batch("chess"),
    "OpenSpiel from Python, backgammon": lambda: spiel("backgammon"),
    "OpenSpiel from Python, go 9x9": lambda: spiel("go(board_size=9)"),
    "OpenSpiel from Python, chess": lambda: spiel("chess"),
    "Catanatron, random players, no observation": catanatron,
}


def main() -> None:
    """One line for each."""
    pin()
    print("| environment | steps/CPU-s |\n| --- | ---: |")
    for name, make in MEASURED.items():
        try:
            print(f"| {name} | {rate(make()):,.0f} |", flush=True)
        except ModuleNotFoundError as missing:
            print(f"| {name} | not installed: {missing.name} |", flush=True)


if __name__ == "__main__":
    main()
