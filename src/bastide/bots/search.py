"""The search: a tree of decisions, tile and piece apart, led by the evaluation.

A node is opened by judging every way to finish the turn there; the best of them is its first value, and all of them
together say which actions to try first. The tree goes deeper where trying pays. Draws are sampled; the n-th trial of
each root action meets the same draws, so that actions are compared by what they do and not by their luck.
"""

from __future__ import annotations

from math import exp, sqrt
from typing import Final

from librt.vecs import vec

from bastide.bots.evaluation import Evaluation
from bastide.bots.planner import NEVER, Planner
from bastide.game.dealer import MASK32, Dealer, Rng
from bastide.game.engine import Engine
from bastide.kernel.places import F_WHAT, HIDDEN, LAST, LEFT, LOOK, LOOK_LEN, TOP
from bastide.native import i64
from bastide.rules.position import DRAW, OVER

WIDTH: Final = 24  # actions of a node that are ever tried: those that promise most
KEYS: Final = (1 << 61) - 1
GOLDEN: Final = 0.6180339887498949
UNKNOWN: Final = -(1 << 50)
LAST_DRAWS: Final = 1  # so many draws from the end everything is looked at
DEEPEST: Final = 400  # decisions in one trial


class Node:
    """One decision: its actions from the most promising on, and how they fared."""

    def __init__(self, who: i64, actions: vec[i64]) -> None:
        self.who: i64 = who
        self.actions = actions
        n = len(actions)
        self.priors = vec[float]([0.0] * n)
        self.first = vec[float]([0.0] * n)  # the reward that the evaluation expected, for the one who decides
        self.sums = vec[float]([0.0] * n)  # of what came back; the expectation counts once
        self.drift: float = 0.0  # by how much all that came back differed from what was expected
        self.visits = vec[i64]([0] * n)
        self.total: i64 = 0
        self.children: dict[int, Node] = {}


class Search:
    """Searches positions of one set of rules."""

    def __init__(self, evaluation: Evaluation, seed: i64) -> None:
        self.evaluation = evaluation
        self.planner = Planner(evaluation)
        self.rng = Rng(seed)
        self.dealer = Dealer(self.rng)
        self.seed: i64 = seed
        self.worlds: list[Engine] = []  # the position as it may be: more than one only where things are hidden
        self.root: Node | None = None
        self.secret: bool = len(evaluation.rules.layout.hidden) > 0
        self.rewards = vec[float]([0.0] * evaluation.rules.players)
        self.path: list[Node] = []
        self.chosen = vec[i64]([0] * DEEPEST)
        self.trials: i64 = 0
        self.explore: float = 0.1
        self.heat: float = 3.0  # points by which an action may be worse and still be tried e times less often
        self.spread: float = 8.0  # points of lead that are surely enough at the end ...
        self.spread_draw: float = 1.5  # ... and more for what is still to come
        self.phase: float = 0.0
        self.solved: i64 = UNKNOWN  # the best action, once everything to the end was looked at
        self.patience: i64 = 0  # positions that may still be looked at for that

    def begin(self, worlds: list[Engine]) -> None:
        """A new question: the position as it may be."""
        self.worlds = worlds
        self.trials = 0
        self.solved = UNKNOWN
        self.root = self.open(worlds[0])

    def go_on(self, action: i64, worlds: list[Engine]) -> bool:
        """Keeps what was found out about an action, if doing it led exactly to the position that is asked for now."""
        root = self.root
        if root is None or len(worlds) > 1 or len(self.worlds) > 1:
            return False
        for i in range(i64(len(root.actions))):
            if root.actions[i] == action and int(i) in root.children and self.leads_to(action, worlds[0]):
                self.root = root.children[int(i)]
                self.worlds = worlds
                self.solved = UNKNOWN
                return True
        return False

    def leads_to(self, action: i64, game: Engine) -> bool:
        """Does an action lead from the last position to this one?"""
        before = self.worlds[0]
        mark = before.trail_len
        before.apply(action)
        s = before.s
        same = s[LAST] == game.s[LAST]
        if same:
            for i in range(s[LAST] + before.looks[s[s[LAST] + LOOK] + LOOK_LEN]):
                if s[i] != game.s[i]:
                    same = False
                    break
        before.undo(mark)
        return same

    # --- results
    def choice(self) -> i64:
        """The best action where everything is known, otherwise the one tried most."""
        if self.solved != UNKNOWN:
            return self.solved
        root = self.root
        assert root is not None
        best: i64 = 0
        for i in range(i64(len(root.actions))):
            if root.visits[i] > root.visits[best] or (
                root.visits[i] == root.visits[best] and self.mean(root, i) > self.mean(root, best)
            ):
                best = i
        return root.actions[best]

    def mean(self, node: Node, i: i64) -> float:
        """What an action brought so far; the expectation counts as one trial."""
        return (node.sums[i] + drift_of(node)) / float(node.visits[i] + 1)

    def decided(self) -> bool:
        """Is there nothing to choose?"""
        root = self.root
        assert root is not None
        return len(root.actions) < 2 or self.solved != UNKNOWN

    def spent(self) -> i64:
        """Positions judged so far."""
        return self.planner.leaves

    # --- trials
    def run(self, trials: i64) -> None:
        """So many trials more."""
        for _trial in range(trials):
            self.trial()

    def trial(self) -> None:
        """Down the tree, one node more, and back up."""
        node = self.root
        assert node is not None
        game = self.worlds[self.trials % i64(len(self.worlds))]
        self.trials += 1
        mark = game.trail_len
        self.path = []
        depth: i64 = 0
        while True:
            i = self.select(node)
            if depth == 0:
                self.deal_alike(node.visits[i])
            self.path.append(node)
            self.chosen[depth] = i
            depth += 1
            turn = game.turn_of()
            game.apply(node.actions[i])
            key = self.draw(game, i)
            if game.asks() == OVER:
                self.planner.leaves += 1
                self.evaluation.judge(game)
                self.reward(self.evaluation.worth, 0.0)
                break
            child = node.children.get(int(key))
            if child is None:
                child = self.open(game)
                node.children[int(key)] = child
                if key != i or game.turn_of() != turn or depth == DEEPEST:
                    break
            node = child
        game.undo(mark)
        self.learn(depth)

    def select(self, node: Node) -> i64:
        """What has brought most so far, or was promising and little tried."""
        best: i64 = 0
        most: float = NEVER
        root = self.explore * sqrt(float(node.total + 1))
        drift = drift_of(node)
        for i in range(i64(len(node.actions))):
            n = float(node.visits[i] + 1)
            value = (node.sums[i] + drift + root * node.priors[i]) / n
            if value > most:
                most = value
                best = i
        return best

    def deal_alike(self, n: i64) -> None:
        """Chance for the n-th trial of a root action: the same for all of them."""
        self.phase = GOLDEN * float(n + 1) + float(self.seed & 1023) / 1024.0
        self.phase -= float(int(self.phase))
        mixed = ((n + 1) * 0x9E3779B1 ^ (self.seed + 1) * 0x85EBCA6B) & MASK32
        self.rng.x = mixed if mixed else 1
        for _warm in range(i64(4)):
            self.rng.below(2)

    def draw(self, game: Engine, i: i64) -> i64:
        """Chance answers until somebody must decide; returns a number for all that it brought."""
        key = i
        while game.chance():
            outcome: i64 = 0
            if game.asks() != DRAW:
                outcome = self.dealer.deal(game)
            elif game.rules.scripted:  # nobody knows what will be drawn
                outcome = game.actions[self.rng.below(game.legal())]
            else:
                outcome = self.spread_out(game) if self.phase >= 0.0 else self.dealer.draw(game)
            game.apply(outcome)
            key = (key * 1009 + outcome + 17) % KEYS
        if self.secret and game.asks() != OVER:
            for j in range(game.legal()):
                key = (key * 1009 + game.actions[j] + 29) % KEYS
        return key

    def spread_out(self, game: Engine) -> i64:
        """The first draw of a trial: over many trials, each tile as often as the bag has it."""
        s = game.s
        pile = s[s[TOP] + F_WHAT]
        left = i64(int(self.phase * float(s[LEFT + pile] + s[HIDDEN + pile])))
        self.phase = -1.0
        kind = game.tables.pile_first[pile]
        while True:
            left -= s[game.bag + kind]
            if left < 0:
                return kind
            kind += 1

    def open(self, game: Engine) -> Node:
        """A new node: every action judged, the best end of the turn becomes the reward of this trial."""
        who = game.who()
        leads = self.planner.values(game, who)
        self.evaluation.outlook(game)
        self.reward(self.planner.worth, self.evaluation.draws)
        game.legal()
        order = best_first(leads, WIDTH)
        kept = i64(len(order))
        actions = vec[i64]([0] * kept)
        chosen = vec[float]([0.0] * kept)
        for i in range(kept):
            actions[i] = game.actions[order[i]]
            chosen[i] = leads[order[i]]
        node = Node(who, actions)
        total: float = 0.0
        for i in range(kept):
            node.priors[i] = exp((chosen[i] - chosen[0]) / self.heat)
            total += node.priors[i]
            node.first[i] = self.squash(chosen[i], self.evaluation.draws)
            node.sums[i] = node.first[i]
        for i in range(kept):
            node.priors[i] /= total
        return node

    # --- the last turns
    def solve(self, most: i64) -> None:
        """Looks at everything to the end of the game, if it is near and not more than `most` positions away."""
        game = self.worlds[0]
        self.evaluation.outlook(game)
        if len(self.worlds) > 1 or self.evaluation.draws > float(LAST_DRAWS):
            return
        self.patience = most
        best = UNKNOWN
        highest: float = NEVER
        seat = game.who()
        actions = game.actions[: game.legal()]
        for action in actions:
            value = self.outcome(game, action)[seat]
            if value > highest:
                highest = value
                best = action
        if self.patience > 0:
            self.solved = best

    def outcome(self, game: Engine, action: i64) -> vec[float]:
        """Everybody's reward if an action is done and everybody goes on as well as possible."""
        mark = game.trail_len
        game.apply(action)
        found = vec[float]([0.0] * game.players)
        if game.asks() == OVER or self.patience <= 0:
            self.patience -= 1
            self.planner.leaves += 1
            self.evaluation.judge(game)
            self.reward(self.evaluation.worth, 0.0)
            found = self.rewards[:]
        elif game.chance():
            actions = game.actions[: game.legal()]
            weights = game.weights[: i64(len(actions))]
            total: float = 0.0
            for i in range(i64(len(actions))):
                one = self.outcome(game, actions[i])
                total += float(weights[i])
                for who in range(game.players):
                    found[who] += float(weights[i]) * one[who]
            for who in range(game.players):
                found[who] /= total
        else:
            seat = game.who()
            actions = game.actions[: game.legal()]
            for i in range(i64(len(actions))):
                one = self.outcome(game, actions[i])
                if i == 0 or one[seat] > found[seat]:
                    found = one
        game.undo(mark)
        return found

    # --- rewards
    def squash(self, lead: float, draws: float) -> float:
        """The chance to win with a lead: a point is worth most when it is close, and more towards the end."""
        return 1.0 / (1.0 + exp(-lead / (self.spread + self.spread_draw * sqrt(draws))))

    def reward(self, worth: vec[float], draws: float) -> None:
        """Everybody's reward for the points that all can expect."""
        players = self.evaluation.rules.players
        for seat in range(players):
            best: float = NEVER
            total: float = 0.0
            for who in range(players):
                if who != seat:
                    total += worth[who]
                    if worth[who] > best:
                        best = worth[who]
            lead = worth[seat] - 0.5 * (best + total / float(players - 1))
            self.rewards[seat] = self.squash(lead, draws)

    def learn(self, depth: i64) -> None:
        """Tells all nodes on the way what the trial brought."""
        for d in range(depth):
            node = self.path[d]
            i = self.chosen[d]
            node.visits[i] += 1
            node.total += 1
            node.sums[i] += self.rewards[node.who]
            node.drift += self.rewards[node.who] - node.first[i]


def drift_of(node: Node) -> float:
    """What an untried action will probably lose against its expectation, since others answer: as the tried ones did."""
    if node.total == 0:
        return 0.0
    return node.drift / float(node.total)


def best_first(values: vec[float], most: i64) -> vec[i64]:
    """The places of the largest values, the largest first, not more than `most`."""
    n = i64(len(values))
    kept: i64 = 0
    order = vec[i64]([0] * min(n, most))
    for i in range(n):
        at = kept
        if kept == i64(len(order)):
            if values[i] <= values[order[kept - 1]]:
                continue
            at = kept - 1
        else:
            kept += 1
        while at > 0 and values[order[at - 1]] < values[i]:
            order[at] = order[at - 1]
            at -= 1
        order[at] = i
    return order
