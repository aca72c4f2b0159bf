"""Many games at once as numpy arrays, stepped in compiled code. The fast way to collect games."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias
from zlib import crc32

from bastide.env.names import name_of, rules_of
from bastide.env.needs import need

need("numpy", "env")
need("gymnasium", "env")

import numpy as np  # noqa: E402 # after the message that says what to install
from gymnasium.spaces import Discrete  # noqa: E402
from gymnasium.vector import AutoresetMode, VectorEnv  # noqa: E402
from gymnasium.vector.utils import batch_space  # noqa: E402
from numpy.typing import NDArray  # noqa: E402

from bastide.env.episode import Mask, Numbers, checked_rewards  # noqa: E402
from bastide.env.observations import Observation, Observations  # noqa: E402
from bastide.env.opponents import CHOOSERS, RandomChooser  # noqa: E402
from bastide.errors import OptionError  # noqa: E402
from bastide.game.batch import Batch  # noqa: E402
from bastide.game.checked import SEEDS  # noqa: E402
from bastide.game.leaves import Leaves  # noqa: E402
from bastide.game.seeds import mixed  # noqa: E402

MOST_GAMES = 2**20
CHECKSUM = 4  # bytes after a saved game
BatchPolicy: TypeAlias = Callable[[Any, Any], Any]  # observations, masks -> one action for each row
Step: TypeAlias = tuple[Observation, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


class BatchEnv(VectorEnv):  # type: ignore[misc] # its types are not looked at
    """`games` games with the same rules. A game that ends is replaced by a new one in the same step.

    All arrays are views that the next step overwrites: copy what you keep.

    Without `opponents` each step is one action of whoever decides in each game, and the reward is that seat's. With
    them (`random`, `greedy`, `planner`, or a function of observations and masks) the learner holds a seat in each game,
    `seat` or one seat after another, and the reward is the learner's.

    Of each game: `seats` who decides, `counts` number of legal actions, `legal` their numbers (the first `counts`),
    `ended`. Of each game and seat: `gains` points of the last action, `scores`, `finals` of the last finished game.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}  # noqa: RUF012 # as Gymnasium declares it

    def __init__(
        self,
        env_id: str = name_of("base"),
        games: int = 64,
        seed: int = 0,
        *,
        observation: str = "row",
        actions: str = "codes",
        rewards: str = "margin",
        opponents: str | BatchPolicy | None = None,
        seat: int | None = None,
        num_envs: int | None = None,
        **choice: Any,
    ) -> None:
        games = whole("games", games if num_envs is None else num_envs, 1, MOST_GAMES)
        seed = whole("seed", seed, 0, SEEDS - 1)
        self.rules = rules_of(env_id, **choice)
        players = int(self.rules.players)
        if seat is not None:
            seat = whole("seat", seat, 0, players - 1)
        known = opponents is None or (isinstance(opponents, str) and opponents in CHOOSERS)
        if not known and (isinstance(opponents, str | type) or not callable(opponents)):
            raise OptionError(f"opponents: expected {', '.join(CHOOSERS)} or a function, got {opponents!r}")
        self.batch = Batch(self.rules, games, seed, actions)
        self.observations = Observations(observation, self.rules, games)
        self.batch.writers.append(self.observations.writer)
        self.rewards = checked_rewards(rewards)
        self.opponents = opponents
        self.chooser: RandomChooser | None = None
        if isinstance(opponents, str):
            self.chooser = CHOOSERS[opponents](self.rules, mixed(seed, "opponents"))
        self.games = self.num_envs = games
        self.render_mode = None
        self.learners = [number % players if seat is None else seat for number in range(games)]
        self.actions_size = int(self.batch.size)
        self.single_action_space = Discrete(self.actions_size)
        self.single_observation_space = self.observations.space
        self.action_space = batch_space(self.single_action_space, games)
        self.observation_space = batch_space(self.single_observation_space, games)
        self.search: Leaves | None = None  # made when leaves are asked for
        self.leaf_observations = self.observations
        self._look()
        self._let_others_play()

    def _look(self) -> None:
        """Views of the vectors of the batch."""
        batch, games = self.batch, self.games
        self.seats: Numbers = np.frombuffer(batch.seats, np.int64).reshape(games)
        self.counts: Numbers = np.frombuffer(batch.counts, np.int64).reshape(games)
        self.ended: Numbers = np.frombuffer(batch.ended, np.int64).reshape(games)
        self.done: Numbers = np.frombuffer(batch.done, np.int64).reshape(games)
        self.actions: Numbers = np.frombuffer(batch.actions, np.int64).reshape(games)
        self.legal: Numbers = np.frombuffer(batch.legal, np.int64).reshape(games, -1)
        self.gains: Numbers = np.frombuffer(batch.gains, np.int64).reshape(games, -1)
        self.scores: Numbers = np.frombuffer(batch.scores, np.int64).reshape(games, -1)
        self.finals: Numbers = np.frombuffer(batch.finals, np.int64).reshape(games, -1)
        self.paid: NDArray[np.float64] = np.frombuffer(batch.rewards, np.float64)

    # --- Gymnasium's way
    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """New games. One seed deals all of them, or each game has a seed of its own."""
        given: list[int | None] = [None] * self.games
        if isinstance(seed, Iterable):
            given = one_for_each(seed, self.games)
            self.np_random = np.random.default_rng()
        elif seed is not None:
            self.np_random = np.random.default_rng(whole("seed", seed, 0, SEEDS - 1))
        drawn = self.np_random.integers(2**31, size=self.games).tolist()
        for number, (own, other) in enumerate(zip(given, drawn, strict=True)):
            self.batch.begin(number, mixed(other if own is None else own, "dealer"))
        self.batch.chooser.x = mixed(drawn[0], "actions") or 1
        if self.chooser is not None:
            self.chooser.rng.x = mixed(drawn[0], "opponents") or 1
        self._let_others_play()
        return self.observe(), self._info()

    def step(self, actions: Numbers) -> Step:
        """Plays one action in each game; if one is illegal, nothing is played anywhere."""
        numbers = whole_numbers("actions", actions, self.games)
        self.batch.clear_done()
        self.batch.step(numbers.tolist())
        self._let_others_play()
        self.batch.write_rewards(self.rewards == "outcome")
        done = self.done.astype(np.bool_)
        return self.observe(), self.paid.copy(), done, np.zeros(self.games, np.bool_), self._info()

    def _info(self) -> dict[str, Any]:
        return {"seats": self.seats, "counts": self.counts, "scores": self.scores, "finals": self.finals}

    # --- opponents
    def _let_others_play(self) -> None:
        """Plays the opponents until the learner must decide in every game."""
        if self.opponents is None:
            return
        if self.opponents == "random":
            self.batch.play_random(self.learners)
            return
        while True:
            waiting = np.flatnonzero(self.seats != self.learners)
            if not len(waiting):
                return
            codes = self._chosen(waiting)
            self.batch.step_some(waiting.tolist(), codes)

    def _chosen(self, waiting: Numbers) -> list[int]:
        """The opponents' actions in some games."""
        if self.chooser is not None:
            picks = [self.chooser.pick(self.batch.engines[int(n)], int(self.seats[n])) for n in waiting]
            return [int(self.legal[n, pick]) for n, pick in zip(waiting, picks, strict=True)]
        assert callable(self.opponents)
        self.observe(self.seats)
        masks = self.masks()[waiting]
        return [int(code) for code in self.opponents(self.observations.of_games(waiting), masks)]

    # --- more than Gymnasium asks for
    def random_step(self) -> None:
        """Plays any legal action in each game, whoever decides."""
        self.batch.random_step()

    def observe(self, seats: Numbers | Sequence[int] | None = None) -> Observation:
        """Each game through the eyes of whoever decides in it, or of the seats given: one for each game."""
        if seats is None:
            self.batch.show(self.observations.writer)
        else:
            numbers = whole_numbers("seats", seats, self.games)
            players = int(self.rules.players)
            if numbers.min() < 0 or numbers.max() >= players:
                raise OptionError(f"seats: expected 0 to {players - 1}, got {numbers.tolist()}")
            self.batch.show_to(self.observations.writer, numbers.tolist())
        return self.observations.all()

    def masks(self) -> Mask:
        """For each game 1 for each legal action, 0 for the others. `legal` says the same in less room."""
        masks: Mask = np.zeros((self.games, self.actions_size), dtype=np.int8)
        listed = (np.arange(self.legal.shape[1]) < self.counts[:, None]) & (self.legal >= 0)
        masks[np.nonzero(listed)[0], self.legal[listed]] = 1
        return masks

    def bits(self) -> NDArray[np.uint8]:
        """The masks with eight actions in each byte, the first one in the lowest bit."""
        return np.packbits(self.masks(), axis=1, bitorder="little")

    def odds(self) -> NDArray[np.float64]:
        """For each game and type of tile: how likely the next tile drawn is of this type, for whoever decides."""
        counts = np.array([self.batch.unseen(number) for number in range(self.games)], dtype=np.float64)
        return counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)

    def leaves(self, games: Sequence[int], paths: Sequence[Sequence[int]]) -> dict[str, Any]:
        """What comes after some actions, for a search that judges many positions at once. No game is changed.

        Each path is played from the position of its game; it has places in the lists of legal actions (0, 1, ...),
        whatever `actions` is. Draws are made by a generator of the search's own, and what whoever decides does not know
        is dealt anew: the same path may lead to different leaves. Of each leaf: `observation` by whoever decides there,
        `seats`, `counts`, `over`, `scores`. All are views that the next call writes over.
        """
        if self.search is None or int(self.search.room) < len(games):
            self.search = Leaves(self.rules, max(64, 2 * len(games)), int(self.np_random.integers(2**31)))
            self.leaf_observations = Observations(self.observations.kind, self.rules, int(self.search.room))
        self.search.look(
            self.batch, list(map(int, games)), [list(map(int, path)) for path in paths], self.leaf_observations.writer
        )
        count = len(games)
        seen = self.leaf_observations.all()
        return {
            "observation": seen[:count]
            if self.leaf_observations.single
            else {name: part[:count] for name, part in seen.items()},
            "seats": np.frombuffer(self.search.seats, np.int64)[:count],
            "counts": np.frombuffer(self.search.counts, np.int64)[:count],
            "over": np.frombuffer(self.search.over, np.int64)[:count].astype(np.bool_),
            "scores": np.frombuffer(self.search.scores, np.int64).reshape(-1, int(self.rules.players))[:count],
        }

    def save(self, game: int) -> bytes:
        """One game with its generator and the learner's seat, for `load`."""
        game = whole("game", game, 0, self.games - 1)
        numbers = np.array([self.learners[game], *self.batch.save(game)], dtype=np.int64).tobytes()
        return bytes(numbers + self._checksum(numbers))

    def load(self, game: int, saved: bytes) -> None:
        """Loads a saved game into any place of a batch with the same rules. Its points so far are not a reward.

        The learner gets the seat that it had in that game.
        """
        game = whole("game", game, 0, self.games - 1)
        numbers = saved[:-CHECKSUM]
        if saved[-CHECKSUM:] != self._checksum(numbers):
            raise OptionError("saved: expected what `save` returned, of a batch with the same rules, got other bytes")
        self.learners[game], *position = np.frombuffer(numbers, dtype=np.int64).tolist()
        self.batch.load(game, position)
        self._let_others_play()

    def clone(self, game: int, to: int) -> None:
        """Copies one game, with its generator, over another."""
        self.load(to, self.save(game))

    def _checksum(self, numbers: bytes) -> bytes:
        """Tells damaged games, and those by other rules."""
        return crc32(numbers, crc32(repr(self.rules).encode())).to_bytes(CHECKSUM, "little")

    def __getstate__(self) -> dict[str, Any]:
        kept = {k: v for k, v in self.__dict__.items() if k not in NOT_KEPT}
        games = [self.batch.save(number) for number in range(self.games)]
        return {**kept, "_games": games, "_chooser": int(self.batch.chooser.x), "_kind": self.observations.kind} | {
            "_numbering": self.batch.numbering_name(),
            "_finals": self.finals.ravel().tolist(),
            "_paid": list(self.batch.paid),
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        games, chooser, kind = state.pop("_games"), state.pop("_chooser"), state.pop("_kind")
        numbering, paid = state.pop("_numbering"), (state.pop("_finals"), state.pop("_paid"))
        self.__dict__.update(state)
        self.batch = Batch(self.rules, self.games, 0, numbering)
        self.batch.chooser.x = chooser
        self.observations = Observations(kind, self.rules, self.games)
        self.batch.writers.append(self.observations.writer)
        for number, saved in enumerate(games):
            self.batch.load(number, saved)
        self.batch.restore(*paid)
        self.search, self.leaf_observations = None, self.observations
        self._look()


NOT_KEPT = {
    "seats",
    "counts",
    "ended",
    "done",
    "actions",
    "legal",
    "gains",
    "scores",
    "finals",
    "paid",
    "batch",
    "observations",
    "search",
    "leaf_observations",
}


def whole(name: str, given: Any, least: int, most: int) -> int:
    """A whole number of a range, or refused."""
    if isinstance(given, int | np.integer) and not isinstance(given, bool) and least <= given <= most:
        return int(given)
    raise OptionError(f"{name}: expected {least} to {most}, got {given!r}")


def one_for_each(seeds: Iterable[int | None], games: int) -> list[int | None]:
    """A seed for each game, or refused."""
    given = [None if seed is None else whole("seed", seed, 0, SEEDS - 1) for seed in seeds]
    if len(given) != games:
        raise OptionError(f"seed: expected {games} numbers, got {len(given)}")
    return given


def whole_numbers(name: str, given: Any, count: int) -> Numbers:
    """So many whole numbers, or refused."""
    numbers = np.asarray(given)
    if numbers.shape != (count,) or numbers.dtype.kind not in "iu":
        raise OptionError(f"{name}: expected {count} whole numbers, got {numbers.dtype} {numbers.shape}")
    return numbers.astype(np.int64)
