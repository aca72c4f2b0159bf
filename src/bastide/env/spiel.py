"""OpenSpiel: a Python game with explicit chance. `load_game("bastide/Base-v2")`, or pyspiel's own by its short name.

Draws are chance nodes with their probabilities; a player's actions have the codes of all environments. Returns are
margins, a player's points less the mean of the others', or with `returns=outcome` 1 for the only best, 0 for several
best and -1 for the others. Information is perfect where the rules hide nothing.
"""

from __future__ import annotations

from typing import Any

from bastide.env.names import name_of, rules_of
from bastide.env.needs import need

need("pyspiel", "spiel")

import numpy as np  # noqa: E402 # after the message that says what to install
import pyspiel  # noqa: E402

from bastide.env.episode import margins, outcomes  # noqa: E402
from bastide.errors import EngineLimit, OptionError  # noqa: E402
from bastide.game import Engine, Rng, new_engine  # noqa: E402
from bastide.game.actions import action_of  # noqa: E402
from bastide.game.codes import Codes  # noqa: E402
from bastide.game.observation import Observer  # noqa: E402
from bastide.game.secrets import redeal, secrets_of  # noqa: E402
from bastide.rules import Rules  # noqa: E402
from bastide.rules.position import DRAW, OVER  # noqa: E402
from bastide.rules.spec import BASE  # noqa: E402

SHORT_NAME = "bastide_v2"
POINTS_A_SQUARE = 30  # no player gets more: 4 for a city, 4 for roads, 9 for a cloister, 12 for fields beside cities
WITH_BOXES = 100  # the same with boxes, for which nobody has counted it: a game beyond is refused
SEEDS = 2**31
A_SQUARE = 8  # decisions about one tile, at most
PARAMETERS: dict[str, str | int] = {
    "id": name_of("base"),
    "edition": "",
    "modules": "",  # names with commas between
    "options": "",  # name=value with commas between
    "players": 2,
    "returns": "margin",  # or "outcome"
    "rewards": "terminal",  # or "steps": what each action changed in the margins
}


def game_type(hides: bool = True, steps: bool = True, outcome: bool = False) -> Any:
    """The GameType that OpenSpiel asks for. The registered type promises the least."""
    information, model, utility = pyspiel.GameType.Information, pyspiel.GameType.RewardModel, pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name=SHORT_NAME,
        long_name="Bastide",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=information.IMPERFECT_INFORMATION if hides else information.PERFECT_INFORMATION,
        utility=utility.GENERAL_SUM if outcome else utility.ZERO_SUM,
        reward_model=model.REWARDS if steps else model.TERMINAL,
        max_num_players=8,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=PARAMETERS,
    )


TYPE = game_type(steps=False)


def chosen(given: dict[str, Any]) -> dict[str, Any]:
    """The arguments of `Rules.of` that parameters stand for."""
    choice: dict[str, Any] = {"players": int(given["players"])}
    names = [name for name in str(given["modules"]).split(",") if name]
    choice |= {"edition": given["edition"]} if given["edition"] else {}
    choice |= {"modules": names} if names else {}
    for option in filter(None, str(given["options"]).split(",")):
        name, _, value = option.partition("=")
        choice[name] = int(value) if value.isdecimal() else value
    return choice


class BastideGame(pyspiel.Game):  # type: ignore[misc] # OpenSpiel has no types
    """The rules, as OpenSpiel sees them. `modules` are names with commas between."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {**PARAMETERS, **(params or {})}
        choice = chosen(given)
        if choice["players"] < 2:
            raise OptionError(f"players: expected 2 to 8, for rewards add up to zero here, got {choice['players']}")
        for name, known in (("returns", ("margin", "outcome")), ("rewards", ("terminal", "steps"))):
            if given[name] not in known:
                raise OptionError(f"{name}: expected {' or '.join(known)}, got {given[name]!r}")
        self.rules: Rules = rules_of(str(given["id"]), **choice)
        self.outcome = given["returns"] == "outcome"
        self.steps = given["rewards"] == "steps"
        if self.outcome and self.steps:
            raise OptionError("rewards: expected terminal, for an outcome is known at the end only, got 'steps'")
        points = POINTS_A_SQUARE if self.rules.module_names == (BASE,) else WITH_BOXES
        most = 1.0 if self.outcome else float(points * int(self.rules.shape.squares))
        two = self.rules.players == 2 or not self.outcome
        self.codes = Codes(self.rules)
        self.observer = Observer(self.rules)
        info = pyspiel.GameInfo(
            num_distinct_actions=int(self.codes.size),
            max_chance_outcomes=int(self.rules.shape.outcomes),
            num_players=int(self.rules.players),
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0 if two else None,
            max_game_length=A_SQUARE * int(self.rules.shape.squares),
        )
        hides = bool(self.rules.layout.secrets)
        super().__init__(game_type(hides, self.steps, not two), info, params or {})

    def new_initial_state(self) -> BastideState:
        """A game before its first draw."""
        return BastideState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> BastideObserver:
        """What a player sees, or with perfect recall what the player has seen."""
        if params:
            raise ValueError(f"expected no parameters for observations, got {params}")
        return BastideObserver(self, iig_obs_type)

    def max_chance_nodes_in_history(self) -> int:
        """One for each tile, and some for modules' tokens."""
        return A_SQUARE * int(self.rules.shape.squares)


class Clonable:
    """An engine that `copy.deepcopy` copies by cloning: OpenSpiel copies states that way."""

    def __init__(self, engine: Engine, codes: Codes, outcome: bool, steps: bool) -> None:
        self.engine = engine
        self.codes = codes  # shared by all states of a game
        self.outcome = outcome
        self.steps = steps

    def __deepcopy__(self, memo: dict[int, Any]) -> Clonable:
        return Clonable(self.engine.clone(), self.codes, self.outcome, self.steps)


class BastideState(pyspiel.State):  # type: ignore[misc] # OpenSpiel has no types
    """A position, with chance as a player."""

    def __init__(self, game: BastideGame) -> None:
        super().__init__(game)
        self.held = Clonable(new_engine(game.rules), game.codes, game.outcome, game.steps)
        self.played: list[tuple[int, int]] = []  # per action: what it was, and who alone knows it; -1 for all
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
        """The player to move, or the constants for chance and for the end."""
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
        secret = self.engine.rules.layout.is_secret(self.engine.question())
        self.played.append((action, int(self.engine.player()) if secret else -1))
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

    def resample_from_infostate(self, player: int, sampler: Any) -> BastideState:
        """A state that is possible given what a player knows: everything hidden is dealt anew."""
        twin: BastideState = self.clone()
        redeal(twin.engine, player, Rng(int(sampler() * SEEDS)))
        twin.engine.trail_len = 0
        return twin

    def seen_history(self, player: int) -> str:
        """Everything that happened, as a player knows it."""
        known = [str(action) if owner in (-1, player) else "?" for action, owner in self.played]
        return f"{player}: {' '.join(known)}"

    def rewards(self) -> list[float]:
        """What the last player's action and the draws since changed in the margins; or the returns, at the end."""
        if not self.held.steps:
            return self.returns()
        return [now - then for now, then in zip(margins(self._scores()), self.before, strict=True)]

    def returns(self) -> list[float]:
        """The margins so far, where there are rewards for steps; else nothing before the end."""
        if not self.held.steps and not self.is_terminal():
            return [0.0] * int(self.engine.rules.players)
        if self.held.outcome:
            return outcomes(self._scores())
        found = margins(self._scores())
        if max(map(abs, found)) > self.get_game().max_utility():
            raise EngineLimit(f"margins: expected at most {self.get_game().max_utility():g}, got {found}")
        return found

    def __str__(self) -> str:
        board = ", ".join(f"{seat}: {score}" for seat, score in enumerate(self._scores()))
        return f"{int(self.engine.squares())} squares; {board}; {' '.join(map(str, self.history()))}"


class BastideObserver:
    """The row of docs/environments.md as a tensor."""

    def __init__(self, game: BastideGame, wanted: Any = None) -> None:
        self.observer = game.observer
        self.recall = wanted is not None and wanted.perfect_recall
        self.private = wanted is not None and not wanted.public_info
        public = wanted is not None and wanted.private_info == pyspiel.PrivateInfoType.NONE
        self.silent = public and bool(game.rules.layout.secrets)  # there is no row without a seat
        self.tensor: Any = np.zeros(game.observer.size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: BastideState, player: int) -> None:
        """The position as a player sees it."""
        self.tensor[:] = self.observer.row(state.engine, player)

    def string_from(self, state: BastideState, player: int) -> str | None:
        """The same numbers as text, without the zeros; with perfect recall all that happened."""
        if self.silent:
            return None
        if self.private:
            return ", ".join(secrets_of(state.engine, player))
        if self.recall:
            return state.seen_history(player)
        row = self.observer.row(state.engine, player)
        return " ".join(f"{place}:{number}" for place, number in enumerate(row) if number)


def load_game(id: str = name_of("base"), **parameters: str | int) -> Any:
    """The game of an id; PARAMETERS tells what else may be given."""
    return pyspiel.load_game(SHORT_NAME, {"id": id, **parameters})


if SHORT_NAME not in pyspiel.registered_names():
    pyspiel.register_game(TYPE, BastideGame)
