"""Piles of tiles: what can be drawn, with which weight, and the tiles that wait before they can be drawn."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec

from bastide.kernel.offsets import HIDDEN, PILE, REMAINING
from bastide.kernel.shape import Shape
from bastide.native import i64
from bastide.rules.access import Access

# --- the field of tiles that wait
JOINED: Final = 0  # 1 when they have joined the pile of land ...
HIDDEN_BEFORE: Final = 1  # ... and how many tiles had left that pile unseen before: none of these waited


class Tables:
    """The part of the rules that a position reads. All games with the same rules share it."""

    def __init__(
        self,
        weight: list[i64],
        stands: list[i64],
        parts: list[tuple[str, str]],
        bag: i64,
        main: i64,
        piles: list[tuple[i64, i64]],
        scripted: bool,
        waiting: i64,
        waits: list[i64],
        turn_due: i64,
    ) -> None:
        self.weight = vec[i64](weight)  # per piece: what it counts for a majority; 0 = no follower
        self.stands = vec[i64](stands)  # per piece: first of its eight presence flags, 0 = has none
        self.parts = parts  # names of score parts with their rules
        self.bag: i64 = bag  # offset of the bag: per tile type, how many are unseen
        self.main_piles: i64 = main  # piles from which turns draw; the others belong to modules
        self.pile_first = vec[i64]([first for first, _end in piles])  # per pile: the first of its types ...
        self.pile_end = vec[i64]([end for _first, end in piles])  # ... and the one after its last
        self.scripted: bool = scripted  # any tile may be drawn, in any number
        self.waiting: i64 = waiting  # offset of JOINED and HIDDEN_BEFORE; 0: no tiles wait
        self.waits = vec[i64](waits)  # per tile type: how many of it cannot be drawn before they join the pile
        self.turn_due: i64 = turn_due  # offset: 1 if `turn_started` is told at the next draw; 0: it is told at once


class Piles(Access):
    """The board with its piles. The bag says how many tiles of each type nobody has seen."""

    def __init__(self, shape: Shape, state: vec[i64], trail_room: i64, tables: Tables) -> None:
        super().__init__(shape, state, trail_room)
        self.tables = tables
        self.bag: i64 = tables.bag
        self.actions = shape.blank[: shape.actions]
        self.weights = shape.blank[: shape.outcomes]  # of chance's actions

    def tiles_left(self, pile: i64) -> i64:
        """Tiles that can still be drawn from a pile."""
        return self.s[REMAINING + pile]

    def land_pile(self) -> i64:
        """The last of the piles from which turns draw: ordinary tiles."""
        return self.tables.main_piles - 1

    def next_pile(self) -> i64:
        """The pile from which turns draw now: the first that is not empty, else the last."""
        s = self.s
        pile = s[PILE]
        while s[REMAINING + pile] <= 0 and pile + 1 < self.tables.main_piles:
            pile += 1
        if pile != s[PILE]:
            self.put(PILE, pile)
        return pile

    def pile_of(self, tile_type: i64) -> i64:
        """The pile to which a tile type belongs."""
        pile: i64 = 0
        while not self.tables.pile_first[pile] <= tile_type < self.tables.pile_end[pile]:
            pile += 1
        return pile

    def draws(self, pile: i64) -> i64:
        """Writes every tile type that can come from a pile to `actions`, with its weight; returns how many."""
        s = self.s
        tables = self.tables
        first = tables.pile_first[pile]
        end = tables.pile_end[pile]
        if tables.scripted and pile < tables.main_piles:  # any tile, whatever the piles hold
            first = 0
            end = tables.pile_end[tables.main_piles - 1]
        n: i64 = 0
        for tile_type in range(first, end):
            count = s[self.bag + tile_type]
            if tables.scripted:
                count = 1
            if count:
                self.actions[n] = tile_type
                self.weights[n] = count
                n += 1
        if self.hidden_before(pile) and not tables.scripted:
            return self.reweigh(n)
        return n

    def in_pile(self, pile: i64) -> i64:
        """Tiles of a pile that nobody has seen: those that can be drawn and those that left it unseen.

        Weights instead of tiles, if some are likelier than others to be among those that left it.
        """
        if self.hidden_before(pile):
            total: i64 = 0
            for i in range(self.draws(pile)):
                total += self.weights[i]
            return total
        return self.s[REMAINING + pile] + self.s[HIDDEN + pile]

    def tile_in_pile(self, pile: i64, number: i64) -> i64:
        """The type of the unseen tile (or weight) with this number, from 0 on, if a pile were sorted by types."""
        s = self.s
        if self.hidden_before(pile):
            self.draws(pile)
            i: i64 = 0
            while number >= self.weights[i]:
                number -= self.weights[i]
                i += 1
            return self.actions[i]
        tile_type = self.tables.pile_first[pile]
        at = self.bag
        while True:
            number -= s[at + tile_type]
            if number < 0:
                return tile_type
            tile_type += 1

    # --- tiles that wait: `Layout.waiting_tiles` names them
    def tiles_waiting(self) -> i64:
        """Tiles that cannot be drawn yet."""
        tables = self.tables
        count: i64 = 0
        if tables.waiting and self.s[tables.waiting + JOINED] == 0:
            for tile_type in range(i64(len(tables.waits))):
                count += tables.waits[tile_type]
        return count

    def release_waiting_tiles(self) -> None:
        """Adds the waiting tiles to the pile of land. Does nothing if they are there already, or if none wait."""
        tables = self.tables
        if self.tiles_waiting() == 0:
            return
        pile = self.land_pile()
        for tile_type in range(i64(len(tables.waits))):
            if tables.waits[tile_type]:
                self.add(self.bag + tile_type, tables.waits[tile_type])
                self.add(REMAINING + pile, tables.waits[tile_type])
        self.put(tables.waiting + JOINED, 1)
        self.put(tables.waiting + HIDDEN_BEFORE, self.s[HIDDEN + pile])

    def hidden_before(self, pile: i64) -> i64:
        """Tiles that left a pile unseen before others joined it."""
        if self.tables.waiting == 0 or pile != self.land_pile():
            return 0
        return self.s[self.tables.waiting + HIDDEN_BEFORE]

    def reweigh(self, count: i64) -> i64:
        """Weighs the tiles in `actions` if some left the pile before others joined; returns how many can come.

        Of the tiles that were there first, `before` left: each is still in the pile with the chance (n - before) / n.
        """
        tables = self.tables
        before = self.s[tables.waiting + HIDDEN_BEFORE]
        first: i64 = 0
        for i in range(count):
            if tables.waits[self.actions[i]] == 0:
                first += self.weights[i]
        kept: i64 = 0
        for i in range(count):
            tile_type = self.actions[i]
            weight = self.weights[i] * (first if tables.waits[tile_type] else first - before)
            if weight:
                self.actions[kept] = tile_type
                self.weights[kept] = weight
                kept += 1
        return kept

    def take_from_bag(self, tile_type: i64, pile: i64) -> None:
        """Takes a tile out of its pile."""
        s = self.s
        if self.tables.scripted:
            pile = self.pile_of(tile_type)
        self.put(self.bag + tile_type, s[self.bag + tile_type] - 1)
        self.put(REMAINING + pile, s[REMAINING + pile] - 1)

    def hide(self, pile: i64) -> None:
        """Removes a tile from the pile unseen. Nobody knows which one, so the bag still counts it."""
        self.put(REMAINING + pile, self.s[REMAINING + pile] - 1)
        self.put(HIDDEN + pile, self.s[HIDDEN + pile] + 1)
