"""The bots that come with Bastide, by name: `greedy`, `search:400ms`, `bot:3`, `python:my_bot.py`, `program:./bot`."""
# interpreted: speaks to people

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points

from bastide.bots.bot import Bot, GreedyBot, RandomBot
from bastide.bots.budget import Budget
from bastide.bots.external import ProgramBot
from bastide.bots.files import bot_from_file, made
from bastide.bots.levels import LEVELS, level
from bastide.bots.thinkers import PlannerBot, SearchBot, Thinker, UctBot
from bastide.errors import BotError, OptionError

SIMPLE: dict[str, Callable[[int], Bot]] = {"random": RandomBot, "greedy": GreedyBot, "planner": PlannerBot}
THINKERS: dict[str, type[Thinker]] = {"uct": UctBot, "search": SearchBot}
OWN: dict[str, Callable[[str, int], Bot]] = {"python": bot_from_file, "program": ProgramBot}
FORMS = ("search:400ms", "search:20000", "uct:5000", "python:FILE", "program:COMMAND")


GROUP = "bastide.bots"  # of entry points: classes of bots in other packages


def installed(entry: EntryPoint, seed: int) -> Bot:
    """A bot of another package."""
    kind = entry.load()
    if not (isinstance(kind, type) and issubclass(kind, Bot)):
        raise BotError(f"{entry.name}: expected a subclass of Bot in {entry.value}, got {kind!r}")
    return made(kind, seed, entry.value)


def names() -> list[str]:
    """The bots there are; thinkers take a budget too, and anybody's own bot has a form of its own (`bot`)."""
    return [*SIMPLE, *THINKERS, *(f"bot:{number}" for number in LEVELS)]


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
