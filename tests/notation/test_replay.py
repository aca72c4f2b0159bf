"""Replay: a record played gives the game, its checks hold or say what was found; a game played gives its record."""

from __future__ import annotations

from random import Random

import pytest

from bastide.errors import RecordError
from bastide.game import Game
from bastide.game.events import Drawn, Placed, Scored
from bastide.notation.record import read_record
from bastide.notation.replay import Replay, record_of, replay

HEAD = """\
bastide 1
players red blue
draws scripted

"""
CLOSING = HEAD + "red: draw E; place E 0,-1 180; deploy follower 0,-1 city S\n"


def test_a_replay_goes_step_by_step() -> None:
    playing = Replay(read_record(CLOSING + "check score red 4\nend\n"))
    seen = [(str(step), [type(event).__name__ for event in step.events]) for step in playing]
    assert seen == [
        ("red: draw E", ["Drawn"]),
        ("red: place E 0,-1 180", ["Placed"]),
        ("red: deploy follower 0,-1 city S", ["Deployed", "Scored", "Returned"]),
        ("check score red 4", []),
        ("end", ["Ended"]),
    ]
    assert playing.game.scores == (4, 0)
    assert playing.game.over


@pytest.mark.rule("BASE-5")
def test_the_drawn_tile_is_told_to_everybody_before_it_is_placed() -> None:
    steps = list(Replay(read_record(CLOSING)))
    assert steps[0].events == (Drawn(0, "E"),)
    assert steps[1].events == (Placed(0, "E", (0, -1), 2),)


def played(seed: int, **choice: object) -> Game:
    """A game played at random to its end."""
    game = Game(seed=seed, **choice)  # type: ignore[arg-type]
    random = Random(seed)
    while not game.over:
        game.play(random.choice(game.legal))
    return game


@pytest.mark.parametrize(
    "choice",
    [
        {},
        {"edition": "classic", "players": 5},
        {"names": ("Zoé", "李", "x-1"), "small_city": "two_points", "farmers": "off"},
        {"edition": "classic", "hand": 3},
        {"hand": 3, "tactical_end": "last_drawn", "players": 3},
        {"preset": "tournament"},
        {"first_player": "random", "players": 4},
    ],
    ids=str,
)
def test_reading_what_was_printed_gives_the_same_game(choice: dict[str, object]) -> None:
    game = played(7, **choice)
    twin = replay(read_record(str(record_of(game, "A whole game"))))
    assert twin.history == game.history
    assert twin.rules.choice == game.rules.choice
    assert twin.names == game.names
    assert twin.scores == game.scores
    assert twin.outcome == game.outcome
    assert dict(twin.board) == dict(game.board)


def test_the_beginning_of_a_game_is_a_record_too() -> None:
    game = Game(seed=3)
    for _ in range(20):
        game.play(game.legal[0])
    twin = replay(read_record(str(record_of(game))))
    assert list(twin.legal) == list(game.legal)
    assert twin.seat == game.seat


def test_a_scripted_game_keeps_its_start_tiles_and_its_end() -> None:
    game = Game(scripted=True, start=[("T", (0, 0), 3), ("E", (-1, 0), 1)])
    for action in ("draw E", "place E 0,1 0", "deploy follower 0,1 field EL"):
        game.play(action)
    game.finish()
    record = record_of(game)
    assert str(record) == (
        "bastide 1\nedition bigbox2014\nplayers red blue\nstart T 0,0 270\nstart E -1,0 90\ndraws scripted\n\n"
        "red: draw E; place E 0,1 0; deploy follower 0,1 field EL\nend\n"
    )
    assert replay(record).outcome == game.outcome


@pytest.mark.parametrize(
    ("check", "found"),
    [
        ("score red 3", "expected 3, found 4"),
        ("scored red city 8", "expected 8, found 4"),
        ("scored red road 8", "expected 8, found no score"),
        ("scored red city 0", "expected 0, found 4"),
        ("parts red city tiles 4x2", "expected tiles 4x2, found tiles 2x2"),
        ("legal 1", "expected 1, found 24"),
        ("legal pass", "it is illegal: another decision is due now: a tile is drawn first"),
        ("illegal draw E", "it is legal"),
        ("illegal draw Z because bag", "expected bag, found unknown"),
        ("region 0,0 city N tiles 3", "tiles: expected 3, found 2"),
        ("region 0,0 city N complete no red 1", "complete: expected 0, found 1; red: expected 1, found 0"),
        ("region 0,0 city N shields 1", "shields: expected 1, found 0"),
        ("supply red follower 6", "expected 6, found 7"),
        ("supply red dragon 1", "expected 1, found 0"),
        ("turn red", "expected red, found blue"),
        ("left 71", "expected 71, found 70"),
        ("over", "the game goes on"),
        ("winner red", "the game goes on"),
    ],
)
def test_a_check_that_does_not_hold_says_what_was_found(check: str, found: str) -> None:
    record = read_record(f"{CLOSING}check {check}\n")
    assert list(Replay(record))[-1].failure == found
    with pytest.raises(RecordError) as refusal:
        replay(record)
    assert str(refusal.value) == f"line 6: check {check}: {found}"


@pytest.mark.parametrize(
    "check",
    [
        "score blue 0",
        "scored red city 4",
        "scored blue city 0",
        "parts red city tiles 2x2",
        "legal 24",
        "legal draw E",
        "illegal pass",
        "illegal pass because question",
        "region 0,-1 city S tiles 2 open 0 complete yes red 0 shields 0",
        "supply red follower 7",
        "turn blue",
        "left 70",
    ],
)
def test_a_check_that_holds_is_silent_and_changes_nothing(check: str) -> None:
    playing = Replay(read_record(f"{CLOSING}check {check}\n"))
    assert [step.failure for step in playing if step.failure] == []
    assert len(playing.game.history) == 3


def test_scored_looks_back_to_the_last_turn_line_only() -> None:
    later = CLOSING + "check scored red city 4\nblue: draw U; place U 1,0 0; pass\ncheck scored red city 0\n"
    assert replay(read_record(later)).scores == (4, 0)


def test_a_check_in_the_middle_breaks_a_turn_off_and_the_next_line_goes_on_with_it() -> None:
    record = read_record(HEAD + "red: draw E\ncheck legal place E 0,-1 180\nred: place E 0,-1 180\nred: pass\n")
    assert [str(action) for _, action in replay(record).history] == ["draw E", "place E 0,-1 180", "pass"]


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        (HEAD + "blue: draw E\n", 5, "it is the turn of red, not of blue"),
        (HEAD + "red: draw E; place E 5,5 0\n", 5, "place E 5,5 0: no tile lies beside this cell: 5,5"),
        (HEAD + "red: draw Eg\n", 5, "draw Eg: "),
        (CLOSING + "end\nend\n", 7, "end: the game has ended"),
        (CLOSING + "end\nblue: draw U\n", 7, "draw U: the game has ended"),
        ("bastide 1\nplayers red blue\n\nend\n", 4, "end: "),
        ("bastide 1\nplayers a b c d e f g h i\n\n", 1, "players: expected 2 to 8, or 1 alone, got 9"),
        ("bastide 1\nedition golden\nplayers red blue\n\n", 1, "unknown edition 'golden'"),
        ("bastide 1\nmodules dragon\nplayers red blue\n\n", 1, "unknown module 'dragon'"),
        ("bastide 1\noption farmers some\nplayers red blue\n\n", 1, "option farmers: expected one of"),
        ("bastide 1\noption scripted 1\nplayers red blue\n\n", 1, "unknown option 'scripted'"),
        ("bastide 1\nplayers red blue\nstart Q9 0,0 0\n\n", 1, "start: "),
    ],
)
def test_a_record_that_cannot_be_played_is_refused_with_its_line(text: str, line: int, reason: str) -> None:
    with pytest.raises(RecordError) as refusal:
        replay(read_record(text))
    assert refusal.value.line == line
    assert reason in refusal.value.message


def test_draws_of_a_record_that_is_not_scripted_come_from_the_bag() -> None:
    text = "bastide 1\nplayers red blue\n\nred: draw C; place C 0,-1 0; pass\nblue: draw C\n"
    with pytest.raises(RecordError, match="line 5: draw C: "):
        replay(read_record(text))


def test_every_score_of_a_game_tells_its_rules() -> None:
    game = played(11)
    events = [event for step in Replay(record_of(game)) for event in step.events if isinstance(event, Scored)]
    assert events
    for event in events:
        assert event.points == sum(part.count * part.each for part in event.parts)
        assert event.rules
