"""What the evaluation has learned from games (bench/learn.py): small tables that correct it.

Looked up are every region with followers and every pair of them that may be joined, every player, and what the tile
laid last leaves to whoever is next. The keys are coarse numbers that every module has: cells still open, tiles that fit
them, chances, points, strengths, followers in hand, turns left (`learned.py` lists them). Where nothing was learned,
nothing is looked up.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from librt.vecs import vec

from bastide.bots.learned import SIZES, learned
from bastide.bots.outlook import Outlook
from bastide.game.engine import Engine
from bastide.kernel.offsets import AT, CELL, HEAD, KIND, LAST, LOOK, NSEG, OPEN, STRENGTH
from bastide.native import i64

ROOM: Final = 4096  # most numbers noted of one position
BEHIND: Final = 0
TIED: Final = 1
AHEAD: Final = 2
NONE: Final = 40  # a change of nothing, in `change_of`


def steps(most: int, *limits: int) -> vec[i64]:
    """For each number up to `most`, how many of the limits it reaches."""
    return vec[i64]([sum(n >= limit for limit in limits) for n in range(most + 1)])


class Corrections:
    """Corrects the judgement of one position after another."""

    def __init__(self, outlook: Outlook) -> None:
        self.outlook = outlook
        self.values = vec[float]([0.0] * sum(SIZES.values()))
        self.noting = False  # whether all looks are noted, to learn from them
        self.asked = False  # is there anything to look up, or to note?
        self.take(learned(int(outlook.rules.players), tuple(outlook.rules.module_names)))
        starts = {name: sum(list(SIZES.values())[:i]) for i, name in enumerate(SIZES)}
        self.completion: i64 = starts["completion"]
        self.points: i64 = starts["points"]
        self.cells: i64 = starts["cells"]
        self.followers: i64 = starts["followers"]
        self.size: i64 = starts["size"]
        self.tightness: i64 = starts["tightness"]
        self.soon: i64 = starts["soon"]
        self.lasting_points: i64 = starts["lasting_points"]
        self.lasting_sides: i64 = starts["lasting_sides"]
        self.lasting_borders: i64 = starts["lasting_borders"]
        self.lasting_held: i64 = starts["lasting_held"]
        self.join: i64 = starts["join"]
        self.work: i64 = starts["work"]
        self.stuck: i64 = starts["stuck"]
        self.hand: i64 = starts["hand"]
        self.rivals: i64 = starts["rivals"]
        self.left_cell: i64 = starts["left_cell"]
        self.left_region: i64 = starts["left_region"]
        self.left_lasting: i64 = starts["left_lasting"]
        # coarse numbers: how many of the limits are reached
        self.time_of = steps(63, 1, 2, 3, 5, 8, 13, 21)  # per turns left
        self.chance_of = steps(32, 1, 2, 4, 8, 14, 20, 28)  # per 32nds
        self.points_of = steps(63, 2, 3, 5, 7, 10, 14, 20)
        self.more_of = steps(63, 1, 2, 4, 7, 11)  # per points
        self.change_of = steps(2 * NONE, 26, 33, 37, 40, 41, 44, 48, 55)  # per points and NONE
        self.tiles_of = steps(63, 1, 2, 4, 8, 16)
        self.sides_of = steps(31, 1, 2, 3, 4, 5, 7, 9)
        players = outlook.rules.players
        self.time = vec[i64]([0] * players)  # per player: turns left, coarsely ...
        self.held = vec[i64]([0] * players)  # ... followers in hand, told by who counts them ...
        self.closing_count = vec[i64]([0] * players)  # ... regions with followers that can be completed ...
        self.hopeless_count = vec[i64]([0] * players)  # ... those that hardly will be ...
        self.lasting_count = vec[i64]([0] * players)  # ... and regions that are scored at the end only
        self.following: i64 = 0  # who is next
        self.worth = vec[float]([0.0] * players)  # the evaluation's answer
        self.notes = vec[i64]([0] * ROOM)  # player and place in the tables, again and again ...
        self.noted: i64 = 0  # ... so many numbers

    def take(self, values: Sequence[float]) -> None:
        """Looks up these numbers from now on."""
        self.asked = self.noting
        for at, value in enumerate(values):
            self.values[at] = value
            if value:
                self.asked = True

    def note_looks(self) -> None:
        """Notes all looks from now on, those in empty tables too."""
        self.noting = True
        self.asked = True

    def begin(self, worth: vec[float], following: i64) -> None:
        """A new position, for which the turns left are known, and who is next."""
        self.worth = worth
        self.following = following
        self.noted = 0
        turns = self.outlook.turns
        for player in range(i64(len(worth))):
            self.time[player] = self.time_of[whole(turns[player], 63)]
            self.closing_count[player] = 0
            self.hopeless_count[player] = 0
            self.lasting_count[player] = 0

    def look(self, player: i64, at: i64) -> None:
        """Looks up one number."""
        self.worth[player] += self.values[at]
        if self.noting:
            self.note(player, at)

    def note(self, player: i64, at: i64) -> None:
        """Remembers a look."""
        if self.noted < ROOM:
            self.notes[self.noted] = player
            self.notes[self.noted + 1] = at
            self.noted += 2

    def chance(self, likely: float) -> i64:
        """A chance, coarsely."""
        return self.chance_of[whole(likely * 32.0, 32)]

    # --- regions
    def closing(self, root: i64, strength: i64, around: i64, now: float, complete: float) -> None:
        """A region with followers that can be completed, with its points now and when complete."""
        o = self.outlook
        likely = self.chance(o.likely[root])
        open_cells = o.around[root]
        cells = least(open_cells, 8)
        few_cells = least(open_cells, 5)
        points = self.points_of[whole(now, 63)]
        more = self.more_of[whole(complete - now, 63)]
        fit = self.tiles_of[least(o.least_fit[root], 63)]
        close = self.tiles_of[least(o.least_close[root], 63)]
        values = self.values
        player: i64 = 0
        rest = strength
        while rest:
            own = rest & 255
            if own:
                other = strongest_other(strength, player)
                standing = AHEAD if own > other else TIED if own == other else BEHIND
                own = least(own, 3) - 1
                strengths = own * 4 + least(other, 3)
                time = self.time[player]
                held = least(self.held[player], 7)
                a = self.completion + ((around * 8 + likely) * 8 + time) * 12 + strengths
                b = self.points + ((points * 6 + more) * 8 + likely) * 3 + standing
                c = self.cells + (((around * 9 + cells) * 6 + fit) * 6 + close) * 3 + standing
                d = self.followers + ((own * 8 + held) * 8 + likely) * 8 + time
                e = self.size + ((few_cells * 8 + points) * 8 + time) * 12 + strengths
                f = self.tightness + (((around * 6 + close) * 8 + held) * 8 + time) * 3 + standing
                following: i64 = 1 if player == self.following else 0
                g = self.soon + (((following * 4 + least(open_cells, 3)) * 6 + close) * 6 + more) * 3 + standing
                found = values[a] + values[b] + values[c] + values[d] + values[e] + values[f] + values[g]
                self.worth[player] += found
                if self.noting:
                    for at in (a, b, c, d, e, f, g):
                        self.note(player, at)
                self.closing_count[player] += 1
                if likely <= 1:
                    self.hopeless_count[player] += 1
            rest >>= 8
            player += 1

    def lasting(self, game: Engine, root: i64, strength: i64, points: float, unfinished: i64) -> None:
        """A region with followers that is scored at the end only, with the open regions on which it borders."""
        worth = self.points_of[whole(points, 63)]
        sides = self.sides_of[least(self.outlook.holes.open_sides(game, root), 31)]
        borders = self.sides_of[least(unfinished, 31)] * 8 + least(game.bordering(root, True), 7)
        player: i64 = 0
        rest = strength
        while rest:
            own = rest & 255
            if own:
                other = strongest_other(strength, player)
                standing = AHEAD if own > other else TIED if own == other else BEHIND
                strengths = (least(own, 3) - 1) * 4 + least(other, 3)
                time = self.time[player]
                self.look(player, self.lasting_points + (worth * 8 + time) * 12 + strengths)
                self.look(player, self.lasting_sides + (sides * 8 + time) * 12 + strengths)
                self.look(player, self.lasting_borders + (borders * 8 + time) * 3 + standing)
                held = least(self.held[player], 7)
                self.look(player, self.lasting_held + ((worth * 8 + time) * 8 + held) * 3 + standing)
                self.lasting_count[player] += 1
            rest >>= 8
            player += 1

    def pair(self, likely: float, change: float, closes: i64, player: i64) -> None:
        """Two regions that may be joined, and what that would change for a player."""
        if change == 0.0:
            return
        rounded = whole(change + float(NONE) + 0.5, 2 * NONE)
        key = ((1 - closes) * 9 + self.change_of[rounded]) * 8 + self.chance(likely)
        self.look(player, self.join + key * 8 + self.time[player])

    # --- players
    def hands(self) -> None:
        """What each player has in hand, and where the other followers are."""
        for player in range(i64(len(self.worth))):
            held = least(self.held[player], 7)
            time = self.time[player]
            regions = least(self.closing_count[player], 5) * 5 + least(self.lasting_count[player], 4)
            self.look(player, self.work + (held * 30 + regions) * 8 + time)
            self.look(player, self.stuck + (held * 5 + least(self.hopeless_count[player], 4)) * 8 + time)
            self.look(player, self.hand + held * 40 + whole(self.outlook.turns[player], 39))
            rival: i64 = 0
            for other in range(i64(len(self.worth))):
                if other != player and self.held[other] > rival:
                    rival = self.held[other]
            following: i64 = 1 if player == self.following else 0
            self.look(player, self.rivals + ((following * 8 + held) * 8 + least(rival, 7)) * 8 + time)

    # --- the tile laid last
    def last_tile(self, game: Engine) -> None:
        """What it leaves to whoever is next: open cells beside it, and its regions without followers."""
        s = game.s
        o = self.outlook
        block = s[LAST]
        player = game.active_player()
        time = self.time[player]
        for side in range(i64(4)):
            cell = game.beside(s[block + AT], side)
            if s[CELL + cell] < 0:
                need = game.need_of(cell)
                fit = self.tiles_of[least(o.holes.fitting(need), 63)]
                self.look(player, self.left_cell + (fit * 5 + o.holes.free_of[need]) * 8 + time)
        node = block + HEAD
        for _segment in range(game.looks[s[block + LOOK] + NSEG]):
            root = game.find(node)
            node += game.stride
            if s[root + STRENGTH] or s[root + OPEN] == 0:
                continue
            kind = s[root + KIND]
            tiles = least(game.count_tiles(root), 7)
            if o.closes[kind]:
                o.chance(game, root)
                key = (o.surrounded[kind] * 6 + least(o.around[root], 5)) * 8 + tiles
                self.look(player, self.left_region + (key * 8 + self.chance(o.likely[root])) * 8 + time)
            else:
                sides = self.sides_of[least(o.holes.open_sides(game, root), 31)]
                self.look(player, self.left_lasting + (sides * 8 + tiles) * 8 + time)


def least(a: i64, b: i64) -> i64:
    """The lesser of two numbers."""
    return a if a < b else b


def whole(value: float, most: i64) -> i64:
    """The whole part of a number, not below 0 nor above the most."""
    if value <= 0.0:
        return 0
    return i64(value) if value < float(most) else most


def strongest_other(strength: i64, player: i64) -> i64:
    """The strength of the strongest other player."""
    most: i64 = 0
    rest = strength & ~(255 << 8 * player)
    while rest:
        if rest & 255 > most:
            most = rest & 255
        rest >>= 8
    return most
