"""One game for a learner: actions as numbers, positions as arrays. What the environments are built on."""

from __future__ import annotations

from io import BytesIO
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from bastide.art import board_svg
from bastide.art.png import optional, png
from bastide.env.observations import Observation, Observations
from bastide.errors import IllegalAction, OptionError
from bastide.game import Game
from bastide.game.batch import NUMBERINGS, SHOWN
from bastide.game.codes import Codes
from bastide.game.match import Match
from bastide.game.window import Window
from bastide.notation.ascii import draw_board, standing
from bastide.rules import Rules

Numbers: TypeAlias = NDArray[np.int64]
Mask: TypeAlias = NDArray[np.int8]

DUMMY = 0  # marked as legal where nothing is: a masked softmax needs something to choose
PIXELS = 640


class EpisodeRunner:
    """A game on the engine. `game` is the same game as a checked `Game`, made on demand."""

    def __init__(self, rules: Rules, observation: str = "row", actions: str = "codes") -> None:
        if actions not in NUMBERINGS:
            raise OptionError(f"actions: expected one of {', '.join(NUMBERINGS)}, got {actions!r}")
        self.rules = rules
        self.actions = actions
        self.codes = Codes(rules)
        self.window = Window(rules, 1)
        self.observations = Observations(observation, rules, 1)
        self.match = Match(rules, 0)
        sizes = {"codes": self.codes.size, "list": SHOWN, "window": self.window.size}
        self.size = int(sizes[actions])
        self._game: Game | None = None
        self._followed = 0  # actions that the checked game has played

    def begin(self, seed: int) -> None:
        """Begins a new game. The seed decides its tiles."""
        self.match.begin(seed)
        self.observations.writer.invalidate(0)
        self._game = None

    @property
    def game(self) -> Game:
        """The game with its history, for bots, texts and pictures. Do not play actions on it."""
        if self._game is None:
            self._game = Game(self.rules, seed=self.match.seed)
            self._followed = 0
        history = self.match.history
        while self._followed < len(history):
            self._game.play(self._game.legal[history[self._followed]])
            self._followed += 1
        return self._game

    def legal(self) -> list[int]:
        """The numbers of what can be done now, in the engine's order; -1 for an action that has none."""
        match = self.match
        if match.over:
            return []
        if self.actions == "list":
            return list(range(min(match.count, SHOWN)))
        if self.actions == "window":
            return self.window.listed(match.engine, match.count)
        return self.codes.listed(match.engine)

    def mask(self) -> Mask:
        """1 for each action that is legal now, 0 for the others; when the game is over DUMMY alone is 1."""
        mask: Mask = np.zeros(self.size, dtype=np.int8)
        if self.match.over:
            mask[DUMMY] = 1
        elif self.actions == "list":
            mask[: self.match.count] = 1
        else:
            mask[[code for code in self.legal() if code >= 0]] = 1
        return mask

    def index(self, code: int) -> int:
        """The place of an action among the legal ones, -1 if it is not legal."""
        if self.actions == "list":
            return code if 0 <= code < min(self.match.count, SHOWN) else -1
        legal = self.legal()
        return legal.index(code) if code >= 0 and code in legal else -1

    def play(self, code: int) -> None:
        """Plays a legal action; another is refused."""
        index = self.index(code)
        if index < 0:
            raise IllegalAction("code", f"the action {code} is not legal now")
        self.match.play(index)

    def observe(self, seat: int) -> Observation:
        """The position as a seat may see it."""
        self.match.show(self.observations.writer, seat)
        return self.observations.one()

    def margins(self) -> list[float]:
        """For each seat: its points less the mean of the others'."""
        return margins(self.match.scores())

    def outcomes(self) -> list[float]:
        """For each seat of a finished game: 1 for the only best, 0 for several best, -1 for the others."""
        return outcomes(self.match.scores()) if self.match.over else [0.0] * int(self.rules.players)

    def text(self) -> str:
        """The board and the standing, for people."""
        return f"{draw_board(self.game)}\n{standing(self.game)}\n"

    def svg(self) -> str:
        """The board as a square picture."""
        board = self.game.board
        left, top = min(x for x, _ in board), min(y for _, y in board)
        side = max(max(x for x, _ in board) - left, max(y for _, y in board) - top)
        return board_svg(board, frame=[(left, top), (left + side, top + side)])

    def pixels(self) -> NDArray[np.uint8]:
        """The same picture in PIXELS x PIXELS points of red, green and blue."""
        image = optional("PIL.Image").open(BytesIO(png(self.svg(), PIXELS))).convert("RGB")
        return np.asarray(image.resize((PIXELS, PIXELS)))

    def render(self, mode: str | None) -> str | NDArray[np.uint8] | None:
        """Renders in one of the modes of the packages."""
        if mode is None:
            return None
        if mode == HUMAN:
            print(self.text())
            return None
        return {"ansi": self.text, "svg": self.svg, "rgb_array": self.pixels}[mode]()

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "_game": None}  # made again when it is asked for


HUMAN = "human"  # text on the screen, whenever `render` is called
RENDER_MODES = ("ansi", "svg", "rgb_array", HUMAN)


def checked_render_mode(mode: str | None) -> str | None:
    """Checks a render mode."""
    if mode not in (None, *RENDER_MODES):
        raise OptionError(f"render_mode: expected one of {', '.join(RENDER_MODES)} or none, got {mode!r}")
    return mode


REWARDS = ("margin", "outcome")


def checked_rewards(rewards: str) -> str:
    """Checks a kind of reward."""
    if rewards not in REWARDS:
        raise OptionError(f"rewards: expected one of {', '.join(REWARDS)}, got {rewards!r}")
    return rewards


def margins(scores: tuple[int, ...]) -> list[float]:
    """For each score: it less the mean of the others. They add up to 0. Alone there are no others: the score itself."""
    others = len(scores) - 1
    if others == 0:
        return [float(score) for score in scores]
    return [score - (sum(scores) - score) / others for score in scores]


def outcomes(scores: tuple[int, ...]) -> list[float]:
    """For each score: 1 for the only best, 0 for several best, -1 for the others."""
    best = max(scores)
    tied = scores.count(best) > 1
    return [-1.0 if score < best else 0.0 if tied else 1.0 for score in scores]
