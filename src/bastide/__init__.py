"""The Carcassonne family of board games: rules engine, bots, and a place to play."""

from bastide import _guard

_guard.begin()  # before anything compiled is imported

from bastide.bots import Bot, bot
from bastide.errors import BastideError, IllegalAction
from bastide.game import CHANCE, Action, Game, View
from bastide.rules import Module, Rules, Spec

__all__ = ["CHANCE", "Action", "BastideError", "Bot", "Game", "IllegalAction", "Module", "Rules", "Spec", "View", "bot"]
