"""Every tile of a river finds its place where RIVER-9 holds (the long run is `python -m tests.rivers`)."""

from __future__ import annotations

import pytest

from bastide.native import compiled
from tests.rivers import WITH, lost

GAMES = 40 if compiled() else 4


@pytest.mark.rule("RIVER-9", "RIVER-10")
@pytest.mark.parametrize("company", WITH)
@pytest.mark.parametrize("name", ["random", "planner"])
def test_the_anniversary_river_loses_no_tile(company: str, name: str) -> None:
    games = GAMES if name == "random" else GAMES // 20
    assert [seed for seed in range(games) if lost("anniversary", company, "away", name, seed)] == []


@pytest.mark.rule("RIVER-3", "RIVER-9")
@pytest.mark.parametrize("company", ["wheel", "everything"])
def test_river_i_loses_no_tile_beside_the_wheel_board(company: str) -> None:
    assert [seed for seed in range(GAMES) if lost("river_i", company, "away", "random", seed)] == []


@pytest.mark.rule("RIVER-9", "RIVER-10")
@pytest.mark.skipif(not compiled(), reason="needs many games")
def test_with_immediate_bends_tiles_are_lost() -> None:
    assert any(lost("anniversary", "wheel", "immediate", "random", seed) for seed in range(GAMES))
