"""The batch as numpy arrays."""

from __future__ import annotations

import pytest

np = pytest.importorskip("numpy", reason="numpy is not installed: no arrays to look at")

from bastide.env import BatchEnv  # noqa: E402
from bastide.errors import IllegalAction  # noqa: E402


def test_masks_say_what_legal_lists() -> None:
    env = BatchEnv(games=5, seed=2)
    for _ in range(50):
        masks = env.masks()
        assert masks.shape == (5, env.actions_size)
        for game in range(5):
            assert set(np.flatnonzero(masks[game])) == set(env.legal[game, : env.counts[game]])
        env.step(env.legal[:, 0])


def test_arrays_are_views_of_what_goes_on() -> None:
    env = BatchEnv(games=3, seed=2)
    scores, seen = env.scores, env.observe()
    before = seen.copy()
    for _ in range(100):
        env.random_step()
    assert scores.sum() > 0
    assert env.observe() is seen
    assert (seen[:, 7] > before[:, 7]).all()  # tiles on the board
    assert (seen[:, 1] == env.seats).all()


def test_an_illegal_action_is_refused() -> None:
    env = BatchEnv(games=2)
    with pytest.raises(IllegalAction, match="game 0"):
        env.step(np.array([env.actions_size, env.legal[1, 0]]))
