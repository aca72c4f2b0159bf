"""Par: what the bot `search` makes of the same tiles alone, for people who play against a deck (HOUSE-2)."""
# interpreted: speaks to people

from __future__ import annotations

from collections.abc import Sequence

from bastide.bots.roster import bot
from bastide.errors import OptionError
from bastide.game import CHANCE, Action, Game, Rng
from bastide.rules import Rules

BOT = "search:300"  # a number of positions, not of seconds: the same par on every machine


def par(rules: Rules, seed: int) -> int:
    """The points that `search` made with the tiles of a seed. Takes some seconds; the same each time."""
    if rules.players != 1:
        raise OptionError(f"par: expected the rules of a game of 1 player, got {rules.players}")
    return play_alone(Game(rules, seed=seed))


def play_alone(game: Game, drawn: Sequence[Action] = ()) -> int:
    """The points that `search` makes of a game of one player that has just begun.

    If the game is drawn by hand, it gets what was `drawn` in another one, in the same order.
    """
    player = bot(BOT, 0)
    left = list(drawn)
    rng = Rng(0)
    while not game.over:
        if game.seat == CHANCE:
            legal = list(game.legal)
            draw = next((action for action in left if action in legal), None)
            if draw is None:  # the player took out less than the bot does
                draw = legal[rng.below(len(legal))]
            else:
                left.remove(draw)
            game.play(draw)
        else:
            game.play(player.choose(game.view(0)))
    return game.scores[0]
