"""Who plays the other seats: a bot by its name, a Bot, a class of bots, or a function of observation and mask."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from bastide.bots import Bot, bot
from bastide.bots.evaluation import Evaluation
from bastide.bots.greedy import best_actions
from bastide.bots.planner import Planner
from bastide.env.episode import EpisodeRunner
from bastide.errors import IllegalAction, OptionError
from bastide.game import Engine, Rng
from bastide.game.secrets import redeal
from bastide.rules import Rules

Policy: TypeAlias = Callable[[Any, Any], Any]  # observation, mask -> action
Opponent: TypeAlias = str | Bot | type[Bot] | Policy


class RandomChooser:
    """Any legal action."""

    def __init__(self, rules: Rules, seed: int) -> None:
        self.rules = rules
        self.rng = Rng(seed)

    def pick(self, engine: Engine, seat: int) -> int:
        """The place of an action in the engine's list."""
        return int(self.rng.below(engine.legal()))

    def __reduce__(self) -> tuple[object, ...]:
        return type(self)._again, (self.rules, int(self.rng.x))

    @classmethod
    def _again(cls, rules: Rules, generator: int) -> RandomChooser:
        chooser = cls(rules, 0)
        chooser.rng.x = generator
        return chooser


class GreedyChooser(RandomChooser):
    """What the bot `greedy` chooses."""

    def pick(self, engine: Engine, seat: int) -> int:
        best = best_actions(imagined(engine, seat, self.rng), seat)
        return best[self.rng.below(len(best))]


class PlannerChooser(RandomChooser):
    """What the bot `planner` chooses."""

    def __init__(self, rules: Rules, seed: int) -> None:
        super().__init__(rules, seed)
        self.planner = Planner(Evaluation(rules))

    def pick(self, engine: Engine, seat: int) -> int:
        values = list(self.planner.values(imagined(engine, seat, self.rng), seat))
        most = max(values)
        best = [i for i, value in enumerate(values) if value == most]
        return best[self.rng.below(len(best))]


def imagined(engine: Engine, seat: int, rng: Rng) -> Engine:
    """A position that is possible, given what a seat knows."""
    copy = engine.clone()
    redeal(copy, seat, rng)
    return copy


# Bots that need the engine alone: they play without a checked game.
CHOOSERS: dict[str, type[RandomChooser]] = {
    "random": RandomChooser,
    "greedy": GreedyChooser,
    "planner": PlannerChooser,
}


class SeatedOpponent:
    """An opponent in a seat of a game: a bot, a chooser or a function."""

    def __init__(self, who: Opponent, rules: Rules, seed: int) -> None:
        self.who = who
        self.rules = rules
        self.seed = seed
        self.chooser: RandomChooser | None = None
        self.bot: Bot | None = None
        self.policy: Policy | None = None
        if isinstance(who, str):
            if who in CHOOSERS:
                self.chooser = CHOOSERS[who](rules, seed)
            else:
                self.bot = bot(who, seed)
        elif isinstance(who, Bot):
            self.bot = who
        elif isinstance(who, type):
            self.bot = who(seed)
        else:
            self.policy = who
        self.owned = not isinstance(who, Bot)  # a bot that was given is its giver's to close

    def play(self, runner: EpisodeRunner, seat: int) -> None:
        """One action."""
        if self.chooser is not None:
            runner.match.play(self.chooser.pick(runner.match.engine, seat))
        elif self.bot is not None:
            game = runner.game
            action = self.bot.choose(game.view(seat))
            if action not in game.legal:
                raise IllegalAction("bot", f"the bot in seat {seat} chose {action}, which is not legal now")
            runner.match.play(list(game.legal).index(action))
        elif self.policy is not None:
            runner.play(int(self.policy(runner.observe(seat), runner.mask())))

    def __reduce__(self) -> tuple[object, ...]:
        """A bot by its name, or of a class, is made again with its generator `rng`: its plans are lost."""
        made = self.bot if self.owned else None
        return restored_opponent, (self.who, self.rules, self.seed, getattr(self.chooser or made, "rng", None))

    def close(self) -> None:
        """Closes the bot, if it was made here."""
        if self.bot is not None and self.owned:
            self.bot.close()


def restored_opponent(who: Opponent, rules: Rules, seed: int, rng: Any) -> SeatedOpponent:
    """An opponent as it was copied or pickled."""
    seated = SeatedOpponent(who, rules, seed)
    made: Any = seated.chooser or seated.bot
    if rng is not None:
        made.rng = rng
    return seated


def checked_opponents(opponents: Any) -> tuple[Opponent, ...]:
    """Checks the opponents given: one or several."""
    listed = isinstance(opponents, Iterable) and not isinstance(opponents, str | type)
    several = tuple(opponents) if listed and not callable(opponents) else (opponents,)
    if not several:
        raise OptionError("opponents: expected at least one bot, got none")
    for one in several:
        if isinstance(one, str):
            bot(one).close()
        elif not (issubclass(one, Bot) if isinstance(one, type) else isinstance(one, Bot) or callable(one)):
            raise OptionError(f"opponents: expected a name, a Bot, a class of bots or a function, got {one!r}")
    return several
