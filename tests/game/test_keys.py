"""Keys of positions: equal exactly when everything that can follow is the same."""

from __future__ import annotations

import pytest

from bastide.game import Game, Rng
from bastide.kernel.offsets import EXTRA, HIDDEN, PIECES, REMAINING, SCORE, SUPPLY
from bastide.native import compiled
from bastide.rules.layout import HOLDS
from bastide.rules.position import DRAW
from tests.playthrough import choices

PAIRS = 200 if compiled() else 3  # of placements, tried in both orders, until ...
ENOUGH = 2  # ... so many pairs led to one position


def described(game: Game) -> tuple[object, ...]:
    """Everything that people can see of a position, in an order of its own."""
    engine = game.engine
    return (
        sorted((cell, laid.tile.id, laid.rotation) for cell, laid in game.board.items()),
        sorted((f.seat, f.piece, f.cell, f.spot) for f in game.board.figures),
        game.scores,
        [game.supply(seat) for seat in range(len(game.names))],
        [int(engine.s[engine.bag + kind]) for kind in range(engine.rules.types)],
        sorted(game.tokens),
        [game.secrets(seat) for seat in range(len(game.names))],
        (game.over, game.seat, game.turn, game.tiles_left, int(engine.s[EXTRA])),
        sorted(map(str, game.legal)),
    )


def draws_again(game: Game) -> None:
    """The smallest answers until the next tile is drawn."""
    while not game.over and game.engine.question() != DRAW:
        game.play("pass" if "pass" in map(str, game.legal) else game.legal[0])


def laid(game: Game, actions: tuple[str, ...]) -> Game | None:
    """A copy in which these tiles are drawn and placed in this order, without pieces; None if one can't be."""
    copy = game.copy()
    for action in actions:
        tile = f"draw {action.split()[1]}"
        if tile not in map(str, copy.legal):
            return None
        copy.play(tile)
        if action not in map(str, copy.legal):
            return None
        copy.play(action)
        draws_again(copy)
    return copy


def placements(game: Game, rng: Rng) -> tuple[str, str]:
    """Two tiles that can be drawn now, each with a place."""
    found = []
    for _ in range(2):
        copy = game.copy()
        copy.play(copy.legal[rng.below(len(copy.legal))])
        found.append(str(copy.legal[rng.below(len(copy.legal))]))
    return found[0], found[1]


@pytest.mark.parametrize("name", [name for name in choices() if name != "hand_of_three"])  # tiles are known there
def test_the_order_in_which_tiles_were_laid_makes_no_difference(name: str) -> None:
    """Wherever two orders lead to what people see as one position, the keys are equal; elsewhere they are not."""
    game, rng = Game(choices()[name], draws="by hand"), Rng(5)
    land = game.rules.tables.main_piles - 1  # other piles have rules of their own about places
    while game.engine.question() != DRAW or game.engine.subject() != land or len(game.board) < 6:
        game.play(game.legal[rng.below(len(game.legal))])
    same = 0
    for _ in range(PAIRS):
        if same == ENOUGH:
            break
        one, other = placements(game, rng)
        first, second = laid(game, (one, other)), laid(game, (other, one))
        if first is not None and second is not None and one != other:
            equal = described(first) == described(second)
            assert (first.engine.key() == second.engine.key()) == equal, (one, other)
            same += equal
    assert same == ENOUGH or not compiled()


@pytest.mark.parametrize("name", choices())
def test_two_positions_of_a_game_never_have_the_same_key(name: str) -> None:
    """A tile more, a figure, a point, another question: something is always different."""
    game, rng = Game(choices()[name], seed=3), Rng(3)
    keys = {game.engine.key()}
    for step in range(1, 60):
        game.play(game.legal[rng.below(len(game.legal))])
        keys.add(game.engine.key())
        assert len(keys) == step + 1, game.history[-1]


@pytest.mark.parametrize("name", choices())
def test_every_number_that_means_something_is_in_the_key(name: str) -> None:
    """Scores, supplies, the bag, extra turns, every field of a module; but nothing that is scratch."""
    engine = Game(choices()[name], seed=2).engine
    rules = engine.rules
    supplies = [SUPPLY + player * PIECES + piece for player in range(rules.players) for piece in range(rules.pieces)]
    numbers = [i for i, holds in zip(rules.field_at, rules.field_holds, strict=True) if HOLDS[holds] == "number"]
    bag = range(engine.bag, engine.bag + rules.types)
    before = engine.key()
    for place in [*range(SCORE, SCORE + rules.players), *supplies, *bag, *numbers, EXTRA, HIDDEN, REMAINING]:
        mark = engine.trail_len
        engine.add(place, 1)
        assert engine.key() != before, place
        engine.undo(mark)
    for field in rules.layout.fields:
        if field.holds == "nothing" and field.name != "bag":
            engine.add(field.at, 1)
    assert engine.key() == before


@pytest.mark.parametrize("name", choices())
def test_a_copy_has_the_same_key_and_undo_brings_it_back(name: str) -> None:
    game, rng = Game(choices()[name], seed=6), Rng(6)
    for _ in range(40):
        before = game.engine.key()
        assert game.copy().engine.key() == before
        game.play(game.legal[rng.below(len(game.legal))])
        assert game.engine.key() != before
        game.undo()
        assert game.engine.key() == before
        game.play(game.legal[rng.below(len(game.legal))])
