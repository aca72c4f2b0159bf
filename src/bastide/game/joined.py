"""What the regions of a tile would be if it were laid somewhere, without laying it: a third of the time."""

from __future__ import annotations

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


class Joined:
    """The first `count` segments of a tile. Those that would be one region have one `group`: the number of its first.

    For a group: `kinds`, `sizes` (segments), `opens` (open edges), `words` (all players' weights).
    """

    def __init__(self, rules: Rules) -> None:
        self.stride: i64 = rules.shape.stride
        self.count: i64 = 0
        self.group = zeros(SEGMENTS)
        self.kinds = zeros(SEGMENTS)
        self.sizes = zeros(SEGMENTS)
        self.opens = zeros(SEGMENTS)
        self.words = zeros(SEGMENTS)
        self.roots = zeros(4 * P_LEN)  # regions on the board that the tile meets ...
        self.root_of = zeros(4 * P_LEN)  # ... and the segment that met them first
        self.met: i64 = 0

    def look(self, game: Engine, look: i64, cell: i64) -> None:
        """A tile that looks so, on this cell. Tiles with `extra_ports` are not understood: lay them."""
        s = game.s
        looks = game.looks
        self.met = 0
        self.count = looks[look + NSEG]
        record = look + SEG
        for i in range(self.count):
            self.group[i] = i
            self.kinds[i] = looks[record + KIND]
            self.sizes[i] = 1
            self.opens[i] = looks[record + OPEN]
            self.words[i] = 0
            record += self.stride
        for side in range(i64(4)):
            there = s[CELL + game.beside(cell, side)]
            if there <= 0:
                continue
            port = look + PORT + P_LEN * side
            port2 = s[there + LOOK] + PORT + P_LEN * (side ^ 2)
            whole = looks[port + P_SIDE]
            if whole >= 0:
                self.join(game, whole, there + looks[port2 + P_SIDE], 2)
            left = looks[port + P_LEFT]
            right = looks[port + P_RIGHT]
            left2 = looks[port2 + P_LEFT]
            right2 = looks[port2 + P_RIGHT]
            if left >= 0 and right2 >= 0:
                self.join(game, left, there + right2, 0)
            if right >= 0 and left2 >= 0 and (right != left or left2 != right2):
                self.join(game, right, there + left2, 0)
        centre = looks[look + CENTRE]
        if centre >= 0:
            empty: i64 = 8
            for direction in range(i64(8)):
                if s[CELL + game.beside(cell, direction)] > 0:
                    empty -= 1
            self.opens[(centre - HEAD) // self.stride] = empty

    def join(self, game: Engine, offset: i64, node: i64, closed: i64) -> None:
        """A segment of the tile meets a segment on the board; `closed` open edges disappear."""
        s = game.s
        mine = self.group[(offset - HEAD) // self.stride]
        root = game.find(node)
        i: i64 = 0
        while i < self.met and self.roots[i] != root:
            i += 1
        if i == self.met:
            self.roots[i] = root
            self.root_of[i] = mine
            self.met = i + 1
            self.sizes[mine] += s[root + SIZE]
            self.words[mine] += s[root + STRENGTH]
            if closed:
                self.opens[mine] += s[root + OPEN]
        else:
            other = self.group[self.root_of[i]]
            if other != mine:
                self.sizes[other] += self.sizes[mine]
                self.words[other] += self.words[mine]
                self.opens[other] += self.opens[mine]
                for segment in range(self.count):
                    if self.group[segment] == mine:
                        self.group[segment] = other
                mine = other
        self.opens[mine] -= closed
