"""The Gymnasium environment: its own checker, ours, and what a learner relies on."""

from __future__ import annotations

import copy
import pickle
import warnings
from itertools import count
from random import Random
from typing import Any

import pytest

gymnasium = pytest.importorskip("gymnasium", reason="gymnasium is not installed: no such environment to test")
np = pytest.importorskip("numpy", reason="numpy is not installed")

from bastide.bots import Bot, bot  # noqa: E402
from bastide.env.check import check_env  # noqa: E402
from bastide.env.gym import ILLEGAL, BastideEnv  # noqa: E402
from bastide.env.names import ids  # noqa: E402
from bastide.errors import BastideError, OptionError  # noqa: E402
from bastide.game import Action, View  # noqa: E402


def test_gymnasium_finds_nothing_wrong() -> None:
    from gymnasium.utils.env_checker import check_env as gymnasium_check

    env = gymnasium.make("bastide/Base-v2", opponents=("random",))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*Box .*")  # it wants bounds narrower than whole numbers have
        gymnasium_check(env.unwrapped)


@pytest.mark.parametrize("env_id", list(ids()))
def test_every_id_holds_our_own_contract(env_id: str) -> None:
    check_env(lambda: BastideEnv(env_id, opponents=("random",)), episodes=2)


MODES = [("row", "codes"), ("candidates", "list"), ("planes", "window"), ("regions", "list"), ("candidates", "codes")]


@pytest.mark.parametrize(("observation", "actions"), MODES)
def test_gymnasium_finds_nothing_wrong_with_any_kind_of_observation(observation: str, actions: str) -> None:
    from gymnasium.utils.env_checker import check_env as gymnasium_check

    env = BastideEnv(opponents="random", observation=observation, actions=actions)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*Box .*|.*action space to be in.*|.*spec.*")
        gymnasium_check(env, skip_render_check=True)


@pytest.mark.parametrize(("observation", "actions"), MODES)
@pytest.mark.parametrize("env_id", ["bastide/Base-v2", "bastide/Everything-v2"])
def test_every_kind_of_observation_holds_our_own_contract(env_id: str, observation: str, actions: str) -> None:
    check_env(lambda: BastideEnv(env_id, opponents="random", observation=observation, actions=actions), episodes=2)


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
        assert env.runner.game.seat == 1
        env.step(np.flatnonzero(env.action_masks())[-1])


def test_an_illegal_action_ends_the_episode_and_is_not_played() -> None:
    env = BastideEnv(opponents=("random",))
    before, _ = env.reset(seed=1)
    after, reward, terminated, _, info = env.step(np.int64(env.runner.codes.discard))
    assert (reward, terminated, info["illegal"]) == (ILLEGAL, True, True)
    assert np.array_equal(before, after)


def test_make_vec_makes_a_batch_or_several_environments() -> None:
    """It failed: a constructor had a parameter called `id`."""
    batch = gymnasium.make_vec("bastide/Base-v2", num_envs=3, opponents="random", actions="list")
    assert type(batch.unwrapped).__name__ == "BatchEnv"
    several = gymnasium.make_vec(
        "bastide/Base-v2", num_envs=2, vectorization_mode="sync", opponents="random", actions="list"
    )
    for env in (batch, several):
        env.reset(seed=1)
        _, rewards, *_ = env.step(np.zeros(env.num_envs, dtype=np.int64))
        assert rewards.shape == (env.num_envs,)
    several.close()


@pytest.mark.parametrize(
    "opponent",
    [
        "random",
        "greedy",
        "planner",
        "bot:1",
        *(bot(name, 3) for name in ("random", "greedy", "planner", "bot:1")),
    ],
    ids=lambda opponent: opponent if isinstance(opponent, str) else type(opponent).__name__,
)
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_goes_on_as_the_original_does(opponent: str | Bot, copied: Any) -> None:
    env = BastideEnv(opponents=opponent, observation="candidates", actions="list")
    env.reset(seed=4)
    for _ in range(5):
        env.step(np.int64(0))
    twin = copied(env)
    for _ in range(6):
        one, other = env.step(np.int64(0)), twin.step(np.int64(0))
        assert np.array_equal(one[0], other[0])
        assert one[1:4] == other[1:4]


class OtherGenerator(Bot):
    """Any action, by Python's own generator."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)

    def choose(self, view: View) -> Action:
        return self.rng.choice(view.legal)


def test_a_class_of_bots_with_another_generator_is_copied_with_it() -> None:
    """Copying took the generator for one of Bastide's: AttributeError."""
    env = BastideEnv(opponents=OtherGenerator, actions="list", seat=0)
    env.reset(seed=4)
    for _ in range(5):
        env.step(np.int64(0))
    twin = copy.deepcopy(env)
    for _ in range(10):
        assert np.array_equal(env.step(np.int64(0))[0], twin.step(np.int64(0))[0])


class Last(Bot):
    """Always the last action."""

    def choose(self, view: View) -> Action:
        return view.legal[-1]


def play_last(seen: Any, mask: Any) -> int:
    assert seen.shape == (128, seen.shape[1])
    assert np.count_nonzero(seen.any(axis=1)) == mask.sum()
    return int(np.flatnonzero(mask)[-1])


def test_opponents_are_names_bots_classes_or_functions() -> None:
    traces = []
    for opponent in (Last, Last(), play_last, (play_last,)):
        env = BastideEnv(opponents=opponent, observation="candidates", actions="list", seat=0)
        env.reset(seed=2)
        rewards, ended = [], False
        while not ended:
            _, reward, ended, _, _ = env.step(np.int64(0))
            rewards.append(reward)
        traces.append(rewards)
    assert all(trace == traces[0] for trace in traces)
    assert any(traces[0])


def test_an_ended_episode_has_one_dummy_action() -> None:
    """Its mask was all zeros: NaN in a masked softmax."""
    env = BastideEnv(opponents="random", actions="list")
    env.reset(seed=1)
    ended = False
    while not ended:
        _, _, ended, _, info = env.step(np.int64(0))
    assert np.flatnonzero(env.action_masks()).tolist() == [0]
    assert np.flatnonzero(info["action_mask"]).tolist() == [0]


def test_outcomes_as_rewards() -> None:
    env = BastideEnv(opponents="random", actions="list", rewards="outcome")
    env.reset(seed=1)
    rewards, ended = [], False
    while not ended:
        _, reward, ended, _, info = env.step(np.int64(0))
        rewards.append(reward)
    own, other = info["scores"][info["seat"]], info["scores"][1 - info["seat"]]
    assert set(rewards[:-1]) == {0.0}
    assert rewards[-1] == float(np.sign(own - other))


def test_pictures() -> None:
    pytest.importorskip("resvg_py", reason="resvg_py is not installed: no pixels")
    env = BastideEnv(opponents="random", render_mode="rgb_array")
    env.reset(seed=1)
    pixels = env.render()
    assert (pixels.shape, pixels.dtype) == ((640, 640, 3), np.uint8)
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 20
    env.render_mode = "svg"
    assert env.render().startswith("<svg")


def test_render_shows_the_board() -> None:
    env = gymnasium.make("bastide/Base-v2", render_mode="ansi")
    env.reset(seed=1)
    assert "red: 0 points" in env.render()


def test_for_people_it_prints(capsys: pytest.CaptureFixture[str]) -> None:
    env = gymnasium.make("bastide/Base-v2", render_mode="human")
    env.reset(seed=1)
    assert env.render() is None
    assert "red: 0 points" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"env_id": "bastide/Base-v99"}, "unknown environment 'bastide/Base-v99'; there are bastide/Base-v2"),
        ({"seat": 2}, "seat: expected 0 to 1"),
        ({"scripted": True}, "scripted: expected a game that ends by itself"),
        ({"opponents": ()}, "opponents: expected at least one bot"),
        ({"opponents": (3,)}, "opponents: expected a name, a Bot, a class of bots or a function, got 3"),
        ({"opponents": None}, "opponents: expected a name, a Bot, a class of bots or a function, got None"),
        ({"opponents": int}, "opponents: expected a name, a Bot, a class of bots or a function, got <class 'int'>"),
        ({"observation": "smell"}, "observation: expected one of row, candidates, planes, regions, got 'smell'"),
        ({"actions": "words"}, "actions: expected one of codes, list, window, got 'words'"),
        ({"rewards": "money"}, "rewards: expected one of margin, outcome, got 'money'"),
        ({"render_mode": "film"}, "render_mode: expected one of ansi, svg, rgb_array, human or none, got 'film'"),
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
