"""The kinds of observation as numpy arrays with their spaces: `row`, `candidates`, `planes`, `regions`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from gymnasium.spaces import Box, Dict, Space
from numpy.typing import NDArray

from bastide.errors import OptionError
from bastide.game import candidates, region_tables
from bastide.game.candidates import Candidates
from bastide.game.observation import Rows
from bastide.game.observation_writer import ObservationWriter
from bastide.game.planes import MOST, Planes
from bastide.game.region_tables import RegionTables
from bastide.game.window import SIDE
from bastide.rules import Rules

Observation: TypeAlias = Any  # an array, or arrays by the names of their parts
Parts: TypeAlias = dict[str, NDArray[Any]]
Spaces: TypeAlias = dict[str, Space]

WHOLE = "observation"  # the name of the only part, where there is but one
EXACT = 2**24  # no number of a row is larger: float32 holds all of them
POINTS = 32767  # no number of a vector is larger


def array(vector: Any, kind: Any, *shape: int) -> NDArray[Any]:
    """A view of a vector that compiled code writes to."""
    seen: NDArray[Any] = np.frombuffer(vector, dtype=kind).reshape(shape)
    return seen


def of_rows(rules: Rules, games: int) -> tuple[ObservationWriter, Parts, Spaces]:
    """The whole position as one row of numbers."""
    writer = Rows(rules, games)
    size = int(writer.columns)
    parts = {WHOLE: array(writer.rows, np.int64, games, size)}
    return writer, parts, {WHOLE: Box(-EXACT, EXACT, (size,), np.int64)}


def of_candidates(rules: Rules, games: int) -> tuple[ObservationWriter, Parts, Spaces]:
    """A row for each legal action."""
    writer = Candidates(rules, games)
    low, high = (np.tile(np.array(row, np.int16), (candidates.ROOM, 1)) for row in writer.bounds())
    parts = {WHOLE: array(writer.rows, np.int16, games, *low.shape)}
    return writer, parts, {WHOLE: Box(low, high, dtype=np.int16)}


def of_planes(rules: Rules, games: int) -> tuple[ObservationWriter, Parts, Spaces]:
    """The board as planes, and a vector beside it."""
    writer = Planes(rules, games)
    shape = int(writer.planes), SIDE, SIDE
    parts = {
        "planes": array(writer.cells, np.int8, games, *shape),
        "vector": array(writer.vectors, np.int16, games, int(writer.columns)),
    }
    return writer, parts, {"planes": Box(0, MOST, shape, np.int8), "vector": of_vector(int(writer.columns))}


def of_regions(rules: Rules, games: int) -> tuple[ObservationWriter, Parts, Spaces]:
    """Tables of regions and open cells, and a vector beside them."""
    writer = RegionTables(rules, games)
    most = int(rules.shape.squares) * 16
    shape = region_tables.REGIONS, region_tables.REGION_COLUMNS
    holes = region_tables.HOLES, region_tables.HOLE_COLUMNS
    far = region_tables.FAR
    parts = {
        "regions": array(writer.regions, np.int16, games, *shape),
        "holes": array(writer.holes, np.int16, games, *holes),
        "vector": array(writer.vectors, np.int16, games, int(writer.columns)),
    }
    kinds = int(writer.kinds)
    low, high = [0] * 8 + [-far, -far], [kinds, most, most, 1, 255, 255, 1, 1, far, far]
    hole_low, hole_high = [0, -far, -far, *[0] * 6], [1, far, far, most, 4, *[kinds] * 4]
    return (
        writer,
        parts,
        {"regions": boxed(low, high, shape), "holes": boxed(hole_low, hole_high, holes)}
        | {"vector": of_vector(int(writer.columns))},
    )


def boxed(low: list[int], high: list[int], shape: tuple[int, int]) -> Box:
    """A table whose columns have bounds of their own."""
    rows = [np.tile(np.array(row, np.int16), (shape[0], 1)) for row in (low, high)]
    return Box(*rows, dtype=np.int16)


def of_vector(size: int) -> Box:
    """The numbers beside the board."""
    return Box(-POINTS, POINTS, (size,), np.int16)


KINDS: dict[str, Callable[[Rules, int], tuple[ObservationWriter, Parts, Spaces]]] = {
    "row": of_rows,
    "candidates": of_candidates,
    "planes": of_planes,
    "regions": of_regions,
}


class Observations:
    """The observations of several games. `parts` are views of what the writer writes."""

    def __init__(self, kind: str, rules: Rules, games: int) -> None:
        if kind not in KINDS:
            raise OptionError(f"observation: expected one of {', '.join(KINDS)}, got {kind!r}")
        self.kind = kind
        self.rules = rules
        self.games = games
        self.writer, self.parts, spaces = KINDS[kind](rules, games)
        self.single = WHOLE in self.parts
        self.space: Space = spaces[WHOLE] if self.single else Dict(spaces)

    def one(self) -> Observation:
        """A copy of the first game's."""
        if self.single:
            return self.parts[WHOLE][0].copy()
        return {name: part[0].copy() for name, part in self.parts.items()}

    def all(self) -> Observation:
        """The observations of all games: views that the next call overwrites."""
        return self.parts[WHOLE] if self.single else self.parts

    def of_games(self, numbers: NDArray[np.int64]) -> Observation:
        """Copies of some games'."""
        if self.single:
            return self.parts[WHOLE][numbers]
        return {name: part[numbers] for name, part in self.parts.items()}

    def __reduce__(self) -> tuple[object, ...]:
        return Observations, (self.kind, self.rules, self.games)
