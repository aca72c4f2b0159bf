"""One ply on the score: every way to finish the own turn, judged as if the game ended then."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec

from bastide.game.engine import Engine
from bastide.native import i64
from bastide.rules.position import OVER

DEPTH: Final = 3  # own decisions looked ahead: tile, symbol or flock, piece


def best_actions(game: Engine, seat: i64) -> list[int]:
    """The indexes of the best actions in the list of legal actions."""
    best: list[int] = []
    most: i64 = 0
    actions = game.actions[: game.legal()]
    for count in range(i64(len(actions))):
        value = value_of(game, actions[count], seat, DEPTH)
        if not best or value > most:
            most = value
            best = []
        if value == most:
            best.append(count)
    return best


def value_of(game: Engine, action: i64, seat: i64, depth: i64) -> i64:
    """What an action is worth with the best that the seat can do after it in the same turn."""
    mark = game.trail_len
    turn = game.active_player()
    game.apply(action)
    value: i64 = 0
    if (
        depth > 1
        and game.active_player() == turn
        and game.question() != OVER
        and not game.chance()
        and game.player() == seat
    ):
        value = best_of(game, game.actions[: game.legal()], seat, depth - 1)
    else:
        value = lead(game, seat)
    game.undo(mark)
    return value


def best_of(game: Engine, actions: vec[i64], seat: i64, depth: i64) -> i64:
    """The value of the best of these actions."""
    most: i64 = -(1 << 40)
    for action in actions:
        value = value_of(game, action, seat, depth)
        if value > most:
            most = value
    return most


def lead(game: Engine, seat: i64) -> i64:
    """The points by which a seat is ahead of the best other, if the game ended now; alone, all its points."""
    mark = game.trail_len
    if game.question() != OVER:
        game.finish()
    other: i64 = 0 if game.players == 1 else -1
    for player in range(game.players):
        if player != seat and game.score_of(player) > other:
            other = game.score_of(player)
    value = game.score_of(seat) - other
    game.undo(mark)
    return value
