"""The regions that a tile would have if it were laid, without laying it: this takes a third of the time."""

from __future__ import annotations

from librt.vecs import vec

from bastide.game.engine import Engine
from bastide.kernel.offsets import (
    CELL,
    CENTRE,
    HEAD,
    KIND,
    LOOK,
    NSEG,
    OPEN,
    P_LEFT,
    P_LEN,
    P_RIGHT,
    P_SIDE,
    PORT,
    SEG,
    SEGMENTS,
    SIZE,
    STRENGTH,
)
from bastide.kernel.shape import zeros
from bastide.native import i64
from bastide.rules.rules import Rules


class JoinPreview:
    """The first `count` segments of a tile. Those that would be one region have one `group`: the number of its first.

    For a group: `kinds`, `sizes` (segments), `opens` (open edges), `words` (all players' weights).
    """

    def __init__(self, rules: Rules) -> None:
        self.stride: i64 = rules.shape.stride
        self.count: i64 = 0
        self.number = vec[i64]([i // rules.shape.stride for i in range(rules.shape.stride * SEGMENTS)])  # of a segment
        self.group = zeros(SEGMENTS)
        self.kinds = zeros(SEGMENTS)
        self.sizes = zeros(SEGMENTS)
        self.opens = zeros(SEGMENTS)
        self.words = zeros(SEGMENTS)
        self.roots = zeros(4 * P_LEN)  # the different regions on the board that touch the cell ...
        self.met: i64 = 0
        self.facing = zeros(4 * P_LEN)  # ... which of them each port of a neighbour belongs to, -1 for none ...
        self.segment_of = zeros(4 * P_LEN)  # ... and the segment of the tile that met them first, -1 for none yet
        self.sides = zeros(4)  # of the cell, where a neighbour lies: side * P_LEN
        self.neighbours: i64 = 0
        self.cell: i64 = 0

    def meet(self, game: Engine, cell: i64) -> None:
        """Reads what lies around a cell, once for all rotations of a tile there."""
        s = game.s
        looks = game.looks
        facing = self.facing
        self.cell = cell
        self.met = 0
        self.neighbours = 0
        for side in range(i64(4)):
            there = s[CELL + game.beside(cell, side)]
            if there <= 0:
                continue
            at = P_LEN * side
            self.sides[self.neighbours] = at
            self.neighbours += 1
            port = s[there + LOOK] + PORT + P_LEN * (side ^ 2)
            whole = looks[port + P_SIDE]
            left = looks[port + P_LEFT]
            right = looks[port + P_RIGHT]
            facing[at + P_SIDE] = self.known(game, there + whole) if whole >= 0 else -1
            facing[at + P_LEFT] = self.known(game, there + left) if left >= 0 else -1
            if right == left:
                facing[at + P_RIGHT] = facing[at + P_LEFT]
            else:
                facing[at + P_RIGHT] = self.known(game, there + right) if right >= 0 else -1

    def known(self, game: Engine, node: i64) -> i64:
        """The number of the region of a segment on the board."""
        root = game.find(node)
        roots = self.roots
        met = self.met
        i: i64 = 0
        while i < met and roots[i] != root:
            i += 1
        if i == met:
            roots[i] = root
            self.met = i + 1
        return i

    def look(self, game: Engine, look: i64) -> None:
        """Previews this look on the cell of the last `meet`. Not for tiles with `extra_ports`: lay those instead."""
        looks = game.looks
        group = self.group
        kinds = self.kinds
        sizes = self.sizes
        opens = self.opens
        words = self.words
        stride = self.stride
        facing = self.facing
        for i in range(self.met):
            self.segment_of[i] = -1
        self.count = looks[look + NSEG]
        record = look + SEG
        for i in range(self.count):
            group[i] = i
            kinds[i] = looks[record + KIND]
            sizes[i] = 1
            opens[i] = looks[record + OPEN]
            words[i] = 0
            record += stride
        port = look + PORT
        for i in range(self.neighbours):
            at = self.sides[i]
            whole = looks[port + at + P_SIDE]
            left = looks[port + at + P_LEFT]
            right = looks[port + at + P_RIGHT]
            left2 = facing[at + P_LEFT]
            right2 = facing[at + P_RIGHT]
            if whole >= 0:
                self.join(game, whole, facing[at + P_SIDE], 2)
            if left >= 0 and right2 >= 0:
                self.join(game, left, right2, 0)
            if right >= 0 and left2 >= 0 and (right != left or left2 != right2):
                self.join(game, right, left2, 0)
        centre = looks[look + CENTRE]
        if centre >= 0:
            empty: i64 = 8
            for direction in range(i64(8)):
                if game.s[CELL + game.beside(self.cell, direction)] > 0:
                    empty -= 1
            opens[self.number[centre - HEAD]] = empty

    def join(self, game: Engine, offset: i64, region: i64, closed: i64) -> None:
        """A segment of the tile meets a region on the board; `closed` open edges disappear."""
        sizes = self.sizes
        opens = self.opens
        words = self.words
        mine = self.group[self.number[offset - HEAD]]
        first = self.segment_of[region]
        if first < 0:
            s = game.s
            root = self.roots[region]
            self.segment_of[region] = mine
            sizes[mine] += s[root + SIZE]
            words[mine] += s[root + STRENGTH]
            if closed:
                opens[mine] += s[root + OPEN]
        else:
            group = self.group
            other = group[first]
            if other != mine:
                sizes[other] += sizes[mine]
                words[other] += words[mine]
                opens[other] += opens[mine]
                for segment in range(self.count):
                    if group[segment] == mine:
                        group[segment] = other
                mine = other
        opens[mine] -= closed
