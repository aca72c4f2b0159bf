"""What a position is worth: the points that each player can expect at the end of the game.

One mechanism for all modules. The modules score each region hypothetically, complete and as it is now, and both are
weighted by the chance that it will be completed (`outlook.py`). Regions that never close are scored with the regions
on which they border complete and open, weighted in the same way. Added to this are the chance that regions of different
players are joined (`joins.py`), followers in the supply, final scores, and what modules themselves say.
"""

from __future__ import annotations

from math import exp, pow
from typing import Final

from librt.vecs import vec

from bastide.bots.corrections import Corrections
from bastide.bots.joins import Joins
from bastide.bots.outlook import Outlook
from bastide.bots.weights import Weights
from bastide.game.engine import Engine
from bastide.kernel.offsets import KIND, OPEN, PIECES, SCORE, STRENGTH, SUPPLY
from bastide.native import i64
from bastide.rules.position import OVER
from bastide.rules.rules import Rules

CENT: Final = 0.01  # modules answer in hundredths of points


class Evaluation(Outlook):
    """Judges positions of one set of rules."""

    def __init__(self, rules: Rules, weights: Weights | None = None) -> None:
        super().__init__(rules, weights or Weights())
        self.corrections = Corrections(self)
        self.joins = Joins(self, self.corrections)
        self.now: float = 0.0  # points of the region looked at last, as it is ...
        self.done: float = 0.0  # ... and complete
        self.borders: i64 = 0  # regions that can be completed around it
        self.worth = vec[float]([0.0] * rules.players)  # the answer: per player
        self.one_more = vec[float]([0.0] * rules.players)  # worth of one more follower in hand
        self.roots = vec[i64]([0] * (rules.shape.figures * rules.players + 1))
        self.occupied: i64 = 0  # regions with followers, in `roots`
        pieces = rules.layout.pieces
        usual = set(pieces[0].kinds)
        kinds = rules.layout.kinds
        self.choosy = vec[i64]([int(not usual <= set(piece.kinds)) for piece in pieces])  # per piece ...
        self.settles = vec[i64]([int(not any(kinds[kind].closes for kind in piece.kinds)) for piece in pieces])

        fed = {
            segment.kind
            for tile in rules.tiles
            for segment in tile.segments
            if any(kinds[tile.segments[i].kind].closes for i in segment.touches)
        }
        self.borders_nothing = vec[i64](
            [int(kind not in fed) for kind in kinds]
        )  # per kind: borders on nothing that closes

    # --- the answer
    def lead(self, game: Engine, seat: i64) -> float:
        """By how many points a seat can expect to be ahead of the others."""
        self.judge(game)
        return self.ahead(self.worth, seat)

    def ahead(self, worths: vec[float], seat: i64) -> float:
        """The same for points that are known."""
        return worths[seat] - self.others(worths, seat)

    def aim(self, worths: vec[float], seat: i64) -> float:
        """What a seat plays for: to be ahead, but what others are thought to get counts a little less."""
        return worths[seat] - self.weights.others * self.others(worths, seat)

    def others(self, worths: vec[float], seat: i64) -> float:
        """Whom a seat is compared with: half the best of the others, half their mean; alone, with nobody."""
        if self.rules.players == 1:
            return 0.0
        best: float = -1e9
        total: float = 0.0
        for player in range(self.rules.players):
            if player != seat:
                worth = worths[player]
                total += worth
                if worth > best:
                    best = worth
        mean = total / float(self.rules.players - 1)
        return 0.5 * (best + mean)

    def judge(self, game: Engine) -> None:
        """Fills `worth` with the points that each player can expect in the end."""
        s = game.s
        for player in range(game.players):
            self.worth[player] = float(s[SCORE + player])
        if game.question() == OVER:
            return
        self.look_ahead(game)
        corrections = self.corrections
        if corrections.asked:
            corrections.begin(self.worth, game.active_player())
        self.hands(game)
        self.regions(game)
        if self.holes.unseen > 0.0:
            self.joins.expect(game, self.roots, self.occupied, self.worth)
        if corrections.asked:
            corrections.hands()
            corrections.last_tile(game)
        self.finals(game)
        for m in self.rules.value:
            for player in range(game.players):
                self.worth[player] += CENT * float(m.value(game, player))

    def hands(self, game: Engine) -> None:
        """Followers in hand: the fewer, the dearer, and worth less towards the end."""
        w = self.weights
        weight = game.tables.weight
        for player in range(game.players):
            followers: i64 = 0
            choosy: i64 = 0
            settlers: i64 = 0
            helpers: i64 = 0
            for piece in range(self.rules.pieces):
                count = game.s[SUPPLY + player * PIECES + piece]
                if weight[piece] == 0:
                    helpers += count
                elif self.settles[piece]:
                    settlers += count
                elif self.choosy[piece]:
                    choosy += count
                else:
                    followers += count
            self.corrections.held[player] = followers + choosy
            turns = self.turns[player]
            length = pow(turns / w.hand_usual, w.hand_length)
            worth = w.hand * length
            rank: float = 1.0
            if followers == 0:
                self.worth[player] -= w.no_hand * (1.0 - exp(-turns / w.hand_turns))
            for _follower in range(followers):
                self.worth[player] += worth * (1.0 - exp(-turns / (w.hand_turns * rank)))
                worth *= w.hand_decay
                rank += 1.0
            self.one_more[player] = worth * (1.0 - exp(-turns / (w.hand_turns * rank)))
            used = length * (1.0 - exp(-turns / w.hand_turns))
            special = w.choosy * float(choosy) + w.settler * float(settlers) + w.helper * float(helpers)
            self.worth[player] += used * special

    # --- regions
    def regions(self, game: Engine) -> None:
        """Everything that followers stand in."""
        count = game.list_occupied()
        for i in range(count):
            root = game.occupied_regions[i]
            self.roots[i] = root
            if self.closes[game.s[root + KIND]]:
                self.count_busy(game.s[root + STRENGTH])
        self.occupied = count
        for i in range(count):
            self.region(game, self.roots[i])

    def region(self, game: Engine, root: i64) -> None:
        """Gives the points expected from one region to whoever is strongest in it."""
        s = game.s
        kind = s[root + KIND]
        strength = s[root + STRENGTH]
        tiles = game.count_tiles(root)
        winners = game.leaders(strength)
        if winners & (winners - 1):
            for m in self.rules.tiebreakers:
                winners = m.break_tie(game, root, kind, winners)
        points = (
            self.closing_points(game, root, kind, tiles)
            if self.closes[kind]
            else self.lasting_points(game, root, kind, tiles)
        )
        if self.corrections.asked:
            if self.closes[kind]:
                self.corrections.closing(root, strength, self.surrounded[kind], self.now, self.done)
            else:
                self.corrections.lasting(game, root, strength, points, self.borders)
        self.joins.points[root] = points
        self.joins.winners[root] = winners
        extra = len(self.rules.bonuses[kind]) > 0
        back = self.weights.back * self.likely[root] if self.closes[kind] else 0.0
        player: i64 = 0
        while strength:
            if winners >> player & 1:
                self.worth[player] += points
                if extra:
                    self.worth[player] += self.bonus(game, root, kind, player)
            if back > 0.0 and strength & 255:
                self.worth[player] += back * float(strength & 255) * self.one_more[player]
            strength >>= 8
            player += 1

    def closing_points(self, game: Engine, root: i64, kind: i64, tiles: i64) -> float:
        """A region that can be completed."""
        w = self.weights
        self.chance(game, root)
        likely = self.likely[root]
        prize = likely * self.prize(game, root, kind)
        now = self.points_if_scored(game, root, kind, False, tiles)
        holes = self.around[root]
        if self.surrounded[kind]:
            done = self.points_if_scored(game, root, kind, True, tiles)
            self.now = now
            self.done = done
            return now + self.filled[root] * (done - now) + prize
        done = self.points_if_scored(game, root, kind, True, tiles + holes)
        done += w.larger * self.opening[root] * done / float(tiles + holes)
        self.now = now
        self.done = done
        grown = w.growth * self.filled[root] * float(holes)
        if now == 0.0:
            grown = 0.0
        return now + likely * (done - now) + (1.0 - likely) * grown + prize

    def lasting_points(self, game: Engine, root: i64, kind: i64, tiles: i64) -> float:
        """A region that is scored at the end only, by what will be complete around it."""
        w = self.weights
        likely: float = 0.0
        borders: i64 = 0
        mark = game.trail_len
        for i in range(game.bordering(root, False)):
            region = game.scratch[i]
            if self.closes[game.s[region + KIND]]:
                borders += 1
                self.chance(game, region)
                likely += self.likely[region]
                game.put(region + OPEN, 0)
        done = self.points_if_scored(game, root, kind, False, tiles)
        game.undo(mark)
        self.borders = borders
        points = done
        if borders:
            now = self.points_if_scored(game, root, kind, False, tiles)
            points = now + (done - now) * likely / float(borders)
        left = self.draws / self.whole
        growth = w.open_growth if self.borders_nothing[kind] else w.field_growth
        if borders or self.borders_nothing[kind]:
            points += growth * float(self.holes.open_sides(game, root)) * left
        return points * (1.0 - w.field_doubt * left)

    def prize(self, game: Engine, root: i64, kind: i64) -> float:
        """What completing a region brings besides its score."""
        prize: i64 = 0
        for m in self.rules.prize:
            prize += m.prize(game, root, kind)
        return CENT * float(prize)

    def points_if_scored(self, game: Engine, root: i64, kind: i64, finished: bool, tiles: i64) -> float:
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

    def bonus(self, game: Engine, root: i64, kind: i64, player: i64) -> float:
        """What one of the winners gets besides, with what the last score has counted."""
        game.points = 0
        for m in self.rules.bonuses[kind]:
            m.bonus(game, root, kind, player)
        return float(game.points)

    # --- the end
    def finals(self, game: Engine) -> None:
        """Final scores of modules, as if the game ended now: the nearer the end, the surer."""
        final = self.rules.final
        if len(final) == 0:
            return
        s = game.s
        mark = game.trail_len
        sure = 1.0 - self.weights.final_doubt * self.draws / self.whole
        for player in range(game.players):
            game.put(SCORE + player, 0)
        for m in final:
            m.final(game)
        for player in range(game.players):
            self.worth[player] += sure * float(s[SCORE + player])
        game.undo(mark)
