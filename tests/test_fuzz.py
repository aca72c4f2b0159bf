"""scripts/fuzz: what it plays, and that it goes on where it was stopped."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from bastide.rules.registry import specs
from tests.fuzz import GROUPS, Piece, Run, chosen, mixture


def test_every_value_of_every_option_of_the_base_game_meets_every_box() -> None:
    for box, settings in GROUPS["crossed"]().items():
        played = {choice for setting in settings for choice in setting.options}
        wanted = {(option.name, value) for option in specs()["base"].options for value in option.values[1:]}
        assert wanted <= played, box


def test_a_mixture_depends_on_its_number_only() -> None:
    settings = [mixture(Random(number)) for number in range(50)]
    assert settings == [mixture(Random(number)) for number in range(50)]
    assert {setting.players for setting in settings} == set(range(2, 9))
    assert max(len(setting.options) for setting in settings) > 4


def test_it_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    done = tmp_path / "done"
    subjects = chosen(["base"])
    pieces = [Piece("base", "random", range(first, first + 1)) for first in range(3)]
    first = Run(done)
    first.run(pieces[:2], subjects, workers=1)
    assert first.games["base"] == 2
    then = Run(done)
    assert list(then.left(pieces)) == pieces[2:]
    assert then.games == first.games
    assert then.actions == first.actions


def test_a_group_or_one_of_its_subjects_can_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(GROUPS, "house")  # takes seconds to make
    assert list(chosen(["games"])) == ["hunters_and_gatherers", "over_hill_and_dale"]
    assert list(chosen(["abbot+river", "base"])) == ["abbot+river", "base"]
    with pytest.raises(SystemExit, match="got 'chess'"):
        chosen(["chess"])
