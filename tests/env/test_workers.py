"""A batch whose games are played by several processes."""

from __future__ import annotations

from typing import Any

import pytest

np = pytest.importorskip("numpy", reason="numpy is not installed: no arrays to look at")

from bastide.env import BatchEnv, WorkersEnv  # noqa: E402
from bastide.errors import BastideError, IllegalAction, OptionError  # noqa: E402
from bastide.game.seeds import mixed  # noqa: E402


def test_the_games_of_each_process_are_those_of_a_batch_with_its_seed() -> None:
    arguments: dict[str, Any] = {"observation": "candidates", "actions": "list", "opponents": "random"}
    env = WorkersEnv(games=4, workers=2, seed=3, **arguments)
    halves = [BatchEnv(games=2, seed=mixed(3, number), **arguments) for number in range(2)]
    try:
        for _ in range(80):
            actions = (env.counts - 1).copy()
            seen, rewards, done, _, info = env.step(actions)
            for number, half in enumerate(halves):
                part = slice(2 * number, 2 * number + 2)
                expected = half.step(actions[part])
                assert (seen[part] == expected[0]).all()
                assert (rewards[part] == expected[1]).all()
                assert (done[part] == expected[2]).all()
                assert (info["finals"][part] == half.finals).all()
                assert (env.masks()[part] == half.masks()).all()
        first = env.reset(seed=5)[0].copy()
        env.step(env.legal[:, 0])
        assert (env.reset(seed=5)[0] == first).all()
    finally:
        env.close()


def test_an_illegal_action_and_a_process_that_ended_are_told() -> None:
    env = WorkersEnv(games=2, workers=2)
    try:
        with pytest.raises(IllegalAction, match="the action -5 is not legal now"):
            env.step(np.array([-5, env.legal[1, 0]]))
        env.step(env.legal[:, 0])
        env.processes[1].kill()
        env.processes[1].join()
        with pytest.raises(BastideError, match="process 1 of the batch has ended"):
            env.step(env.legal[:, 0])
    finally:
        env.close()


def test_each_game_may_have_a_seed_of_its_own() -> None:
    """A list of seeds was taken for one seed."""
    env = WorkersEnv(games=4, workers=2, actions="list")
    batch = BatchEnv(games=4, actions="list")
    try:
        for seeds in ([1, 2, 1, 3], np.array([4, 4, 4, 5])):
            assert (env.reset(seed=seeds)[0] == batch.reset(seed=seeds)[0]).all()
        with pytest.raises(OptionError, match="seed: expected 4 numbers, got 2"):
            env.reset(seed=[1, 2])
        with pytest.raises(OptionError, match="seed: expected 0 to"):
            env.reset(seed=[1, 2, 3, -1])
    finally:
        env.close()


def test_actions_that_are_none_are_refused() -> None:
    """One action was played in all games, and 0.7 was played as 0."""
    env = WorkersEnv(games=2, workers=1, actions="list")
    try:
        for actions in ([0], [0.7, 0.7], [[0, 0]]):
            with pytest.raises(OptionError, match="actions: expected 2 whole numbers"):
                env.step(actions)
    finally:
        env.close()
    for ask in (env.reset, lambda: env.step([0, 0])):
        with pytest.raises(OptionError, match="the environment is closed"):
            ask()


def test_planes_are_shared_by_their_parts() -> None:
    env = WorkersEnv(games=2, workers=1, observation="planes", actions="window")
    try:
        seen, _ = env.reset(seed=1)
        assert env.observation_space.contains({name: part.copy() for name, part in seen.items()})
    finally:
        env.close()


def test_what_cannot_be_shared_out_is_refused() -> None:
    with pytest.raises(OptionError, match=r"games: expected a multiple of 2 \(workers\), got 3"):
        WorkersEnv(games=3, workers=2)
    with pytest.raises(OptionError, match="opponents: expected a name"):
        WorkersEnv(games=2, workers=2, opponents=lambda rows, masks: masks.argmax(axis=1))
