"""A bot in a file: `bastide play --seats human,python:examples/my_bot.py`.

It builds close to where it already stands, likes cities, and keeps two followers in hand.
"""

from bastide.bots import Bot
from bastide.game import Action, View

LIKES = {"cloister": 4, "city": 3, "road": 2, "field": 1}
IN_HAND = 2


class Builder(Bot):
    """Made once for each seat and game, with a seed; `choose` is asked whenever its seat has to decide."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def choose(self, view: View) -> Action:
        """One of `view.legal`: the one that it likes most, the first of those it likes alike."""
        return max(view.legal, key=lambda action: self.likes(view, action))

    def likes(self, view: View, action: Action) -> int:
        """A number for each action; only the order counts."""
        if action.cell and action.verb == "place":
            x, y = action.cell
            mine = [figure.cell for figure in view.board.figures if figure.seat == view.seat]
            return -min((abs(x - a) + abs(y - b) for a, b in mine), default=0)
        if action.spot and action.verb == "deploy" and sum(view.supply[view.seat].values()) > IN_HAND:
            land = action.spot.split()[0]  # of `city N`
            return LIKES.get(land, 0)
        return 0
