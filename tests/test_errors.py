"""Refusals: one tree, one line each, and they travel between processes."""

from __future__ import annotations

import pickle
import re

import pytest

from bastide import Game, errors
from bastide.errors import BastideError, IllegalAction, RecordError, TileError

EXAMPLES: list[tuple[BastideError, str]] = [
    (TileError("base/tiles.json", "D", "count", "expected 1 or more, got 0"),
     "base/tiles.json, tile D, count: expected 1 or more, got 0"),
    (TileError("base/tiles.json", "", "tiles", "expected a list"), "base/tiles.json, tiles: expected a list"),
    (RecordError(7, "expected a player, found 'green'"), "line 7: expected a player, found 'green'"),
    (IllegalAction("occupied"), "somebody stands in this region"),
    (IllegalAction("dragon", "the dragon sits there"), "the dragon sits there"),
    (BastideError("anything else"), "anything else"),
]  # fmt: skip


@pytest.mark.parametrize(("error", "line"), EXAMPLES)
def test_an_error_is_one_line(error: BastideError, line: str) -> None:
    assert str(error) == line


@pytest.mark.parametrize(("error", "line"), EXAMPLES)
def test_an_error_can_be_sent_to_another_process(error: BastideError, line: str) -> None:
    sent = pickle.loads(pickle.dumps(error))
    assert type(sent) is type(error)
    assert str(sent) == line
    assert vars(sent) == vars(error)


def test_a_reason_without_a_sentence_must_be_one_of_the_table() -> None:
    with pytest.raises(KeyError, match="dragon"):
        IllegalAction("dragon")


def test_the_drawing_shows_the_tree() -> None:
    drawn = re.findall(r"[├└]── (\w+)", str(errors.__doc__))
    classes = [value for value in vars(errors).values() if isinstance(value, type) and issubclass(value, BastideError)]
    declared = [value.__name__ for value in classes if value is not BastideError]
    assert drawn == declared
    assert all(getattr(errors, name).__bases__[0] is BastideError for name in drawn)


def test_a_wrong_value_is_a_value_error() -> None:
    game = Game(seed=1)
    with pytest.raises(ValueError, match="begins with one of"):
        game.play("jump")
    with pytest.raises(ValueError, match="no tile lies beside"):
        game.play(f"place {game.tile} 9,0 0")
    with pytest.raises(ValueError, match="players"):
        Game(players=9)
    with pytest.raises(ValueError, match="line 1"):
        Game.from_record("no record")
    assert not issubclass(errors.EngineLimit, ValueError)
