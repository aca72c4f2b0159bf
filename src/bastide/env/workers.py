"""A batch on several cores: a process for each, arrays in memory that all of them share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.shared_memory import SharedMemory
from typing import Any

from bastide.env.names import name_of
from bastide.env.needs import need

need("numpy", "env")
need("gymnasium", "env")

import numpy as np  # noqa: E402 # after the message that says what to install
from gymnasium.vector import AutoresetMode, VectorEnv  # noqa: E402
from gymnasium.vector.utils import batch_space  # noqa: E402
from numpy.typing import NDArray  # noqa: E402

from bastide.env.batch import MOST_GAMES, BatchEnv, Step, one_for_each, whole, whole_numbers  # noqa: E402
from bastide.env.episode import Mask, Numbers  # noqa: E402
from bastide.env.observations import WHOLE, Observation  # noqa: E402
from bastide.errors import BastideError, OptionError  # noqa: E402
from bastide.game.checked import SEEDS  # noqa: E402
from bastide.game.seeds import mixed  # noqa: E402

Arrays = dict[str, NDArray[Any]]
Shapes = list[tuple[str, tuple[int, ...], str]]  # name, shape and kind of number of each array
ALIGNED = 64  # bytes: every array begins at a multiple
TOLD = ("seats", "counts", "legal", "scores", "finals")  # arrays of a BatchEnv that are shared as they are
GRACE = 10.0  # seconds for a process to end by itself


class WorkersEnv(VectorEnv):  # type: ignore[misc] # its types are not looked at
    """`games` games, an equal share in each of `workers` processes; takes what `BatchEnv` takes. Close it at the end.

    Games are numbered through: the first share is that of the first process. Opponents are given by name.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}  # noqa: RUF012 # as Gymnasium declares it

    def __init__(
        self, env_id: str = name_of("base"), games: int = 64, seed: int = 0, *, workers: int = 2, **arguments: Any
    ) -> None:
        self.lines: list[Connection] = []
        self.processes: list[Any] = []
        self.memory: SharedMemory | None = None
        workers, games = whole("workers", workers, 1, MOST_GAMES), whole("games", games, 1, MOST_GAMES)
        if games % workers:
            raise OptionError(f"games: expected a multiple of {workers} (workers), got {games}")
        if callable(arguments.get("opponents")):
            raise OptionError("opponents: expected a name, for a function cannot go to another process")
        one = BatchEnv(env_id, 1, seed, **arguments)  # refuses wrong arguments, and knows the spaces
        self.games = self.num_envs = games
        self.workers = workers
        self.render_mode = None
        self.single_action_space = one.single_action_space
        self.single_observation_space = one.single_observation_space
        self.action_space = batch_space(self.single_action_space, games)
        self.observation_space = batch_space(self.single_observation_space, games)
        shapes = shapes_of(one, games)
        self.memory = SharedMemory(create=True, size=size_of(shapes))
        self.arrays = arrays_in(self.memory, shapes)
        self.seen = seen_in(self.arrays)
        self.seats, self.counts, self.legal, self.scores, self.finals = (self.arrays[name] for name in TOLD)
        share, context = games // workers, get_context("spawn")
        for number in range(workers):
            here, there = context.Pipe()
            part = slice(number * share, (number + 1) * share)
            work = (there, self.memory.name, shapes, part, env_id, mixed(seed, number), arguments)
            process = context.Process(target=serve, args=work, daemon=True)
            process.start()
            there.close()
            self.lines.append(here)
            self.processes.append(process)
        self._wait()

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """New games. One seed deals all of them, or each game has a seed of its own."""
        if isinstance(seed, Iterable):
            seeds, share = one_for_each(seed, self.games), self.games // self.workers
            self._ask([("reset", seeds[first : first + share]) for first in range(0, self.games, share)])
        else:
            one = None if seed is None else whole("seed", seed, 0, SEEDS - 1)
            given = [None if one is None else mixed(one, number) % 2**31 for number in range(self.workers)]
            self._ask([("reset", own) for own in given])
        return self.seen, self._info()

    def step(self, actions: Numbers) -> Step:
        """Plays one action in each game. If one is illegal, nothing is played in the share of its process."""
        numbers = whole_numbers("actions", actions, self.games)
        if self.memory is not None:
            self.arrays["actions"][:] = numbers
        self._ask([("step", None)] * self.workers)
        done = self.arrays["done"].astype(np.bool_)
        return self.seen, self.arrays["rewards"].copy(), done, np.zeros(self.games, np.bool_), self._info()

    def masks(self) -> Mask:
        """For each game 1 for each legal action, 0 for the others."""
        masks: Mask = np.zeros((self.games, int(self.single_action_space.n)), dtype=np.int8)
        listed = (np.arange(self.legal.shape[1]) < self.counts[:, None]) & (self.legal >= 0)
        masks[np.nonzero(listed)[0], self.legal[listed]] = 1
        return masks

    def _info(self) -> dict[str, Any]:
        return {"seats": self.seats, "counts": self.counts, "scores": self.scores, "finals": self.finals}

    def _ask(self, questions: list[tuple[str, Any]]) -> None:
        """A question to each process, and their answers."""
        if self.memory is None:
            raise OptionError("the environment is closed")
        for line, question in zip(self.lines, questions, strict=True):
            with suppress(OSError):  # it has ended: `_wait` says so
                line.send(question)
        self._wait()

    def _wait(self) -> None:
        """Until all processes have answered; an error of one is raised here."""
        answers = []
        for number, line in enumerate(self.lines):
            try:
                answers.append(line.recv())
            except (EOFError, OSError):
                answers.append(BastideError(f"process {number} of the batch has ended"))
        for answer in answers:
            if answer is not None:
                raise answer

    def close(self, **arguments: Any) -> None:
        """Ends the processes and gives the memory back: the arrays must not be used any more."""
        for line in self.lines:
            line.close()
        for process in self.processes:
            process.join(GRACE)
            if process.is_alive():
                process.kill()
                process.join()
        if self.memory is not None:
            self.arrays, self.seen = {}, None
            self.seats = self.counts = self.legal = self.scores = self.finals = np.zeros(0, np.int64)
            with suppress(BufferError):  # somebody still holds an observation: the memory goes with it
                self.memory.close()
            self.memory.unlink()
        self.lines, self.processes, self.memory = [], [], None

    def __del__(self) -> None:
        self.close()


def shapes_of(one: BatchEnv, games: int) -> Shapes:
    """All arrays of so many games, from those of one."""
    shapes = [(f"seen {name}", part.shape, part.dtype.str) for name, part in one.observations.parts.items()]
    shapes += [(name, getattr(one, name).shape, "<i8") for name in TOLD]
    shapes += [("actions", (1,), "<i8"), ("done", (1,), "<i8"), ("rewards", (1,), "<f8")]
    return [(name, (games, *shape[1:]), kind) for name, shape, kind in shapes]


def size_of(shapes: Shapes) -> int:
    """Bytes that all arrays take."""
    return sum(room(shape, kind) for _, shape, kind in shapes)


def room(shape: tuple[int, ...], kind: str) -> int:
    """Bytes that an array takes, up to where the next may begin."""
    needed = int(np.prod(shape)) * np.dtype(kind).itemsize
    return -(-needed // ALIGNED) * ALIGNED


def arrays_in(memory: SharedMemory, shapes: Shapes) -> Arrays:
    """Views of the shared memory."""
    arrays: Arrays = {}
    at = 0
    for name, shape, kind in shapes:
        arrays[name] = np.ndarray(shape, kind, memory.buf, at)
        at += room(shape, kind)
    return arrays


def seen_in(arrays: Arrays) -> Observation:
    """The observation among the arrays, as `BatchEnv` returns it."""
    parts = {name.removeprefix("seen "): part for name, part in arrays.items() if name.startswith("seen ")}
    return parts.get(WHOLE, parts)


def serve(
    line: Connection, memory: str, shapes: Shapes, part: slice, env_id: str, seed: int, arguments: dict[str, Any]
) -> None:
    """The work of a process: its share of the games, until the other end of the line is closed."""
    shared = SharedMemory(memory)
    arrays = {name: whole[part] for name, whole in arrays_in(shared, shapes).items()}
    env = BatchEnv(env_id, part.stop - part.start, seed, **arguments)
    env.observe()
    show(env, arrays)
    with suppress(EOFError, OSError, KeyboardInterrupt):
        line.send(None)
        while True:
            line.send(answer(env, arrays, *line.recv()))
    del arrays
    shared.close()


def answer(env: BatchEnv, arrays: Arrays, asked: str, seed: Any) -> BastideError | None:
    """Does what was asked for; the error if it is refused."""
    try:
        if asked == "reset":
            env.reset(seed=seed)
        else:
            arrays["rewards"][:] = env.step(arrays["actions"])[1]
    except BastideError as error:
        return error
    show(env, arrays)
    return None


def show(env: BatchEnv, arrays: Arrays) -> None:
    """Copies what the games show to the shared memory."""
    for name, seen in env.observations.parts.items():
        arrays[f"seen {name}"][:] = seen
    for name in (*TOLD, "done"):
        arrays[name][:] = getattr(env, name)
