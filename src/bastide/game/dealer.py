"""Dealers, which decide for chance, and random games. Compiled, because a search calls them millions of times."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec

from bastide.game.engine import Engine
from bastide.native import i64, mypyc_attr
from bastide.rules.position import DRAW, OVER, PLACE

MASK32: Final = 0xFFFFFFFF
GOLDEN: Final = 0x9E3779B9
SPREAD: Final = 0x45D9F3B


class Rng:
    """A small generator of its own (xorshift, 32 bits): the same numbers on every machine, in every version."""

    def __init__(self, seed: i64) -> None:
        mixed = (seed ^ seed >> 32) & MASK32
        for _round in range(i64(2)):  # neighbouring seeds must not begin alike
            mixed = ((mixed ^ mixed >> 16) * SPREAD) & MASK32
        mixed ^= mixed >> 16
        self.x: i64 = mixed if mixed else GOLDEN

    def __reduce__(self) -> tuple[object, ...]:
        return rng_at, (self.x,)

    def below(self, n: i64) -> i64:
        """A number from 0 to n - 1."""
        x = self.x
        x ^= (x << 13) & MASK32
        x ^= x >> 17
        x ^= (x << 5) & MASK32
        self.x = x
        return (x * n) >> 32

    def weighed(self, weights: vec[i64], n: i64) -> i64:
        """A number from 0 to n - 1, with probabilities in proportion to the weights."""
        total: i64 = 0
        for i in range(n):
            total += weights[i]
        left = self.below(total)
        i = 0
        while True:
            left -= weights[i]
            if left < 0:
                return i
            i += 1


def rng_at(x: i64) -> Rng:
    """A generator as it was pickled."""
    rng = Rng(0)
    rng.x = x
    return rng


@mypyc_attr(allow_interpreted_subclasses=True)
class Dealer:
    """Draws for chance: everything in the bag with the same probability."""

    def __init__(self, rng: Rng) -> None:
        self.rng = rng

    def deal(self, game: Engine) -> i64:
        """The action of chance for the current question."""
        if game.question() == DRAW:
            return self.draw(game)
        return game.actions[self.rng.weighed(game.weights, game.legal())]

    def draw(self, game: Engine) -> i64:
        """A tile type from the pile that is drawn from now."""
        pile = game.subject()
        return game.tile_in_pile(pile, self.rng.below(game.in_pile(pile)))


def playout(game: Engine, rng: Rng, dealer: Dealer, steps: i64) -> i64:
    """Random actions until the game is over or `steps` are done; the trail is forgotten. Returns actions done."""
    actions = game.actions
    for done in range(steps):
        question = game.question()
        if question == DRAW:
            game.apply(dealer.draw(game))
        elif question == OVER:
            return done
        elif game.chance():
            game.apply(dealer.deal(game))
        else:
            n = game.legal()
            if question == PLACE:
                game.trail_len = 0
            game.apply(actions[0] if n == 1 else actions[rng.below(n)])
    return steps
