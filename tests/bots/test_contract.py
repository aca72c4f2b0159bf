"""The contract of bots: the check passes ours and catches each kind of broken bot."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bastide import Action, Bot, Rules, View, bot
from bastide.bots import check_bot
from bastide.bots.bot import RandomBot
from bastide.errors import BotError
from bastide.game import Rng
from bastide.kernel.offsets import SCORE
from bastide.native import compiled

STEPS = 30 if compiled() else 3
FEW = [Rules.of(), Rules.of(players=3, hand=3)]


@pytest.mark.parametrize("name", ["random", "greedy", "planner", "uct:3", "search:30", "bot:2"])
def test_our_bots_keep_to_it(name: str) -> None:
    check_bot(lambda seed: bot(name, seed), steps=STEPS)


class Illegal(Bot):
    """Always passes, also when a tile is to be placed."""

    def choose(self, view: View) -> Action:
        return Action("pass")


class Texts(Bot):
    """Answers with a text."""

    def choose(self, view: View) -> Action:
        return str(view.legal[0])  # type: ignore[return-value]


class Meddler(Bot):
    """Gives itself a point."""

    def choose(self, view: View) -> Action:
        engine = view._game.engine
        engine.put(SCORE + view.seat, engine.s[SCORE + view.seat] + 1)
        return view.legal[0]


class Player(Bot):
    """Plays by itself instead of answering."""

    def choose(self, view: View) -> Action:
        action = view.legal[0]
        view._game.play(action)
        return action


class Moody(RandomBot):
    """Starts from chance of its own instead of the seed."""

    moods = Rng(1)

    def __init__(self, seed: int) -> None:
        super().__init__(int(self.moods.below(1 << 30)))


class Peeper(Bot):
    """Looks into the others' hands."""

    def choose(self, view: View) -> Action:
        seen = "".join(name for seat in range(len(view.names)) for name in view._game.secrets(seat))
        return view.legal[sum(map(ord, seen)) % len(view.legal)]


class Prophet(Bot):
    """Knows what will be drawn."""

    def choose(self, view: View) -> Action:
        return view.legal[int(view._game._rng.x) % len(view.legal)]


class Lazy(Bot):
    """Has no answer."""


BROKEN: list[tuple[Callable[[int], Bot], str]] = [
    (lambda seed: Illegal(), "legal actions, got pass"),
    (lambda seed: Texts(), "expected an Action, got '"),
    (lambda seed: Meddler(), "changed the game"),
    (lambda seed: Player(), "changed the game"),
    (Moody, "with the same seed"),
    (lambda seed: Peeper(), "depends on what it must not know"),
    (lambda seed: Prophet(), "depends on what it must not know"),
]


@pytest.mark.parametrize(("make", "complaint"), BROKEN)
def test_broken_bots_are_caught(make: Callable[[int], Bot], complaint: str) -> None:
    with pytest.raises(BotError, match=complaint):
        check_bot(make, FEW)


def test_a_bot_without_an_answer_is_no_bot() -> None:
    with pytest.raises(NotImplementedError):
        check_bot(lambda seed: Lazy(), FEW)


def test_moods_are_allowed_where_time_decides() -> None:
    check_bot(Moody, FEW, steps=STEPS, repeats=False)
