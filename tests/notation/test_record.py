"""Records: what is printed can be read back, and what is broken is refused with line and reason."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bastide.errors import RecordError
from bastide.game.actions import Action, Place
from bastide.notation.record import Check, End, Header, Line, Note, Record, Start, Turn, load_record, read_record

EXAMPLE = """\
bastide 1
# A comment in the header.
title A knight closes his own city
rules BASE-12 BASE-15
edition classic
option small_city two_points
option hand 0
players red blue
start D 0,0 0
draws scripted
goal Close the city

red: draw E; place E 0,-1 180; deploy follower 0,-1 city S # in one turn
check score red 2

# Blue has nothing to close.
blue: draw U; place U 1,0 0; pass
check legal 24
end
check over
"""


def test_a_record_is_a_header_and_lines() -> None:
    record = read_record(EXAMPLE)
    assert record.header == Header(
        title="A knight closes his own city",
        rules=("BASE-12", "BASE-15"),
        edition="classic",
        options=(("small_city", "two_points"), ("hand", 0)),
        players=("red", "blue"),
        start=(Start("D", (0, 0), 0),),
        scripted=True,
        goal="Close the city",
        notes=("# A comment in the header.",),
    )
    assert record.lines == (
        Turn(
            "red",
            tuple(map(Action.parse, ("draw E", "place E 0,-1 180", "deploy follower 0,-1 city S"))),
            "# in one turn",
        ),
        Check("score red 2"),
        Note(),
        Note("# Blue has nothing to close."),
        Turn("blue", tuple(map(Action.parse, ("draw U", "place U 1,0 0", "pass")))),
        Check("legal 24"),
        End(),
        Check("over"),
    )
    assert [line.line for line in record.lines] == [13, 14, 15, 16, 17, 18, 19, 20]


def test_it_is_printed_as_it_was_written() -> None:
    assert str(read_record(EXAMPLE)) == EXAMPLE


def test_spaces_order_of_the_header_and_line_ends_are_forgiven_and_printed_one_way() -> None:
    loose = "bastide 1\r\nplayers  red blue\r\ntitle  A  title\r\n\r\n  red:draw E;place E 0,-1   180 ;pass  \r\n\r\n"
    assert str(read_record(loose)) == (
        "bastide 1\ntitle A title\nplayers red blue\n\nred: draw E; place E 0,-1 180; pass\n"
    )


NAMES = st.lists(st.from_regex(r"[A-Za-zé_0-9-]{1,8}", fullmatch=True), min_size=1, max_size=5, unique=True)
WORDS = st.from_regex(r"[a-z]{1,6}( [a-z#:;]{1,6}){0,3}", fullmatch=True)
NOTES = st.one_of(st.just(""), st.from_regex(r"#[ a-z+▒.#;:]{0,10}[a-z+]", fullmatch=True))
ACTIONS = st.sampled_from(
    [
        Action("draw", tile="E"),
        Action("place", tile="E", cell=(-1, 12), rotation=3),
        Action("deploy", piece="follower", cell=(0, -1), spot="city S"),
        Action("move", piece="meeple", cell=(1, 0), spot="path E", to=Place((3, 0), "path W")),
        Action("discard", tile="C"),
        Action("choose", choice="grow"),
        Action("choose", cell=(0, 1)),
        Action("pass"),
    ]
)


NUMBERS = st.integers(-999_999_999, 999_999_999)


@st.composite
def records(draw: st.DrawFn) -> Record:
    players = tuple(draw(NAMES))
    player = st.sampled_from(players)
    header = Header(
        title=draw(st.one_of(st.just(""), WORDS)),
        rules=tuple(draw(st.lists(st.sampled_from(["BASE-1", "HILL-12"])))),
        edition=draw(st.sampled_from(["", "classic"])),
        modules=tuple(draw(st.lists(st.sampled_from(["one", "two"]), unique=True))),
        options=tuple(draw(st.dictionaries(st.sampled_from(["a", "b"]), st.one_of(NUMBERS, st.just("on")))).items()),
        players=players,
        start=tuple(draw(st.lists(st.builds(Start, st.just("D"), st.tuples(NUMBERS, NUMBERS), st.integers(0, 3))))),
        scripted=draw(st.booleans()),
        goal=draw(st.one_of(st.just(""), WORDS)),
        notes=tuple(draw(st.lists(NOTES.filter(bool)))),
    )
    turns = st.builds(Turn, player, st.lists(ACTIONS, min_size=1, max_size=4).map(tuple), NOTES)
    checks = st.builds(Check, player.map(lambda name: f"score {name} 4"), NOTES)
    lines: list[Line] = draw(st.lists(st.one_of(turns, checks, st.builds(End, NOTES), st.builds(Note, NOTES))))
    while lines and lines[-1] == Note():
        lines.pop()
    return Record(header, tuple(lines))


@given(records())
def test_what_is_printed_can_be_read_back(record: Record) -> None:
    assert read_record(str(record)) == record


HEAD = "bastide 1\nplayers red blue\n\n"


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", 1, "expected 'bastide 1', found ''"),
        ("chess 1\n", 1, "expected 'bastide 1', found 'chess 1'"),
        ("bastide 2\n", 1, "expected 'bastide 1', found 'bastide 2'"),
        ("bastide 1\n", 1, "expected 'players' in the header, found none"),
        ("bastide 1\ntitle x\n\nred: pass\n", 2, "expected 'players'"),
        ("bastide 1\nplayers\n", 2, "expected the players' names, found the end of the line"),
        ("bastide 1\nplayers red red\n", 2, "two players have the same name"),
        ("bastide 1\nplayers red: blue\n", 2, "expected a player's name without : ; #, found 'red:'"),
        ("bastide 1\ntitle x\ntitle y\n", 3, "title stands twice"),
        ("bastide 1\ncolour red\n", 2, "expected one of title, rules, edition"),
        ("bastide 1\nedition\n", 2, "expected an edition, found the end of the line"),
        ("bastide 1\nedition classic 2\n", 2, "expected the end of the line, found '2'"),
        ("bastide 1\noption hand\n", 2, "expected its value, found the end of the line"),
        ("bastide 1\noption hand 3\noption hand 0\n", 3, "option hand is set twice"),
        ("bastide 1\nstart D 0 0\n", 2, "expected a cell x,y, found '0'"),
        ("bastide 1\nstart D 0,0 45\n", 2, "expected a turn (0, 90, 180, 270), found '45'"),
        ("bastide 1\ndraws shuffled\n", 2, "expected 'draws scripted', found 'shuffled'"),
        (HEAD + "hello\n", 4, "expected 'NAME: action; ...', 'check ...', 'end' or '# ...', found 'hello'"),
        (HEAD + "green: pass\n", 4, "expected a player (red, blue), found 'green'"),
        (HEAD + "red:\n", 4, "expected an action"),
        (HEAD + "red: draw E;\n", 4, "expected an action"),
        (HEAD + "red: fly E\n", 4, "got 'fly'"),
        (HEAD + "\n# note\nred: pass now\n", 6, "nothing may follow pass"),
        (HEAD + "end now\n", 4, "found 'end now'"),
        (HEAD + "check\n", 4, "expected what to check, found the end of the line"),
        (HEAD + "check weather\n", 4, "expected a check (score, scored, parts"),
        (HEAD + "check score green 1\n", 4, "expected a player (red, blue), found 'green'"),
        (HEAD + "check score red\n", 4, "expected points, found the end of the line"),
        (HEAD + "check score red many\n", 4, "expected points, found 'many'"),
        (HEAD + "check score red 1 2\n", 4, "expected the end of the line, found '2'"),
        (HEAD + "check scored red city\n", 4, "expected points"),
        (HEAD + "check parts red city\n", 4, "expected parts"),
        (HEAD + "check legal\n", 4, "expected an action"),
        (HEAD + "check legal fly E\n", 4, "got 'fly'"),
        (HEAD + "check illegal because edge\n", 4, "expected an action"),
        (HEAD + "check illegal pass because\n", 4, "expected a reason"),
        (HEAD + "check region 0,0 city N\n", 4, "expected a fact of the region"),
        (HEAD + "check region here city N tiles 1\n", 4, "expected a cell x,y, found 'here'"),
        # numbers are such as a game can have: neither the engine nor Python reads others
        ("bastide 1\nstart D 1234567890,0 0\n", 2, "expected a cell x,y, found '1234567890,0'"),
        (f"bastide 1\nstart D {'9' * 5000},0 0\n", 2, f"expected a cell x,y, found '{'9' * 5000},0'"),
        (HEAD + f"check score red {'9' * 5000}\n", 4, f"expected points, found '{'9' * 5000}'"),
        (HEAD + "check region 0,0 city N tiles 1 tiles 1\n", 4, "tiles stands twice"),
        (HEAD + "check region 0,0 city N complete maybe\n", 4, "expected yes or no, found 'maybe'"),
        (HEAD + "check region 0,0 city N tiles\n", 4, "expected a number for tiles"),
        (HEAD + "check supply red follower\n", 4, "expected a number of pieces"),
        (HEAD + "check turn\n", 4, "expected a player's name"),
        (HEAD + "check left some\n", 4, "expected a number of tiles, found 'some'"),
        (HEAD + "check over now\n", 4, "expected the end of the line, found 'now'"),
        (HEAD + "check winner\n", 4, "expected a player's name"),
    ],
)
def test_a_broken_record_is_refused_with_line_and_reason(text: str, line: int, reason: str) -> None:
    with pytest.raises(RecordError) as refusal:
        read_record(text)
    assert refusal.value.line == line
    assert reason in refusal.value.message
    assert str(refusal.value).startswith(f"line {line}: ")


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_bytes(b"bastide 1\nplayers red \xff\n")
    with pytest.raises(RecordError, match="line 2: expected text in UTF-8"):
        load_record(path)
