"""The River and the Anniversary River (RIVER-1 to RIVER-10)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .board import Cell, beside
from .expansion import Expansion
from .tiles import Segment, Tile, read_big, read_box, without

if TYPE_CHECKING:
    from .base import BaseGame

# WHEEL-12: where the spring lies beside the wheel board (cells 0,0 to 3,3), and its turn. It flows away from the board.
SPRING_AT_WHEEL: dict[str, tuple[Cell, int]] = {"river_i": ((1, -1), 3), "anniversary": ((4, 3), 0)}


class River(Expansion):
    """River tiles come first, from piles of their own, and continue the river."""

    def __init__(self, game: BaseGame) -> None:
        super().__init__(game)
        self.which: str = game.options["river"]
        self.beside_wheel = "wheel_of_fortune" in game.modules
        self.box = {"river_i": "river_i", "anniversary": "river_anniversary"}[self.which]
        printed = {"river_sheep": "sheep", "river_vineyards": "vineyard"}  # HOUSE-16: only on river tiles
        off = [without(mark) for rule, mark in printed.items() if game.options[rule] == "off"]
        types = read_box(self.box, (*game.printed_for, *off))
        self.types = [tile for tile, _ in types]
        course = [(t, n * game.options["river_copies"]) for t, n in types if not self.ends(t)]  # HOUSE-4
        mouths = [(t, n) for t, n in types if any(s.mark("mouth") for s in t.segments)]
        # RIVER-1, RIVER-2, RIVER-7: the mouth (the lakes) comes last; then the usual tiles.
        game.piles = [game.add_pile(course), game.add_pile(mouths), game.land]

    @staticmethod
    def ends(tile: Tile) -> bool:
        """A spring, a mouth or a lake."""
        return any(s.mark("source") or s.mark("mouth") for s in tile.segments)

    def begin(self) -> None:
        """RIVER-1, RIVER-7: the spring lies in the middle; WHEEL-12: beside the wheel board when there is one."""
        cell, turn = SPRING_AT_WHEEL[self.which] if self.beside_wheel else ((0, 0), 0)
        if self.which == "anniversary":
            self.game.board.lay_big(read_big(self.box, self.game.printed_for), cell)
        else:
            (spring,) = (tile for tile in self.types if any(s.mark("source") for s in tile.segments))
            self.game.board.lay(spring, cell, turn)

    def placements(self, tile: Tile, found: list[tuple[Cell, int]]) -> list[tuple[Cell, int]]:
        """A river tile continues the river, without turning back (RIVER-3, RIVER-8, RIVER-9)."""
        if not any(s.kind == "river" for s in tile.segments):
            return found
        allowed = [(cell, turn) for cell, turn in found if self.continues(tile.turned(turn), cell)]
        allowed = [(cell, turn) for cell, turn in allowed if not self.turns_back(tile.turned(turn), cell)]
        if self.game.options["river_bends"] == "away" and (self.which == "anniversary" or self.beside_wheel):
            # An open end has a free square ahead by its nature: a river side fits only against a river side.
            away = [(cell, turn) for cell, turn in allowed if not self.may_block(tile.turned(turn), cell)]
            return away or allowed  # only while another placement exists
        return allowed

    def river_of(self, tile: Tile, side: int) -> Segment | None:
        """The river segment that reaches this side."""
        return next((s for s in tile.segments if s.kind == "river" and side in s.sides), None)

    def continues(self, tile: Tile, cell: Cell) -> bool:
        """A river side lies against an open river end."""
        return any(self.river_of(tile, side) and beside(cell, side) in self.game.board.tiles for side in range(4))

    def turns_back(self, tile: Tile, cell: Cell) -> bool:
        """RIVER-3: a bend directly after a bend that turns the same way."""
        for side in range(4):
            river = self.river_of(tile, side)
            neighbour = self.game.board.tiles.get(beside(cell, side))
            if river and neighbour:
                heading = (side + 2) % 4  # the way the water takes from the neighbour into this tile
                before = self.river_of(neighbour, heading)
                assert before is not None
                came = [s for s in before.sides if s != heading]
                goes = [s for s in river.sides if s != side]
                if came and goes:
                    first = (heading - (came[0] + 2)) % 4
                    second = (goes[0] - heading) % 4
                    if first == second != 0:
                        return True
        return False

    def may_block(self, tile: Tile, cell: Cell) -> bool:
        """RIVER-9: it turns where tiles lie already, or leads to the square to which another end leads."""
        (river,) = (s for s in tile.segments if s.kind == "river")
        turns = len(river.sides) == 2 and sum(river.sides) % 2 == 1
        for side in river.sides:
            if beside(cell, side) not in self.game.board.tiles:
                if turns and any(self.lies_towards(other, cell, side) for other in self.game.board.tiles):
                    return True
                if beside(cell, side) in self.squares_ahead():
                    return True
        return False

    @staticmethod
    def lies_towards(other: Cell, cell: Cell, side: int) -> bool:
        """Does a cell lie on one side of another, at most two rows or columns off the straight line?"""
        east, south = other[0] - cell[0], other[1] - cell[1]
        if side in (0, 2):
            return abs(east) <= 2 and (south < 0 if side == 0 else south > 0)
        return abs(south) <= 2 and (east > 0 if side == 1 else east < 0)

    def squares_ahead(self) -> set[Cell]:
        """The empty squares to which the open ends of the river lead."""
        lying = self.game.board.tiles
        leads = {beside(cell, side) for cell, tile in lying.items() for side in range(4) if self.river_of(tile, side)}
        return leads - set(lying)
