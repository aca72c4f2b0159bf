"""Nothing observable has changed: every choice of rules still plays its written game."""

from __future__ import annotations

import pytest

from tests.playthrough import FOLDER, choices, lines


@pytest.mark.parametrize("name", choices())
def test_the_game_goes_as_it_is_written(name: str) -> None:
    path = FOLDER / f"{name}.txt"
    assert path.is_file(), f"no playthrough for {name}; python -m tests.playthrough writes it"
    assert path.read_text("utf-8").splitlines() == list(lines(choices()[name]))


def test_no_playthrough_is_left_over() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(choices())
