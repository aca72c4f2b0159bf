"""Lessons are played by the engine: every action is legal, every region exists, no sentence is missing."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bastide.game import CHANCE, Game
from bastide.notation.record import read_record
from bastide.notation.replay import Replay
from bastide.rules.registry import specs
from bastide.rules.texts import LANGUAGES
from bastide.server.api.refusal import Refusal
from bastide.server.content.lessons import lesson_of

KNOWN = {"do", "else", "other", "show", "end", *LANGUAGES}
LEARNER, TEACHER = 0, 1


def deal(game: Game, draws: list[str]) -> None:
    while draws and not game.over and game.seat == CHANCE:
        game.play(f"draw {draws.pop(0)}")


def check_step(game: Game, step: dict[str, Any]) -> None:
    """What a step asks for can be done by whom it concerns, and what it shows is there."""
    assert step.keys() <= KNOWN
    for words in (step, step.get("else", step)):
        assert all(words[language] for language in LANGUAGES), step
    for action in step.get("other", []):
        assert game.seat == TEACHER, (step, game.seat)
        game.play(action)
    if "do" in step:
        assert game.seat == LEARNER, (step, game.seat)
        assert step["do"] in [str(action) for action in game.legal], [str(action) for action in game.legal]
        game.play(step["do"])
    if "show" in step:
        cell, _, spot = step["show"].partition(" ")
        assert game.region((int(cell.split(",")[0]), int(cell.split(",")[1])), spot)


@pytest.mark.parametrize("module", specs())
def test_a_lesson_can_be_played(module: str) -> None:
    found = json.loads(lesson_of(module))
    replay = Replay(read_record("\n".join(found["record"]) + "\n"))
    for _ in replay:
        pass
    game, draws = replay.game, list(found["draws"])
    for step in found["steps"]:
        deal(game, draws)
        check_step(game, step)
    deal(game, draws)
    assert not draws, "a tile is never drawn"
    ends = bool(found["steps"][-1].get("end"))
    assert ends == (game.seat == CHANCE), "the game goes on only if the lesson does not end with the final scoring"
    assert module in game.rules.module_names


def test_no_lesson_for_what_is_no_module() -> None:
    with pytest.raises(Refusal, match="no lesson"):
        lesson_of("../base")
