"""The PettingZoo environment passes PettingZoo's own tests."""

from __future__ import annotations

import sys
from secrets import randbits
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("pettingzoo", reason="pettingzoo is not installed: no such environment to test")
np = pytest.importorskip("numpy", reason="numpy is not installed")

from pettingzoo.test import api_test, performance_benchmark, render_test, seed_test  # noqa: E402

from bastide.env import BastideAEC  # noqa: E402
from bastide.env.aec import env as make  # noqa: E402
from bastide.errors import IllegalAction  # noqa: E402

# PettingZoo says so of every observation with a mask beside it, but for those of its own games.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:The observation contains negative numbers"),  # a table is taken for a picture
]


@pytest.mark.parametrize("players", [2, 4])
def test_api(players: int) -> None:
    api_test(make(players=players), num_cycles=300)


def test_api_with_every_box() -> None:
    api_test(make(env_id="bastide/Everything-v2"), num_cycles=200)


@pytest.mark.filterwarnings("ignore:Observation numpy array is all zeros")  # nothing is legal: there are no candidates
@pytest.mark.parametrize(
    ("observation", "actions"), [("candidates", "list"), ("planes", "window"), ("regions", "list")]
)
def test_api_with_every_kind_of_observation(observation: str, actions: str) -> None:
    api_test(make(observation=observation, actions=actions), num_cycles=200)


def test_whoever_is_not_asked_has_one_dummy_action() -> None:
    env = BastideAEC(actions="list")
    env.reset(seed=1)
    (waiting,) = set(env.agents) - {env.agent_selection}
    assert np.flatnonzero(env.observe(waiting)["action_mask"]).tolist() == [0]


def test_outcomes_as_rewards() -> None:
    env = BastideAEC(actions="list", rewards="outcome")
    env.reset(seed=1)
    while not all(env.terminations.values()):
        assert set(env.rewards.values()) == {0.0}
        env.step(0)
    assert sorted(env.rewards.values()) in ([-1.0, 1.0], [0.0, 0.0])


def test_seed() -> None:
    seed_test(make, num_cycles=200)


def test_render() -> None:
    render_test(make)


def test_performance(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 1000, 3))  # PettingZoo measures for five seconds: let them pass quickly
    benchmark = sys.modules["pettingzoo.test.performance_benchmark"]
    monkeypatch.setattr(benchmark, "time", SimpleNamespace(time=lambda: next(clock)))
    performance_benchmark(make())
    assert "Finished performance benchmark" in capsys.readouterr().out


def test_rewards_add_up_to_the_final_margins() -> None:
    env = BastideAEC(players=3)
    env.reset(seed=2)
    totals = dict.fromkeys(env.possible_agents, 0.0)
    rng = np.random.default_rng(2)
    while not all(env.terminations.values()):
        legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
        env.step(int(rng.choice(legal)))
        for agent, reward in env.rewards.items():
            totals[agent] += reward
    assert list(totals.values()) == pytest.approx(env.runner.margins())
    assert sum(totals.values()) == pytest.approx(0)


def test_an_illegal_action_is_refused() -> None:
    env = BastideAEC()
    env.reset(seed=2)
    with pytest.raises(IllegalAction, match="is not legal now"):
        env.step(int(env.runner.codes.discard))


# --- PettingZoo's tests would tell
class Deaf(BastideAEC):
    """Does not listen to the seed."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        super().reset(randbits(30), options)


class Liar(BastideAEC):
    """Shows rows that are longer than it says."""

    def observe(self, agent: str) -> dict[str, Any]:
        seen = super().observe(agent)
        return {**seen, "observation": np.append(seen["observation"], 0)}


class Mute(BastideAEC):
    """Has nothing to show."""

    def render(self) -> str:
        raise NotImplementedError


def test_pettingzoos_tests_catch_broken_environments() -> None:
    with pytest.raises(AssertionError):
        api_test(Liar(), num_cycles=20)
    with pytest.raises(AssertionError):
        seed_test(Deaf, num_cycles=20)
    with pytest.raises(NotImplementedError):
        render_test(Mute)
