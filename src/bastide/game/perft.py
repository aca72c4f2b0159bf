"""Perft: how many ways a game can go. A count that changes shows that a rule changed, or an order of actions."""

from __future__ import annotations

from librt.vecs import vec

from bastide.game.engine import Engine
from bastide.native import i64
from bastide.rules.position import DRAW, OVER


def leaves(game: Engine, draws: vec[i64], next_draw: i64) -> i64:
    """Counts the positions after the given tiles are drawn and played in every legal way.

    Other chances (tokens, say) count with everything they can bring.
    """
    if game.asks() == OVER:
        return 1
    mark = game.trail_len
    total: i64 = 0
    if game.asks() == DRAW:
        if next_draw == i64(len(draws)):
            return 1
        game.apply(draws[next_draw])
        total = leaves(game, draws, next_draw + 1)
        game.undo(mark)
        return total
    actions = game.actions[: game.legal()]
    for action in actions:
        game.apply(action)
        total += leaves(game, draws, next_draw)
        game.undo(mark)
    return total
