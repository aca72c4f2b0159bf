"""Analysis: what a move gave away, where a game turned, what fields brought; as text, JSON and plot."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from bastide.analysis import Review, as_json, as_svg, as_text, fields, review
from bastide.analysis.review import turning_points
from bastide.analysis.svg import Scale, bars, dots, histogram, lines
from bastide.bots import bot, par
from bastide.cli.group import group
from bastide.errors import OptionError, RecordError
from bastide.game import Game
from bastide.notation.record import Record, read_record, write_record
from bastide.notation.replay import record_of

CITY = """bastide 1
players red blue
draws scripted

red: draw E; place E 0,-1 180; deploy follower 0,-1 city S
blue: draw U; place U 1,0 0; pass
red: draw U; place U -1,0 0; deploy follower -1,0 field ER
blue: draw E; place E 1,-1 0; deploy follower 1,-1 field EL
end
"""


def played(first: str, second: str, **choice: object) -> Record:
    game = Game(seed=12, **choice)  # type: ignore[arg-type]
    bots = [bot(first, 1), bot(second, 2)]
    while not game.over:
        game.play(bots[game.seat % 2].choose(game.view(game.seat)))
    return record_of(game)


@pytest.fixture(scope="module")
def won() -> Review:
    return review(played("greedy", "random"), "score")


def test_greedy_gives_nothing_away_by_the_score(won: Review) -> None:
    assert won.loss(0) == 0
    assert won.loss(1) > 50
    assert all(move.loss >= 0 for turn in won.turns for move in turn.moves)


def test_planner_gives_nothing_away_by_the_outlook() -> None:
    found = review(played("planner", "random"))
    assert found.loss(0) == pytest.approx(0, abs=1e-6)
    assert found.loss(1) > 20


def test_the_course_of_a_game_ends_with_its_score(won: Review) -> None:
    assert won.over
    margin = won.scores[0] - won.scores[1]
    assert won.turns[-1].leads == (margin, -margin)
    assert len(won.turns) == 71
    assert sum(len(turn.moves) for turn in won.turns) == sum(a != "draw" for t in won.turns for a in
                                                             (text.split()[0] for text in t.actions))  # fmt: skip


def test_a_missed_city_is_named() -> None:
    found = review(read_record(CITY.replace("red: draw E; place E 0,-1 180; deploy follower 0,-1 city S",
                                            "red: draw E; place E 0,-1 180; pass")), "score")  # fmt: skip
    move = found.turns[0].moves[1]
    assert (move.action, move.best, move.loss) == ("pass", "deploy follower 0,-1 city S", 4)
    assert "     gave away 4.0: deploy follower 0,-1 city S was better" in as_text(found)


def test_the_ledger_of_fields() -> None:
    found = review(read_record(CITY), "score")
    north, south = found.fields
    assert (north.kind, north.spot, north.points) == ("field", "1,-1 field EL", (0, 3))
    assert (south.kind, south.spot, south.points) == ("field", "-1,0 field ER", (0, 0))
    assert (north.idle(1), south.idle(0), south.idle(1)) == (0, 1, 0)
    assert as_text(found)[-2:] == [
        "  field, 5 tiles, with blue 1,-1: blue 3",
        "  field, 3 tiles, with red -1,0: nothing scored",
    ]


def test_a_game_that_is_not_over_has_no_ledger() -> None:
    found = review(read_record(CITY.removesuffix("end\n")), "score")
    assert not found.over
    assert as_text(found)[-1] == "fields: the game is not over"


def test_fields_bring_what_the_final_scores_say() -> None:
    game = Game(seed=5)
    events = list(game.first_events)
    planner = bot("greedy", 3)
    while not game.over:
        events += game.play(planner.choose(game.view(game.seat)))
    from bastide.game.events import Scored

    total = sum(e.points for e in events if isinstance(e, Scored) and e.kind == "field")
    assert sum(sum(field.points) for field in fields(game, events)) == total > 0


@pytest.mark.parametrize(
    ("course", "found"),  # by how much the first of two players is ahead after each turn
    [
        ([5, 5, 5, 5, 5], ()),
        ([5, 5, 5, 5, -1, -1, -1, -1], (5,)),
        ([5, 5, 5, 5, -1, -1, 5, 5, 5, 5], ()),  # a lead of two turns is none
        ([5, 5, 5, 5, -1], (5,)),  # but at the end it counts
        ([0, 0, 0, 0, 2, 2, 2, 2], ()),  # nobody was ahead before
        ([], ()),
    ],
)
def test_turning_points(course: list[float], found: tuple[int, ...]) -> None:
    assert turning_points([(lead, -lead) for lead in course]) == found


@pytest.mark.parametrize("choice", [{"hand": 3}, {"preset": "everything"}, {"players": 4}])
def test_every_kind_of_game_can_be_reviewed(choice: dict[str, object]) -> None:
    found = review(played("random", "random", **choice), "score")
    assert found.over
    assert all(turn.moves for turn in found.turns)


def test_json_holds_everything(won: Review) -> None:
    told = json.loads(json.dumps(as_json(won)))
    assert told["players"] == ["red", "blue"]
    assert told["scores"] == list(won.scores)
    assert len(told["turns"]) == len(won.turns)
    assert told["losses"][0] == 0


def test_the_plot_has_a_line_for_each_player(won: Review) -> None:
    drawing = ElementTree.fromstring(as_svg(won))
    found = drawing.findall("{http://www.w3.org/2000/svg}polyline")
    assert [len(line.attrib["points"].split()) for line in found] == [72, 72]


# --- the command


def run(*arguments: object) -> Result:
    return CliRunner().invoke(group, ["analyse", *map(str, arguments)])


def test_the_command(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text(CITY)
    shown = run(path, "--judge", "score", "--svg", tmp_path / "game.svg")
    assert shown.exit_code == 0
    assert shown.stdout.startswith("   1 red: draw E; place E 0,-1 180; deploy follower 0,-1 city S\n")
    assert (tmp_path / "game.svg").read_text().startswith("<svg ")
    assert json.loads(run(path, "--json", "--judge", "score").stdout)["scores"] == [4, 3]


def test_of_many_games_each_player_has_a_line(tmp_path: Path) -> None:
    for name in ("first", "second"):
        (tmp_path / f"{name}.txt").write_text(CITY)
    said = run(tmp_path, "--judge", "score").stdout.splitlines()
    assert [line.split(":")[0] for line in said[:2]] == ["first", "second"]
    assert said[-1].split()[:3] == ["red", "2", "4.0"]
    told = [json.loads(line) for line in run(tmp_path, "--json", "--judge", "score").stdout.splitlines()]
    assert [one["game"] for one in told] == ["first", "second"]
    assert "expected one game to draw, got 2" in run(tmp_path, "--svg", tmp_path / "game.svg").output


def test_a_broken_record_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text(CITY.replace("place U 1,0 0", "place U 9,9 0"))
    shown = run(path)
    assert shown.exit_code == 1
    assert "line 6: place U 9,9 0" in shown.output


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nobody", "unknown judge 'nobody'; there are outlook, score, search, search:20000"),
        ("search:much", "budget: expected"),
        ("search:2s", "judge: expected a number of positions, the same on every machine, got '2s'"),
    ],
)
def test_an_unknown_judge_is_refused(name: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        review(read_record(CITY), name)


def test_a_broken_record_is_not_judged() -> None:
    with pytest.raises(RecordError):
        review(read_record(CITY.replace("end", "check score red 99")), "score")


# --- by the search

FARMER = """bastide 1
players red blue
draws scripted

red: draw E; place E 0,-1 180; deploy follower 0,-1 field NL
blue: draw U; place U 1,0 0; pass
"""


def test_the_search_tells_what_was_given_away_and_how_sure_it_is() -> None:
    """A city of two tiles that is complete, and the farmer stands in the field beside it."""
    found = review(read_record(FARMER), "search:300")
    place, deploy = found.turns[0].moves
    assert deploy.best == "deploy follower 0,-1 city S"
    assert deploy.loss - deploy.margin > 1
    assert found.turns[0].loss == pytest.approx(place.loss + deploy.loss)
    assert f"     gave away {deploy.loss:.1f} ± {deploy.margin:.1f}: {deploy.best} was better" in as_text(found)


def test_what_the_search_says_of_a_turn_adds_up() -> None:
    """What the tile gave away is known from the best turn after it, which is what the piece is compared with."""
    for turn in review(read_record(FARMER), "search:300").turns:
        for before, after in pairwise(turn.moves):
            assert before.value == pytest.approx(after.best_value)
        assert all(move.loss >= 0 for move in turn.moves)
        assert all(move.margin == 0 for move in turn.moves if move.action == move.best)


def test_a_turn_that_was_not_finished_is_judged_as_far_as_it_went() -> None:
    """The game was given up before anybody was asked for a follower."""
    found = review(read_record(FARMER + "red: draw U; place U -1,0 0\n"), "search:300")
    assert [move.action for move in found.turns[-1].moves] == ["place U -1,0 0"]


def test_the_search_says_the_same_each_time() -> None:
    assert review(read_record(FARMER), "search:300") == review(read_record(FARMER), "search:300")


# --- plots


def test_scales_have_round_ticks() -> None:
    assert Scale(0, 1, 0, 10).ticks() == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1])
    assert Scale(-13, 87, 0, 10).ticks() == [0, 20, 40, 60, 80]
    assert Scale.over([], 0, 1).ticks()


@pytest.mark.parametrize(
    "drawing",
    [
        dots("Ratings <&>", [("a<b", 1.0, 0.5, 2.0), ("c", 0.0, -1.0, 1.0)]),
        bars("Points", [("a", {"city": 3.0, "road": 2.5}), ("b", {})]),
        histogram("Margins", [-12, 3, 3, 25], 10),
        histogram("Nothing", [], 10),
        lines("Course", {"a": [0, 1, 2], "b": [0, -1, -2]}, marks=[1]),
    ],
)
def test_plots_are_well_formed(drawing: str) -> None:
    assert ElementTree.fromstring(drawing).tag == "{http://www.w3.org/2000/svg}svg"


def test_records_go_through_text_unchanged() -> None:
    assert review(read_record(write_record(read_record(CITY))), "score") == review(read_record(CITY), "score")


@pytest.mark.rule("HOUSE-2")
def test_who_played_alone_reads_par_of_the_same_tiles() -> None:
    few = "+".join(f"{name}=0" for name in "BCEFGHIJKLMNOPQRSTVWX")
    game = Game(players=1, seed=3, tile_counts=few)
    while not game.over:
        game.play(game.legal[0])
    found = review(record_of(game))
    assert found.par == par(game.rules, 3) > game.scores[0]
    assert f"  par with these tiles: {found.par} points" in as_text(found)


def test_par_is_for_those_who_play_alone_to_the_end(won: Review) -> None:
    assert won.par is None
    alone = Game(players=1, seed=3)
    alone.play(alone.legal[0])
    assert review(record_of(alone)).par is None
