"""OpenSpiel: a Python game with explicit chance. `load_game("bastide/Base-v2")`, or pyspiel's own by its short name.

Draws are chance nodes with their probabilities; a player's actions have the codes of all environments. Returns are
margins: a player's points less the mean of the others', so they add up to zero.
"""

from __future__ import annotations

from typing import Any

from bastide.env.names import name_of, rules_of
from bastide.env.needs import need

need("pyspiel", "spiel")

import numpy as np  # noqa: E402 # after the message that says what to install
import pyspiel  # noqa: E402

from bastide.env.desk import margins  # noqa: E402
from bastide.errors import OptionError  # noqa: E402
from bastide.game import Engine, new_engine  # noqa: E402
from bastide.game.actions import action_of  # noqa: E402
from bastide.game.codes import Codes  # noqa: E402
from bastide.game.observation import Observer  # noqa: E402
from bastide.rules import Rules  # noqa: E402
from bastide.rules.position import DRAW, OVER  # noqa: E402

SHORT_NAME = "bastide_v2"
MOST = 10_000.0  # no margin is larger
A_SQUARE = 8  # decisions about one tile, at most
PARAMETERS: dict[str, str | int] = {"id": name_of("base"), "edition": "", "modules": "", "players": 2}

TYPE = pyspiel.GameType(
    short_name=SHORT_NAME,
    long_name="Bastide",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,  # hands and harvests of some modules
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.REWARDS,
    max_num_players=8,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=PARAMETERS,
)


class BastideGame(pyspiel.Game):  # type: ignore[misc] # OpenSpiel has no types
    """The rules, as OpenSpiel sees them. `modules` are names with commas between."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {**PARAMETERS, **(params or {})}
        names = [name for name in str(given["modules"]).split(",") if name]
        choice: dict[str, Any] = {"players": int(given["players"])}
        choice |= {"edition": given["edition"]} if given["edition"] else {}
        choice |= {"modules": names} if names else {}
        if choice["players"] < 2:
            raise OptionError(f"players: expected 2 to 8, for rewards add up to zero here, got {choice['players']}")
        self.rules: Rules = rules_of(str(given["id"]), **choice)
        self.codes = Codes(self.rules)
        self.observer = Observer(self.rules)
        info = pyspiel.GameInfo(
            num_distinct_actions=int(self.codes.size),
            max_chance_outcomes=int(self.rules.shape.outcomes),
            num_players=int(self.rules.players),
            min_utility=-MOST,
            max_utility=MOST,
            utility_sum=0.0,
            max_game_length=A_SQUARE * int(self.rules.shape.squares),
        )
        super().__init__(TYPE, info, params or {})

    def new_initial_state(self) -> BastideState:
        """A game before its first draw."""
        return BastideState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> BastideObserver:
        """What a player sees; there are no other kinds of observation."""
        if params:
            raise ValueError(f"expected no parameters for observations, got {params}")
        return BastideObserver(self)

    def max_chance_nodes_in_history(self) -> int:
        """One for each tile, and some for modules' tokens."""
        return A_SQUARE * int(self.rules.shape.squares)


class Clonable:
    """An engine that `copy.deepcopy` copies by cloning: OpenSpiel copies states that way."""

    def __init__(self, engine: Engine, codes: Codes) -> None:
        self.engine = engine
        self.codes = codes  # shared by all states of a game

    def __deepcopy__(self, memo: dict[int, Any]) -> Clonable:
        return Clonable(self.engine.clone(), self.codes)


class BastideState(pyspiel.State):  # type: ignore[misc] # OpenSpiel has no types
    """A position, with chance as a player."""

    def __init__(self, game: BastideGame) -> None:
        super().__init__(game)
        self.held = Clonable(new_engine(game.rules), game.codes)
        self.before = [0.0] * int(game.rules.players)  # margins before the last player's action

    @property
    def engine(self) -> Engine:
        """The position itself."""
        return self.held.engine

    @property
    def codes(self) -> Codes:
        """The action space of its rules."""
        return self.held.codes

    def current_player(self) -> int:
        """Who decides, or that chance does, or that it is over."""
        if self.engine.question() == OVER:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if self.engine.chance() else int(self.engine.player())

    def _listed(self) -> list[int]:
        """The codes of what can be done, in the engine's order; for chance the tile types, or places in the list."""
        engine = self.engine
        if not engine.chance():
            return self.codes.listed(engine)
        count = engine.legal()
        return list(engine.actions[:count]) if engine.question() == DRAW else list(range(count))

    def _legal_actions(self, player: int) -> list[int]:
        """Codes in ascending order, as OpenSpiel wants them."""
        return sorted(self._listed())

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What can be drawn, and how likely it is."""
        listed = self._listed()
        weights = [int(weight) for weight in self.engine.weights[: len(listed)]]
        return sorted((code, weight / sum(weights)) for code, weight in zip(listed, weights, strict=True))

    def _apply_action(self, action: int) -> None:
        """Plays a legal code."""
        if not self.engine.chance():
            self.before = margins(self._scores())
        number = self.engine.actions[self._listed().index(action)]
        self.engine.apply(number)
        self.engine.trail_len = 0

    def _action_to_string(self, player: int, action: int) -> str:
        """The action in Bastide's notation."""
        listed = self._listed()
        if action not in listed:
            return f"code {action}"
        return str(action_of(self.engine, self.engine.actions[listed.index(action)]))

    def _scores(self) -> tuple[int, ...]:
        return tuple(int(self.engine.score_of(seat)) for seat in range(self.engine.rules.players))

    def is_terminal(self) -> bool:
        """Has the game ended?"""
        return bool(self.engine.question() == OVER)

    def rewards(self) -> list[float]:
        """What the last player's action and the draws since changed in the margins."""
        return [now - then for now, then in zip(margins(self._scores()), self.before, strict=True)]

    def returns(self) -> list[float]:
        """The margins so far."""
        return margins(self._scores())

    def __str__(self) -> str:
        board = ", ".join(f"{seat}: {score}" for seat, score in enumerate(self._scores()))
        return f"{int(self.engine.squares())} squares; {board}; {' '.join(map(str, self.history()))}"


class BastideObserver:
    """The row of docs/environments.md as a tensor."""

    def __init__(self, game: BastideGame) -> None:
        self.observer = game.observer
        self.tensor: Any = np.zeros(game.observer.size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: BastideState, player: int) -> None:
        """The position as a player sees it."""
        self.tensor[:] = self.observer.row(state.engine, player)

    def string_from(self, state: BastideState, player: int) -> str:
        """The same numbers as text, without the zeros."""
        row = self.observer.row(state.engine, player)
        return " ".join(f"{place}:{number}" for place, number in enumerate(row) if number)


def load_game(id: str = name_of("base"), **parameters: str | int) -> Any:
    """The game of an id; parameters are `edition`, `modules` (names with commas between) and `players`."""
    return pyspiel.load_game(SHORT_NAME, {"id": id, **parameters})


if SHORT_NAME not in pyspiel.registered_names():
    pyspiel.register_game(TYPE, BastideGame)
