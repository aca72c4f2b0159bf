"""Open cells around regions, and how many unseen tiles fit, close or join what touches them."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec

from bastide.game.engine import Engine
from bastide.kernel.offsets import (
    AT,
    BLOCK,
    CELL,
    HEAD,
    LOOK,
    P_LEN,
    P_SIDE,
    PORT,
    RING,
    SEG,
)
from bastide.native import i64
from bastide.rules.rules import Rules

ROOM: Final = 512  # most open cells around one region that are looked at


class Holes:
    """Tables over all needs (what an open cell must show), filled as needs turn up."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        shape = rules.shape
        self.types: i64 = rules.types
        self.needs: i64 = shape.needs
        self.radix: i64 = round(int(shape.needs) ** 0.25)
        self.reached = vec[i64]([0] * len(shape.looks))  # at the place of a segment's record in its look: sides reached
        self.closing = vec[i64]([-1] * (rules.types * shape.needs))  # per type and need: sides that it can close
        self.bag = vec[i64]([-1] * rules.types)  # the tiles unseen when the counts below were made
        self.version: i64 = 1
        self.unseen: float = 0.0
        self.fit_of = vec[i64]([0] * shape.needs)
        self.fit_made = vec[i64]([0] * shape.needs)
        self.close_of = vec[i64]([0] * (4 * shape.needs))
        self.close_made = vec[i64]([0] * (4 * shape.needs))
        self.cell_made = vec[i64]([0] * shape.cells)
        self.cell_at = vec[i64]([0] * shape.cells)
        self.stamp: i64 = 0
        self.fit = vec[i64]([0] * ROOM)  # the answer: per open cell, tiles that fit ...
        self.close = vec[i64]([0] * ROOM)  # ... and of these, tiles that close it
        self.free = vec[i64]([0] * ROOM)  # ... and its sides without a neighbour
        self.free_of = vec[i64]([self.free_sides(need) for need in range(shape.needs)])
        self.write_reached()

    def write_reached(self) -> None:
        """The sides that each segment of each look reaches."""
        shape = self.rules.shape
        looks = shape.looks
        look: i64 = 0
        while look < i64(len(looks)):
            for side in range(i64(4)):
                for slot in range(i64(P_LEN)):
                    at = looks[look + PORT + P_LEN * side + slot]
                    if at >= 0:
                        self.reached[look + SEG + at - HEAD] |= 1 << side
            look += shape.look_size

    def free_sides(self, need: i64) -> i64:
        """Sides of which a need says nothing: no tile lies there yet."""
        count: i64 = 0
        for _side in range(i64(4)):
            if need % self.radix == 0:
                count += 1
            need //= self.radix
        return count

    # --- tiles unseen
    def update_bag(self, game: Engine) -> None:
        """Reads which tiles are unseen; cached counts are valid as long as these are the same."""
        s = game.s
        same = True
        for tile_type in range(self.types):
            if self.bag[tile_type] != s[game.bag + tile_type]:
                self.bag[tile_type] = s[game.bag + tile_type]
                same = False
        if same:
            return
        self.version += 1
        total: i64 = 0
        for tile_type in range(self.types):
            total += self.bag[tile_type]
        self.unseen = float(total)

    def fitting(self, need: i64) -> i64:
        """How many unseen tiles fit a need."""
        if self.fit_made[need] == self.version:
            return self.fit_of[need]
        fits = self.rules.shape.fits
        count: i64 = 0
        for tile_type in range(self.types):
            if fits[tile_type * self.needs + need]:
                count += self.bag[tile_type]
        self.fit_made[need] = self.version
        self.fit_of[need] = count
        return count

    def closers(self, need: i64, side: i64) -> i64:
        """How many unseen tiles fit a need and leave nothing open of what they meet at this side."""
        at = need * 4 + side
        if self.close_made[at] == self.version:
            return self.close_of[at]
        count: i64 = 0
        for tile_type in range(self.types):
            if self.bag[tile_type]:
                if self.closing[tile_type * self.needs + need] < 0:
                    self.find_closing(tile_type, need)
                if self.closing[tile_type * self.needs + need] >> side & 1:
                    count += self.bag[tile_type]
        self.close_made[at] = self.version
        self.close_of[at] = count
        return count

    def find_closing(self, tile_type: i64, need: i64) -> None:
        """The sides of a cell that a tile type can close, in any rotation."""
        shape = self.rules.shape
        looks = shape.looks
        taken: i64 = 0
        rest = need
        for side in range(i64(4)):
            if rest % self.radix:
                taken |= 1 << side
            rest //= self.radix
        found: i64 = 0
        turns = i64(shape.fits[tile_type * self.needs + need])
        for i in range(turns >> 8):
            look = (tile_type * 4 + (turns >> 2 * i & 3)) * shape.look_size
            for side in range(i64(4)):
                at = looks[look + PORT + P_LEN * side + P_SIDE]
                if at >= 0 and self.reached[look + SEG + at - HEAD] & ~taken == 0:
                    found |= 1 << side
        self.closing[tile_type * self.needs + need] = found

    def joining(self, game: Engine, need: i64, port: i64, port2: i64) -> i64:
        """How many unseen tiles fit a need and have one segment at both ports."""
        fits = self.rules.shape.fits
        looks = game.looks
        size = self.rules.shape.look_size
        count: i64 = 0
        for tile_type in range(self.types):
            if self.bag[tile_type] == 0:
                continue
            turns = i64(fits[tile_type * self.needs + need])
            for i in range(turns >> 8):
                look = (tile_type * 4 + (turns >> 2 * i & 3)) * size
                if looks[look + port] >= 0 and looks[look + port] == looks[look + port2]:
                    count += self.bag[tile_type]
                    break
        return count

    # --- open cells
    def beside(self, game: Engine, root: i64) -> i64:
        """The open cells at the open edges of a region; returns how many."""
        s = game.s
        self.stamp += 1
        count: i64 = 0
        node = root
        while True:
            block = s[node + BLOCK]
            rim = self.reached[s[block + LOOK] + SEG + node - block - HEAD]
            cell = s[block + AT]
            side: i64 = 0
            while rim:
                if rim & 1:
                    hole = game.beside(cell, side)
                    if s[CELL + hole] < 0:
                        count = self.add_cell(hole, game.need_of(hole), side ^ 2, count)
                rim >>= 1
                side += 1
            node = s[node + RING]
            if node == root:
                return count

    def add_cell(self, hole: i64, need: i64, side: i64, count: i64) -> i64:
        """One open cell; met twice, both sides must be closed by one tile."""
        close = self.closers(need, side)
        if self.cell_made[hole] == self.stamp:
            at = self.cell_at[hole]
            if close < self.close[at]:
                self.close[at] = close
            return count
        if count == ROOM:
            return count
        self.cell_made[hole] = self.stamp
        self.cell_at[hole] = count
        self.fit[count] = self.fitting(need)
        self.close[count] = close
        return count + 1

    def around(self, game: Engine, root: i64) -> i64:
        """The empty cells around the tile of a region that is to be surrounded; returns how many."""
        s = game.s
        cell = s[s[root + BLOCK] + AT]
        count: i64 = 0
        for d in range(i64(8)):
            hole = game.beside(cell, d)
            if s[CELL + hole] <= 0:
                need: i64 = 0
                if s[CELL + hole] < 0:
                    need = game.need_of(hole)
                self.fit[count] = self.fitting(need)
                self.close[count] = self.fit[count]
                self.free[count] = self.free_of[need]
                count += 1
        return count

    def open_sides(self, game: Engine, root: i64) -> i64:
        """How many sides of a region's tiles look onto open cells."""
        s = game.s
        count: i64 = 0
        node = root
        while True:
            block = s[node + BLOCK]
            rim = self.reached[s[block + LOOK] + SEG + node - block - HEAD]
            cell = s[block + AT]
            side: i64 = 0
            while rim:
                if rim & 1 and s[CELL + game.beside(cell, side)] <= 0:
                    count += 1
                rim >>= 1
                side += 1
            node = s[node + RING]
            if node == root:
                return count
