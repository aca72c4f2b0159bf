"""Saved games of JCloisterZone: small ones of our own, in the shape that program writes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bastide.errors import BastideError, ModuleError
from bastide.notation.jcz import import_jcz
from bastide.notation.record import Check
from bastide.notation.replay import Replay

Saved = dict[str, Any]


def place(tile: str, rotation: int, x: int, y: int) -> Saved:
    return {"type": "PLACE_TILE", "payload": {"tileId": tile, "rotation": f"R{rotation}", "position": [x, y]}}


def deploy(meeple: str, x: int, y: int, feature: str, location: str) -> Saved:
    pointer = {"position": [x, y], "feature": feature, "location": location}
    return {"type": "DEPLOY_MEEPLE", "payload": {"pointer": pointer, "meepleId": meeple}}


PASS = {"type": "PASS", "payload": {}}
COMMIT = {"type": "COMMIT", "payload": {"random": 0.5}}
UNDO = {"type": "UNDO", "payload": {}}


def saved(*replay: Saved, assertions: tuple[str, ...] = (), end: int = 0, **setup: Any) -> Saved:
    """A saved game of Ann and Bob Lee, whose draws are the tiles as they are placed."""
    annotations: Saved = {"drawOrder": [m["payload"]["tileId"] for m in replay if m["type"] == "PLACE_TILE"]}
    if end:
        annotations["endTurn"] = end
    return {
        "test": {"description": "One of our own #1", "assertions": list(assertions)},
        "setup": {
            "sets": {"basic:1": 1},
            "elements": {"small-follower": 7, "farmers": True},
            "rules": {},
            "start": [{"tile": "BA/RCr", "x": 0, "y": 0, "rotation": 0}],
            **setup,
        },
        "players": [{"name": "Ann", "slot": 0}, {"name": "Bob Lee", "slot": 3}],
        "replay": list(replay),
        "gameAnnotations": annotations,
    }


def lines(game: Saved) -> list[str]:
    """The record of a saved game, without its header."""
    return str(import_jcz(json.dumps(game)).record).partition("\n\n")[2].splitlines()


def results(game: Saved) -> dict[str, str]:
    """The checks that the assertions became, and why each fails."""
    record = import_jcz(json.dumps(game)).record
    return {str(step): step.failure for step in Replay(record) if isinstance(step.line, Check)}


CLOSING = (place("BA/C", 180, 0, -1), deploy("0.small.1", 0, -1, "City", "S"), COMMIT)
ROAD = (place("BA/RFr", 0, 1, 0), deploy("1.small.1", 1, 0, "Road", "WE"), COMMIT)


def test_a_saved_game_becomes_a_record() -> None:
    game = saved(*CLOSING, *ROAD, place("BA/L", 0, 0, 1), deploy("0.small.2", 0, 1, "Monastery", "I"), COMMIT, end=3)
    assert str(import_jcz(json.dumps(game)).record) == (
        "bastide 1\n"
        "title One of our own #1\n"
        "players Ann Bob_Lee\n"
        "start D 0,0 0\n"
        "draws scripted\n"
        "\n"
        "Ann: draw E; place E 0,-1 180; deploy follower 0,-1 city S\n"
        "Bob_Lee: draw U; place U 1,0 0; deploy follower 1,0 road E\n"
        "Ann: draw B; place B 0,1 0; deploy follower 0,1 cloister\n"
        "end\n"
    )


def test_assertions_become_checks_where_they_are_first_true() -> None:
    told = (
        "Ann has 4 points",
        "Ann scored city for 4 points.",
        "Bob Lee scored road for 2 points",
        "Bob Lee has 1 point",
    )
    game = saved(*CLOSING, *ROAD, assertions=told, end=2)
    assert lines(game) == [
        "Ann: draw E; place E 0,-1 180; deploy follower 0,-1 city S",
        "check scored Ann city 4",
        "Bob_Lee: draw U; place U 1,0 0; deploy follower 1,0 road E",
        "end",
        "check score Ann 4",
        "check scored Bob_Lee road 2",
        "check score Bob_Lee 1",
    ]
    assert results(game) == {
        "check scored Ann city 4": "",
        "check score Ann 4": "",
        "check scored Bob_Lee road 2": "",
        "check score Bob_Lee 1": "expected 1, found 2",
    }


def test_what_cannot_be_told_is_skipped_and_never_passed() -> None:
    told = ("Phase is CommitActionPhase", "Player can't pass", "Zoe has 3 points", "Ann scored castle for 3 points")
    game = saved(*CLOSING, assertions=(*told, "Ann has 4 points"))
    imported = import_jcz(json.dumps(game))
    assert imported.skipped == told
    assert results(game) == {"check score Ann 4": ""}
    assert lines(game)[-4:] == [f"# not checked: {sentence}" for sentence in told]


def test_points_are_checked_even_when_nothing_was_played() -> None:
    assert results(saved(assertions=("Ann has 0 points", "Ann has 1 points"))) == {
        "check score Ann 0": "",
        "check score Ann 1": "expected 1, found 0",
    }


def test_fields_are_named_by_all_their_halves() -> None:
    game = saved(place("BA/RFr", 0, 1, 0), deploy("0.small.1", 1, 0, "Field", "ER.SL.SR.WL"), COMMIT)
    assert lines(game) == ["Ann: draw U; place U 1,0 0; deploy follower 1,0 field ER"]


def test_nobody_was_asked_to_deploy_and_a_turn_broken_off() -> None:
    assert lines(saved(place("BA/C", 180, 0, -1), COMMIT, place("BA/RFr", 0, 1, 0))) == [
        "Ann: draw E; place E 0,-1 180; pass",
        "Bob_Lee: draw U; place U 1,0 0",
    ]


def test_of_turns_that_look_alike_the_first_is_meant() -> None:
    game = saved(place("BA/RRRR", 270, 1, 0), deploy("0.small.1", 1, 0, "Road", "N"), COMMIT)
    assert lines(game) == ["Ann: draw X; place X 1,0 0; deploy follower 1,0 road N"]


def test_copies_with_a_garden_are_the_same_tile_without_gardens() -> None:
    assert lines(saved(place("BA/RFrG", 180, 1, 0), PASS, COMMIT, sets={"basic:2": 1})) == [
        "Ann: draw U; place U 1,0 0; pass"
    ]


def test_what_was_undone_does_not_count() -> None:
    game = saved(place("BA/C", 180, 0, -1), PASS, UNDO, UNDO, place("BA/C", 0, 0, 1), UNDO, *CLOSING)
    game["gameAnnotations"]["drawOrder"] = ["BA/C"]
    assert lines(game) == ["Ann: draw E; place E 0,-1 180; deploy follower 0,-1 city S"]


def test_a_turn_that_was_taken_back_does_not_count() -> None:
    again = (UNDO, UNDO, PASS, COMMIT)
    assert lines(saved(*CLOSING, *again)) == ["Ann: draw E; place E 0,-1 180; pass"]


def test_tiles_of_the_order_that_were_not_placed_fitted_nowhere() -> None:
    game = saved(*CLOSING, place("BA/RFr", 0, 1, 0), PASS, COMMIT)
    game["gameAnnotations"]["drawOrder"] = ["BA/C", "BA/Cccc+", "BA/RFr"]
    assert lines(game) == [
        "Ann: draw E; place E 0,-1 180; deploy follower 0,-1 city S",
        "Bob_Lee: draw C; discard C; draw U; place U 1,0 0; pass",
    ]


def test_a_game_without_an_order_of_draws_is_not_scripted() -> None:
    game = saved(*CLOSING)
    del game["gameAnnotations"]
    assert "draws scripted" not in str(import_jcz(json.dumps(game)).record)


@pytest.mark.parametrize(("value", "points"), [("2", 2), ("4", 4)])
def test_the_rule_of_tiny_cities(value: str, points: int) -> None:
    game = saved(*CLOSING, assertions=(f"Ann has {points} points",), rules={"tiny-city-scoring": value})
    assert results(game) == {f"check score Ann {points}": ""}


def test_without_the_element_there_are_no_farmers() -> None:
    record = import_jcz(json.dumps(saved(*CLOSING, elements={"small-follower": 7, "farmers": False}))).record
    assert dict(record.header.options) == {"farmers": "off"}


def test_a_rule_about_other_boxes_is_noted() -> None:
    record = import_jcz(json.dumps(saved(*CLOSING, rules={"dragon-speed": "fast"}))).record
    assert record.header.notes == ("# means nothing with these boxes: rule dragon-speed fast",)


@pytest.mark.parametrize(
    ("setup", "reason"),
    [
        ({"sets": {"basic:1": 1, "dragon:1": 1}}, "this game needs the box 'dragon:1', which is not here"),
        ({"elements": {"small-follower": 7, "king": True}}, "this game needs 'king', which no box here has"),
    ],
)
def test_a_game_of_another_box_is_refused_by_name(setup: Saved, reason: str) -> None:
    with pytest.raises(ModuleError) as refusal:
        import_jcz(json.dumps(saved(*CLOSING, **setup)))
    assert str(refusal.value) == reason


FARMER = deploy("0.small.1", 0, -1, "Field", "NL.NR")


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        (saved(*CLOSING, elements={"small-follower": 16}), "elements.small-follower: expected 1 to 15, found 16"),
        (saved(*CLOSING, rules={"tiny-city-scoring": "3"}), "setup.rules.tiny-city-scoring: expected 2 or 4"),
        (saved(place("XX/1", 0, 1, 0), COMMIT), "replay[0].payload.tileId: expected a tile of the boxes in play"),
        (saved(place("BA/C", 45, 1, 0), COMMIT), "replay[0].payload.rotation: expected one of R0, R90"),
        (
            saved(place("BA/C", 0, 0, -1), COMMIT),
            "this game cannot be played here: place E 0,-1 0: the sides do not match",
        ),
        (saved(place("BA/C", 180, 0, -1), FARMER), "location: expected the sides of a field on tile E as it lies"),
        (
            saved(place("BA/C", 180, 0, -1), deploy("1.small.1", 0, -1, "City", "S")),
            "meepleId: expected a piece of player 0",
        ),
        (
            saved(place("BA/C", 180, 0, -1), deploy("0.mayor.1", 0, -1, "City", "S")),
            "meepleId: expected a piece of player 0",
        ),
        (saved(place("BA/C", 180, 0, -1), deploy("0.small.1", 0, -1, "Tower", "S")), "feature: expected one of City"),
        (saved(PASS, COMMIT), "replay[0]: expected PLACE_TILE, then DEPLOY_MEEPLE or PASS"),
        (saved(COMMIT), "expected PLACE_TILE in every turn"),
        (saved(UNDO), "replay[0]: expected something to undo"),
        (saved({"type": "FLIP"}), "replay[0]: expected PLACE_TILE"),
        (saved({**CLOSING[0], "player": 1}), "replay[0].player: expected 0, whose turn it is, found 1"),
        ({**saved(), "players": [{"name": name} for name in "abcdefghi"]}, "players: expected 2 to 8"),
        ({**saved(), "setup": {}}, "setup: expected 'sets', found none"),
        ({**saved(), "replay": {}}, "replay: expected a list, found {}"),
        ([], "file: expected an object"),
    ],
)
def test_a_broken_file_is_refused_and_says_where(game: Saved, reason: str) -> None:
    with pytest.raises(BastideError) as refusal:
        import_jcz(json.dumps(game))
    assert reason in str(refusal.value)


def test_a_file_that_is_no_json_is_refused() -> None:
    with pytest.raises(BastideError, match="expected a saved game in JSON"):
        import_jcz("bastide 1")


def test_two_players_of_one_name_are_told_apart() -> None:
    game = {**saved(*CLOSING, *ROAD, end=2, assertions=("Ann has 4 points",)), "players": [{"name": "Ann"}] * 2}
    assert lines(game) == [
        "Ann: draw E; place E 0,-1 180; deploy follower 0,-1 city S",
        "Ann_2: draw U; place U 1,0 0; deploy follower 1,0 road E",
        "end",
        "# not checked: Ann has 4 points",
    ]
