"""Players without hands: one method, any choice of modules, any number of players."""

from bastide.bots.bot import Bot, bot, names

__all__ = ["Bot", "bot", "names"]
