"""Records as a data set of Minari, for learners that take data as it is (offline reinforcement learning)."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bastide.arena.decisions import Decision, decisions
from bastide.errors import BastideError
from bastide.game.candidates import ROOM, Candidates
from bastide.notation.record import load_record
from bastide.notation.replay import new_game
from bastide.rules import Rules

try:
    import numpy as np
    from gymnasium.spaces import Box, Discrete
    from minari import create_dataset_from_buffers
    from minari.data_collector import EpisodeBuffer
except ModuleNotFoundError as missing:
    raise BastideError(f"this needs {missing.name}: pip install 'bastide[minari]'") from missing

AT_ONCE = 50  # games whose episodes are written together


def write_dataset(files: Sequence[Path], dataset_id: str) -> tuple[int, int]:
    """Writes an episode for each player of each finished game; returns how many games and decisions there are.

    Observations are candidates, actions are their numbers, rewards the change of the margin until the player decides
    again. A player who once chose an action beyond the first 128 is left out: such an action has no number.
    """
    rules: Rules | None = None
    dataset: Any = None
    games = rows = 0
    waiting: list[EpisodeBuffer] = []

    def flush() -> None:
        nonlocal dataset
        if dataset is None:
            assert rules is not None
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # about addresses and authors that a game does not have
                dataset = create_dataset_from_buffers(
                    dataset_id,
                    waiting,
                    action_space=Discrete(ROOM),
                    observation_space=space_of(rules),
                    description=f"Games of Bastide by {rules!r}",
                )
        else:
            dataset.storage.update_episodes(waiting)
        waiting.clear()

    for number, file in enumerate(files, 1):
        record = load_record(file)
        own = new_game(record).rules
        if rules is not None and own.choice != rules.choice:
            raise BastideError(f"{file}: expected a game by the rules of the first, {rules!r}, got {own!r}")
        rules = own
        made = list(episodes(list(decisions(record, candidates=True)), rules))
        games += bool(made)
        rows += sum(len(episode.rewards) for episode in made)
        waiting += made
        if waiting and (number % AT_ONCE == 0 or number == len(files)):
            flush()
    if dataset is None:
        raise BastideError(f"{dataset_id}: expected a finished game, found none")
    return games, rows


def space_of(rules: Rules) -> Box:
    """The table of candidates, each column with its bounds."""
    low, high = (np.tile(np.array(row, np.int16), (ROOM, 1)) for row in Candidates(rules, 1).bounds())
    return Box(low, high, dtype=np.int16)


def episodes(game: list[Decision], rules: Rules) -> Iterator[EpisodeBuffer]:
    """One for each player. Rewards add up to the final margin: the first has what others did before it."""
    for seat in sorted({row["seat"] for row in game}):
        own = [row for row in game if row["seat"] == seat]
        if any(row["chosen"] >= ROOM for row in own):
            continue
        tables = np.full((len(own) + 1, *space_of(rules).shape), 0, np.int16)  # nothing is seen after the end
        for i, row in enumerate(own):
            tables[i, : len(row["candidates"])] = row["candidates"]
        margins = [0.0, *(row["lead"] for row in own[1:]), own[-1]["final_margin"]]
        yield EpisodeBuffer(
            observations=tables,
            actions=np.asarray([row["chosen"] for row in own]),
            rewards=np.diff(margins).tolist(),
            terminations=[False] * (len(own) - 1) + [True],
            truncations=[False] * len(own),
        )
