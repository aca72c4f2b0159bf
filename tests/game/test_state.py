"""State: what programs that search and learn hold in their hands."""

from __future__ import annotations

import copy
import pickle

import pytest

from bastide.bots import bot, evaluate
from bastide.errors import IllegalAction, OptionError
from bastide.game import Action, Game, RegionNumbers, Rng, Scored, State
from bastide.rules import Rules
from tests.playthrough import choices


def midgame(name: str, steps: int = 40) -> Game:
    """A game after some random actions."""
    game, rng = Game(choices()[name], seed=9), Rng(9)
    for _ in range(steps):
        game.play(game.legal[rng.below(len(game.legal))])
    return game


def test_a_state_begins_where_a_game_begins() -> None:
    state = State(Rules.of(players=3))
    assert (state.chance, state.over, state.scores) == (True, False, (0, 0, 0))
    assert state == Game(Rules.of(players=3), draws="by hand").state()


def test_chance_says_what_can_come_and_how_likely_it_is() -> None:
    state = State(Rules.of())
    outcomes = state.outcomes()
    assert [number for number, _ in outcomes] == state.legal()
    assert sum(weight for _, weight in outcomes) == 71
    state.apply(outcomes[0][0])
    with pytest.raises(IllegalAction, match="nothing is drawn now"):
        state.outcomes()


def test_numbers_and_actions_translate_both_ways() -> None:
    game = midgame("preset_everything")
    state = game.state()
    assert [state.action(number) for number in state.legal()] == list(game.legal)
    assert [state.number(action) for action in game.legal] == state.legal()
    assert state.number(str(game.legal[0])) == state.legal()[0]
    with pytest.raises(IllegalAction, match="deploy follower 90,90 city N is not legal now"):
        state.number(Action.parse("deploy follower 90,90 city N"))


def test_what_is_applied_can_be_taken_back_one_by_one_or_together() -> None:
    state = midgame("preset_everything").state()
    keys = []
    for _ in range(12):
        keys.append(state.key())
        state.apply(state.legal()[-1])
    state.undo()
    assert state.key() == keys.pop()
    state.undo(len(keys))
    assert state.key() == keys[0]
    with pytest.raises(IllegalAction, match="0 actions can be taken back, not 1"):
        state.undo()


def test_a_clone_goes_its_own_way() -> None:
    game = midgame("edition_bigbox2014")
    state = game.state()
    clone = state.clone()
    clone.apply(clone.legal()[0])
    assert clone != state
    assert state == game.state() == pickle.loads(pickle.dumps(state))
    assert hash(state) == hash(game.state())
    assert state != State(Rules.of(players=4))


def test_a_playout_ends_the_game_and_leaves_the_state_alone() -> None:
    state = midgame("preset_everything").state()
    before = state.key()
    assert state.playout(5) == state.playout(5) != state.playout(6)
    assert all(now >= then for now, then in zip(state.playout(5), state.scores, strict=True))
    assert state.key() == before


@pytest.mark.parametrize("name", choices())
def test_regions_in_numbers_are_the_regions_of_the_game(name: str) -> None:
    game = midgame(name, 60)
    state = game.state()
    before = state.key()
    told = {(r.kind, r.tiles, len(r.spots), r.open, r.complete, tuple(r.weights.items())) for r in game.regions}
    assert {numbers(region) for region in state.regions()} == told
    assert len(state.regions()) == len(game.regions)
    assert state.key() == before


def numbers(region: RegionNumbers) -> tuple[object, ...]:
    weights = tuple((seat, weight) for seat, weight in enumerate(region.weights) if weight)
    return region.kind, region.tiles, region.segments, region.open, region.complete, weights


@pytest.mark.rule("BASE-14", "BASE-23")
def test_points_of_a_region_are_what_it_would_score_now() -> None:
    """The start tile's city: one tile, open; then closed with a second."""
    game = Game(scripted=True)
    game.play("draw E")
    open_city = next(region for region in game.state().regions() if region.kind == "city")
    game.play("place E 0,-1 180")
    city = next(region for region in game.state().regions() if region.kind == "city")
    assert (open_city.points, open_city.complete, city.points, city.complete) == (1, False, 4, True)


def test_evaluate_is_zero_to_begin_with_and_asks_for_a_seat() -> None:
    state = State(Rules.of())
    before = state.key()
    assert evaluate(state, 0) == -evaluate(state, 1)
    assert state.key() == before
    with pytest.raises(OptionError, match="seat: expected 0 to 1, got 2"):
        evaluate(state, 2)


def test_a_scripted_state_is_not_played_out() -> None:
    """It drew tiles until there was no room left: IndexError."""
    with pytest.raises(IllegalAction, match="a scripted game has no end"):
        State(Rules.of(scripted=True)).playout(1)


def test_a_copy_of_a_state_goes_its_own_way() -> None:
    """`copy.copy` gave a second State of one and the same position."""
    state = Game(seed=1).state()
    for twin in (copy.copy(state), copy.deepcopy(state)):
        assert twin == state
        twin.apply(twin.legal()[0])
        assert twin != state


def test_regions_generators_and_events_can_be_sent_to_other_processes() -> None:
    """Compiled classes have no pickling of their own: `__init__() missing required argument`."""
    game, player = Game(seed=1), bot("greedy")
    events = [event for _ in range(90) for event in game.play(player.choose(game.view(game.seat)))]
    assert any(isinstance(event, Scored) and event.parts for event in events)
    rng = Rng(3)
    rng.below(5)
    for value in (events, game.state().regions()):
        assert pickle.loads(pickle.dumps(value)) == value
        assert copy.deepcopy(value) == value
    again = pickle.loads(pickle.dumps(rng))
    assert [again.below(1000) for _ in range(3)] == [rng.below(1000) for _ in range(3)]
