"""Bots by name: all of them play everything, the same way with the same seed."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from bastide import Game, Rules, bot
from bastide.arena import Arena, InProcess, Setup, Table
from bastide.bots import names
from bastide.bots.budget import Budget
from bastide.bots.levels import ALWAYS_SEEN, LEVELS, WeakPlannerBot
from bastide.bots.thinkers import SearchBot, UctBot
from bastide.errors import OptionError
from bastide.native import compiled
from bastide.rules.registry import presets, specs

DECISIONS = 60 if compiled() else 6
QUICK = ["random", "greedy", "planner", "uct:20", "search:40", "bot:1", "bot:4"]


def opening(rules: Rules, wanted: list[str], decisions: int) -> list[str]:
    """The first decisions of a game between these bots, seat by seat."""
    return played(Game(rules, seed=123_456_789), wanted, decisions)


def played(game: Game, wanted: list[str], decisions: int) -> list[str]:
    """So many decisions of these bots, seat by seat, or all until the end."""
    rules = game.rules
    bots = [bot(wanted[seat % len(wanted)], seat) for seat in range(rules.players)]
    chosen: list[str] = []
    while not game.over and len(chosen) < decisions:
        action = bots[game.seat].choose(game.view(game.seat))
        chosen.append(str(action))
        game.play(action)
    return chosen


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("module", specs())
def test_they_play_every_module(module: str, players: int) -> None:
    rules = Rules.of(modules=() if module == "base" else (module,), players=players)
    assert len(opening(rules, ["search:40", "planner", "uct:20", "greedy"], DECISIONS)) == DECISIONS


@pytest.mark.parametrize("preset", presets())
def test_they_play_every_preset(preset: str) -> None:
    assert len(opening(Rules.of(preset=preset), ["search:40", "planner"], DECISIONS)) == DECISIONS


def test_eight_play_at_one_table() -> None:
    assert len(opening(Rules.of(players=8), QUICK, DECISIONS)) == DECISIONS


def test_they_play_to_the_end() -> None:
    rules = Rules.of(preset="bigbox2014") if compiled() else Rules.of()
    game = Game(rules, seed=123_456_789)
    played(game, ["random", "search:30"] if compiled() else ["random", "greedy"], 100_000)
    assert game.outcome is not None
    assert game.outcome.reason == "tiles"
    assert game.outcome.winners == (1,)


@pytest.mark.parametrize("name", QUICK)
def test_the_same_seed_gives_the_same_choices(name: str) -> None:
    assert opening(Rules.of(), [name], DECISIONS // 3) == opening(Rules.of(), [name], DECISIONS // 3)


def test_all_names_can_be_made() -> None:
    assert names()[:3] == ["random", "greedy", "planner"]
    assert len(LEVELS) == 6
    assert [type(bot(name)).__name__ for name in names()] == [
        "RandomBot",
        "GreedyBot",
        "PlannerBot",
        "UctBot",
        "SearchBot",
        *["WeakPlannerBot"] * 4,
        "PlannerBot",
        "SearchBot",
    ]


@pytest.mark.skipif(not compiled(), reason="interpreted, a game takes a minute")
@pytest.mark.parametrize("weaker", [1, 2, 3])
def test_a_level_beats_the_one_below(weaker: int, tmp_path: Path) -> None:
    setup = Setup((f"bot:{weaker + 1}", f"bot:{weaker}"), Table.of(Rules.of()), seed=1)
    (duel,) = Arena(setup, 24, tmp_path).run(InProcess()).duels  # with 8, luck turned it in one case of nine
    assert duel.score > 0.5


def test_a_beginner_overlooks_places_but_not_what_to_do_with_a_piece() -> None:
    beginner = WeakPlannerBot(seed=3, temperature=0.1, attention=0.0)
    assert sorted(beginner.seen(4)) == [0, 1, 2, 3]
    places = beginner.seen(50)
    assert len(set(places)) == len(places) == ALWAYS_SEEN


def test_a_budget_is_time_or_a_number() -> None:
    assert Budget.parse("400ms") == Budget(ms=400)
    assert Budget.parse("2s") == Budget(ms=2000)
    assert Budget.parse("5000") == Budget(count=5000)
    assert str(Budget.parse("2s")) == "2000ms"
    made = bot("search:250ms")
    assert isinstance(made, SearchBot)
    assert made.budget == Budget(ms=250)
    baseline = bot("uct:5000")
    assert isinstance(baseline, UctBot)
    assert baseline.budget == Budget(count=5000)


@pytest.mark.parametrize(
    "name", ["gredy", "search:0", "search:soon", "search:601s", "greedy:3", "bot:7", "bot:", "python:", ""]
)
def test_a_wrong_name_is_refused_and_the_right_ones_are_named(name: str) -> None:
    with pytest.raises(OptionError, match=r"expected|there are"):
        bot(name)


@pytest.mark.parametrize("name", ["random", "greedy", "planner", "search:50", "uct:5", "bot:1"])
def test_a_bot_can_be_pickled_in_the_middle_of_a_game(name: str) -> None:
    game, player = Game(seed=1), bot(name, 3)
    game.play(player.choose(game.view(0)))
    assert pickle.loads(pickle.dumps(player)).choose(game.view(0)) in game.legal
