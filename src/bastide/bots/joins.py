"""Regions of different players that one tile may join: to the gain of some, at the cost of others."""

from __future__ import annotations

from math import exp
from typing import Final

from librt.vecs import vec

from bastide.bots.corrections import Corrections
from bastide.bots.outlook import Outlook
from bastide.game.engine import Engine
from bastide.kernel.offsets import (
    AT,
    BLOCK,
    CELL,
    HEAD,
    KIND,
    LOOK,
    P_LAYER,
    P_LEFT,
    P_LEN,
    P_RIGHT,
    P_SIDE,
    PORT,
    RING,
    SEG,
    STRENGTH,
)
from bastide.native import i64

FACING = vec[i64]([P_SIDE, P_RIGHT, P_LEFT, P_LAYER])  # per slot of a port: the slot that it meets
SLOTS: Final = 4
PORTS: Final = 16  # most ports of an open cell that occupied regions look onto
PAIRS: Final = 64  # most pairs of regions that may be joined


class Joins:
    """Finds pairs of regions around open cells, and what joining them would change."""

    def __init__(self, outlook: Outlook, corrections: Corrections) -> None:
        self.outlook = outlook
        self.corrections = corrections
        room = len(outlook.rules.shape.empty)
        self.points = vec[float]([0.0] * room)  # per region: what it is expected to bring its winners
        self.winners = vec[i64]([0] * room)  # ... and who they are
        cells = outlook.rules.shape.cells
        self.made = vec[i64]([0] * cells)  # per cell: stamp of the judgement for which the next are right
        self.port_count = vec[i64]([0] * cells)  # ... how many ports of occupied regions look onto it
        self.port_region = vec[i64]([0] * (cells * PORTS))  # ... these regions
        self.port = vec[i64]([0] * (cells * PORTS))  # ... and the ports of a tile that would meet them
        self.shared_cells = vec[i64]([0] * cells)  # cells with more than one
        self.shared_count: i64 = 0
        self.pair = vec[i64]([0] * (2 * PAIRS))
        self.pair_cell = vec[i64]([0] * PAIRS)
        self.pair_rate = vec[float]([0.0] * PAIRS)
        self.pairs: i64 = 0
        self.facing = FACING

    def expect(self, game: Engine, roots: vec[i64], count: i64, worth: vec[float]) -> None:
        """Adds what joining any two of these regions would change for each player, weighted by its chance."""
        self.pairs = 0
        self.shared_count = 0
        for i in range(count):
            self.list_ports(game, roots[i])
        for i in range(self.shared_count):
            cell = self.shared_cells[i]
            self.find_pairs(game, cell, game.need_of(cell))
        for i in range(self.pairs):
            self.add_change(game, i, worth)

    def list_ports(self, game: Engine, root: i64) -> None:
        """Records, for the open cells around a region, by which ports a tile there would join it."""
        s = game.s
        looks = game.looks
        reached = self.outlook.holes.reached
        node = root
        while True:
            block = s[node + BLOCK]
            look = s[block + LOOK]
            rim = reached[look + SEG + node - block - HEAD]
            side: i64 = 0
            while rim:
                if rim & 1:
                    cell = game.beside(s[block + AT], side)
                    if s[CELL + cell] < 0:
                        port = look + PORT + P_LEN * side
                        for slot in range(i64(SLOTS)):
                            if looks[port + slot] == node - block:
                                self.add_port(cell, root, PORT + P_LEN * (side ^ 2) + self.facing[slot])
                rim >>= 1
                side += 1
            node = s[node + RING]
            if node == root:
                return

    def add_port(self, cell: i64, root: i64, port: i64) -> None:
        """One port of an open cell."""
        stamp = self.outlook.stamp
        if self.made[cell] != stamp:
            self.made[cell] = stamp
            self.port_count[cell] = 0
        count = self.port_count[cell]
        if count == PORTS:
            return
        at = cell * PORTS + count
        self.port_region[at] = root
        self.port[at] = port
        self.port_count[cell] = count + 1
        if count == 1:
            self.shared_cells[self.shared_count] = cell
            self.shared_count += 1

    def find_pairs(self, game: Engine, cell: i64, need: i64) -> None:
        """Records each pair of regions of one kind that a tile on this cell can join."""
        s = game.s
        first = cell * PORTS
        end = first + self.port_count[cell]
        for a in range(first, end):
            one = self.port_region[a]
            for b in range(a + 1, end):
                other = self.port_region[b]
                if one == other or s[one + KIND] != s[other + KIND] or self.winners[one] == self.winners[other]:
                    continue
                pair = self.pair_of(one, other)
                if pair >= 0 and self.pair_cell[pair] != cell:
                    fit = self.outlook.holes.joining(game, need, self.port[a], self.port[b])
                    if fit:
                        self.pair_cell[pair] = cell
                        self.pair_rate[pair] += float(fit) / self.outlook.holes.unseen

    def pair_of(self, one: i64, other: i64) -> i64:
        """The index of a pair in the list, -1 if there is no room for it."""
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

    def add_change(self, game: Engine, i: i64, worth: vec[float]) -> None:
        """What joining a pair would change, weighted by the chance that those who gain from it can do it."""
        s = game.s
        reach = self.outlook.reach
        one = self.pair[2 * i]
        other = self.pair[2 * i + 1]
        if self.pair_rate[i] == 0.0:
            return
        together = game.leaders(s[one + STRENGTH] + s[other + STRENGTH])
        both = self.points[one] + self.points[other]
        most: float = -1e9
        time: float = 0.0
        for player in range(game.players):
            gain = self.gain(one, other, together, both, player)
            if gain > most:
                most = gain
                time = reach[player]
            elif gain == most:
                time += reach[player]
        likely = 1.0 - exp(-self.pair_rate[i] * time * self.outlook.weights.join)
        for player in range(game.players):
            gain = self.gain(one, other, together, both, player)
            worth[player] += likely * gain
            if self.corrections.asked:
                self.corrections.pair(likely, gain, self.outlook.closes[s[one + KIND]], player)

    def gain(self, one: i64, other: i64, together: i64, both: float, player: i64) -> float:
        """What a player wins or loses when two regions become one."""
        change: float = 0.0
        if together >> player & 1:
            change = both
        if self.winners[one] >> player & 1:
            change -= self.points[one]
        if self.winners[other] >> player & 1:
            change -= self.points[other]
        return change
