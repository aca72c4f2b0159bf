"""What is still to come: how many turns each player has, and how likely open regions are to be completed in them."""

from __future__ import annotations

from math import exp

from librt.vecs import vec

from bastide.bots.holes import Holes
from bastide.bots.weights import Weights
from bastide.game.engine import Engine
from bastide.kernel.offsets import KIND, REMAINING, STRENGTH, TILES_LEN
from bastide.native import i64
from bastide.rules.rules import Rules


class Outlook:
    """Time and chances in positions of one set of rules. Keeps scratch memory: one for each thread."""

    def __init__(self, rules: Rules, weights: Weights) -> None:
        self.rules = rules
        self.weights = weights
        self.holes = Holes(rules)
        self.turns = vec[float]([0.0] * rules.players)
        self.reach = vec[float]([0.0] * rules.players)  # turns that count for what is begun now: the far ones hardly do
        self.reach_all: float = 0.0
        self.draws: float = 0.0  # tiles still to come
        self.whole: float = 1.0  # ... at the beginning
        for pile in range(rules.tables.main_piles):
            self.whole += float(rules.shape.empty[REMAINING + pile])
        for waiting in rules.tables.waits:
            self.whole += float(waiting)
        self.secret: bool = len(rules.layout.secrets) > 0
        kinds = list(rules.layout.kinds.values())
        self.closes = vec[i64]([int(kind.closes) for kind in kinds])
        self.surrounded = vec[i64]([int(kind.around) for kind in kinds])
        self.sure = vec[float]([weights.free_side**sides for sides in range(5)])  # per free sides of a cell around
        self.busy = vec[float]([0.0] * rules.players)  # regions on which each player works
        room = len(rules.shape.empty)
        self.stamp: i64 = 0
        self.known = vec[i64]([0] * room)  # per region: stamp of the judgement for which the next are right
        self.likely = vec[float]([0.0] * room)  # ... how likely it is to be completed
        self.filled = vec[float]([0.0] * room)  # ... how much of what is open will be filled
        self.opening = vec[float]([0.0] * room)  # ... at how many of its cells it would be opened further
        self.around = vec[i64]([0] * room)  # ... open cells around it
        self.least_fit = vec[i64]([0] * room)  # ... tiles that fit where fewest do ...
        self.least_close = vec[i64]([0] * room)  # ... and that close where fewest do

    def look_ahead(self, game: Engine) -> None:
        """How many tiles come, and how many of them each player gets."""
        s = game.s
        left: i64 = 0
        for pile in range(game.tables.main_piles):
            left += s[REMAINING + pile]
        left += game.tiles_waiting()
        if self.secret:  # tiles in hands count too: whatever can still be laid
            room = self.rules.shape.squares - s[TILES_LEN]
            left = room if room < left + 4 * game.players else left + 3 * game.players
        if left < 0:
            left = 0
        self.stamp += 1
        self.draws = float(left)
        each = left // game.players
        more = left % game.players
        next_player = game.active_player()
        horizon = self.weights.horizon
        self.reach_all = 0.0
        for player in range(game.players):
            turns = each
            if (player - next_player + game.players) % game.players < more:
                turns += 1
            self.turns[player] = float(turns)
            self.reach[player] = horizon * (1.0 - exp(-self.turns[player] / horizon))
            self.reach_all += self.reach[player]
            self.busy[player] = 0.0
        self.holes.update_bag(game)

    def count_busy(self, strength: i64) -> None:
        """Players with followers in a region will want to use draws for it."""
        player: i64 = 0
        while strength:
            if strength & 255:
                self.busy[player] += 1.0
            strength >>= 8
            player += 1

    def chance(self, game: Engine, root: i64) -> None:
        """How likely a region is to be completed, once for each judgement."""
        if self.known[root] == self.stamp:
            return
        self.known[root] = self.stamp
        w = self.weights
        s = game.s
        holes = self.holes
        around = self.surrounded[s[root + KIND]] == 1
        n = holes.around(game, root) if around else holes.beside(game, root)
        self.around[root] = n
        if n == 0 or holes.unseen == 0.0:
            self.likely[root] = 0.0
            self.filled[root] = 0.0
            self.opening[root] = 0.0
            self.least_fit[root] = 0
            self.least_close[root] = 0
            return
        time = self.effort(game, s[root + STRENGTH], around)
        if not around:
            time /= 1.0 + w.crowd * float(n - 1)
        all_filled: float = 1.0
        filled: float = 0.0
        opening: float = 0.0
        least_fit = holes.fit[0]
        least_close = holes.close[0]
        for i in range(n):
            if holes.fit[i] < least_fit:
                least_fit = holes.fit[i]
            if holes.close[i] < least_close:
                least_close = holes.close[i]
            good = float(holes.close[i])
            rate = (good + w.extend * (float(holes.fit[i]) - good)) / holes.unseen
            if around:
                rate *= self.sure[holes.free[i]]
            elif holes.fit[i]:
                opening += float(holes.fit[i] - holes.close[i]) / float(holes.fit[i])
            hit = 1.0 - exp(-rate * time)
            all_filled *= hit
            filled += hit
        self.likely[root] = all_filled
        self.least_fit[root] = least_fit
        self.least_close[root] = least_close
        self.filled[root] = filled / float(n)
        self.opening[root] = opening

    def effort(self, game: Engine, strength: i64, around: bool) -> float:
        """The draws that will be used for a region: most of its winners', few of the others'."""
        w = self.weights
        if strength == 0:
            return w.free * self.reach_all
        winners = game.leaders(strength)
        own: float = 0.0
        shared: float = 0.0
        for player in range(game.players):
            if winners >> player & 1:
                own += self.reach[player]
                shared += self.reach[player] / (1.0 + w.busy * (self.busy[player] - 1.0))
        others = self.reach_all - own
        if around:
            return w.own_around * shared + w.other_around * others
        return w.own * shared + w.other * others
