"""Actions: values with fields, and the texts that people write."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bastide.errors import ActionSyntaxError, StaleError
from bastide.game import Action, Game, Rng
from bastide.game.actions import Place
from bastide.game.legal import LegalActions
from bastide.rules import Rules
from tests.playthrough import FOLDER, choices

EXAMPLES = {
    "draw D": Action("draw", tile="D"),
    "draw seat_2": Action("draw", tile="seat_2"),
    "place N.w1 -1,12 270": Action("place", tile="N.w1", cell=(-1, 12), rotation=3),
    "discard D": Action("discard", tile="D"),
    "deploy follower 1,0 city N": Action("deploy", piece="follower", cell=(1, 0), spot="city N"),
    "deploy follower crown taxes": Action("deploy", piece="follower", spot="crown taxes"),
    "take abbot 1,0 garden": Action("take", piece="abbot", cell=(1, 0), spot="garden"),
    "move meeple 1,0 path E to 3,0 path W": Action(
        "move", piece="meeple", cell=(1, 0), spot="path E", to=Place((3, 0), "path W")
    ),
    "choose grow": Action("choose", choice="grow"),
    "choose 0,-1": Action("choose", cell=(0, -1)),
    "pass": Action("pass"),
}


@pytest.mark.parametrize("text", EXAMPLES)
def test_an_action_has_a_field_for_every_part_of_its_text(text: str) -> None:
    action = EXAMPLES[text]
    assert Action.parse(text) == action
    assert str(action) == text
    assert eval(repr(action)) == action
    assert pickle.loads(pickle.dumps(action)) == action
    assert len({action, Action.parse(text)}) == 1


def test_an_action_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        Action("pass").verb = "draw"  # type: ignore[misc]


def test_more_spaces_than_needed_are_forgiven() -> None:
    assert Action.parse("  deploy  follower 1,0   city  N ") == EXAMPLES["deploy follower 1,0 city N"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "jump",
        "pass now",
        "place",
        "place E",
        "place E nowhere",
        "place E 1,0",
        "place E 1,0 45",
        "place E 1,0 90 more",
        "place E ١,٢ 90",
        "draw E again",
        "deploy follower",
        "move meeple 1,0 path E",
        "move meeple 1,0 path E to",
        "choose grow more",
    ],
)
def test_a_text_that_is_no_action_is_refused(text: str) -> None:
    with pytest.raises(ActionSyntaxError):
        Action.parse(text)


@given(st.text(alphabet="dplacehoosenxtrkwfmv0129,- \t\u0661", max_size=40) | st.text(max_size=20))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        action = Action.parse(text)
    except ActionSyntaxError:
        return
    assert Action.parse(str(action)) == action


@pytest.mark.parametrize("name", choices())
def test_every_legal_action_of_every_module_can_be_read_back(name: str) -> None:
    """A random game of each choice of rules; and all actions of its playthrough, which lists them in full at first."""
    game, rng = Game(choices()[name], seed=77), Rng(77)
    while not game.over:
        legal = list(game.legal)
        assert [Action.parse(str(action)) for action in legal] == legal
        assert len(set(legal)) == len(legal)
        game.play(legal[rng.below(len(legal))])
    played = [line[2:] for line in (FOLDER / f"{name}.txt").read_text("utf-8").splitlines() if line.startswith("> ")]
    assert played
    assert [str(Action.parse(text)) for text in played] == played


# --- the list of legal actions


def test_what_is_no_action_is_not_among_the_legal_ones() -> None:
    game = Game(seed=1)
    things: list[object] = ["jump", "", 5, None]
    assert [thing in game.legal for thing in things] == [False] * 4
    text: object = str(game.legal[0])
    assert text in game.legal


def test_a_list_of_legal_actions_is_not_taken_for_the_list_after_undo_and_another_action() -> None:
    """The guard compared the lengths of the history, which are the same again."""
    game = Game(seed=1)
    first, other = game.legal[0], game.legal[1]
    game.play(first)
    stale = LegalActions(game)
    game.undo()
    game.play(other)
    with pytest.raises(StaleError, match="earlier moment"):
        list(stale)


def test_a_list_of_legal_actions_is_not_taken_for_the_list_after_the_end() -> None:
    """It read behind the end of the engine's list."""
    game = Game(Rules.of(), scripted=True)
    stale = LegalActions(game)
    game.finish()
    with pytest.raises(StaleError):
        stale[0]


def test_actions_that_were_looked_at_stay() -> None:
    game = Game(seed=1)
    legal = game.legal
    before = list(legal)
    game.play(before[0])
    assert list(legal) == before


MALFORMED: list[Any] = [
    Action("jump"),
    Action(5),  # type: ignore[arg-type]
    Action("place"),
    Action("place", tile="D", cell=[1, 0], rotation=0),  # type: ignore[arg-type]
    Action("place", tile="D", cell="x", rotation=0),  # type: ignore[arg-type]
    Action("place", tile="D", cell=(1, 0), rotation=7),
    Action("draw", tile=["D"]),  # type: ignore[arg-type]
    Action("deploy", piece="follower", cell=5, spot="city N"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize("action", MALFORMED, ids=repr)
def test_an_action_with_wrong_fields_is_refused_with_a_sentence(action: Action) -> None:
    """A cell that was read from JSON is a list: `unhashable type` came out of `play`, `explain` and `in`."""
    game = Game(seed=1)
    assert action not in game.legal
    for use in (game.play, game.explain, game.state().number):
        with pytest.raises(ActionSyntaxError, match="expected the fields of an action"):
            use(action)


@pytest.mark.parametrize("thing", [None, 5, b"pass", ["pass"]])
def test_what_is_no_text_is_no_action(thing: Any) -> None:
    with pytest.raises(ActionSyntaxError, match="expected the text of an action"):
        Action.parse(thing)
