"""Playing: the fast engine, and Game, the checked way to use it."""

from bastide.game.actions import Action, Place
from bastide.game.board import Board, Figure, Laid, Region
from bastide.game.dealer import Dealer, Rng
from bastide.game.engine import Engine, new_engine
from bastide.game.events import (
    Counted,
    Deployed,
    Discarded,
    Drawn,
    Ended,
    Event,
    Moved,
    Noted,
    Placed,
    Returned,
    Scored,
)
from bastide.game.game import Game
from bastide.game.outcome import Outcome
from bastide.game.seats import CHANCE, SPECTATOR
from bastide.game.state import RegionNumbers, State
from bastide.game.view import View

__all__ = [
    "CHANCE",
    "SPECTATOR",
    "Action",
    "Board",
    "Counted",
    "Dealer",
    "Deployed",
    "Discarded",
    "Drawn",
    "Ended",
    "Engine",
    "Event",
    "Figure",
    "Game",
    "Laid",
    "Moved",
    "Noted",
    "Outcome",
    "Place",
    "Placed",
    "Region",
    "RegionNumbers",
    "Returned",
    "Rng",
    "Scored",
    "State",
    "View",
    "new_engine",
]
