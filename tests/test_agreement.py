"""The engine and the oracle agree after every action of random and of planned games (the long run is scripts/fuzz)."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from bastide.native import compiled
from bastide.rules.registry import specs
from tests.agreement import Disagreement, Pair, Setting, agree
from tests.fuzz import GROUPS, crossed_settings, mixture

QUICK = ("base", "modules", "games")  # uncompiled the same code, only slower
PLAYED = (*QUICK, "presets", "pairs", "options") if compiled() else QUICK
SETTINGS = [setting for name in PLAYED for settings in GROUPS[name]().values() for setting in settings]


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_engine_and_oracle_agree(setting: Setting) -> None:
    assert agree(setting, 0) > 0


editions = st.sampled_from(list(specs()["base"].editions))
sizes = st.integers(2, 8)


@examples(max_examples=20 if compiled() else 3)
@given(edition=editions, players=sizes, points=st.sampled_from([3, 4]), seed=st.integers(0, 2**31))
def test_every_edition_and_number_of_players(edition: str, players: int, points: int, seed: int) -> None:
    options = ("farmer_points", points), ("more_players", "on")
    assert agree(Setting(players=players, edition=edition, options=options), seed) > 0


CROSSED = list(crossed_settings("inns_and_cathedrals"))
MIXTURES = [mixture(Random(number)) for number in range(8)]
GAMES = [Setting((spec.name,), 3) for spec in specs().values() if spec.standalone]
PLANNED = [*CROSSED, *MIXTURES, *GAMES] if compiled() else [Setting()]


@pytest.mark.parametrize("setting", PLANNED, ids=str)
def test_they_agree_when_bots_fight_for_the_points(setting: Setting) -> None:
    assert agree(setting, 1, "planner" if compiled() else "greedy") > 0


@pytest.mark.parametrize(
    ("told", "part"), [("tokens", "tokens"), ("hidden", "held in secret"), ("who_won", "winners"), ("scores", "scores")]
)
def test_a_difference_is_found(told: str, part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison itself: an oracle that tells something else is noticed."""
    monkeypatch.setattr(f"tests.agreement.Oracle.{told}", lambda *_: "something else")
    with pytest.raises(Disagreement, match=f"seed 1: {part}: "):
        agree(Setting(), 1)


def test_a_difference_tells_how_to_see_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Pair, "compare", lambda pair: pair.same("tiles played", len(pair.game.history), 0))
    with pytest.raises(Disagreement, match=r"engine 1, oracle 0, after\ndraw "):
        agree(Setting(), 1)
