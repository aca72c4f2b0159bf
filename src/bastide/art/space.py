"""Where there is room on a tile: a coarse grid that knows whose every point is and how far away anything else is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import hypot
from random import Random

from bastide.art.curves import SIZE, Point, Ring, border

STEP = 2.5
COUNT = int(SIZE / STEP)
FAR = 99.0
LIKING = 45.0  # what liking a place can be worth at most: as much as 4.5 units of room

POINTS: list[Point] = [((c + 0.5) * STEP, (r + 0.5) * STEP) for r in range(COUNT) for c in range(COUNT)]
BORDER = [border(p) for p in POINTS]  # how far each grid point is from the tile's rim


class Space:
    """The grid of one tile. `claim` takes room away; `find` and `scatter` only use what is left."""

    def __init__(self, outlines: Mapping[int, Sequence[Ring]]) -> None:
        self.owner = [-1] * (COUNT * COUNT)
        for index, rings in outlines.items():
            self.fill(index, rings)
        self.room = self.distances()
        self.cells: dict[int, list[int]] = {}
        for cell, index in enumerate(self.owner):
            self.cells.setdefault(index, []).append(cell)

    def copy(self) -> Space:
        """The same land with its room, of which claims can then be made apart."""
        twin = Space.__new__(Space)
        twin.owner, twin.cells, twin.room = self.owner, self.cells, list(self.room)
        return twin

    def fill(self, index: int, rings: Sequence[Ring]) -> None:
        """Marks the grid points within the rings, row by row."""
        for row in range(COUNT):
            y = (row + 0.5) * STEP
            cuts: list[float] = []
            for ring in rings:
                x0, y0 = ring[-1]
                for x1, y1 in ring:
                    if (y0 > y) != (y1 > y):
                        cuts.append(x0 + (x1 - x0) * (y - y0) / (y1 - y0))
                    x0, y0 = x1, y1
            cuts.sort()
            for start, stop in zip(cuts[::2], cuts[1::2], strict=False):
                first, last = int(start / STEP + 0.5), int(stop / STEP + 0.5)
                for column in range(max(first, 0), min(last, COUNT)):
                    self.owner[row * COUNT + column] = index

    def distances(self) -> list[float]:
        """For every grid point about how far it is to land of another owner."""
        owner, n = self.owner, COUNT
        near, slant = STEP, STEP * 1.4142
        room = [FAR] * (n * n)
        for cell, index in enumerate(owner):
            row, column = divmod(cell, n)
            if (
                (column + 1 < n and owner[cell + 1] != index)
                or (column and owner[cell - 1] != index)
                or (row + 1 < n and owner[cell + n] != index)
                or (row and owner[cell - n] != index)
            ):
                room[cell] = STEP / 2
        for cells, sign in ((range(n * n), -1), (range(n * n - 1, -1, -1), 1)):
            for cell in cells:
                row, column = divmod(cell, n)
                best = room[cell]
                if 0 <= column + sign < n:
                    best = min(best, room[cell + sign] + near)
                if 0 <= row + sign < n:
                    above = cell + sign * n
                    best = min(best, room[above] + near)
                    if column:
                        best = min(best, room[above - 1] + slant)
                    if column + 1 < n:
                        best = min(best, room[above + 1] + slant)
                room[cell] = best
        return room

    def at(self, p: Point) -> int:
        """Whose the land at a point is."""
        column, row = min(int(p[0] / STEP), COUNT - 1), min(int(p[1] / STEP), COUNT - 1)
        return self.owner[max(row, 0) * COUNT + max(column, 0)]

    def free(self, p: Point) -> float:
        """How much room is left round a point."""
        column, row = min(int(p[0] / STEP), COUNT - 1), min(int(p[1] / STEP), COUNT - 1)
        return self.room[max(row, 0) * COUNT + max(column, 0)]

    def claim(self, p: Point, radius: float) -> None:
        """Takes a circle out of the room that is left."""
        x, y = p
        reach = radius + 30
        rows = range(max(int((y - reach) / STEP), 0), min(int((y + reach) / STEP) + 1, COUNT))
        columns = range(max(int((x - reach) / STEP), 0), min(int((x + reach) / STEP) + 1, COUNT))
        room = self.room
        for row in rows:
            for column in columns:
                cell = row * COUNT + column
                px, py = POINTS[cell]
                gap = hypot(px - x, py - y) - radius
                if gap < room[cell]:
                    room[cell] = gap

    def find(self, index: int, radius: float, rim: float, liking: Callable[[Point], float] | None = None) -> Point:
        """The place on a segment's land with the most room, up to a radius, that is liked best.

        `rim` is the distance to keep from the tile's rim. Where nothing is large enough the roomiest place is taken;
        overlapping a neighbour is better than being cut off at the rim.
        """
        best, place = -FAR, (SIZE / 2, SIZE / 2)
        for cell in self.cells.get(index, ()):
            score = 10 * min(self.room[cell], radius) - 25 * max(rim - BORDER[cell], 0)
            if liking is not None and score > best - LIKING:
                score += liking(POINTS[cell])
            if score > best:
                best, place = score, POINTS[cell]
        return place

    def heart(self, index: int, radius: float, liking: Callable[[Point], float]) -> Point:
        """The place on a segment's land that is farthest from everything, the tile's rim included, and liked best.

        What is farther than the radius counts no more.
        """
        best, place = -FAR, (SIZE / 2, SIZE / 2)
        room = self.room
        for cell in self.cells.get(index, ()):
            score = 10 * min(room[cell], BORDER[cell] + STEP / 2, radius)
            if score > best - LIKING:
                score += liking(POINTS[cell])
                if score > best:
                    best, place = score, POINTS[cell]
        return place

    def scatter(self, index: int, spacing: float, margin: float, rim: float, random: Random) -> list[Point]:
        """Points spread over a segment's land, `margin` away from everything else and apart from each other."""
        cells = [c for c in self.cells.get(index, ()) if self.room[c] >= margin and BORDER[c] >= rim]
        random.shuffle(cells)
        chosen: list[Point] = []
        for cell in cells:
            x, y = POINTS[cell]
            if all(
                abs(x - px) >= spacing or abs(y - py) >= spacing or hypot(x - px, y - py) >= spacing
                for px, py in chosen
            ):
                chosen.append((x, y))
        return [(x + random.uniform(-0.8, 0.8), y + random.uniform(-0.8, 0.8)) for x, y in chosen]
