"""PettingZoo: all seats in turn (AEC), each observation with its action mask."""

from __future__ import annotations

from typing import Any

from bastide.env.names import name_of, rules_of
from bastide.env.needs import need

need("pettingzoo", "env")

import numpy as np  # noqa: E402 # after the message that says what to install
from gymnasium.spaces import Box, Dict, Discrete  # noqa: E402
from pettingzoo import AECEnv  # noqa: E402

from bastide.env.episode import (  # noqa: E402
    DUMMY,
    RENDER_MODES,
    EpisodeRunner,
    Mask,
    checked_render_mode,
    checked_rewards,
)
from bastide.game.seeds import mixed  # noqa: E402

SEEDS = 2**31


class BastideAEC(AECEnv):  # type: ignore[misc] # PettingZoo has no types
    """A game between agents `player_0`, `player_1`, ...; the dealer draws by itself.

    An agent's reward is what changed in its margin (its points less the mean of the others'), or with
    `rewards="outcome"` 1, 0 or -1 at the end. An illegal action is refused; PettingZoo's TerminateIllegalWrapper makes
    it a lost game instead. `observation` and `actions` are those of `BastideEnv`.
    """

    metadata = {"render_modes": [*RENDER_MODES], "name": "bastide_v2", "is_parallelizable": False}  # noqa: RUF012 # as PettingZoo declares it

    def __init__(
        self,
        env_id: str = name_of("base"),
        render_mode: str | None = None,
        observation: str = "row",
        actions: str = "codes",
        rewards: str = "margin",
        **choice: Any,
    ) -> None:
        super().__init__()
        self.runner = EpisodeRunner(rules_of(env_id, **choice), observation, actions)
        self.render_mode = checked_render_mode(render_mode)
        self.kind_of_rewards = checked_rewards(rewards)
        self.possible_agents = [f"player_{seat}" for seat in range(self.runner.rules.players)]
        self.agents = self.possible_agents[:]
        self.rng = np.random.default_rng(0)
        size = self.runner.size
        seen = Dict(
            {
                "observation": self.runner.observations.space,
                "action_mask": Box(low=0, high=1, shape=(size,), dtype=np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces = {agent: Discrete(size) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self.rng = np.random.default_rng(seed)
        self.runner.begin(mixed(int(self.rng.integers(SEEDS)), "dealer"))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.runner.match.seat]

    def observe(self, agent: str) -> dict[str, Any]:
        seat = self.possible_agents.index(agent)
        asked = not self.runner.match.over and seat == self.runner.match.seat
        mask: Mask = np.zeros(self.runner.size, dtype=np.int8)
        mask[DUMMY] = 1  # whoever is not asked
        mask = self.runner.mask() if asked else mask
        return {"observation": self.runner.observe(seat), "action_mask": mask}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        count = self.runner.outcomes if self.kind_of_rewards == "outcome" else self.runner.margins
        before = count()
        self.runner.play(-1 if action is None else int(action))
        after = count()
        self._cumulative_rewards[agent] = 0.0
        for seat, name in enumerate(self.possible_agents):
            self.rewards[name] = after[seat] - before[seat]
            self.terminations[name] = self.runner.match.over
        if self.runner.match.over:
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.possible_agents[self.runner.match.seat]
        self._accumulate_rewards()

    def render(self) -> Any:
        """The board as text (`ansi`), as a picture in SVG (`svg`) or in pixels (`rgb_array`)."""
        return self.runner.render(self.render_mode)

    def close(self) -> None:
        """Nothing is held open."""


def env(**arguments: Any) -> BastideAEC:
    """The environment, as PettingZoo's own are made."""
    return BastideAEC(**arguments)
