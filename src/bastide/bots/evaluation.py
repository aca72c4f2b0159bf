"""What a position is worth: the points that each player can expect at the end of the game.

One mechanism for all modules. A region's points come from the modules' own scoring, asked dry: complete, and as it
is. How likely it is to be completed follows from the open cells around it and from the tiles not yet seen. What never
closes is scored with the regions that it borders on complete and open, each as likely as it is. To this come the
chance that regions of different players are joined, followers in hand, final scores, and what modules say themselves.
"""

from __future__ import annotations

from math import exp, pow
from typing import Final

from librt.vecs import vec

from bastide.bots.holes import Holes
from bastide.bots.weights import Weights
from bastide.game.engine import Engine
from bastide.kernel.places import (
    AT,
    BLOCK,
    BORDER,
    CELL,
    HAND,
    HEAD,
    KIND,
    LEFT,
    LOOK,
    OPEN,
    P_LAYER,
    P_LEFT,
    P_LEN,
    P_RIGHT,
    P_SIDE,
    PIECES,
    PORT,
    RING,
    SCORE,
    SEG,
    STRENGTH,
    TILES_LEN,
)
from bastide.native import i64
from bastide.rules.position import OVER
from bastide.rules.rules import Rules

FACING = vec[i64]([P_SIDE, P_RIGHT, P_LEFT, P_LAYER])  # per slot of a port: the slot that it meets
SLOTS: Final = 4
GUESTS: Final = 16  # most ports of an open cell that occupied regions look onto
PAIRS: Final = 64  # most pairs of regions that may be joined
CENT: Final = 0.01  # modules answer in hundredths of points


class Evaluation:
    """Judges positions of one set of rules. Keeps scratch memory: one for each thread."""

    def __init__(self, rules: Rules, weights: Weights | None = None) -> None:
        self.rules = rules
        self.weights = weights or Weights()
        self.holes = Holes(rules)
        self.worth = vec[float]([0.0] * rules.players)  # the answer: per player
        self.turns = vec[float]([0.0] * rules.players)
        self.reach = vec[float]([0.0] * rules.players)  # turns that count for what is begun now: the far ones hardly do
        self.reach_all: float = 0.0
        self.one_more = vec[float]([0.0] * rules.players)  # worth of one more follower in hand
        self.draws: float = 0.0  # tiles still to come
        self.whole: float = 1.0  # ... at the beginning
        room = len(rules.shape.empty)
        self.stamp: i64 = 0
        self.known = vec[i64]([0] * room)  # per region: stamp of the judgement for which the next are right
        self.likely = vec[float]([0.0] * room)  # ... how likely it is to be completed
        self.filled = vec[float]([0.0] * room)  # ... how much of what is open will be filled
        self.around = vec[i64]([0] * room)  # ... open cells around it
        self.points = vec[float]([0.0] * room)  # ... what it is expected to bring its winners
        self.winners = vec[i64]([0] * room)  # ... who they are
        self.roots = vec[i64]([0] * (rules.shape.figures * rules.players + 1))
        self.busy = vec[float]([0.0] * rules.players)  # regions on which each player works
        self.occupied: i64 = 0  # regions with followers, in `roots`
        cells = rules.shape.cells
        self.guests_made = vec[i64]([0] * cells)  # per cell: stamp of the judgement for which the next are right
        self.guests = vec[i64]([0] * cells)  # ... how many ports of occupied regions look onto it
        self.guest = vec[i64]([0] * (cells * GUESTS))  # ... these regions
        self.guest_port = vec[i64]([0] * (cells * GUESTS))  # ... and the ports of a tile that would meet them
        self.meeting = vec[i64]([0] * cells)  # cells with more than one
        self.meetings: i64 = 0
        self.pair = vec[i64]([0] * (2 * PAIRS))
        self.pair_cell = vec[i64]([0] * PAIRS)
        self.pair_rate = vec[float]([0.0] * PAIRS)
        self.pairs: i64 = 0
        self.facing = FACING
        kinds = list(rules.layout.kinds.values())
        self.closes = vec[i64]([int(kind.closes) for kind in kinds])
        self.surrounded = vec[i64]([int(kind.around) for kind in kinds])
        pieces = rules.layout.pieces
        usual = set(pieces[0].kinds)
        self.choosy = vec[i64]([int(not usual <= set(piece.kinds)) for piece in pieces])  # per piece
        self.secret: bool = len(rules.layout.hidden) > 0
        shape = rules.shape
        for pile in range(rules.tables.main_piles):
            self.whole += float(shape.empty[LEFT + pile])

    # --- the answer
    def lead(self, game: Engine, seat: i64) -> float:
        """By how many points a seat can expect to be ahead of the others."""
        self.judge(game)
        return self.ahead(seat)

    def ahead(self, seat: i64) -> float:
        """The same for what was judged last: half against the best of the others, half against their mean."""
        best: float = -1e9
        total: float = 0.0
        for who in range(self.rules.players):
            if who != seat:
                worth = self.worth[who]
                total += worth
                if worth > best:
                    best = worth
        mean = total / float(self.rules.players - 1)
        return self.worth[seat] - 0.5 * (best + mean)

    def judge(self, game: Engine) -> None:
        """Fills `worth` with the points that each player can expect in the end."""
        s = game.s
        for who in range(game.players):
            self.worth[who] = float(s[SCORE + who])
        if game.asks() == OVER:
            return
        self.stamp += 1
        self.outlook(game)
        self.hands(game)
        self.regions(game)
        self.joins(game)
        self.finals(game)
        for m in self.rules.value:
            for who in range(game.players):
                self.worth[who] += CENT * float(m.value(game, who))

    # --- time
    def outlook(self, game: Engine) -> None:
        """How many tiles come, and how many of them each player gets."""
        s = game.s
        left: i64 = 0
        for pile in range(game.tables.main_piles):
            left += s[LEFT + pile]
        if self.secret:  # tiles in hands count too: whatever can still be laid
            room = self.rules.shape.squares - s[TILES_LEN]
            left = room if room < left + 4 * game.players else left + 3 * game.players
        if left < 0:
            left = 0
        self.draws = float(left)
        each = left // game.players
        more = left % game.players
        next_player = game.turn_of()
        horizon = self.weights.horizon
        self.reach_all = 0.0
        for who in range(game.players):
            turns = each
            if (who - next_player + game.players) % game.players < more:
                turns += 1
            self.turns[who] = float(turns)
            self.reach[who] = horizon * (1.0 - exp(-self.turns[who] / horizon))
            self.reach_all += self.reach[who]
        self.holes.see(game)

    def hands(self, game: Engine) -> None:
        """Followers in hand: the fewer, the dearer, and worth less towards the end."""
        w = self.weights
        weight = game.tables.weight
        for who in range(game.players):
            followers: i64 = 0
            choosy: i64 = 0
            others: i64 = 0
            for piece in range(self.rules.pieces):
                count = game.s[HAND + who * PIECES + piece]
                if weight[piece] == 0:
                    others += count
                elif self.choosy[piece]:
                    choosy += count
                else:
                    followers += count
            turns = self.turns[who]
            length = pow(turns / w.hand_usual, w.hand_length)
            worth = w.hand * length
            rank: float = 1.0
            for _follower in range(followers):
                self.worth[who] += worth * (1.0 - exp(-turns / (w.hand_turns * rank)))
                worth *= w.hand_decay
                rank += 1.0
            self.one_more[who] = worth * (1.0 - exp(-turns / (w.hand_turns * rank)))
            used = length * (1.0 - exp(-turns / w.hand_turns))
            self.worth[who] += used * (w.choosy * float(choosy) + w.helper * float(others))

    # --- regions
    def regions(self, game: Engine) -> None:
        """Everything that followers stand in."""
        for who in range(game.players):
            self.busy[who] = 0.0
        count = game.hold()
        for i in range(count):
            root = game.held[i]
            self.roots[i] = root
            if self.closes[game.s[root + KIND]]:
                self.note_busy(game.s[root + STRENGTH])
        self.occupied = count
        for i in range(count):
            self.region(game, self.roots[i])

    def note_busy(self, strength: i64) -> None:
        """Players with followers in a region will want to use draws for it."""
        who: i64 = 0
        while strength:
            if strength & 255:
                self.busy[who] += 1.0
            strength >>= 8
            who += 1

    def region(self, game: Engine, root: i64) -> None:
        """Gives the points expected from one region to whoever is strongest in it."""
        s = game.s
        kind = s[root + KIND]
        strength = s[root + STRENGTH]
        winners = game.leaders(strength)
        if winners & (winners - 1):
            for m in self.rules.tiebreakers:
                winners = m.break_tie(game, root, kind, winners)
        tiles = game.survey(root)
        points = self.closing(game, root, kind, tiles) if self.closes[kind] else self.lasting(game, root, kind, tiles)
        self.points[root] = points
        self.winners[root] = winners
        extra = len(self.rules.bonuses[kind]) > 0
        back = self.weights.back * self.likely[root] if self.closes[kind] else 0.0
        who: i64 = 0
        while strength:
            if winners >> who & 1:
                self.worth[who] += points
                if extra:
                    self.worth[who] += self.bonus(game, root, kind, who)
            if back > 0.0 and strength & 255:
                self.worth[who] += back * float(strength & 255) * self.one_more[who]
            strength >>= 8
            who += 1

    def closing(self, game: Engine, root: i64, kind: i64, tiles: i64) -> float:
        """A region that can be completed."""
        w = self.weights
        self.chance(game, root)
        now = self.dry(game, root, kind, False, tiles)
        holes = self.around[root]
        if self.surrounded[kind]:
            done = self.dry(game, root, kind, True, tiles)
            return now + self.filled[root] * (done - now)
        done = self.dry(game, root, kind, True, tiles + holes)
        likely = self.likely[root]
        grown = w.growth * self.filled[root] * float(holes)
        if now == 0.0:
            grown = 0.0
        return now + likely * (done - now) + (1.0 - likely) * grown

    def lasting(self, game: Engine, root: i64, kind: i64, tiles: i64) -> float:
        """A region that is scored at the end only, by what will be complete around it."""
        w = self.weights
        self.known[root] = self.stamp
        likely: float = 0.0
        borders = self.borders(game, root)
        scratch = self.holes.list
        for i in range(borders):
            self.chance(game, scratch[i])
            likely += self.likely[scratch[i]]
        mark = game.trail_len
        for i in range(borders):
            game.put(scratch[i] + OPEN, 0)
        done = self.dry(game, root, kind, False, tiles)
        game.undo(mark)
        points = done
        if borders:
            now = self.dry(game, root, kind, False, tiles)
            points = now + (done - now) * likely / float(borders)
            rim = float(self.holes.rim(game, root))
            points += w.field_growth * rim * self.draws / self.whole
        return points * (1.0 - w.field_doubt * self.draws / self.whole)

    def borders(self, game: Engine, root: i64) -> i64:
        """Writes the open regions on which a region borders to the holes' list; returns how many."""
        s = game.s
        found = self.holes.list
        count: i64 = 0
        node = root
        while True:
            border = s[node + BORDER]
            if border:
                other = s[node + BLOCK] + HEAD
                while border:
                    if border & 1:
                        region = game.find(other)
                        if s[region + OPEN] and self.closes[s[region + KIND]]:
                            found[count] = region
                            i: i64 = 0
                            while found[i] != region:
                                i += 1
                            if i == count:
                                count += 1
                    border >>= 1
                    other += game.stride
            node = s[node + RING]
            if node == root:
                return count

    def dry(self, game: Engine, root: i64, kind: i64, finished: bool, tiles: i64) -> float:
        """The points of a region if it were scored now, as it is or as if complete; nothing is changed."""
        rules = self.rules
        mark = game.trail_len
        if finished:
            game.put(root + OPEN, 0)
        game.points = 0
        game.count = 0
        game.tiles = tiles
        rules.scorer[kind].score(game, root, kind, finished)
        if not (finished and self.surrounded[kind]):  # adjusters may look at all the tiles around, which are not there
            for m in rules.adjusters[kind]:
                m.adjust(game, root, kind, finished)
        game.undo(mark)
        return float(game.points)

    def bonus(self, game: Engine, root: i64, kind: i64, who: i64) -> float:
        """What one of the winners gets besides, with what the last dry score has counted."""
        game.points = 0
        for m in self.rules.bonuses[kind]:
            m.bonus(game, root, kind, who)
        return float(game.points)

    # --- completion
    def chance(self, game: Engine, root: i64) -> None:
        """How likely a region is to be completed, once for each judgement."""
        if self.known[root] == self.stamp:
            return
        self.known[root] = self.stamp
        w = self.weights
        s = game.s
        holes = self.holes
        kind = s[root + KIND]
        around = self.surrounded[kind] == 1
        n = holes.around(game, root) if around else holes.beside(game, root)
        self.around[root] = n
        if n == 0 or holes.unseen == 0.0:
            self.likely[root] = 0.0
            self.filled[root] = 0.0
            return
        time = self.effort(s[root + STRENGTH], around)
        if not around:
            time /= 1.0 + w.crowd * float(n - 1)
        all_filled: float = 1.0
        filled: float = 0.0
        for i in range(n):
            good = float(holes.close[i])
            rate = (good + w.extend * (float(holes.fit[i]) - good)) / holes.unseen
            hit = 1.0 - exp(-rate * time)
            all_filled *= hit
            filled += hit
        self.likely[root] = all_filled
        self.filled[root] = filled / float(n)

    def effort(self, strength: i64, around: bool) -> float:
        """The draws that will be used for a region: most of its winners', few of the others'."""
        w = self.weights
        if strength == 0:
            return w.free * self.reach_all
        best: i64 = 0
        rest = strength
        while rest:
            if rest & 255 > best:
                best = rest & 255
            rest >>= 8
        own: float = 0.0
        shared: float = 0.0
        who: i64 = 0
        while strength:
            if strength & 255 == best:
                own += self.reach[who]
                shared += self.reach[who] / (1.0 + w.busy * (self.busy[who] - 1.0))
            strength >>= 8
            who += 1
        others = self.reach_all - own
        if around:
            return w.own_around * shared + w.other_around * others
        return w.own * shared + w.other * others

    # --- joins
    def joins(self, game: Engine) -> None:
        """The regions of different players that one tile may join: to the gain of some, at the cost of others."""
        if self.holes.unseen == 0.0:
            return
        self.pairs = 0
        self.meetings = 0
        for i in range(self.occupied):
            self.invite(game, self.roots[i])
        for i in range(self.meetings):
            cell = self.meeting[i]
            self.meet(game, cell, game.need_of(cell))
        for i in range(self.pairs):
            self.settle(game, i)

    def invite(self, game: Engine, root: i64) -> None:
        """Notes at the open cells around a region by which ports a tile there would meet it."""
        s = game.s
        looks = game.looks
        rims = self.holes.rims
        node = root
        while True:
            block = s[node + BLOCK]
            look = s[block + LOOK]
            rim = rims[look + SEG + node - block - HEAD]
            side: i64 = 0
            while rim:
                if rim & 1:
                    cell = game.beside(s[block + AT], side)
                    if s[CELL + cell] < 0:
                        port = look + PORT + P_LEN * side
                        for slot in range(i64(SLOTS)):
                            if looks[port + slot] == node - block:
                                self.note_guest(cell, root, PORT + P_LEN * (side ^ 2) + self.facing[slot])
                rim >>= 1
                side += 1
            node = s[node + RING]
            if node == root:
                return

    def note_guest(self, cell: i64, root: i64, port: i64) -> None:
        """One port of an open cell."""
        if self.guests_made[cell] != self.stamp:
            self.guests_made[cell] = self.stamp
            self.guests[cell] = 0
        count = self.guests[cell]
        if count == GUESTS:
            return
        at = cell * GUESTS + count
        self.guest[at] = root
        self.guest_port[at] = port
        self.guests[cell] = count + 1
        if count == 1:
            self.meeting[self.meetings] = cell
            self.meetings += 1

    def meet(self, game: Engine, cell: i64, need: i64) -> None:
        """Notes each pair of regions of one kind that a tile on this cell can join."""
        s = game.s
        first = cell * GUESTS
        end = first + self.guests[cell]
        for a in range(first, end):
            one = self.guest[a]
            for b in range(a + 1, end):
                other = self.guest[b]
                if one == other or s[one + KIND] != s[other + KIND] or self.winners[one] == self.winners[other]:
                    continue
                pair = self.pair_of(one, other)
                if pair >= 0 and self.pair_cell[pair] != cell:
                    fit = self.holes.joining(game, need, self.guest_port[a], self.guest_port[b])
                    if fit:
                        self.pair_cell[pair] = cell
                        self.pair_rate[pair] += float(fit) / self.holes.unseen

    def pair_of(self, one: i64, other: i64) -> i64:
        """The place of a pair in the list, -1 if there is no room for it."""
        if one > other:
            one, other = other, one
        for i in range(self.pairs):
            if self.pair[2 * i] == one and self.pair[2 * i + 1] == other:
                return i
        n = self.pairs
        if n == PAIRS:
            return -1
        self.pair[2 * n] = one
        self.pair[2 * n + 1] = other
        self.pair_cell[n] = -1
        self.pair_rate[n] = 0.0
        self.pairs = n + 1
        return n

    def settle(self, game: Engine, i: i64) -> None:
        """What joining a pair would change, as likely as those who gain from it can bring it about."""
        s = game.s
        w = self.weights
        one = self.pair[2 * i]
        other = self.pair[2 * i + 1]
        if self.pair_rate[i] == 0.0:
            return
        together = game.leaders(s[one + STRENGTH] + s[other + STRENGTH])
        both = self.points[one] + self.points[other]
        most: float = -1e9
        time: float = 0.0
        for who in range(game.players):
            gain = self.gain(one, other, together, both, who)
            if gain > most:
                most = gain
                time = self.reach[who]
            elif gain == most:
                time += self.reach[who]
        likely = 1.0 - exp(-self.pair_rate[i] * time * w.join)
        for who in range(game.players):
            self.worth[who] += likely * self.gain(one, other, together, both, who)

    def gain(self, one: i64, other: i64, together: i64, both: float, who: i64) -> float:
        """What a player wins or loses when two regions become one."""
        change: float = 0.0
        if together >> who & 1:
            change = both
        if self.winners[one] >> who & 1:
            change -= self.points[one]
        if self.winners[other] >> who & 1:
            change -= self.points[other]
        return change

    # --- the end
    def finals(self, game: Engine) -> None:
        """Final scores of modules, as if the game ended now: the nearer the end, the surer."""
        final = self.rules.final
        if len(final) == 0:
            return
        s = game.s
        mark = game.trail_len
        sure = 1.0 - self.weights.final_doubt * self.draws / self.whole
        for who in range(game.players):
            game.put(SCORE + who, 0)
        for m in final:
            m.final(game)
        for who in range(game.players):
            self.worth[who] += sure * float(s[SCORE + who])
        game.undo(mark)
