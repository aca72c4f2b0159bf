"""The Gymnasium environment: its own checker, ours, and what a learner relies on."""

from __future__ import annotations

import warnings
from itertools import count
from typing import Any

import pytest

gymnasium = pytest.importorskip("gymnasium", reason="gymnasium is not installed: no such environment to test")
np = pytest.importorskip("numpy", reason="numpy is not installed")

from bastide.env.check import check_env  # noqa: E402
from bastide.env.gym import ILLEGAL, BastideEnv  # noqa: E402
from bastide.env.names import ids  # noqa: E402
from bastide.errors import BastideError, OptionError  # noqa: E402


def test_gymnasium_finds_nothing_wrong() -> None:
    from gymnasium.utils.env_checker import check_env as gymnasium_check

    env = gymnasium.make("bastide/Base-v2", opponents=("random",))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*Box .*")  # it wants bounds narrower than whole numbers have
        gymnasium_check(env.unwrapped)


@pytest.mark.parametrize("id", list(ids()))
def test_every_id_holds_our_own_contract(id: str) -> None:
    check_env(lambda: BastideEnv(id, opponents=("random",)), episodes=2)


@pytest.mark.parametrize("players", [2, 5])
def test_rewards_add_up_to_the_final_margin(players: int) -> None:
    env = BastideEnv(opponents=("random", "greedy"), players=players)
    env.reset(seed=3)
    total, ended = 0.0, False
    while not ended:
        _, reward, ended, _, info = env.step(np.flatnonzero(env.action_masks())[0])
        total += reward
    others = [score for seat, score in enumerate(info["scores"]) if seat != info["seat"]]
    assert total == pytest.approx(info["scores"][info["seat"]] - sum(others) / len(others))


def test_the_learner_is_asked_and_nobody_else() -> None:
    env = BastideEnv(opponents=("random",), seat=1)
    env.reset(seed=1)
    for _ in range(20):
        assert env.desk.game.seat == 1
        env.step(np.flatnonzero(env.action_masks())[-1])


def test_an_illegal_action_ends_the_episode_and_is_not_played() -> None:
    env = BastideEnv(opponents=("random",))
    before, _ = env.reset(seed=1)
    after, reward, terminated, _, info = env.step(np.int64(env.desk.codes.discard))
    assert (reward, terminated, info["illegal"]) == (ILLEGAL, True, True)
    assert np.array_equal(before, after)


def test_render_shows_the_board() -> None:
    env = gymnasium.make("bastide/Base-v2", render_mode="ansi")
    env.reset(seed=1)
    assert "red: 0 points" in env.render()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"id": "bastide/Base-v99"}, "unknown environment 'bastide/Base-v99'; there are bastide/Base-v2"),
        ({"seat": 2}, "seat: expected 0 to 1"),
        ({"opponents": ()}, "opponents: expected at least one bot"),
        ({"opponents": ("nobody",)}, "unknown bot 'nobody'"),
    ],
)
def test_wrong_arguments_are_refused(arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(OptionError, match=said):
        BastideEnv(**arguments)


def test_a_step_after_the_end_is_refused() -> None:
    env = BastideEnv(opponents=("random",))
    env.reset(seed=1)
    ended = False
    while not ended:
        _, _, ended, _, _ = env.step(np.flatnonzero(env.action_masks())[0])
    with pytest.raises(OptionError, match="the episode is over; call reset"):
        env.step(np.int64(0))


# --- environments that our own check must catch


class WrongMask(BastideEnv):
    def action_masks(self) -> Any:
        return np.roll(super().action_masks(), 1)


class Forgetful(BastideEnv):
    never_twice = count()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        return super().reset(seed=next(self.never_twice), options=options)


class Deaf(BastideEnv):
    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        return super().reset(seed=5, options=options)


class Forgiving(BastideEnv):
    def step(self, action: Any) -> Any:
        return super().step(action if self.action_masks()[action] else np.flatnonzero(self.action_masks())[0])


class Nonsense(BastideEnv):
    def step(self, action: Any) -> Any:
        seen, _, *rest = super().step(action)
        return seen.astype(np.float64), float("nan"), *rest


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (WrongMask, "the mask of `info` and that of `action_masks` differ"),
        (Forgetful, "the same seed and the same actions gave another episode"),
        (Deaf, "all seeds give the same episode"),
        (Forgiving, "an illegal action did not end the episode"),
        (Nonsense, "expected a finite number as reward"),
        (Nonsense, "an observation lies outside of its space"),
    ],
)
def test_our_check_catches_broken_environments(broken: type[BastideEnv], said: str) -> None:
    with pytest.raises(BastideError, match=said):
        check_env(lambda: broken(opponents=("random",)), episodes=2)
