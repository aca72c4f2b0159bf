"""Positions as text: what they say, that they come back as they were, and what is refused."""

from __future__ import annotations

import pickle
import re
from typing import Any

import pytest

from bastide.errors import BastideError, RecordError
from bastide.game import CHANCE, SPECTATOR, Game, Rng
from bastide.native import compiled
from bastide.rules import Rules
from tests.round_trips import every_choice, round_trips

TRIPS = 4 if compiled() else 1
MUTANTS = 400 if compiled() else 60
MOST_STEPS = 2000  # no game has so many actions
SCRIPTED_STEPS = 30  # of games that never end by themselves

KNIGHT = """\
bastide 1
edition bigbox2014
players red blue
draws scripted
tiles D 0,0 0; U 1,0 0
figures red follower 1,0 road E
scores 0 4
agenda blue place E
"""


def played() -> Game:
    """The game to which KNIGHT belongs, but for the points."""
    game = Game(scripted=True)
    for action in ("draw U", "place U 1,0 0", "deploy follower 1,0 road E", "draw E"):
        game.play(action)
    return game


def test_a_position_says_everything_and_nothing_about_the_past() -> None:
    game = Game.from_position(KNIGHT)
    assert game.position() == KNIGHT
    assert (game.scores, game.seat, game.tile, len(game.board)) == ((0, 4), 1, "E", 2)
    assert game.supply(0) == {"follower": 6}
    assert game.history == []
    assert list(game.legal) == list(played().legal)


def test_the_text_of_a_game_that_was_played() -> None:
    assert played().position() == KNIGHT.replace("scores 0 4", "scores 0 0")


@pytest.mark.parametrize("name", every_choice())
def test_a_position_comes_back_as_it_was(name: str) -> None:
    """Equal, with the same legal actions in the same order, and random play from both goes alike."""
    assert len(list(round_trips(every_choice()[name], TRIPS, seed=77))) == TRIPS


def test_what_follows_from_the_rest_is_not_written_but_what_differs_is() -> None:
    game = Game(seed=1)
    assert "bag" not in game.position()
    assert "supply" not in game.position()
    text = game.position().replace("agenda", "bag E 2\nsupply blue follower 3\nagenda")
    other = Game.from_position(text)
    assert other.supply(1) == {"follower": 3}
    assert other.view(0).unseen["E"] == 2
    assert other.position() == text.replace("bag E 2\nsupply blue follower 3", "supply blue follower 3\nbag E 2")


def test_with_a_seed_tiles_are_drawn_by_themselves() -> None:
    game = Game.from_position(Game(Rules.of(), draws="by hand").position(), seed=5)
    assert game.tile is not None
    game.play(game.legal[0])
    game.play("pass")
    assert game.tile is not None
    assert game.history[0][1].verb == "draw"


def test_a_game_from_a_position_can_be_recorded_copied_and_pickled() -> None:
    game = Game.from_position(KNIGHT)
    game.play("place E 0,-1 180")
    game.play("pass")
    assert game.record().startswith(KNIGHT)
    for other in (Game.from_record(game.record()), game.copy(), pickle.loads(pickle.dumps(game))):
        assert other == game
        assert other.record() == game.record()
    game.undo()
    game.undo()
    assert game.position() == KNIGHT


def test_a_copy_without_its_past_begins_where_it_is() -> None:
    game = played()
    copy = game.copy(past=False)
    assert (copy.history, copy.state(), copy.position()) == ([], game.state(), game.position())
    assert copy != game
    assert Game.from_record(copy.record()) == copy
    with pytest.raises(BastideError, match="there is no action to take back"):
        copy.undo()


def test_equal_games_have_the_same_rules_players_past_and_position() -> None:
    game = played()
    assert game == game.copy() == Game.from_record(game.record()) == eval(repr(game))
    assert game != Game(scripted=True)
    assert Game(Rules.of(players=3), names="abc", seed=1) != Game(Rules.of(players=3), names="abd", seed=1)
    assert Game(Rules.of(), seed=1) != Game(Rules.of("classic"), seed=1)


@pytest.mark.parametrize("name", ["hand_3", "preset_everything", "over_hill_and_dale", "scripted"])
def test_rules_print_as_what_makes_them_again(name: str) -> None:
    rules = every_choice()[name]
    assert eval(repr(rules)) is rules


HIDING = {name: rules for name, rules in every_choice().items() if rules.layout.secrets}


def test_hands_and_harvests_are_hidden() -> None:
    assert {"hand_3", "hand_and_river", "over_hill_and_dale"} <= set(HIDING)


@pytest.mark.parametrize("name", HIDING)
def test_a_seat_writes_only_what_it_knows(name: str) -> None:
    """The text is the same for every position that could be the real one, and reading it deals one of them."""
    hidden = 0
    played, rng = Game(HIDING[name], seed=32), Rng(32)
    for _ in range(3):
        for _ in range(30):
            played.play(played.legal[rng.below(len(played.legal))])
        game = played.copy(past=False)
        for seat in (0, len(game.names) - 1, SPECTATOR):
            text = game.view(seat).position()
            other = game.copy(past=False)
            other.engine = game.view(seat).imagine(Rng(5)).engine
            assert other.view(seat).position() == text
            if "draw" not in text.splitlines()[-1] and "deal" not in text:  # else something is drawn at once
                assert Game.from_position(text, seed=8).view(seat).position() == text
            hidden += "secret" in text
    assert hidden > 0


def test_a_position_with_secrets_is_read_with_a_seed() -> None:
    text = Game(hand=3, seed=1).view(1).position()
    assert "secret hand red 3" in text
    assert "seen_by blue" in text
    with pytest.raises(RecordError, match="expected a seed with which to deal it, found none"):
        Game.from_position(text)
    games = [Game.from_position(text, seed=seed) for seed in range(1, 5)]
    assert len({game.secrets(1) for game in games}) == 1
    assert len({game.secrets(0) for game in games}) > 1
    assert all(len(game.secrets(0)) == 3 for game in games)


def test_a_scripted_position_with_secrets_can_be_read_too() -> None:
    """A seed was asked for, to deal what is hidden, and refused, because scripted games draw by hand."""
    game = Game(hand=3, scripted=True)
    while game.seat is CHANCE:
        game.play(game.legal[0])
    text = game.view(1).position()
    with pytest.raises(RecordError, match="expected a seed"):
        Game.from_position(text)
    again = Game.from_position(text, seed=4)
    assert again.secrets(1) == game.secrets(1)
    assert again.seed is None
    assert again.view(1).position() == text


WRONG = [
    ("tiles D 0,0 0; U 1,0 0", "tiles D 0,0 0; U 1,0 45", "line 5: expected a turn (0, 90, 180, 270), found '45'"),
    ("tiles D 0,0 0; U 1,0 0", "tiles D 0,0 0; U 1,0 90", "line 5: expected a tile that fits there, found U 1,0 90"),
    ("tiles D 0,0 0; U 1,0 0", "tiles D 0,0 0; U 9,0 0", "line 5: expected a tile that fits there, found U 9,0 0"),
    ("tiles D 0,0 0; U 1,0 0", "tiles D 0,0 0; U 1,0 0;", "line 5: expected a tile, found the end of the line"),
    ("tiles D 0,0 0", "tiles Q9 0,0 0", "line 5: expected a tile in play, found 'Q9'"),
    ("tiles D 0,0 0", "tiles D 999999,0 0", "line 5: expected a cell nearer than 131072, found 999999,0"),
    ("red follower 1,0 road E", "pink follower 1,0 road E", "line 6: expected a player (red, blue), found 'pink'"),
    ("red follower 1,0 road E", "red dragon 1,0 road E", "line 6: expected a piece (follower), found 'dragon'"),
    ("red follower 1,0 road E", "red follower 7,7 road E", "line 6: expected a cell with a tile, found 7,7"),
    ("red follower 1,0 road E", "red follower 1,0 city N", "line 6: expected a spot of the tile on 1,0"),
    ("red follower 1,0 road E", "; ".join(["red follower 1,0 road E"] * 6), "line 6: a segment holds at most 5 pieces"),
    ("scores 0 4", "scores 0", "line 7: expected points, found the end of the line"),
    ("scores 0 4", "scores 0 4 5", "line 7: expected the end of the line, found '5'"),
    ("scores 0 4\n", "", "line 7: expected 'scores' in the position, found none"),
    ("scores 0 4", "scores 0 4\nscores 0 4", "line 8: scores stands twice in the header"),
    ("scores 0 4", "scores 0 4\nfield crown -", "line 8: expected a field (these rules have none), found 'crown'"),
    ("scores 0 4", "scores 0 4\nsupply red follower 8", "line 8: a supply: expected 0 to 6, found 8"),
    ("scores 0 4", "scores 0 4\nextra_turn soon", "line 8: expected an extra turn (no, due, had), found 'soon'"),
    ("scores 0 4", "start D 0,0 0\nscores 0 4", "line 5: expected either 'start' or a position in the header"),
    ("agenda blue place E", "agenda blue done", "line 8: expected a question at the end, found 'done'"),
    ("agenda blue place E", "agenda blue over; red deploy", "line 8: expected 'over' alone"),
    ("agenda blue place E", "agenda blue dance", "line 8: expected a question (over, draw, place, deploy, "),
    ("agenda blue place E", "agenda blue scoring 3; blue deploy", "line 8: expected one of 0 closed regions"),
    ("agenda blue place E", "agenda blue ending 1; blue deploy", "line 8: a number of modules: expected 0 to 0"),
    ("agenda blue place E", "agenda blue place E; blue place E", "line 8: expected at the end what is asked now"),
    ("agenda blue place E", "agenda blue first 0", "line 8: expected the turn itself at the beginning of the agenda"),
    ("scores 0 4", "scores 0 -4", "line 7: points: expected 0 to 99999, found -4"),
    ("agenda blue place E\n", "agenda blue place E\n\nred: pass\n", "line 10: expected the end of the position"),
]  # fmt: skip


@pytest.mark.parametrize(("said", "instead", "reason"), WRONG)
def test_what_cannot_be_is_refused_with_its_line(said: str, instead: str, reason: str) -> None:
    assert said in KNIGHT
    with pytest.raises(RecordError, match=re.escape(reason)):
        Game.from_position(KNIGHT.replace(said, instead))


def test_no_more_tiles_than_there_are() -> None:
    text = KNIGHT.replace("draws scripted\n", "").replace("U 1,0 0", "; ".join(f"A {x},0 270" for x in (1, 1, 1)))
    with pytest.raises(RecordError, match="line 4: expected at most 2 tiles A, found 3"):
        Game.from_position(text)


def test_a_record_is_no_position() -> None:
    with pytest.raises(RecordError, match="expected a position with 'tiles', 'scores' and 'agenda'"):
        Game.from_position(Game(Rules.of(), seed=1).record())


def test_whatever_is_broken_in_a_text_nothing_but_a_refusal_comes_of_it() -> None:
    """Words and lines swapped, lost, doubled and replaced; what is still accepted can be played to its end."""
    texts = [next(round_trips(rules, 1, seed=9)).position() for rules in every_choice().values()]
    rng = Rng(123)
    accepted = 0
    for _ in range(MUTANTS):
        text = texts[rng.below(len(texts))]
        for _ in range(1 + rng.below(3)):
            text = mutated(text, texts, rng)
        try:
            game = Game.from_position(text)
        except BastideError:
            continue
        accepted += 1
        assert Game.from_position(game.position()) == game
        for _ in range(SCRIPTED_STEPS if game.rules.scripted else MOST_STEPS):
            if game.over:
                break
            game.play(game.legal[rng.below(len(game.legal))])
        assert game.over or game.rules.scripted
    assert 0 < accepted < MUTANTS


def mutated(text: str, texts: list[str], rng: Rng) -> str:
    """One word, character or line of a text is not what it was."""
    if rng.below(4) == 0:
        lines, others = text.splitlines(), texts[rng.below(len(texts))].splitlines()
        at = rng.below(len(lines))
        same = [line for line in others if line.split()[:1] == lines[at].split()[:1]]
        return "\n".join([*lines[:at], *same[:1], *lines[at + 1 :], ""])
    words = re.split(r"(\s|;|,)", text)
    at = rng.below(len(words))
    other = re.split(r"(\s|;|,)", texts[rng.below(len(texts))])
    match rng.below(5):
        case 0:
            words[at] = other[rng.below(len(other))]
        case 1:
            del words[at]
        case 2:
            words.insert(at, words[rng.below(len(words))])
        case 3:
            words[at] = str(rng.below(1 << 31) - (1 << 30))
        case _:
            words[at] = words[at][:-1] + chr(rng.below(0x250))
    return "".join(words)


TWO_WANDERERS = "figures red meeple 0,0 path E; blue meeple 0,0 path E\nagenda"

# Positions that were accepted, and games that died or hung later.
DIED: list[tuple[dict[str, Any], str, str, str]] = [
    # lines of segments were joined only when all squares of the wheel lie; list_occupied never came to an end
    ({"modules": ["wheel_of_fortune"]}, "; WOF-BOARD.2-2 1,1 0", "", "expected all squares of the big tile"),
    ({"modules": ["wheel_of_fortune"]}, "agenda", "field crown - - follower:red\nagenda", ""),
    ({"modules": ["wheel_of_fortune"]}, "agenda", "field crown - follower:red\nagenda", "followers in order"),
    ({"modules": ["wheel_of_fortune"]}, "agenda", "field crown follower:red follower:red\nagenda", "crown spaces of"),
    ({"modules": ["hills_and_sheep"]}, "agenda", "field shepherds red 0,0 field ER\nagenda", "where shepherds stand"),
    ({"modules": ["hills_and_sheep"]}, "agenda", "figures red shepherd 0,0 field ER\nagenda", "all who stand"),
    ({"modules": ["hills_and_sheep"]}, "agenda", "field flock red sheep_1 1\nagenda", "found one beside nobody"),
    ({"modules": ["hills_and_sheep"]}, "agenda red draw land", "agenda red laid 1; red tend 0,0 field ER", "one who"),
    ({"modules": ["traders_and_builders"]}, "agenda", "field goods red wine -5\nagenda", "a number from 0 to 9999"),
    ({"modules": ["wheel_of_fortune"]}, "agenda", "field pig_sector plague\nfield pig_sector plague\nagenda", "twice"),
    ({"modules": ["over_hill_and_dale"]}, "agenda red draw land", "agenda red scoring 0; red share 0", "winners as"),
    ({"modules": ["over_hill_and_dale"]}, "agenda", "field to_share pumpkin 1\nagenda", "tokens in the field"),
    ({"modules": ["over_hill_and_dale"]}, "agenda", "field harvest red scarecrow 9999\nagenda", "tokens scarecrow"),
    ({"modules": ["over_hill_and_dale"]}, "agenda", TWO_WANDERERS, "one piece on a segment"),
    ({"first_player": "random", "first_player_tied": "loses"}, "agenda", "field first_seat 7\nagenda", "0 to 1"),
    ({"hand": 3}, "agenda red choose; ", "agenda ", "expected the turn"),
    ({"hand": 3}, "agenda red choose; ", "agenda red choose; red choose; ", "the turn itself once"),
    ({"hand": 3}, "agenda red choose; ", "agenda red choose; red deal 0; ", "expected at most 3 tiles in a hand"),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "said", "instead", "reason"), DIED)
def test_what_would_break_the_game_later_is_refused_at_once(
    rules: dict[str, Any], said: str, instead: str, reason: str
) -> None:
    text = Game(Rules.of(**rules), draws="by hand").position()
    assert said in text
    changed = text.replace(said, instead, 1)
    if reason:
        with pytest.raises(RecordError, match=re.escape(reason)):
            Game.from_position(changed)
    else:
        assert Game.from_position(changed).position() == changed


def test_no_more_pieces_come_into_play_than_there_are() -> None:
    """Pieces on the board and a full supply were more than the board has room for."""
    with pytest.raises(RecordError, match="line 8: a supply: expected 0 to 6, found 7"):
        Game.from_position(KNIGHT.replace("agenda", "supply red follower 7\nagenda"))
    with pytest.raises(RecordError, match="line 6: tiles: expected 0 to 0, found 1"):
        Game.from_position(
            Game(draws="by hand").position().replace("draw land", "place X").replace("agenda", "bag X 1\nagenda")
        )


def test_the_start_tiles_may_stand_anywhere_in_the_text() -> None:
    """With the wheel and the river they did not come first: nothing was joined across the squares of the wheel."""
    game = Game(Rules.of(modules=["wheel_of_fortune", "river"]), draws="by hand")
    text = game.position()
    lines = text.splitlines()
    tiles = [part for line in lines if line.startswith("tiles") for part in line[6:].split("; ")]
    others = [line for line in lines if not line.startswith("tiles")]
    other = Game.from_position("\n".join([*others[:-2], f"tiles {'; '.join(tiles[1:] + tiles[:1])}", *others[-2:]]))
    assert other.position() == text
    assert len(other.regions) == len(game.regions)
