"""The bots that come with Bastide, by name: `greedy`, `search:400ms`, `bot:3`, `python:my_bot.py`, `program:./bot`."""
# interpreted: speaks to people

from __future__ import annotations

import os
from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points

from bastide.bots.bot import Bot, GreedyBot, RandomBot
from bastide.bots.budget import Budget
from bastide.bots.external import ProgramBot
from bastide.bots.files import GROUP, bot_from_file, make_bot
from bastide.bots.levels import LEVELS, level
from bastide.bots.thinkers import PlannerBot, SearchBot, Thinker, UctBot
from bastide.errors import BotError, OptionError

SIMPLE: dict[str, Callable[[int], Bot]] = {"random": RandomBot, "greedy": GreedyBot, "planner": PlannerBot}
THINKERS: dict[str, type[Thinker]] = {"uct": UctBot, "search": SearchBot}
OWN: dict[str, Callable[[str, int], Bot]] = {"python": bot_from_file, "program": ProgramBot}
FORMS = ("search:400ms", "search:20000", "uct:5000", "python:FILE", "program:COMMAND")

CODE = "BASTIDE_CODE"  # the variable of the environment that has files of bots: `bastide serve --code`


def installed(entry: EntryPoint, seed: int) -> Bot:
    """A bot of another package."""
    kind = entry.load()
    if not (isinstance(kind, type) and issubclass(kind, Bot)):
        raise BotError(f"{entry.name}: expected a subclass of Bot in {entry.value}, got {kind!r}")
    return make_bot(kind, seed, entry.value)


def names() -> list[str]:
    """The bots there are, with those of files that are served; thinkers take a budget too (`bot` has all forms)."""
    files = [f"python:{file}" for file in os.environ.get(CODE, "").split(os.pathsep) if file]
    return [*SIMPLE, *THINKERS, *(f"bot:{number}" for number in LEVELS), *files]


def bot(name: str, seed: int = 0) -> Bot:
    """A bot by its name."""
    kind, _, rest = name.partition(":")
    if kind in SIMPLE and not rest:
        return SIMPLE[kind](seed)
    if kind in THINKERS:
        return THINKERS[kind](seed, Budget.parse(rest) if rest else None)
    if kind == "bot" and rest.isdecimal() and int(rest) in LEVELS:
        return level(int(rest), seed)
    if kind in OWN and rest:
        return OWN[kind](rest, seed)
    for entry in entry_points(group=GROUP, name=name):
        return installed(entry, seed)
    raise OptionError(f"unknown bot {name!r}; there are {', '.join([*names(), *FORMS])}")
