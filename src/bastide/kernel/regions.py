"""The state vector with its trail, and the regions in it: union-find with a ring, attributes merged by law."""

from __future__ import annotations

from librt.vecs import vec

from bastide.kernel.offsets import (
    BLOCK,
    FIGURE,
    FLAGS,
    NUMBER,
    OPEN,
    PARENT,
    RING,
    SIZE,
    STRENGTH,
    SUMS,
)
from bastide.kernel.shape import Shape, zeros
from bastide.native import i64


class Regions:
    """The whole position is one vector. Every change goes through `put` and can be undone."""

    def __init__(self, shape: Shape, state: vec[i64], trail_room: i64) -> None:
        self.shape = shape
        self.s = state
        self.trail = shape.blank[:trail_room]
        self.trail_len: i64 = 0
        self.stride: i64 = shape.stride
        self.counted = shape.blank[: shape.squares]  # scratch: tiles already counted
        self.stamp: i64 = 0
        self.figure_nodes = shape.blank[: shape.figures]  # scratch: segments with a figure, see count_tiles()
        self.figure_count: i64 = 0

    # --- the trail
    def put(self, i: i64, value: i64) -> None:
        """The only way to change the state."""
        trail = self.trail
        n = self.trail_len
        if n + 2 > i64(len(trail)):
            self.more_trail()
            trail = self.trail
        trail[n] = i
        trail[n + 1] = self.s[i]
        self.trail_len = n + 2
        self.s[i] = value

    def add(self, i: i64, value: i64) -> None:
        """Adds to one number of the state."""
        self.put(i, self.s[i] + value)

    def more_trail(self) -> None:
        """Doubles the room for the trail."""
        longer = zeros(2 * i64(len(self.trail)) + 64)
        for i in range(self.trail_len):
            longer[i] = self.trail[i]
        self.trail = longer

    def undo(self, mark: i64) -> None:
        """Undoes every change that was made since the trail had the length `mark`."""
        s = self.s
        trail = self.trail
        n = self.trail_len
        while n > mark:
            n -= 2
            s[trail[n]] = trail[n + 1]
        self.trail_len = mark

    # --- regions
    def find(self, node: i64) -> i64:
        """The root of the region to which a segment belongs."""
        s = self.s
        while True:
            up = s[node + PARENT]
            if up == node:
                return node
            node = up

    def join(self, a: i64, b: i64, closed: i64) -> None:
        """Joins the regions of segments a and b; `closed` is how many open edges this closes."""
        s = self.s
        a = self.find(a)
        b = self.find(b)
        if a == b:
            if closed:
                self.put(a + OPEN, s[a + OPEN] - closed)
            return
        if s[a + SIZE] < s[b + SIZE]:
            a, b = b, a
        self.put(b + PARENT, a)
        self.put(a + SIZE, s[a + SIZE] + s[b + SIZE])
        after = s[a + RING]
        self.put(a + RING, s[b + RING])
        self.put(b + RING, after)
        if closed:
            self.put(a + OPEN, s[a + OPEN] + s[b + OPEN] - closed)
        self.gather(a, b)

    def gather(self, a: i64, b: i64) -> None:
        """Merges the attributes of record b into record a, each by its law."""
        s = self.s
        if s[b + STRENGTH]:
            self.put(a + STRENGTH, s[a + STRENGTH] + s[b + STRENGTH])
        if s[b + FLAGS]:
            self.put(a + FLAGS, s[a + FLAGS] | s[b + FLAGS])
        for i in range(i64(SUMS), self.stride):
            if s[b + i]:
                self.put(a + i, s[a + i] + s[b + i])

    def count_tiles(self, root: i64) -> i64:
        """Number of different tiles of a region; writes its segments with figures to `figure_nodes`."""
        self.begin_count()
        return self.count_more_tiles(root)

    def begin_count(self) -> None:
        """Starts a count of tiles and figures."""
        self.stamp += 1
        self.figure_count = 0

    def count_more_tiles(self, root: i64) -> i64:
        """Continues the count in one more region; returns the number of tiles not counted before."""
        s = self.s
        seen = self.counted
        stamp = self.stamp
        figures = self.figure_count
        count: i64 = 0
        node = root
        while True:
            tile = s[s[node + BLOCK] + NUMBER]
            if seen[tile] != stamp:
                seen[tile] = stamp
                count += 1
            if s[node + FIGURE]:
                self.figure_nodes[figures] = node
                figures += 1
            node = s[node + RING]
            if node == root:
                self.figure_count = figures
                return count
