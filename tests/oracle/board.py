"""The table: tiles that lie, pieces that stand on them, and the areas found by flood fill."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from .tiles import BigTile, Tile

Cell = tuple[int, int]
Spot = tuple[Cell, int]  # a segment on the table: the cell and the number of the segment on its tile
Wanted = tuple[tuple[int, str], ...]  # sides of a free cell and the edges they must show

STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))  # N E S W; y grows to the south


def beside(cell: Cell, side: int) -> Cell:
    """The cell that shares this side."""
    return cell[0] + STEPS[side][0], cell[1] + STEPS[side][1]


def around(cell: Cell) -> list[Cell]:
    """The eight cells around a cell."""
    x, y = cell
    return [(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]


@dataclass(eq=False)
class Figure:
    """One piece of a player that stands on a segment."""

    player: int
    piece: str
    spot: Spot


@dataclass(eq=False)
class Area:
    """A connected city, road, field ... or a single cloister: all its segments on the table."""

    kind: str
    spots: frozenset[Spot]
    names: frozenset[tuple[Cell, str]]  # the same spots, as action texts name them

    @cached_property
    def cells(self) -> frozenset[Cell]:
        """The tiles that carry it; a tile that carries it twice counts once (BASE-13, BASE-14)."""
        return frozenset(cell for cell, _ in self.spots)


class Board:
    """Tiles by cell, turned as they lie, and the figures on them."""

    def __init__(self) -> None:
        self.tiles: dict[Cell, Tile] = {}
        self.free: dict[Cell, Wanted] = {}  # cells beside a tile (BASE-6), and what the tiles want of a tile there
        self.figures: list[Figure] = []
        self.bonds: list[tuple[Spot, Spot]] = []  # segments of a big tile that are one across its squares
        self.borders: list[tuple[Spot, Spot]] = []  # a field and a city of a big tile that touch across its squares
        self._areas: dict[Spot, Area] = {}
        self._new: list[Cell] = []  # tiles laid since the areas were last flooded
        self._complete: dict[Area, bool] = {}

    # --- laying tiles ---

    def lay(self, tile: Tile, cell: Cell, turn: int = 0) -> None:
        """Put a tile on a free cell, turned so many quarter turns clockwise."""
        assert cell not in self.tiles
        self.tiles[cell] = tile = tile.turned(turn)
        self.free.pop(cell, None)
        for side in range(4):
            if (open_cell := beside(cell, side)) not in self.tiles:
                self.free[open_cell] = (*self.free.get(open_cell, ()), ((side + 2) % 4, tile.edges[side]))
        self._new.append(cell)
        near = {cell, *around(cell)}  # complete areas stay so, and no other one changes by a tile far away
        self._complete = {area: done for area, done in self._complete.items() if done or near.isdisjoint(area.cells)}

    def lay_big(self, big: BigTile, at: Cell) -> None:
        """Put a start tile of several squares on the table, its first column and row on `at`."""

        def spot(place: Spot) -> Spot:
            (x, y), index = place
            return (at[0] + x, at[1] + y), index

        for (x, y), tile in big.squares.items():
            self.lay(tile, (at[0] + x, at[1] + y))
        for places in big.same:
            self.bonds += [(spot(one), spot(other)) for one, other in pairwise(places)]
        self.borders += [(spot(one), spot(city)) for one, city in big.touching]

    def placements(self, tile: Tile) -> list[tuple[Cell, int]]:
        """BASE-7: every free cell and turn in which the tile continues the landscape on all common sides."""
        found = []
        for turn in tile.turns:
            edges = tile.turned(turn).edges
            met = {wanted for wanted in set(self.free.values()) if all(edges[side] == edge for side, edge in wanted)}
            found += [(cell, turn) for cell, wanted in self.free.items() if wanted in met]
        return found

    # --- areas ---

    def name(self, spot: Spot) -> str:
        """The spot as action texts name it: `1,0 city N`."""
        (x, y), index = spot
        return f"{x},{y} {self.tiles[(x, y)].spots[index]}"

    def sides_reached(self, spot: Spot) -> frozenset[int]:
        """The sides of its tile that a segment reaches, wholly or by half."""
        cell, index = spot
        return self.tiles[cell].segments[index].reaches

    def joined(self, spot: Spot) -> list[Spot]:
        """What a segment continues into, on the neighbouring tiles or across the squares of a big tile."""
        cell, index = spot
        segment = self.tiles[cell].segments[index]
        found = [b for a, b in self.bonds if a == spot] + [a for a, b in self.bonds if b == spot]
        for side in self.sides_reached(spot):
            neighbour = beside(cell, side)
            if neighbour not in self.tiles:
                continue
            opposite = (side + 2) % 4
            for other, facing in enumerate(self.tiles[neighbour].segments):
                if facing.kind != segment.kind:
                    continue
                if segment.kind in ("field", "meadow"):
                    # Half against half: my left half meets the other's right half.
                    mine = {half % 2 for half in segment.halves if half // 2 == side}
                    theirs = {1 - half % 2 for half in facing.halves if half // 2 == opposite}
                    if mine & theirs:
                        found.append((neighbour, other))
                elif opposite in self.sides_reached((neighbour, other)):
                    # HILL-1: whatever city lies against a split city side joins both cities there.
                    found.append((neighbour, other))
        return found

    def areas(self) -> dict[Spot, Area]:
        """Every segment on the table with its area; those that reach a newly laid tile are flooded anew."""
        flooded: set[Spot] = set()
        for cell in self._new:
            for spot in ((cell, index) for index in range(len(self.tiles[cell].segments))):
                if spot not in flooded:
                    area = self.flood(spot)
                    self._areas.update(dict.fromkeys(area.spots, area))
                    flooded |= area.spots
        self._new = []
        return self._areas

    def flood(self, start: Spot) -> Area:
        """Everything that hangs together with one segment."""
        reached = {start}
        waiting = [start]
        while waiting:
            for spot in self.joined(waiting.pop()):
                if spot not in reached:
                    reached.add(spot)
                    waiting.append(spot)
        names = frozenset((cell, self.tiles[cell].spots[index]) for cell, index in reached)
        return Area(self.tiles[start[0]].segments[start[1]].kind, frozenset(reached), names)

    def area(self, spot: Spot) -> Area:
        """The area of one segment."""
        return self.areas()[spot]

    def all_areas(self) -> list[Area]:
        """Every area once, in the order in which the tiles were laid."""
        return list({id(area): area for area in self.areas().values()}.values())

    def areas_on(self, cell: Cell) -> list[Area]:
        """The areas of one tile, each once, in the order of its segments."""
        return list(dict.fromkeys(self.area((cell, i)) for i in range(len(self.tiles[cell].segments))))

    def surrounding(self, cell: Cell) -> int:
        """How many of the eight cells around hold a tile."""
        return sum(neighbour in self.tiles for neighbour in around(cell))

    def complete(self, area: Area) -> bool:
        """Whether an area is complete as the tiles lie."""
        done = self._complete.get(area)
        if done is None:
            done = self._complete[area] = self.closed(area)
        return done

    def closed(self, area: Area) -> bool:
        """No open side (BASE-13, BASE-14); a cloister or garden: eight tiles around (BASE-16, ABBOT-3)."""
        if area.kind in ("cloister", "garden"):
            return all(self.surrounding(cell) == 8 for cell in area.cells)
        return all(beside(spot[0], side) in self.tiles for spot in area.spots for side in self.sides_reached(spot))

    def count(self, area: Area, mark: str) -> int:
        """How often a mark is printed in an area."""
        return sum(self.tiles[cell].segments[index].mark(mark) for cell, index in area.spots)

    def cities_of(self, meadow: Area) -> list[Area]:
        """The cities that touch a field (BASE-24)."""
        cities = [
            self.area((cell, city))
            for cell, index in sorted(meadow.spots)
            for city in self.tiles[cell].segments[index].touches
        ]
        cities += [self.area(city) for spot, city in self.borders if spot in meadow.spots]
        return list(dict.fromkeys(cities))

    # --- figures ---

    def figures_in(self, area: Area) -> list[Figure]:
        """The figures that stand in an area."""
        return [figure for figure in self.figures if figure.spot in area.spots]
