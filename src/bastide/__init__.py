"""The Carcassonne family of board games: rules engine, bots, and a place to play."""

from bastide import _guard

_guard.begin()  # before anything compiled is imported
