"""The public way to play: checked, explained, remembered."""

from __future__ import annotations

import pickle
from random import Random

import pytest

from bastide.errors import ActionSyntaxError, EngineLimit, IllegalAction, OptionError
from bastide.game import CHANCE, Action, Deployed, Drawn, Ended, Game, Placed, Returned, Scored
from bastide.game.legal import LegalActions


def scripted(*texts: str, **choice: object) -> Game:
    game = Game(scripted=True, **choice)  # type: ignore[arg-type]
    for text in texts:
        game.play(text)
    return game


def test_a_seeded_game_draws_by_itself_and_ends() -> None:
    game = Game(players=3, seed=1)
    assert game.first_events == [Drawn(0, game.tile or "")]
    while not game.over:
        game.play(game.legal[0])
    assert game.outcome is not None
    assert game.outcome.scores == game.scores
    assert game.tiles_left == 0


def test_the_same_seed_gives_the_same_draws() -> None:
    def draws(seed: int) -> list[str]:
        game = Game(seed=seed)
        while not game.over:
            game.play(game.legal[-1])
        return [action.tile or "" for _, action in game.history if action.verb == "draw"]

    assert draws(7) == draws(7) != draws(8)


def test_without_a_seed_somebody_says_what_is_drawn() -> None:
    game = Game(draws="by hand")
    assert game.seat == CHANCE
    assert Action.parse("draw D") in game.legal
    assert game.play("draw D") == [Drawn(0, "D")]
    assert game.seat == 0


@pytest.mark.rule("BASE-12", "BASE-14", "BASE-19")
def test_an_action_tells_everything_that_happened() -> None:
    game = scripted("draw E", "place E 0,-1 180")
    deployed, scored, returned = game.play("deploy follower 0,-1 city S")
    assert deployed == Deployed(0, "follower", "0,-1 city S")
    assert isinstance(scored, Scored)
    assert (scored.seat, scored.points, scored.kind, scored.final) == (0, 4, "city", False)
    assert [str(part) for part in scored.parts] == ["tiles 2x2"]
    assert scored.rules == ("BASE-14",)
    assert set(scored.tiles) == {(0, 0), (0, -1)}
    assert returned == Returned(0, "follower", "0,-1 city S")


def test_placing_is_told_with_cell_and_turn() -> None:
    game = scripted("draw E")
    assert game.play("place E 0,-1 180") == [Placed(0, "E", (0, -1), 2)]


def test_the_end_is_told_with_its_outcome() -> None:
    game = scripted("draw E", "place E 0,-1 180", "deploy follower 0,-1 city S")
    *_, ended = game.finish()
    assert isinstance(ended, Ended)
    assert ended.outcome.winners == (0,)
    assert ended.outcome.reason == "stopped"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("place E 0,0 0", "taken"),
        ("place E 5,5 0", "apart"),
        ("place E 1,0 0", "edge"),
        ("place D 1,0 0", "tile"),
        ("place ZZ 1,0 0", "unknown"),
        ("discard E", "fits"),
        ("pass", "question"),
        ("deploy follower 0,0 city N", "question"),
    ],
)
def test_an_illegal_placement_is_refused_with_its_reason(text: str, reason: str) -> None:
    game = scripted("draw E")
    before = game.scores, len(game.board), len(game.legal)
    with pytest.raises(IllegalAction) as refusal:
        game.play(text)
    assert refusal.value.reason == reason
    assert game.explain(text) == str(refusal.value)
    assert (game.scores, len(game.board), len(game.legal)) == before


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("deploy follower 1,0 road E", "occupied"),
        ("deploy follower 0,0 city N", "elsewhere"),
        ("deploy follower 1,0 city N", "spot"),
        ("deploy follower 9,9 city N", "spot"),
        ("deploy knight 1,0 road E", "unknown"),
        ("place U 2,0 0", "question"),
    ],
)
def test_an_illegal_piece_is_refused_with_its_reason(text: str, reason: str) -> None:
    game = scripted("draw U", "place U -1,0 0", "deploy follower -1,0 road E", "draw U", "place U 1,0 0")
    with pytest.raises(IllegalAction) as refusal:
        game.play(text)
    assert refusal.value.reason == reason


@pytest.mark.rule("BASE-11")
def test_without_followers_only_tiles_are_placed() -> None:
    game = Game(scripted=True)
    for x in range(1, 15):
        game.play("draw X")
        game.play(f"place X {x},0 0")
        game.play(f"deploy follower {x},0 road N" if x % 2 else "pass")
    assert game.supply(0) == {"follower": 0}
    game.play("draw X")
    game.play("place X 15,0 0")
    assert list(game.legal) == [Action("pass")]
    assert game.explain("deploy follower 15,0 road N") == "the player has no such piece left: follower"


def test_what_is_no_action_is_no_illegal_action() -> None:
    game = Game(seed=1)
    for text in ("", "jump", "pass now", "place", "place E nowhere", "place E 1,0 45", "draw E now", "deploy follower"):
        with pytest.raises(ActionSyntaxError):
            game.play(text)


def test_a_turn_that_looks_like_another_is_named_only_once() -> None:
    """A crossing of four roads is the same in all four turns; only 0 is legal."""
    game = scripted("draw X")
    assert Action.parse("place X 1,0 0") in game.legal
    assert game.explain("place X 1,0 90") == "this rotation looks like an earlier one; use that one"


def test_legal_actions_of_an_earlier_moment_are_refused() -> None:
    game = Game(seed=1)
    legal = LegalActions(game)
    game.play(game.legal[0])
    with pytest.raises(RuntimeError, match="earlier moment"):
        list(legal)


def test_undo_takes_back_an_action_and_the_draws_made_for_it() -> None:
    random = Random(3)
    game = Game(seed=5, players=4)
    past = []
    for _ in range(120):
        past.append((list(game.history), game.scores, list(game.legal)))
        game.play(random.choice(game.legal))
    for history, scores, legal in reversed(past):
        game.undo()
        assert (list(game.history), game.scores, list(game.legal)) == (history, scores, legal)
    with pytest.raises(IllegalAction, match="there is no action to take back"):
        game.undo()
    assert len(game.history) == 1


def test_a_copy_goes_its_own_way_with_the_same_past() -> None:
    game = Game(seed=9)
    for _ in range(20):
        game.play(game.legal[0])
    twin = game.copy()
    twin.play(twin.legal[0])
    assert len(twin.history) > len(game.history)
    while not game.over:
        game.play(game.legal[0])
    while not twin.over:
        twin.play(twin.legal[0])
    assert twin.history == game.history
    for _ in range(30):
        assert twin.undo() == game.undo()


@pytest.mark.parametrize("steps", [0, 1, 50, 1000])
def test_games_can_be_sent_to_other_processes(steps: int) -> None:
    game = Game(seed=4, players=3, edition="classic", names=("ann", "bob", "cleo"))
    while not game.over and len(game.history) < steps:
        game.play(game.legal[0])
    twin = pickle.loads(pickle.dumps(game))
    assert (twin.history, twin.scores, twin.names) == (game.history, game.scores, game.names)
    if not game.over:
        assert twin.play(twin.legal[0]) == game.play(game.legal[0])
        assert twin.undo() == game.undo()


def test_a_finished_scripted_game_can_be_sent_too() -> None:
    game = scripted("draw U", "place U 1,0 0", "deploy follower 1,0 road E")
    game.finish()
    assert pickle.loads(pickle.dumps(game)).scores == game.scores == (2, 0)


def test_the_state_itself_can_be_sent() -> None:
    game = Game(seed=2)
    engine = pickle.loads(pickle.dumps(game.engine))
    assert list(engine.s) == list(game.engine.s)


@pytest.mark.parametrize(
    "names", [("a",), ("a", "a"), ("a b", "c"), ("a:", "b"), ("", "b"), ("x" * 41, "b"), ("a;", "b"), ("#", "b")]
)
def test_names_must_fit_into_a_record(names: tuple[str, ...]) -> None:
    with pytest.raises(OptionError, match="names"):
        Game(names=names, players=2)


def test_rules_or_what_they_are_made_of_but_not_both() -> None:
    with pytest.raises(OptionError, match="not both"):
        Game(Game().rules, players=3)


def test_other_tiles_may_lie_at_the_start() -> None:
    game = Game(scripted=True, start=[("X", (0, 0), 0), ("U", (1, 0), 0)])
    assert [laid.tile.id for laid in game.board.values()] == ["X", "U"]
    with pytest.raises(OptionError, match="does not fit"):
        Game(scripted=True, start=[("X", (0, 0), 0), ("C", (1, 0), 0)])
    with pytest.raises(OptionError, match="expected a tile in play"):
        Game(scripted=True, start=[("ZZ", (0, 0), 0)])


def test_only_a_scripted_game_is_ended_by_hand() -> None:
    with pytest.raises(IllegalAction, match="scripted"):
        Game(seed=1).finish()
    game = scripted()
    game.finish()
    with pytest.raises(IllegalAction, match="ended"):
        game.finish()
    assert game.explain("draw D") == "the game has ended"


@pytest.mark.rule("BASE-3")
def test_who_begins_can_be_drawn_by_lot() -> None:
    game = Game(players=4, first_player="random", draws="by hand")
    assert [str(action) for action in game.legal] == ["draw seat_1", "draw seat_2", "draw seat_3", "draw seat_4"]
    game.play("draw seat_3")
    assert (game.seat, game.turn) == (CHANCE, 2)
    game.play("draw D")
    assert game.seat == 2


@pytest.mark.rule("BASE-27")
def test_a_tie_is_shared_or_lost_by_who_began() -> None:
    shared = scripted()
    shared.finish()
    assert shared.outcome is not None
    assert shared.outcome.winners == (0, 1)
    lost = scripted(preset="tournament")
    lost.finish()
    assert lost.outcome is not None
    assert (lost.outcome.winners, lost.outcome.ranking) == ((1,), (1, 0))
    by_lot = scripted("draw seat_2", preset="tournament", first_player="random")
    by_lot.finish()
    assert by_lot.outcome is not None
    assert (by_lot.outcome.winners, by_lot.outcome.ranking) == ((0,), (0, 1))


def test_a_scripted_game_has_room_for_more_tiles_than_the_box() -> None:
    game = Game(scripted=True)
    room = game.rules.shape.squares
    for x in range(1, room):
        game.play("draw U")
        game.play(f"place U {x},0 0")
        game.play("pass")
    game.play("draw U")
    with pytest.raises(EngineLimit, match=f"room for {room} tiles"):
        game.play(f"place U {room},0 0")
    assert len(game.board) == room


def test_objects_print_as_something_to_read() -> None:
    game = Game(seed=1)
    assert str(game).splitlines()[-1] == "  B blue: 0 points, follower 7"
    assert repr(game.board) == "<Board of 1 tiles, 0 pieces>"
    assert repr(game.legal).startswith(f"<{len(game.legal)} legal actions: place ")
