"""The engine and the oracle agree after every action of random games (the long run is scripts/fuzz)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from bastide.native import compiled
from bastide.rules.registry import specs
from tests.agreement import Setting, agree
from tests.fuzz import groups

SEEDS = range(2 if compiled() else 1)
GROUPS = groups() if compiled() else ("base", "modules", "presets", "games")  # uncompiled the same code, only slower
SETTINGS = [setting for name in GROUPS for settings in groups()[name].values() for setting in settings]


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_engine_and_oracle_agree(setting: Setting) -> None:
    for seed in SEEDS:
        assert agree(setting, seed) > 0


editions = st.sampled_from(list(specs()["base"].editions))
sizes = st.integers(2, 8)


@examples(max_examples=20 if compiled() else 3)
@given(edition=editions, players=sizes, points=st.sampled_from([3, 4]), seed=st.integers(0, 2**31))
def test_every_edition_and_number_of_players(edition: str, players: int, points: int, seed: int) -> None:
    assert agree(Setting(players=players, edition=edition, options=(("farmer_points", points),)), seed) > 0
