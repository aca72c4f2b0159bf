"""The engine and the oracle agree after every action of random games (the long run is scripts/fuzz)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bastide.native import compiled
from bastide.rules.registry import specs
from tests.agreement import Setting, agree
from tests.fuzz import every_setting, singles

SEEDS = range(2 if compiled() else 1)
SETTINGS = every_setting() if compiled() else singles()  # uncompiled it is the same code, only slower


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_engine_and_oracle_agree(setting: Setting) -> None:
    for seed in SEEDS:
        assert agree(setting, seed) > 0


editions = st.sampled_from(list(specs()["base"].editions))
sizes = st.integers(2, 8)


@settings(max_examples=20 if compiled() else 3)
@given(edition=editions, players=sizes, points=st.sampled_from([3, 4]), seed=st.integers(0, 2**31))
def test_every_edition_and_number_of_players(edition: str, players: int, points: int, seed: int) -> None:
    assert agree(Setting(players=players, edition=edition, options=(("farmer_points", points),)), seed) > 0
