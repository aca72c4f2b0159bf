"""Plain UCT with random playouts: the baseline of the literature, without any knowledge of the game."""

from __future__ import annotations

from math import exp, log, sqrt
from typing import Final

from librt.vecs import vec

from bastide.game.dealer import Dealer, Rng, playout
from bastide.game.engine import Engine
from bastide.native import i64
from bastide.rules.position import OVER
from bastide.rules.rules import Rules

EXPLORE: Final = 0.5
SPREAD: Final = 15.0  # points of lead that make a reward of 0.73
ALONE: Final = 150  # points with which one player's are compared
KEYS: Final = (1 << 61) - 1
TO_THE_END: Final = 1 << 30


class Branch:
    """One decision in the tree."""

    def __init__(self, player: i64, actions: vec[i64]) -> None:
        self.player: i64 = player
        self.actions = actions
        self.sums = vec[float]([0.0] * len(actions))
        self.visits = vec[i64]([0] * len(actions))
        self.total: i64 = 0
        self.children: dict[int, Branch] = {}


class Uct:
    """Upper confidence bounds on trees, draws sampled anew in every playout."""

    def __init__(self, rules: Rules, seed: i64) -> None:
        self.rules = rules
        self.rng = Rng(seed)
        self.dealer = Dealer(self.rng)
        self.worlds: list[Engine] = []
        self.root: Branch | None = None
        self.secret: bool = len(rules.layout.secrets) > 0
        self.playouts: i64 = 0

    def begin(self, worlds: list[Engine]) -> None:
        """Starts to search from a position."""
        self.worlds = worlds
        self.root = self.open(worlds[0])

    def open(self, game: Engine) -> Branch:
        """A decision not seen before."""
        return Branch(game.player(), game.actions[: game.legal()])

    def choice(self) -> list[int]:
        """The action tried most."""
        root = self.root
        assert root is not None
        best: i64 = 0
        for i in range(i64(len(root.actions))):
            if root.visits[i] > root.visits[best]:
                best = i
        return [int(root.actions[best])]

    def decided(self) -> bool:
        """Is there nothing to choose?"""
        root = self.root
        assert root is not None
        return len(root.actions) < 2

    def spent(self) -> i64:
        """Playouts done so far."""
        return self.playouts

    def run(self, playouts: i64) -> None:
        """Does so many more playouts."""
        for _playout in range(playouts):
            self.trial()

    def trial(self) -> None:
        """One playout: select, expand, play at random to the end, back up."""
        node = self.root
        assert node is not None
        game = self.worlds[self.playouts % i64(len(self.worlds))].clone()
        self.playouts += 1
        path: list[Branch] = []
        chosen: list[i64] = []
        while True:
            i = self.select(node)
            path.append(node)
            chosen.append(i)
            game.apply(node.actions[i])
            key = self.draw(game, i)
            if game.question() == OVER:
                break
            child = node.children.get(int(key))
            if child is None:
                node.children[int(key)] = self.open(game)
                playout(game, self.rng, self.dealer, TO_THE_END)
                break
            node = child
        for at in range(len(path)):
            node = path[at]
            i = chosen[at]
            node.visits[i] += 1
            node.total += 1
            node.sums[i] += reward(game, node.player)

    def select(self, node: Branch) -> i64:
        """UCB1; what was never tried comes first, in random order."""
        n = i64(len(node.actions))
        first = self.rng.below(n)
        best: i64 = 0
        most: float = -1.0
        whole = log(float(node.total + 1))
        for k in range(n):
            i = (first + k) % n
            if node.visits[i] == 0:
                return i
            visits = float(node.visits[i])
            value = node.sums[i] / visits + EXPLORE * sqrt(whole / visits)
            if value > most:
                most = value
                best = i
        return best

    def draw(self, game: Engine, i: i64) -> i64:
        """Chance answers until somebody must decide; returns a number for all that it brought."""
        key = i
        while game.chance():
            outcome = self.dealer.deal(game)
            game.apply(outcome)
            key = (key * 1009 + outcome + 17) % KEYS
        if self.secret and game.question() != OVER:
            for j in range(game.legal()):
                key = (key * 1009 + game.actions[j] + 29) % KEYS
        return key


def reward(game: Engine, seat: i64) -> float:
    """The lead over the best other at the end, squashed to 0 ... 1; alone, over a good result."""
    best: i64 = ALONE if game.players == 1 else -1
    for player in range(game.players):
        if player != seat and game.score_of(player) > best:
            best = game.score_of(player)
    return 1.0 / (1.0 + exp(float(best - game.score_of(seat)) / SPREAD))
