"""The Carcassonne family of board games: rules engine, bots, and a place to play."""

from bastide import _guard

_guard.begin()  # before anything compiled is imported

from bastide.art import board_svg
from bastide.bots import Bot, bot, evaluate
from bastide.errors import BastideError, IllegalAction
from bastide.game import CHANCE, SPECTATOR, Action, Board, Game, State, View
from bastide.game.texts import use
from bastide.notation.games import GameTexts
from bastide.rules import Module, Rules, Spec

use(GameTexts())
# a notebook shows a board, and a game, as a picture
Board._repr_svg_ = board_svg  # type: ignore[attr-defined]
Game._repr_svg_ = lambda game: board_svg(game.board)  # type: ignore[attr-defined]

__all__ = [
    "CHANCE",
    "SPECTATOR",
    "Action",
    "BastideError",
    "Bot",
    "Game",
    "IllegalAction",
    "Module",
    "Rules",
    "Spec",
    "State",
    "View",
    "bot",
    "evaluate",
]
