"""Gymnasium: one learner against bots. Importing this registers all ids; `gymnasium.make("bastide/Base-v2")`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bastide.env.names import ids, name_of, rules_of
from bastide.env.needs import need

need("gymnasium", "env")

import gymnasium  # noqa: E402 # after the message that says what to install
import numpy as np  # noqa: E402
from gymnasium.spaces import Discrete  # noqa: E402
from numpy.typing import NDArray  # noqa: E402

from bastide.env.episode import (  # noqa: E402
    DUMMY,
    RENDER_MODES,
    EpisodeRunner,
    Mask,
    checked_render_mode,
    checked_rewards,
)
from bastide.env.observations import Observation  # noqa: E402
from bastide.env.opponents import Opponent, RandomChooser, SeatedOpponent, checked_opponents  # noqa: E402
from bastide.errors import OptionError  # noqa: E402
from bastide.game.seeds import mixed  # noqa: E402

ILLEGAL = -100.0  # reward of an illegal action, which ends the episode
SEEDS = 2**31


class BastideEnv(gymnasium.Env):  # type: ignore[misc] # its types are not looked at
    """The learner holds one seat. Opponents take the others in the order of play; a short list is repeated.

    `opponents` are names of bots, Bot objects, classes of bots, or functions of observation and mask that return an
    action: so a network can play against itself. `observation` is "row", "candidates", "planes" or "regions";
    `actions` is "codes", "list" or "window".

    With `rewards="margin"` the reward of a step is what it changed in the learner's margin (its points less the mean
    of the others'), with all that the opponents did until the learner is asked again; over an episode rewards add up
    to the final margin. With "outcome" it is 1, 0 or -1 at the end. An illegal action is not played: it ends the
    episode with the reward ILLEGAL, and `info["illegal"]` is true.
    """

    metadata = {"render_modes": [*RENDER_MODES], "render_fps": 1}  # noqa: RUF012 # as Gymnasium declares it

    def __init__(
        self,
        env_id: str = name_of("base"),
        opponents: Opponent | Sequence[Opponent] = ("greedy",),
        seat: int | None = None,
        render_mode: str | None = None,
        observation: str = "row",
        actions: str = "codes",
        rewards: str = "margin",
        **choice: Any,
    ) -> None:
        self.runner = EpisodeRunner(rules_of(env_id, **choice), observation, actions)
        players = int(self.runner.rules.players)
        if seat is not None and seat not in range(players):
            raise OptionError(f"seat: expected 0 to {players - 1}, or none for a random one, got {seat!r}")
        self.opponents = checked_opponents(opponents)
        self.wanted_seat = seat
        self.seat = seat or 0
        self.render_mode = checked_render_mode(render_mode)
        self.rewards = checked_rewards(rewards)
        self.opponents_at: dict[int, SeatedOpponent] = {}
        self.only_random: RandomChooser | None = None  # plays all other seats, if they all play at random
        self.margin = 0.0
        self.ended = False
        self.action_space = Discrete(self.runner.size)
        self.observation_space = self.runner.observations.space

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        start = int(self.np_random.integers(SEEDS))
        players = int(self.runner.rules.players)
        self.seat = start % players if self.wanted_seat is None else self.wanted_seat
        self.runner.begin(mixed(start, "dealer"))
        self.close()
        if all(one == "random" for one in self.opponents):
            self.only_random = RandomChooser(self.runner.rules, mixed(start, "random"))
        else:
            for number in range(players - 1):
                seat = (self.seat + 1 + number) % players
                who = self.opponents[number % len(self.opponents)]
                self.opponents_at[seat] = SeatedOpponent(who, self.runner.rules, mixed(start, seat))
        self.margin = 0.0
        self._let_others_play()
        self.ended = self.runner.match.over
        return self.runner.observe(self.seat), self._info()

    def step(self, action: int | np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        if self.ended:
            raise OptionError("the episode is over; call reset")
        runner = self.runner
        index = runner.index(int(action))
        if index < 0:
            self.ended = True
            return runner.observe(self.seat), ILLEGAL, True, False, {**self._info(), "illegal": True}
        runner.match.play(index)
        self._let_others_play()
        self.ended = runner.match.over
        return runner.observe(self.seat), self._reward(), self.ended, False, self._info()

    def _reward(self) -> float:
        if self.rewards == "outcome":
            return self.runner.outcomes()[self.seat]
        before, self.margin = self.margin, self.runner.margins()[self.seat]
        return self.margin - before

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal now, as MaskablePPO asks for it; after the end DUMMY alone."""
        return self._mask().astype(np.bool_)

    def _mask(self) -> Mask:
        if not self.ended:
            return self.runner.mask()
        mask: Mask = np.zeros(self.runner.size, dtype=np.int8)
        mask[DUMMY] = 1
        return mask

    def render(self) -> Any:
        """The board as text (`ansi`), as a picture in SVG (`svg`) or in pixels (`rgb_array`)."""
        return self.runner.render(self.render_mode)

    def close(self) -> None:
        """Closes the bots of the opponents."""
        for one in self.opponents_at.values():
            one.close()
        self.opponents_at = {}
        self.only_random = None

    def _let_others_play(self) -> None:
        match = self.runner.match
        if self.only_random is not None:
            match.play_random(self.seat, self.only_random.rng)
            return
        while not match.over and match.seat != self.seat:
            self.opponents_at[match.seat].play(self.runner, match.seat)

    def _info(self) -> dict[str, Any]:
        match = self.runner.match
        return {"action_mask": self._mask(), "scores": match.scores(), "seat": self.seat, "legal": int(match.count)}


def register() -> None:
    """Makes the ids known to `gymnasium.make` and `make_vec`; once is enough."""
    for env_id in ids():
        if env_id not in gymnasium.registry:
            gymnasium.register(
                env_id,
                entry_point="bastide.env.gym:BastideEnv",
                vector_entry_point="bastide.env.batch:BatchEnv",
                kwargs={"env_id": env_id},
            )


register()
