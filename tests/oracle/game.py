"""What the three games of the family share: players, piles, questions, laying a tile, majority, points.

The course of a game is one generator: it yields questions and is sent the answers, so the code reads like the book.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable
from typing import Any, ClassVar

from .board import Area, Board, Cell, Figure
from .expansion import CHANCE, Asking, Effect, Question, Tokens, nothing
from .tiles import Tile, without

Start = tuple[str, Cell, int]
Regions = set[tuple[str, frozenset[tuple[Cell, str]], bool, frozenset[tuple[tuple[int, str], int]]]]


class Pile:
    """Tiles face down: how many of each type; `hidden` of them are out of the game, nobody knows which (HILL-2).

    Tiles that `joined` it later are none of the first `hidden_before` hidden ones.
    """

    def __init__(self) -> None:
        self.tiles: Counter[str] = Counter()
        self.hidden = 0
        self.waiting: Counter[str] = Counter()  # tiles that cannot be drawn yet
        self.joined: set[str] = set()
        self.hidden_before = 0

    def release_waiting_tiles(self) -> None:
        """The tiles that wait join the others."""
        self.joined |= set(self.waiting)
        self.tiles.update(self.waiting)
        self.waiting.clear()
        self.hidden_before = self.hidden

    def weights(self) -> dict[str, int]:
        """How likely each type is drawn, in whole numbers: so many of all orders of the unseen tiles begin with it."""
        old = sum(count for name, count in self.tiles.items() if name not in self.joined)
        if not self.hidden_before:
            return {name: count for name, count in self.tiles.items() if count}
        each = {name: old if name in self.joined else old - self.hidden_before for name in self.tiles}
        return {name: count * each[name] for name, count in self.tiles.items() if count * each[name]}

    def left(self) -> int:
        """How many tiles can still be drawn."""
        return self.tiles.total() - self.hidden


class Game:
    """A game of the family; the three games say what is laid, placed and scored."""

    DEFAULTS: ClassVar[dict[str, Any]] = {"copies": 1, "tile_counts": "printed", "more_players": "off"}
    ENDLESS: ClassVar[tuple[str, ...]] = ()  # kinds of land that are never complete
    STRENGTH: ClassVar[dict[str, int]] = {}  # pieces that count for a majority, and for how many
    ELEMENTS: ClassVar[dict[str, tuple[str, ...]]] = {}  # HOUSE-6: what is not on the tiles when an option is off

    def __init__(
        self,
        modules: tuple[str, ...],
        options: dict[str, Any],
        players: int,
        start: list[Start] | None,
        scripted: bool,
    ) -> None:
        unknown = set(options) - set(self.DEFAULTS) - set(self.ELEMENTS)
        if unknown:
            raise ValueError(f"unknown options {sorted(unknown)}; known are {sorted(self.DEFAULTS)}")
        self.modules = modules
        self.options = {**self.DEFAULTS, **dict.fromkeys(self.ELEMENTS, "on"), **options}
        off = [thing for name, things in self.ELEMENTS.items() if self.options[name] == "off" for thing in things]
        self.printed_for = (*modules, *map(without, off))  # what of the tiles is read
        self.players = players
        self.start = start
        self.scripted = scripted
        self.board = Board()
        self.types: dict[str, Tile] = {}
        self.piles: list[Pile] = []  # in the order in which they are drawn from
        self.supply: list[Counter[str]] = [Counter() for _ in range(players)]
        self.points = [0] * players
        self.scored: list[tuple[int, int, str]] = []
        self.strength = dict(self.STRENGTH)
        self.player = 0
        self.first = 0  # who began
        self.ended = False
        self.prepare()
        self.running = self.course()
        self.question: Question | None = next(self.running)

    # --- to be filled in by each game ---

    def prepare(self) -> None:
        """Set the table up: piles, start tile, pieces."""
        raise NotImplementedError

    def turns(self) -> Asking:
        """All that a player does until the next player's turn begins."""
        raise NotImplementedError

    def final_scoring(self) -> None:
        """What is scored when the game has ended."""
        raise NotImplementedError

    # --- the course of the game ---

    def course(self) -> Asking:
        """Turns until the tiles are used up (BASE-22), then final scoring."""
        while not self.ended and self.tiles_left():
            yield from self.turns()
            self.player = (self.player + 1) % self.players
        self.final_scoring()

    def answer(self, text: str) -> None:
        """Go on with the game after an answer to the question now asked."""
        assert self.question is not None, "the game is over"
        assert text in set(self.question.answers), f"{text!r} is no answer; {sorted(self.question.answers)} are"
        self.scored = []
        try:
            self.question = self.running.send(text)
        except StopIteration:
            self.question = None

    def finish(self) -> None:
        """End a scripted game here and do the final scoring."""
        assert self.scripted
        self.running.close()
        self.question = None
        self.scored = []
        self.final_scoring()

    # --- piles ---

    def add_pile(self, tiles: Iterable[tuple[Tile, int]]) -> Pile:
        """A pile of its own."""
        pile = Pile()
        self.shuffle_in(tiles, pile)
        return pile

    def shuffle_in(self, tiles: Iterable[tuple[Tile, int]], pile: Pile) -> None:
        """Tiles join a pile; those that differ in nothing in play are one type under the first of their names."""
        for tile, count in tiles:
            name = self.type_in(pile, tile)
            self.types.setdefault(name, tile)
            pile.tiles[name] += count

    def type_in(self, pile: Pile, tile: Tile) -> str:
        """The name under which a tile lies in a pile."""
        return next((name for name in pile.tiles if self.types[name].face == tile.face), tile.name)

    def change_counts(self, piles: list[Pile]) -> None:
        """HOUSE-5: single tiles in other numbers, `D=2+E=0`."""
        wanted = self.options["tile_counts"]
        for name, number in (part.split("=") for part in wanted.split("+") if wanted != "printed"):
            for pile in piles:
                if name in pile.tiles:
                    pile.tiles[name] = int(number)

    def left(self) -> int:
        """Tiles still to be drawn in the main sequence."""
        return max(0, sum(pile.left() + pile.waiting.total() for pile in self.piles))

    def tiles_left(self) -> bool:
        """Whether a tile can be drawn; in a scripted game always."""
        return self.scripted or any(pile.left() > 0 for pile in self.piles)

    def draw(self, piles: list[Pile]) -> Generator[Question, str, Tile]:
        """Chance draws a tile from the first of these piles that is not empty."""
        if self.scripted:
            names = {f"draw {name}": 1 for name in self.types}
        else:
            pile = next(pile for pile in piles if pile.left() > 0)
            names = {f"draw {name}": weight for name, weight in pile.weights().items()}
        name = (yield Question(CHANCE, names, names)).removeprefix("draw ")
        for pile in piles:
            if pile.tiles[name]:
                pile.tiles[name] -= 1
                break
        return self.types[name]

    # --- laying a tile ---

    def allowed(self, tile: Tile) -> list[tuple[Cell, int]]:
        """Where a tile may be laid."""
        return self.board.placements(tile)

    def places(self, tile: Tile) -> dict[str, tuple[Tile, Cell, int]]:
        """The answers to the question where a tile is laid."""
        return {
            f"place {tile.name} {cell[0]},{cell[1]} {90 * turn}": (tile, cell, turn)
            for cell, turn in self.allowed(tile)
        }

    def on_drawn(self, tile: Tile) -> Asking:
        """What happens at once when a tile is drawn."""
        yield from ()

    def lay_drawn(self, piles: list[Pile]) -> Generator[Question, str, Cell | None]:
        """Draw and lay a tile; one that fits nowhere leaves the game and another is drawn (BASE-8)."""
        while self.scripted or any(pile.left() > 0 for pile in piles):
            tile = yield from self.draw(piles)
            yield from self.on_drawn(tile)
            places = self.places(tile)
            if places:
                tile, cell, turn = places[(yield Question(self.player, places))]
                self.board.lay(tile, cell, turn)
                return cell
            yield Question(self.player, [f"discard {tile.name}"])
        return None

    # --- pieces ---

    def offer(self, piece: str, spot: tuple[Cell, int]) -> dict[str, Effect]:
        """The answer that puts a piece of the player on a segment."""

        def effect() -> Asking:
            self.put(piece, spot)
            return nothing()

        return {f"deploy {piece} {self.board.name(spot)}": effect}

    def put(self, piece: str, spot: tuple[Cell, int]) -> Figure:
        """Take a piece from the player's supply and put it on a segment."""
        assert self.supply[self.player][piece] > 0
        self.supply[self.player][piece] -= 1
        figure = Figure(self.player, piece, spot)
        self.board.figures.append(figure)
        return figure

    def take_back(self, figures: Iterable[Figure]) -> None:
        """Figures return to their owners' supplies."""
        for figure in list(figures):
            self.board.figures.remove(figure)
            self.supply[figure.player][figure.piece] += 1

    # --- majority and points ---

    def counting(self, area: Area) -> list[Figure]:
        """The figures of an area that count for the majority."""
        return [figure for figure in self.board.figures_in(area) if figure.piece in self.strength]

    def majority(self, figures: list[Figure]) -> list[int]:
        """BASE-18: the player with the most, or all players tied for the most."""
        strength: Counter[int] = Counter()
        for figure in figures:
            strength[figure.player] += self.strength[figure.piece]
        return sorted(player for player, most in strength.items() if most == max(strength.values()))

    def score(self, player: int, points: int, kind: str) -> None:
        """A player scores; nothing is noted for no points."""
        if points:
            self.points[player] += points
            self.scored.append((player, points, kind))

    # --- what the comparison reads ---

    def complete(self, area: Area) -> bool:
        """Whether an area is complete; some land never is."""
        return area.kind not in self.ENDLESS and self.board.complete(area)

    def pieces(self) -> Counter[tuple[int, str, Cell, str]]:
        """Every piece on the table: whose, what, and the segment where it stands."""
        found: Counter[tuple[int, str, Cell, str]] = Counter()
        for figure in self.board.figures:
            cell, index = figure.spot
            found[figure.player, figure.piece, cell, self.board.tiles[cell].spots[index]] += 1
        return found

    def tokens_shown(self) -> Tokens:
        """What lies open on the table besides tiles and pieces on them."""
        return Counter()

    def hidden(self, player: int) -> Counter[str]:
        """What a player holds that the others do not see."""
        return Counter()

    def who_won(self) -> list[int]:
        """BASE-27: most points; equal points share the victory."""
        return [player for player, points in enumerate(self.points) if points == max(self.points)]

    def regions(self) -> Regions:
        """Every area with its segments, whether it is complete, and the figures on it."""
        found: Regions = set()
        figures: dict[Area, Counter[tuple[int, str]]] = {}
        for figure in self.board.figures:
            figures.setdefault(self.board.area(figure.spot), Counter())[figure.player, figure.piece] += 1
        for area in self.board.all_areas():
            standing = frozenset(figures[area].items()) if area in figures else frozenset()
            found.add((area.kind, area.names, self.complete(area), standing))
        return found
