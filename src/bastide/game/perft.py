"""Perft: how many ways a game can go. If a count changes, a rule or the order of actions has changed."""

from __future__ import annotations

from librt.vecs import vec

from bastide.errors import OptionError
from bastide.game.actions import action_of
from bastide.game.engine import Engine, new_engine
from bastide.native import i64
from bastide.rules.position import DRAW, OVER
from bastide.rules.rules import Rules


def leaves(game: Engine, draws: vec[i64], next_draw: i64) -> i64:
    """Counts the positions after the given tiles are drawn and played in every legal way.

    Other random draws, such as tokens, count with all their outcomes.
    """
    if game.question() == OVER:
        return 1
    mark = game.trail_len
    total: i64 = 0
    if game.question() == DRAW:
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


def divided(rules: Rules, tiles: tuple[str, ...]) -> dict[str, int]:
    """The count for each way to answer the first question after the first draw."""
    numbers = [rules.type_named(name) for name in tiles]
    if -1 in numbers:
        raise OptionError(f"expected tiles in play, got {tiles[numbers.index(-1)]!r}")
    game = new_engine(rules)
    game.apply(numbers[0])
    mark = game.trail_len
    draws = vec[i64](numbers)
    found: dict[str, int] = {}
    actions = game.actions[: game.legal()]
    for number in actions:
        text = str(action_of(game, number))
        game.apply(number)
        found[text] = leaves(game, draws, 1)
        game.undo(mark)
    return found
