"""Bots: one method, any choice of modules, any number of players."""

from bastide.bots.bot import Bot
from bastide.bots.contract import check_bot
from bastide.bots.evaluate import evaluate
from bastide.bots.par import par
from bastide.bots.roster import bot, names

__all__ = ["Bot", "bot", "check_bot", "evaluate", "names", "par"]
