"""What a seat may know, and what it may not."""

from __future__ import annotations

import pytest

from bastide.game import CHANCE, SPECTATOR, Game, Rng
from bastide.game.secrets import secrets_of
from bastide.kernel.offsets import SCORE


def dealt() -> Game:
    """Two players with three tiles in hand each, all of them known to us."""
    game = Game(hand=3, draws="by hand")
    for name in ("D", "E", "U", "V", "V", "W"):
        game.play(f"draw {name}")
    return game


@pytest.mark.rule("BASE-5")
def test_everybody_sees_the_tile_drawn() -> None:
    game = Game(seed=1)
    assert {game.view(seat).tile for seat in (0, 1, SPECTATOR)} == {game.tile}


def test_only_who_is_asked_has_legal_actions() -> None:
    game = Game(seed=1)
    assert list(game.view(0).legal) == list(game.legal)
    assert game.view(1).legal == ()
    assert not game.view(SPECTATOR).mine


@pytest.mark.rule("BASE-29")
def test_a_hand_is_seen_by_its_owner_alone() -> None:
    game = dealt()
    assert sorted(game.view(0).secret) == ["D", "E", "U"]
    assert game.view(SPECTATOR).secret == ()
    assert game.view(1).secret_counts == (3, 3)


@pytest.mark.rule("BASE-29")
def test_secret_draws_of_others_show_no_name() -> None:
    shown = [str(action) for _, action in dealt().view(0).history]
    assert shown == ["draw D", "draw E", "draw U", "draw ?", "draw ?", "draw ?"]


@pytest.mark.rule("BASE-29")
def test_tiles_in_others_hands_count_as_unseen() -> None:
    game = dealt()
    mine, watching = game.view(0).unseen, game.view(SPECTATOR).unseen
    assert (mine["V"], mine["W"], mine["E"]) == (9, 4, 4)
    assert (watching["V"], watching["W"], watching["E"]) == (9, 4, 5)


@pytest.mark.rule("BASE-29")
def test_an_imagined_position_keeps_what_is_known_and_deals_the_rest_anew() -> None:
    game = dealt()
    view = game.view(0)
    hands = set()
    for seed in range(1, 30):
        engine = view.imagine(Rng(seed)).engine
        assert sorted(secrets_of(engine, 0)) == ["D", "E", "U"]
        hands.add(tuple(sorted(secrets_of(engine, 1))))
        assert sum(engine.s[engine.bag + kind] for kind in range(game.rules.types)) == game.tiles_left
    assert len(hands) > 10


@pytest.mark.rule("BASE-28")
def test_laps_of_the_score_track() -> None:
    game = Game(scripted=True)
    game.engine.s[SCORE] = 104
    assert game.view(1).laps == (2, 0)


def test_the_end_is_for_everybody() -> None:
    game = Game(seed=3)
    while not game.over:
        game.play(game.legal[0])
    view = game.view(SPECTATOR)
    assert view.outcome == game.outcome
    assert not view.mine
    assert view.decides != CHANCE or view.over
    assert len(view.board) == len(game.board)
    assert len(view.regions) == len(game.regions)
    assert view.supply == tuple(game.supply(seat) for seat in range(2))
