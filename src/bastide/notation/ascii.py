"""A board drawn in text: every tile nine letters wide and five lines high, with coordinates and figures.

```
        0        1
    +▒▒▒▒▒▒▒++. . . .+
     .▒▒▒▒▒.  . . . .
  0 ═════════════╗. .
     . . . .  . .║. .
    +. . . .++. .║. .+
```

It reads without colour; with colour the figures have the colours of their seats.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from bastide.game import Game
from bastide.game.view import LAP
from bastide.geometry import STEPS, Cell, rotate_half, rotate_side
from bastide.tiles.model import Tile

WIDTH, HEIGHT = 9, 5
CENTRE = (WIDTH // 2, HEIGHT // 2)

Place = tuple[int, int]  # column and line inside a tile


class Glyph(NamedTuple):
    """One letter of the picture and the ANSI colour it has when there is colour."""

    letter: str
    colour: str = ""


AREAS = {"city": Glyph("▒", "33"), "forest": Glyph("^", "32"), "cropfield": Glyph('"', "33")}
GROUNDS = ("field", "meadow")
FIELD, SHIELD = Glyph(".", "32"), Glyph("◆", "34")
VILLAGE, CLOISTER, CORNER, BLANK = Glyph("■", "37"), Glyph("⌂", "31"), Glyph("+", "90"), Glyph(" ")
# Lines by the pairs of sides they join, N E S W being 0 1 2 3: roads double, every other kind single.
ROADS = {(0, 2): "║", (1, 3): "═", (0, 1): "╚", (1, 2): "╔", (2, 3): "╗", (0, 3): "╝"}
LINES = {(0, 2): "│", (1, 3): "─", (0, 1): "└", (1, 2): "┌", (2, 3): "┐", (0, 3): "┘"}

# Where the half sides lie in the picture, NL NR EL ER SL SR WL WR: a letter of field belongs to the nearest.
RIM: tuple[Place, ...] = ((2, 0), (6, 0), (8, 1), (8, 3), (6, 4), (2, 4), (0, 3), (0, 1))
ON_IT: tuple[Place, ...] = ((1, 1), (WIDTH - 2, 1), (1, HEIGHT - 2), (WIDTH - 2, HEIGHT - 2))  # for whole tiles
CORNERS: tuple[Place, ...] = ((0, 0), (WIDTH - 1, 0), (0, HEIGHT - 1), (WIDTH - 1, HEIGHT - 1))
PLACES: tuple[Place, ...] = tuple((x, y) for y in range(HEIGHT) for x in range(WIDTH) if (x, y) not in CORNERS)


SEATS = ("91", "94", "92", "93", "95", "96", "97", "90")
ANSI = {"red": "91", "blue": "94", "green": "92", "yellow": "93", "black": "90", "pink": "95", "white": "97"}


class Picture:
    """One tile as it lies: its letters, and the segment that each of them belongs to."""

    def __init__(self, tile: Tile, rotation: int) -> None:
        self.tile, self.rotation = tile, rotation
        self.glyphs = dict.fromkeys(CORNERS, CORNER)
        self.owner: dict[Place, int] = {}
        self._draw_areas()
        self._draw_lines()
        self._draw_points()
        self._draw_fields()

    def line(self, y: int) -> list[Glyph]:
        """The letters of one line."""
        return [self.glyphs.get((x, y), BLANK) for x in range(WIDTH)]

    def stand(self, spot: str, figure: Glyph) -> None:
        """Put a figure on the segment of that name, beside those that stand there already."""
        for index in range(len(self.tile.segments)):
            if self.tile.spot(index, self.rotation) == spot:
                self._put(self._middle(index), figure, -1)

    def stand_on_it(self, figure: Glyph) -> None:
        """Put a figure on the tile as a whole."""
        self._put(next((place for place in ON_IT if self.owner.get(place) != -1), CENTRE), figure, -1)

    def _put(self, place: Place, glyph: Glyph, index: int) -> None:
        self.glyphs[place], self.owner[place] = glyph, index

    def _middle(self, index: int) -> Place:
        """The letter of a segment nearest to the middle of all of them."""
        own = [place for place, owner in self.owner.items() if owner == index] or [CENTRE]
        x, y = (sum(place[i] for place in own) / len(own) for i in (0, 1))
        return min(own, key=lambda place: _distance(place, (x, y)))

    def _draw_areas(self) -> None:
        for index, segment in enumerate(self.tile.segments):
            if segment.kind in AREAS:
                sides = {rotate_side(s, self.rotation) for s in segment.sides}
                sides |= {rotate_half(h, self.rotation) // 2 for h in segment.halves}
                for place in PLACES:
                    if _inside(place, sides):
                        self._put(place, AREAS[segment.kind], index)
                if segment.marks.get("shields"):
                    self._put(self._middle(index), SHIELD, -1)

    def _draw_lines(self) -> None:
        ends = 0
        for index, segment in enumerate(self.tile.segments):
            if segment.kind in AREAS or not segment.sides:
                continue
            shapes, colour = (ROADS, "37") if segment.kind == "road" else (LINES, "36")
            sides = sorted(rotate_side(s, self.rotation) for s in segment.sides)
            for side in sides:
                for place in _way_in(side):
                    self._put(place, Glyph(shapes[side % 2, side % 2 + 2], colour), index)
            if len(sides) == 2:
                self._put(CENTRE, Glyph(shapes[sides[0], sides[1]], colour), index)
            else:
                ends += 1
        if ends > 1:
            self._put(CENTRE, VILLAGE, -1)

    def _draw_points(self) -> None:
        for index, segment in enumerate(self.tile.segments):
            if segment.kind not in GROUNDS and not segment.sides and not segment.halves:
                x, y = CENTRE
                mark = CLOISTER if segment.kind == "cloister" else Glyph(segment.kind[0], "35")
                for dx, glyph in ((-1, Glyph("[", mark.colour)), (0, mark), (1, Glyph("]", mark.colour))):
                    self._put((x + dx, y), glyph, index)

    def _draw_fields(self) -> None:
        segments = list(enumerate(self.tile.segments))
        reach = {rotate_half(h, self.rotation): i for i, s in segments for h in s.halves if s.kind not in AREAS}
        inner = next((i for i, s in segments if s.kind in GROUNDS), -1)
        for place in [place for place in PLACES if place not in self.owner]:
            nearest = min(reach, key=lambda half: _distance(RIM[half], place), default=None)
            self._put(place, FIELD if place[0] % 2 else BLANK, inner if nearest is None else reach[nearest])


def _distance(one: Place, other: tuple[float, float]) -> float:
    """A letter is twice as high as wide."""
    return (one[0] - other[0]) ** 2 + 4 * (one[1] - other[1]) ** 2


def _towards(place: Place, side: int) -> float:
    """How far a letter lies towards a side: 1 at that side, 0 in the middle, -1 at the opposite side."""
    dx, dy = STEPS[side]
    return dx * (place[0] - CENTRE[0]) / CENTRE[0] + dy * (place[1] - CENTRE[1]) / CENTRE[1]


def _cap(place: Place, side: int) -> bool:
    """Whether a letter lies in the flat wedge along one side."""
    depth = _towards(place, side)
    return depth >= 0.5 and abs(_towards(place, (side + 1) % 4)) <= depth


def _inside(place: Place, sides: set[int]) -> bool:
    """Whether a letter lies in the area that reaches these sides."""
    if len(sides) == 1:
        return any(_cap(place, side) for side in sides)
    if len(sides) > 2:
        return not any(_cap(place, side) for side in {0, 1, 2, 3} - sides)
    one, other = sides
    if (one - other) % 4 == 2:  # straight through: a band, wider at both ends
        across = abs(_towards(place, (one + 1) % 4))
        return across <= max(0.5, abs(_towards(place, one)))
    return _towards(place, one) + _towards(place, other) >= 0


def _way_in(side: int) -> Iterable[Place]:
    """The letters from the middle of a side up to the centre, without the centre."""
    x, y = CENTRE
    dx, dy = STEPS[side]
    return ((x + dx * i, y + dy * i) for i in range(1, 1 + (y if dx == 0 else x)))


def draw_tile(tile: Tile, rotation: int = 0, *, colour: bool = False) -> str:
    """One tile, turned."""
    picture = Picture(tile, rotation)
    return "\n".join(_text(picture.line(y), colour) for y in range(HEIGHT))


def draw_board(game: Game, marks: Mapping[Cell, str] | None = None, *, colour: bool = False) -> str:
    """The board with its figures; `marks` are short texts for cells that are still empty."""
    marks = marks or {}
    pictures = {cell: Picture(laid.tile, laid.rotation) for cell, laid in game.board.items()}
    letters = initials(game.names)
    for figure in game.board.figures:
        if figure.cell in pictures:
            glyph = Glyph(letters[figure.seat], f"1;{_seat_colour(game.names, figure.seat)}")
            pictures[figure.cell].stand(figure.spot, glyph)
    for token in game.tokens:
        for cell in pictures:
            if token.where == f"{cell[0]},{cell[1]}":
                pictures[cell].stand_on_it(Glyph(token.name[0].upper(), "1;35"))
    cells = [*pictures, *marks]
    columns = range(min(x for x, _ in cells), 1 + max(x for x, _ in cells))
    rows = range(min(y for _, y in cells), 1 + max(y for _, y in cells))
    lines = [" " * 5 + "".join(f"{x:^{WIDTH}}" for x in columns)]
    for y in rows:
        for at in range(HEIGHT):
            line = [Glyph(letter) for letter in (f"{y:>4} " if at == CENTRE[1] else " " * 5)]
            for x in columns:
                if (x, y) in pictures:
                    line += pictures[x, y].line(at)
                else:
                    text = marks.get((x, y), "") if at == CENTRE[1] else ""
                    line += [Glyph(letter, "36") for letter in f"{text:^{WIDTH}}"]
            lines.append(_text(line, colour))
    return "\n".join(line.rstrip() for line in lines)


def standing(game: Game) -> str:
    """A line for each player: the letter on the board, the points and the laps on the track, the supply."""
    in_game = {piece.name for piece in game.rules.layout.pieces if piece.count}  # HOUSE-3
    lines = []
    for seat, (letter, name, points) in enumerate(zip(initials(game.names), game.names, game.scores, strict=True)):
        laps = f" ({points // LAP} x {LAP} + {points % LAP})" if points >= LAP else ""  # BASE-28
        supply = ", ".join(f"{piece} {count}" for piece, count in game.supply(seat).items() if piece in in_game)
        lines.append(f"  {letter} {name}: {points} points{laps}, {supply}")
    return "\n".join(lines)


def initials(names: Sequence[str]) -> list[str]:
    """A letter for each seat: the first of its name that no earlier seat has, or else its number."""
    taken: list[str] = []
    for seat, name in enumerate(names, 1):
        taken.append(next((letter for letter in name.upper() if letter not in taken), str(seat)))
    return taken


def _seat_colour(names: Sequence[str], seat: int) -> str:
    return ANSI.get(names[seat].lower(), SEATS[seat])


def _text(line: list[Glyph], colour: bool) -> str:
    if not colour:
        return "".join(glyph.letter for glyph in line)
    runs = (("".join(g.letter for g in run), code) for code, run in groupby(line, key=lambda glyph: glyph.colour))
    return "".join(f"\x1b[{code}m{letters}\x1b[0m" if code else letters for letters, code in runs)
