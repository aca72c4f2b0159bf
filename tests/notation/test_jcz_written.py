"""Saves of every kind that JCloisterZone could have written are imported, and end with the points that were made."""

from __future__ import annotations

import json

import pytest

from bastide.errors import BastideError
from bastide.notation.jcz import import_jcz
from bastide.notation.record import Check
from bastide.notation.replay import Replay
from tests.notation.jcz_writer import Saved, Table, Writer


def failures(game: Saved) -> list[str]:
    """What the checks of an imported game find wrong; all must be there."""
    checks = [step for step in Replay(import_jcz(json.dumps(game)).record) if isinstance(step.line, Check)]
    assert len(checks) == len(game["players"])
    return [step.failure for step in checks if step.failure]


@pytest.mark.parametrize("seed", range(8))
def test_games_of_any_elements_and_numbers_that_break_off(seed: int) -> None:
    assert failures(Writer(seed).written(turns=15 + seed)) == []


def test_the_rest_of_a_river_that_was_lost_is_laid_aside() -> None:
    """The lake could not be drawn: a file without an order of draws does not tell of tiles that fitted nowhere."""
    river = Table(sets={"basic:1": 1, "river/1:1": 1}, elements={"small-follower": 7}, modules=["river"])
    river.options["farmers"] = "off"
    for seed in range(500):
        writer = Writer(seed, river)
        game = writer.written(turns=13)
        lost = [str(action) for _, action in writer.game.history if action.verb == "discard"]
        played = "; ".join(str(action) for _, action in writer.game.history)
        if len(lost) == 1 and f"{lost[0]}; draw RI-L" in played:
            break
    record = str(import_jcz(json.dumps({**game, "gameAnnotations": None, "test": None})).record)
    assert f"{lost[0]}; draw RI-L" in record


@pytest.mark.parametrize("depth", [200, 900, 960, 985])
def test_json_that_is_nested_too_deep_to_be_quoted_is_refused(depth: int) -> None:
    """It could be read, but the sentence that refused it was a RecursionError."""
    game = Writer(1).written(turns=3)
    for message in game["replay"]:
        message["payload"] = "deep"
    text = json.dumps(game).replace('"deep"', '{"a":' * depth + "1" + "}" * depth)
    with pytest.raises(BastideError, match="expected"):
        import_jcz(text)
    text = json.dumps(game).replace('"deep"', "[" * depth + "]" * depth)
    with pytest.raises(BastideError, match="expected"):
        import_jcz(text)
