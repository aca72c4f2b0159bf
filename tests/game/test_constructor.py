"""What `Game(...)` makes of what it is given, and what it refuses."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import pytest

from bastide.errors import ActionSyntaxError, BastideError, IllegalAction, OptionError, StaleError
from bastide.game import CHANCE, SPECTATOR, Action, Drawn, Game, Place, View
from bastide.rules import Module, Rules, Spec
from bastide.rules.position import Position


def test_a_game_without_a_seed_draws_by_itself_and_shows_its_seed() -> None:
    """The loop of the README without a seed let the second player's bot choose every tile."""
    game = Game()
    assert game.seat == 0
    assert game.tile is not None
    assert game.seed is not None
    again = Game(seed=game.seed)
    assert (again, again.tile) == (game, game.tile)
    assert len({Game().seed for _ in range(5)}) > 1


def test_tiles_are_drawn_by_hand_where_that_is_asked_for() -> None:
    game = Game(draws="by hand")
    assert (game.seat, game.seed, game.tile) == (CHANCE, None, None)
    with pytest.raises(OptionError, match="by seed"):
        Game(draws="never")  # type: ignore[arg-type]


def test_chance_and_spectators_are_no_index_and_not_the_same() -> None:
    """Both were -1: the last of a list of players."""
    game = Game(draws="by hand")
    players = ["ann", "bob"]
    for nobody in (game.seat, SPECTATOR):
        with pytest.raises(IndexError):
            players[nobody]
    assert len({CHANCE, SPECTATOR}) == 2
    assert game.state().seat == CHANCE
    assert pickle.loads(pickle.dumps(CHANCE)) is CHANCE


def test_a_spectator_is_never_asked() -> None:
    """`view(SPECTATOR).mine` was true while a tile was drawn, and listed the draws."""
    view = Game(draws="by hand").view(SPECTATOR)
    assert not view.mine
    assert list(view.legal) == []


@pytest.mark.parametrize("seat", [2, 99, -1, True, "0", None, CHANCE])
def test_a_seat_that_nobody_has_is_refused(seat: int) -> None:
    """It answered with whatever lay there in the state."""
    game = Game(seed=1)
    for ask in (game.supply, game.secrets, game.view):
        with pytest.raises(OptionError, match="seat: expected 0 to 1"):
            ask(seat)
    with pytest.raises(OptionError, match="seat: expected 0 to 1"):
        game.supply(SPECTATOR)


@pytest.mark.parametrize("seed", [2**63, -1, 1.0, "7", True])
def test_a_seed_that_is_none_is_refused(seed: int) -> None:
    """`seed=2**63` was a TypeError of the compiled engine."""
    with pytest.raises(OptionError, match="seed: expected a whole number"):
        Game(seed=seed)
    assert Game(seed=2**63 - 1).tile


@pytest.mark.parametrize(
    ("argument", "said"),
    [
        ({"players": "2"}, "players: expected a number, got '2'"),
        ({"edition": 5}, "edition: expected a name, got 5"),
        ({"preset": 5}, "preset: expected a name, got 5"),
        ({"scripted": 1}, "scripted: expected True or False, got 1"),
        ({"modules": 5}, "modules: expected a list of names, got 5"),
        ({"names": None}, "names: expected a list, got None"),
        ({"start": 5}, "start: expected a list, got 5"),
    ],
    ids=str,
)
def test_an_argument_of_another_kind_is_refused(argument: dict[str, Any], said: str) -> None:
    """Most of them were a TypeError of whatever met them first."""
    with pytest.raises(BastideError) as refused:
        Game(**argument)
    assert str(refused.value) == said


def test_a_start_without_tiles_is_the_usual_one() -> None:
    """An empty iterator took all tiles off the board."""
    assert len(Game(scripted=True, start=iter(())).board) == 1  # type: ignore[arg-type]


def test_a_scripted_game_takes_no_seed() -> None:
    """It drew from an empty bag at its end: IndexError."""
    with pytest.raises(OptionError, match="seed: expected none"):
        Game(seed=1, scripted=True)
    with pytest.raises(OptionError, match="seed: expected none"):
        Game(seed=1, draws="by hand")


def test_scripted_rules_make_a_scripted_game() -> None:
    rules = Rules.of(scripted=True)
    assert Game(rules).rules is rules
    assert Game(rules, scripted=True).rules is rules
    assert not Game(rules, scripted=False, seed=1).rules.scripted
    assert Game(Rules.of(), scripted=True).rules.scripted


@pytest.mark.parametrize(
    "wrong",
    [
        {"rules": "classic"},
        {"names": [1, 2]},
        {"names": ["ann", None]},
        {"modules": "abbot"},
        {"modules": [3]},
        {"players": True},
        {"players": 2.0},
    ],
)
def test_a_value_of_another_type_is_refused(wrong: dict[str, Any]) -> None:
    """These were TypeErrors and AttributeErrors; `modules="abbot"` looked for a box named a."""
    with pytest.raises(BastideError, match=f"^{next(iter(wrong))}: expected"):
        Game(**wrong)


@pytest.mark.parametrize("read", [Game.from_position, Game.from_record])
def test_what_is_no_text_is_no_position(read: Callable[[Any], Game]) -> None:
    with pytest.raises(BastideError, match="line 1: expected"):
        read(None)


def test_rules_take_only_the_edition_by_place() -> None:
    with pytest.raises(TypeError):
        Rules.of("classic", ["river"])  # type: ignore[call-arg]


# --- finish and undo


def test_undo_after_finish_takes_back_the_finish_only() -> None:
    """It took back an action as well."""
    game = Game(scripted=True)
    game.play("draw U")
    before = game.state(), list(game.history)
    game.finish()
    assert game.over
    assert game.undo() is None
    assert (game.state(), game.history) == before
    assert game.outcome is None
    assert game.undo() == Action("draw", tile="U")


def test_a_game_ended_by_hand_before_anything_was_done_can_go_on() -> None:
    game = Game(scripted=True)
    game.finish()
    game.undo()
    with pytest.raises(IllegalAction):
        game.undo()
    assert not game.over


class Failing(Module):
    """Fails after others have scored."""

    def final(self, pos: Position) -> None:
        raise RuntimeError("a module fails")


FAILING = Spec(name="failing", make=lambda options: [Failing()], order=90, prefix="FAIL")


def test_a_module_that_fails_at_the_end_leaves_the_game_as_it_was() -> None:
    """The game stayed stopped, with its listener attached."""
    game = Game(scripted=True, modules=[FAILING])
    for text in ("draw U", "place U 1,0 0", "deploy follower 1,0 road E"):
        game.play(text)
    before = game.state()
    with pytest.raises(RuntimeError, match="a module fails"):
        game.finish()
    assert (game.state(), game.scores, game.engine.listener, game.outcome) == (before, (0, 0), None, None)
    assert game.play("draw U")


def test_an_action_is_not_played_when_the_draw_after_it_fails() -> None:
    """The action stayed played though it raised."""
    game = Game(seed=1)
    game.play(game.legal[0])
    before, history, legal = game.state(), list(game.history), list(game.legal)

    class Broken:
        def deal(self, engine: object) -> int:
            raise RuntimeError("no tile")

    dealer, game._dealer = game._dealer, Broken()  # type: ignore[assignment]
    with pytest.raises(RuntimeError, match="no tile"):
        game.play("pass")
    assert (game.state(), game.history, list(game.legal)) == (before, history, legal)
    game._dealer = dealer
    assert any(isinstance(event, Drawn) for event in game.play("pass"))


# --- play and find


def test_a_number_is_no_action() -> None:
    """It was an AttributeError."""
    game = Game(seed=1)
    with pytest.raises(ActionSyntaxError, match="expected an Action or its text, got 5"):
        game.play(5)  # type: ignore[arg-type]
    with pytest.raises(ActionSyntaxError):
        game.explain(None)  # type: ignore[arg-type]


def test_an_action_is_found_by_its_fields() -> None:
    game = Game(scripted=True)
    game.play(game.find("draw", tile="U"))
    assert game.find("place", cell=(1, 0)) == Action("place", tile="U", cell=(1, 0), rotation=0)
    game.play("place U 1,0 0")
    assert str(game.find("deploy", spot="road E")) == "deploy follower 1,0 road E"
    with pytest.raises(IllegalAction, match=r"matches deploy, piece='follower'; \d+ do"):
        game.find("deploy", piece="follower")
    with pytest.raises(IllegalAction, match="0 do"):
        game.find("deploy", piece="abbot")
    with pytest.raises(OptionError, match="pass has the fields none"):
        game.find("pass", cell=(1, 0))
    with pytest.raises(OptionError, match="got 'jump'"):
        game.find("jump")
    assert Place((1, 0), "road E") == ((1, 0), "road E")


def test_whoever_expects_a_value_error_gets_one() -> None:
    game = Game(seed=1)
    for wrong in ("jump", "draw Z", "pass"):
        with pytest.raises(ValueError, match=r"."):
            game.play(wrong)
    with pytest.raises(ValueError, match="seat"):
        game.supply(9)
    assert issubclass(OptionError, BastideError)


# --- views


def test_a_view_tells_nothing_of_later_moments() -> None:
    """Scores and tile were of then, board, history and legal actions of whenever somebody looked."""
    game = Game(seed=1)
    view = game.view(0)
    looked = view.board, view.history
    game.play(game.legal[0])
    assert (view.board, view.history) == looked
    for ask in ("legal", "regions", "supply", "unseen", "secret", "secret_counts", "outcome"):
        with pytest.raises(StaleError, match="earlier moment"):
            getattr(view, ask)
    with pytest.raises(StaleError, match="earlier moment"):  # it told of the game as it was by then
        view.position()
    game.undo()
    with pytest.raises(StaleError):
        view.legal  # noqa: B018


def test_a_view_hides_what_others_draw_in_secret() -> None:
    game = Game(seed=5, hand=3, players=2)
    mine, other, watching = (View(game, seat) for seat in (0, 1, SPECTATOR))
    drawn = [event for event in game.first_events if isinstance(event, Drawn)]
    assert len(drawn) == 6
    assert all(event.secret for event in drawn)
    names = [[e.name for e in view.events(drawn) if isinstance(e, Drawn)] for view in (mine, other, watching)]
    assert [[name == "?" for name in seen] for seen in names] == [
        [event.seat != 0 for event in drawn],
        [event.seat != 1 for event in drawn],
        [True] * 6,
    ]
    told = [name for seen in names[:2] for name in seen if name != "?"]
    assert sorted(told) == sorted(event.name for event in drawn)


def test_a_game_prints_as_its_board() -> None:
    game = Game(seed=1)
    assert len(str(game).splitlines()) > 3
    assert "red" in str(game)
    assert game._repr_svg_().startswith("<svg")  # type: ignore[attr-defined]
