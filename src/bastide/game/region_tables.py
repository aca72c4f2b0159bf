"""Regions and open cells as two tables, for networks over sets and graphs. docs/environments.md tells every column."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec

from bastide.game.engine import Engine
from bastide.game.observation import Observer
from bastide.game.observation_writer import ObservationWriter
from bastide.game.planes import kind_at
from bastide.game.window import HALF, Window, column_of
from bastide.kernel.offsets import (
    BLOCK,
    CELL,
    FLAGS,
    FRONT_LEN,
    HEAD,
    KIND,
    LAST,
    LOOK,
    LOOK_LEN,
    NEED_BITS,
    NEED_MASK,
    OPEN,
    PARENT,
    POS,
    POS_BITS,
    RING,
    SIZE,
    STRENGTH,
    SUMS,
)
from bastide.kernel.shape import zeros
from bastide.native import i16, i64
from bastide.rules.position import PLACE
from bastide.rules.rules import Rules

REGIONS: Final = 128
REGION_COLUMNS: Final = 10
HOLES: Final = 96
HOLE_COLUMNS: Final = 9
FAR: Final = 999  # no cell is shown farther away


class RegionTables(ObservationWriter):
    """For each game `regions`, `holes` (open cells) and `vectors` (the beginning of a row of `Observer`).

    Regions that can still score come first: those with followers, then open ones and those that never close,
    the newest first. What does not fit is left out.
    """

    def __init__(self, rules: Rules, games: i64) -> None:
        super().__init__(rules, games)
        self.observer = Observer(rules)
        self.window = Window(rules, games)
        kinds = list(rules.layout.kinds.values())
        self.kinds: i64 = len(kinds)
        self.closes = vec[i64]([int(kind.closes) for kind in kinds])
        self.columns: i64 = self.observer.fields
        self.regions = vec[i16]([i16(0)] * (games * REGIONS * REGION_COLUMNS))
        self.holes = vec[i16]([i16(0)] * (games * HOLES * HOLE_COLUMNS))
        self.vectors = vec[i16]([i16(0)] * (games * self.columns))
        self.head = zeros(self.columns)
        self.found = zeros(rules.shape.squares * 16)
        self.region_rows = zeros(games)  # rows that are not zeros
        self.hole_rows = zeros(games)

    def write(self, number: i64, game: Engine, seat: i64, count: i64) -> None:
        self.window.invalidate(number)
        self.window.follow(number, game)
        self.observer.write_head(game, seat, self.head, 0)
        for i in range(self.columns):
            self.vectors[number * self.columns + i] = i16(self.head[i])
        self.write_regions(number, game, seat)
        self.write_holes(number, game, count)

    def write_regions(self, number: i64, game: Engine, seat: i64) -> None:
        """Every region that can still score, as many as there is room for."""
        s = game.s
        total: i64 = 0
        block = game.shape.blocks
        while block <= s[LAST]:
            end = block + game.looks[game.s[block + LOOK] + LOOK_LEN]
            node = block + HEAD
            while node < end:
                if s[node + PARENT] == node:
                    self.found[total] = node
                    total += 1
                node += game.stride
            block = end
        row: i64 = 0
        for held in range(i64(2)):
            i = total - 1
            while i >= 0 and row < REGIONS:
                root = self.found[i]
                stands = s[root + STRENGTH] != 0
                if (held == 0 and stands) or (held == 1 and not stands and s[root + OPEN] != 0):
                    self.write_region(number, game, seat, root, row)
                    row += 1
                i -= 1
        at = number * REGIONS * REGION_COLUMNS
        for i in range(at + row * REGION_COLUMNS, at + self.region_rows[number] * REGION_COLUMNS):
            self.regions[i] = 0
        self.region_rows[number] = row

    def write_region(self, number: i64, game: Engine, seat: i64, root: i64, row: i64) -> None:
        """One region."""
        s = game.s
        regions = self.regions
        at = (number * REGIONS + row) * REGION_COLUMNS
        kind = s[root + KIND]
        word = s[root + STRENGTH]
        regions[at] = i16(kind + 1)
        regions[at + 1] = i16(s[root + SIZE])
        regions[at + 2] = 0
        if self.closes[kind]:
            regions[at + 2] = i16(s[root + OPEN])
        regions[at + 3] = 0
        if s[root + OPEN] == 0:
            regions[at + 3] = 1
        regions[at + 4] = i16(word >> (8 * seat) & 255)
        regions[at + 5] = i16(self.strongest_other(word, seat))
        regions[at + 6] = 0
        if s[root + FLAGS] or s[root + SUMS]:
            regions[at + 6] = 1
        regions[at + 7] = 0
        if self.on_last(game, root):
            regions[at + 7] = 1
        position = s[s[root + BLOCK] + POS]
        regions[at + 8] = i16(limited(column_of(position) - self.window.left[number] - HALF))
        regions[at + 9] = i16(limited(row_of(position) - self.window.top[number] - HALF))

    def on_last(self, game: Engine, root: i64) -> bool:
        """Does the tile laid last belong to a region?"""
        s = game.s
        node = root
        while True:
            if s[node + BLOCK] == s[LAST]:
                return True
            node = s[node + RING]
            if node == root:
                return False

    def write_holes(self, number: i64, game: Engine, count: i64) -> None:
        """Every open cell, as many as there is room for."""
        s = game.s
        holes = self.holes
        row: i64 = 0
        for i in range(s[FRONT_LEN]):
            if row == HOLES:
                break
            entry = s[game.frontier + i]
            cell = entry >> NEED_BITS
            at = (number * HOLES + row) * HOLE_COLUMNS
            position = self.window.positions[number * self.window.cells + cell]
            holes[at] = 1
            holes[at + 1] = i16(limited(column_of(position) - self.window.left[number] - HALF))
            holes[at + 2] = i16(limited(row_of(position) - self.window.top[number] - HALF))
            fitting: i64 = 0
            for tile_type in range(self.rules.types):
                if game.fits[tile_type * game.shape.needs + (entry & NEED_MASK)] >> 8:
                    fitting += self.head[self.observer.unseen + tile_type]
            holes[at + 3] = i16(fitting)
            turns: i64 = 0
            if game.question() == PLACE:
                for j in range(count):
                    if game.actions[j] >> 2 == cell:
                        turns += 1
            holes[at + 4] = i16(turns)
            for side in range(i64(4)):
                block = s[CELL + game.beside(cell, side)]
                holes[at + 5 + side] = 0
                if block > 0:
                    holes[at + 5 + side] = i16(kind_at(game, s[block + LOOK], side ^ 2) + 1)
            row += 1
        at = number * HOLES * HOLE_COLUMNS
        for i in range(at + row * HOLE_COLUMNS, at + self.hole_rows[number] * HOLE_COLUMNS):
            holes[i] = 0
        self.hole_rows[number] = row


def row_of(position: i64) -> i64:
    """The y of a packed position."""
    return position - (column_of(position) << POS_BITS)


def limited(distance: i64) -> i64:
    """A distance from the middle as a table shows it."""
    if distance > FAR:
        return FAR
    if distance < -FAR:
        return -FAR
    return distance
