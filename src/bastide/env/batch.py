"""Many games at once as numpy arrays, stepped in compiled code. The fast way to collect games."""

from __future__ import annotations

from typing import Any

from bastide.env.names import name_of, rules_of
from bastide.env.needs import need

need("numpy", "env")

import numpy as np  # noqa: E402 # after the message that says what to install
from librt.vecs import vec  # noqa: E402

from bastide.env.desk import Mask, Numbers  # noqa: E402
from bastide.game.batch import Batch  # noqa: E402
from bastide.native import i64  # noqa: E402


class BatchEnv:
    """`games` games by the same rules; one that ends begins anew at once. All arrays are views: copy what you keep.

    Of each game: `seats` who decides, `counts` number of legal actions, `legal` their codes (the first `counts`),
    `ended`. Of each game and seat: `gains` points of the last step, `scores`, `finals` of the last finished game.
    """

    def __init__(self, id: str = name_of("base"), games: int = 64, seed: int = 0, **choice: Any) -> None:
        self.rules = rules_of(id, **choice)
        self.batch = Batch(self.rules, games, seed)
        self.games = games
        self.actions_size = int(self.batch.size)
        self.observation_size = int(self.batch.observer.size)
        self.seats = self._view(self.batch.seats, games)
        self.counts = self._view(self.batch.counts, games)
        self.ended = self._view(self.batch.ended, games)
        self.actions = self._view(self.batch.actions, games)
        self.legal = self._view(self.batch.legal, games, -1)
        self.gains = self._view(self.batch.gains, games, -1)
        self.scores = self._view(self.batch.scores, games, -1)
        self.finals = self._view(self.batch.finals, games, -1)
        self._observations = self._view(self.batch.observe(), games, self.observation_size)

    def _view(self, numbers: vec[i64], *shape: int) -> Numbers:
        array: Numbers = np.frombuffer(numbers, dtype=np.int64).reshape(shape)
        return array

    def step(self, actions: Numbers) -> None:
        """Plays one code in each game; if one is illegal, nothing is played anywhere."""
        self.batch.step(actions.tolist())

    def random_step(self) -> None:
        """Plays any legal action in each game."""
        self.batch.random_step()

    def observe(self) -> Numbers:
        """Each game through the eyes of whoever decides in it."""
        self.batch.observe()
        return self._observations

    def masks(self) -> Mask:
        """For each game 1 for each legal code, 0 for the others. `legal` says the same in less room."""
        masks: Mask = np.zeros((self.games, self.actions_size), dtype=np.int8)
        listed = np.arange(self.legal.shape[1]) < self.counts[:, None]
        masks[np.nonzero(listed)[0], self.legal[listed]] = 1
        return masks
