"""Par: what the bot `search` makes of the same tiles alone, for people who play against a deck (HOUSE-2)."""
# interpreted: speaks to people

from __future__ import annotations

from bastide.bots.roster import bot
from bastide.errors import OptionError
from bastide.game import Game
from bastide.rules import Rules

BOT = "search:300"  # a number of positions, not of seconds: the same par on every machine


def par(rules: Rules, seed: int) -> int:
    """The points that `search` made with the tiles of a seed. Takes some seconds; the same each time."""
    if rules.players != 1:
        raise OptionError(f"par: expected the rules of a game of 1 player, got {rules.players}")
    game = Game(rules, seed=seed)
    player = bot(BOT, 0)
    while not game.over:
        game.play(player.choose(game.view(0)))
    return game.scores[0]
