"""The board: tiles on cells, the frontier of open cells with what each must show, laying a tile."""

from __future__ import annotations

from librt.vecs import vec

from bastide.kernel.offsets import (
    AT,
    BLOCK,
    CELL,
    CENTRE,
    CLOSED,
    CLOSED_LEN,
    FIGURE,
    FRONT_LEN,
    HEAD,
    LAST,
    LOOK,
    LOOK_LEN,
    NCLOSING,
    NEED,
    NEED_BITS,
    NEED_MASK,
    NUMBER,
    OPEN,
    P_ALSO,
    P_LAYER,
    P_LEFT,
    P_LEN,
    P_RIGHT,
    P_SIDE,
    PARENT,
    PORT,
    POS,
    POS_BITS,
    RING,
    SEG,
    SIZE,
    TILES_LEN,
)
from bastide.kernel.regions import Regions
from bastide.kernel.shape import Shape
from bastide.native import i64

STEP = vec[i64]([-1, 1 << POS_BITS, 1, -(1 << POS_BITS)])  # per side: what is added to a packed position


class Board(Regions):
    """Regions laid out on cells."""

    def __init__(self, shape: Shape, state: vec[i64], trail_room: i64) -> None:
        super().__init__(shape, state, trail_room)
        self.looks = shape.looks
        self.fits = shape.fits
        self.steps = shape.steps
        self.cells: i64 = shape.cells
        self.frontier: i64 = shape.frontier
        self.step = STEP

    def beside(self, cell: i64, direction: i64) -> i64:
        """The neighbour of a cell: directions 0 to 3 are sides, 4 to 7 go across the corners."""
        there = cell + self.steps[direction]
        if there >= self.cells:
            there -= self.cells
        return there

    def fitting(self, tile_type: i64, out: vec[i64]) -> i64:
        """Writes cell * 4 + rotation for all places where a tile of this type fits; returns how many."""
        s = self.s
        fits = self.fits
        table = tile_type * self.shape.needs
        n: i64 = 0
        p = self.frontier
        end = p + s[FRONT_LEN]
        while p < end:
            entry = s[p]
            rotations = i64(fits[table + (entry & NEED_MASK)])
            code = (entry >> NEED_BITS) * 4
            out[n] = code + (rotations & 3)  # all four without a branch, which the CPU could not predict
            out[n + 1] = code + (rotations >> 2 & 3)
            out[n + 2] = code + (rotations >> 4 & 3)
            out[n + 3] = code + (rotations >> 6 & 3)
            n += rotations >> 8
            p += 1
        return n

    def lay(self, tile_type: i64, cell: i64, rotation: i64, position: i64) -> i64:
        """Puts a tile down and merges; writes closed regions to CLOSED. Returns the tile's block.

        `position` is used only if the cell has no neighbour.
        """
        s = self.s
        looks = self.looks
        look = (tile_type * 4 + rotation) * self.shape.look_size
        number = s[TILES_LEN]
        block = self.shape.blocks
        if number:
            last = s[LAST]
            block = last + looks[s[last + LOOK] + LOOK_LEN]
        self.put(TILES_LEN, number + 1)
        self.put(LAST, block)
        if s[CLOSED_LEN]:
            self.put(CLOSED_LEN, 0)
        self.leave_frontier(cell)
        self.put(CELL + cell, block)
        self.write_block(block, look, number, cell)
        for side in range(i64(4)):
            next_cell = self.beside(cell, side)
            there = s[CELL + next_cell]
            if there > 0:
                position = s[there + POS] - self.step[side]
                self.join_edge(block, look + PORT + P_LEN * side, there, s[there + LOOK] + PORT + P_LEN * (side ^ 2))
            else:
                self.require(next_cell, there, looks[look + NEED + side])
        s[block + POS] = position
        self.count_around(block, look, cell)
        for seg in range(looks[look + NCLOSING]):
            root = self.find(block + HEAD + seg * self.stride)
            if s[root + OPEN] == 0:
                self.close(root)
        return block

    def write_block(self, block: i64, look: i64, number: i64, cell: i64) -> None:
        """Writes the records of a new tile. They are not put on the trail, because nothing reads them after undo."""
        s = self.s
        looks = self.looks
        stride = self.stride
        s[block + LOOK] = look
        s[block + AT] = cell
        s[block + NUMBER] = number
        node = block + HEAD
        seg = look + SEG
        end = block + looks[look + LOOK_LEN]
        while node < end:
            s[node + PARENT] = node
            s[node + RING] = node
            s[node + SIZE] = 1
            s[node + BLOCK] = block
            for i in range(i64(FIGURE), stride):
                s[node + i] = looks[seg + i]
            node += stride
            seg += stride

    def join_edge(self, block: i64, port: i64, block2: i64, port2: i64) -> None:
        """Joins the segments of two tiles across their common edge."""
        looks = self.looks
        if looks[port + P_SIDE] >= 0:
            self.join(block + looks[port + P_SIDE], block2 + looks[port2 + P_SIDE], 2)
        left = looks[port + P_LEFT]
        right = looks[port + P_RIGHT]
        left2 = looks[port2 + P_LEFT]
        right2 = looks[port2 + P_RIGHT]
        if left >= 0 and right2 >= 0:
            self.join(block + left, block2 + right2, 0)
        if right >= 0 and left2 >= 0 and (right != left or left2 != right2):
            self.join(block + right, block2 + left2, 0)
        if self.shape.extra_ports:
            self.join_rest(block, port, block2, port2)

    def join_rest(self, block: i64, port: i64, block2: i64, port2: i64) -> None:
        """The rarer joins: layer 1, and sides that carry two segments at once."""
        looks = self.looks
        if looks[port + P_LAYER] >= 0 and looks[port2 + P_LAYER] >= 0:
            self.join(block + looks[port + P_LAYER], block2 + looks[port2 + P_LAYER], 2)
        if looks[port + P_ALSO] >= 0:
            self.join(block + looks[port + P_ALSO], block2 + looks[port2 + P_SIDE], 1)
        if looks[port2 + P_ALSO] >= 0:
            self.join(block2 + looks[port2 + P_ALSO], block + looks[port + P_SIDE], 1)

    def leave_frontier(self, cell: i64) -> None:
        """Removes a cell from the frontier: a tile lies on it now."""
        s = self.s
        place = -s[CELL + cell] - 1
        if place < 0:
            return
        last = s[FRONT_LEN] - 1
        self.put(FRONT_LEN, last)
        if place != last:  # close the gap with the last entry
            moved = s[self.frontier + last]
            self.put(self.frontier + place, moved)
            self.put(CELL + (moved >> NEED_BITS), -(place + 1))

    def require(self, cell: i64, there: i64, need: i64) -> None:
        """Adds `need` to what a tile on this open cell must show."""
        s = self.s
        if there < 0:
            at = self.frontier - there - 1
            self.put(at, s[at] + need)
        else:
            end = s[FRONT_LEN]
            self.put(self.frontier + end, cell << NEED_BITS | need)
            self.put(CELL + cell, -(end + 1))
            self.put(FRONT_LEN, end + 1)

    def need_of(self, cell: i64) -> i64:
        """What an open cell must show on its four sides, as one number."""
        return self.s[self.frontier - self.s[CELL + cell] - 1] & NEED_MASK

    def count_around(self, block: i64, look: i64, cell: i64) -> None:
        """Updates the regions that close when all eight cells around them are taken."""
        s = self.s
        looks = self.looks
        around: i64 = 0
        for d in range(i64(8)):
            there = s[CELL + self.beside(cell, d)]
            if there > 0:
                around += 1
                centre = looks[s[there + LOOK] + CENTRE]
                if centre >= 0:
                    node = there + centre
                    self.put(node + OPEN, s[node + OPEN] - 1)
                    if s[node + OPEN] == 0:
                        self.close(node)
        centre = looks[look + CENTRE]
        if centre >= 0:
            s[block + centre + OPEN] = 8 - around

    def close(self, root: i64) -> None:
        """Adds a region that has just closed to CLOSED, once."""
        s = self.s
        n = s[CLOSED_LEN]
        for i in range(n):
            if s[CLOSED + i] == root:
                return
        self.put(CLOSED + n, root)
        self.put(CLOSED_LEN, n + 1)

    # --- questions for people and for modules, not for the hot path
    def squares(self) -> i64:
        """Squares on the board."""
        return self.s[TILES_LEN]

    def tile_at(self, cell: i64) -> i64:
        """The block of the tile on a cell, 0 if none lies there."""
        there = self.s[CELL + cell]
        if there > 0:
            return there
        return 0

    def fits_at(self, tile_type: i64, cell: i64, rotation: i64, position: i64) -> bool:
        """Is a cell open, does it lie at this packed position, and does the tile fit there?"""
        if self.s[CELL + cell] >= 0 or self.position_of(cell) != position:
            return False
        rotations = i64(self.fits[tile_type * self.shape.needs + self.need_of(cell)])
        return any(rotations >> 2 * i & 3 == rotation for i in range(rotations >> 8))

    def position_of(self, cell: i64) -> i64:
        """The packed position of a taken or an open cell."""
        s = self.s
        there = s[CELL + cell]
        if there > 0:
            return s[there + POS]
        for side in range(i64(4)):
            there = s[CELL + self.beside(cell, side)]
            if there > 0:
                return s[there + POS] - self.step[side]
        raise ValueError(f"cell {cell} is neither taken nor open")
