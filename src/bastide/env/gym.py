"""Gymnasium: one learner against bots. Importing this registers all ids; `gymnasium.make("bastide/Base-v2")`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bastide.env.names import ids, name_of, rules_of
from bastide.env.needs import need

need("gymnasium", "env")

import gymnasium  # noqa: E402 # after the message that says what to install
import numpy as np  # noqa: E402
from gymnasium.spaces import Box, Discrete  # noqa: E402
from numpy.typing import NDArray  # noqa: E402

from bastide.bots import Bot, bot  # noqa: E402
from bastide.env.desk import Desk, Numbers, bounds  # noqa: E402
from bastide.errors import OptionError  # noqa: E402
from bastide.game.seeds import mixed  # noqa: E402

ILLEGAL = -100.0  # reward of an illegal action, which ends the episode
SEEDS = 2**31


class BastideEnv(gymnasium.Env):  # type: ignore[misc] # its types are not looked at
    """The learner holds one seat, bots the others, in the order of play after it; too few begin again.

    The reward of a step is what it changed in the learner's margin (its points less the mean of the others'), with
    all that the bots did until the learner is asked again; over an episode rewards add up to the final margin. An
    illegal action is not played: it ends the episode with the reward ILLEGAL, and `info["illegal"]` is true.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 # as Gymnasium declares it

    def __init__(
        self,
        id: str = name_of("base"),
        opponents: Sequence[str] = ("greedy",),
        seat: int | None = None,
        render_mode: str | None = None,
        **choice: Any,
    ) -> None:
        self.desk = Desk(rules_of(id, **choice))
        players = int(self.desk.rules.players)
        if seat is not None and seat not in range(players):
            raise OptionError(f"seat: expected 0 to {players - 1}, or none for a random one, got {seat!r}")
        if not opponents:
            raise OptionError("opponents: expected at least one bot, got none")
        for name in opponents:
            bot(name).close()
        self.opponents = tuple(opponents)
        self.wanted_seat = seat
        self.seat = seat or 0
        self.render_mode = render_mode
        self.bots: dict[int, Bot] = {}
        self.margin = 0.0
        self.action_space = Discrete(int(self.desk.codes.size))
        self.observation_space = Box(shape=(int(self.desk.observer.size),), **bounds())

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        super().reset(seed=seed)
        start = int(self.np_random.integers(SEEDS))
        players = int(self.desk.rules.players)
        self.seat = start % players if self.wanted_seat is None else self.wanted_seat
        self.desk.begin(mixed(start, "dealer"))
        self.close()
        for number in range(players - 1):
            seat = (self.seat + 1 + number) % players
            self.bots[seat] = bot(self.opponents[number % len(self.opponents)], mixed(start, seat))
        self.margin = 0.0
        self._let_bots_play()
        return self.desk.observe(self.seat), self._info()

    def step(self, action: np.int64) -> tuple[Numbers, float, bool, bool, dict[str, Any]]:
        if self.desk.game.over:
            raise OptionError("the episode is over; call reset")
        if int(action) not in self.desk.legal():
            return self.desk.observe(self.seat), ILLEGAL, True, False, {**self._info(), "illegal": True}
        self.desk.play(int(action))
        self._let_bots_play()
        before, self.margin = self.margin, self.desk.margins()[self.seat]
        return self.desk.observe(self.seat), self.margin - before, self.desk.game.over, False, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Which codes are legal now, as MaskablePPO asks for it."""
        mask: NDArray[np.bool_] = self.desk.mask().astype(np.bool_)
        return mask

    def render(self) -> str:
        """The board as text."""
        return self.desk.text()

    def close(self) -> None:
        """Lets go of the bots."""
        for one in self.bots.values():
            one.close()
        self.bots = {}

    def _let_bots_play(self) -> None:
        game = self.desk.game
        while not game.over and game.seat != self.seat:
            game.play(self.bots[game.seat].choose(game.view(game.seat)))

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.desk.mask(), "scores": self.desk.game.scores, "seat": self.seat}


def register() -> None:
    """Makes the ids known to `gymnasium.make`; once is enough."""
    for id in ids():
        if id not in gymnasium.registry:
            gymnasium.register(id, entry_point="bastide.env.gym:BastideEnv", kwargs={"id": id})


register()
