"""What the benchmark times: random games, copies, turns that are undone. Compiled, so that only the engine is timed."""

from __future__ import annotations

from librt.vecs import vec

from bastide.game.dealer import Dealer, Rng, playout
from bastide.game.engine import DISCARD, Engine, new_engine
from bastide.native import i64
from bastide.rules.position import DRAW, OVER
from bastide.rules.rules import Rules


def random_games(rules: Rules, seed: i64, n: i64) -> vec[i64]:
    """Plays n random games; returns the players' summed points, then the sums of their squares."""
    game = new_engine(rules)
    rng = Rng(seed)
    dealer = Dealer(rng)
    sums = vec[i64]([0] * (2 * rules.players))
    for _game in range(n):
        game.reset()
        playout(game, rng, dealer, 1 << 30)
        for player in range(rules.players):
            points = game.score_of(player)
            sums[player] += points
            sums[rules.players + player] += points * points
    return sums


def midgame(rules: Rules, seed: i64, steps: i64) -> Engine:
    """A position after some random actions, with the next tile about to be drawn."""
    game = new_engine(rules)
    rng = Rng(seed)
    dealer = Dealer(rng)
    playout(game, rng, dealer, steps)
    while game.question() != DRAW and game.question() != OVER:
        playout(game, rng, dealer, 1)
    game.trail_len = 0
    return game


def clones(game: Engine, n: i64) -> i64:
    """Copies a position n times."""
    total: i64 = 0
    for _copy in range(n):
        total += game.clone().score_of(0)
    return total


def turns(game: Engine, rounds: i64) -> i64:
    """Plays and undoes every whole turn of a position (place, deploy, score); returns how many."""
    done: i64 = 0
    actions = game.actions
    for _round in range(rounds):
        for draw in range(game.rules.types):
            start = game.trail_len
            if game.s[game.bag + draw] == 0:
                continue
            game.apply(draw)
            moves = actions[: game.legal()]
            mark = game.trail_len
            for move in moves:
                if move == DISCARD:
                    continue
                game.apply(move)
                options = actions[: game.legal()]
                game.undo(mark)
                for option in options:
                    game.apply(move)
                    game.apply(option)
                    game.undo(mark)
                    done += 1
            game.undo(start)
    return done
