"""Bastide's environments beside others, in one run on one core: steps in a second of CPU time, random legal actions.

    pip install 'bastide[env,spiel]' pgx catanatron fastcatan
    python bench/others.py            # or some lines only: python bench/others.py fastcatan

What is not installed is left out and said so (fastcatan needs Python 3.12 or newer). A step holds what a learner
needs: the observation and which actions are legal, except where the line says otherwise. The games differ: the table
shows what a learner can expect of each, not whose code is better.
"""

from __future__ import annotations

import os
import random
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

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
    from bastide.env import BatchEnv

    env = BatchEnv(games=GAMES, observation=observation, actions=actions)
    rng, games = np.random.default_rng(1), np.arange(GAMES)

    def some() -> int:
        for _ in range(20):
            env.step(env.legal[games, (rng.random(GAMES) * env.counts).astype(np.int64)])
        return 20 * GAMES

    return some


def bastide_gymnasium() -> Callable[[], int]:
    """One game through Gymnasium, against a random opponent."""
    from bastide.env import BastideEnv

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


def bastide_loop() -> Callable[[], int]:
    """One game in a loop of Python: which actions are legal, and one of them."""
    from bastide.game.match import Match
    from bastide.rules import Rules

    match, draw = Match(Rules.of(), 1), random.Random(1).random

    def some() -> int:
        for _ in range(1000):
            if match.over:
                match.begin(int(1e9 * draw()))
            match.play(int(draw() * int(match.count)))
        return 1000

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


def fastcatan_loop(seen: bool) -> Callable[[], int]:
    """One game of fastcatan in a loop of Python."""
    import fastcatan

    game: Any = fastcatan.Env()
    rng = random.Random(1)
    game.reset(seed=1)

    def some() -> int:
        for _ in range(200):
            if seen:
                game.state_view(game.current_player)
            if game.step(rng.choice(game.legal_actions())):
                game.reset(seed=rng.randrange(10**9))
        return 200

    return some


def fastcatan_batch() -> Callable[[], int]:
    """64 games of fastcatan; the legal actions are bits, one of them is picked with numpy."""
    import fastcatan

    games: Any = fastcatan.BatchedEnv(GAMES, seed=1)
    games.reset()
    masks = np.full((GAMES, fastcatan.MASK_WORDS), 0, dtype=np.uint64)
    ends: Any = np.zeros(GAMES, dtype=np.uint8)
    rng = np.random.default_rng(1)

    def some() -> int:
        for _ in range(20):
            games.write_masks(masks)
            legal = np.unpackbits(masks.view(np.uint8), axis=1, bitorder="little")
            picked = (rng.random(legal.shape, dtype=np.float32) * legal).argmax(axis=1)
            games.step_autoreset(picked.astype(np.uint32), ends)
        return 20 * GAMES

    return some


MEASURED: dict[str, Callable[[], Callable[[], int]]] = {
    "Bastide, BatchEnv of 64, candidates": lambda: bastide_batch("candidates", "list"),
    "Bastide, BatchEnv of 64, planes": lambda: bastide_batch("planes", "window"),
    "Bastide, BatchEnv of 64, row": lambda: bastide_batch("row", "codes"),
    "Bastide, Gymnasium, candidates": bastide_gymnasium,
    "Bastide, loop of Python, no observation": bastide_loop,
    "Pgx, 64 games, backgammon": lambda: pgx_batch("backgammon"),
    "Pgx, 64 games, go 9x9": lambda: pgx_batch("go_9x9"),
    "Pgx, 64 games, chess": lambda: pgx_batch("chess"),
    "OpenSpiel from Python, backgammon": lambda: spiel("backgammon"),
    "OpenSpiel from Python, go 9x9": lambda: spiel("go(board_size=9)"),
    "OpenSpiel from Python, chess": lambda: spiel("chess"),
    "Catanatron, random players, no observation": catanatron,
    "fastcatan, loop of Python, view of a seat": lambda: fastcatan_loop(True),
    "fastcatan, loop of Python, no observation": lambda: fastcatan_loop(False),
    "fastcatan, 64 games, no observation": fastcatan_batch,
}


def main() -> None:
    """One line for each, or for those whose names have one of the words given."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    words = [word.lower() for word in sys.argv[1:]] or [""]
    print("| environment | steps/CPU-s |\n| --- | ---: |")
    for name, make in MEASURED.items():
        if not any(word in name.lower() for word in words):
            continue
        try:
            print(f"| {name} | {rate(make()):,.0f} |", flush=True)
        except ModuleNotFoundError as missing:
            print(f"| {name} | not installed: {missing.name} |", flush=True)


if __name__ == "__main__":
    main()
