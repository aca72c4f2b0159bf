"""Numbers of a position as words, and words as numbers: tiles and segments by where they lie, types by name."""

from __future__ import annotations

from collections.abc import Sequence

from bastide.game.engine import Engine
from bastide.geometry import Cell
from bastide.kernel.offsets import POS
from bastide.kernel.torus import Torus, unpack
from bastide.notation.words import Words
from bastide.rules.position import (
    DEPLOY,
    DONE,
    DRAW,
    DRAWN,
    ENDING,
    FIRST_FREE,
    LAID,
    OVER,
    PLACE,
    PLAYED,
    SCORING,
)

NONE = "-"
MOST = 9_999  # in a field or frame

# The engine's own frames: what they are called, what their subject is, and whether they count modules that were told.
ENGINE_FRAMES: dict[int, tuple[str, str, bool]] = {
    OVER: ("over", "nothing", False),
    DRAW: ("draw", "pile", False),
    PLACE: ("place", "tile", False),
    DEPLOY: ("deploy", "nothing", False),
    DRAWN: ("drawn", "tile", True),
    LAID: ("laid", "nothing", True),
    PLAYED: ("played", "nothing", True),
    SCORING: ("scoring", "number", False),
    ENDING: ("ending", "nothing", True),
    DONE: ("done", "nothing", False),
}
QUESTIONS = (OVER, DRAW, PLACE, DEPLOY)  # those that somebody answers; every frame of a module is one, too


class Values:
    """The words for one game: its rules, its players' names, and the board on which places are looked up."""

    def __init__(self, engine: Engine, names: Sequence[str]) -> None:
        self.engine = engine
        self.rules = engine.rules
        self.names = tuple(names)
        self.torus = Torus(self.rules.shape.squares)
        self.piles = [*self.rules.layout.piles, *self.rules.layout.side_piles]
        self.pieces = [piece.name for piece in self.rules.layout.pieces]
        self.tiles = {tile.id: number for number, tile in enumerate(self.rules.tiles)}
        own = [frame.name for frame in self.rules.layout.frames]
        self.frames = unique([*(name for name, _, _ in ENGINE_FRAMES.values()), *own])
        self.subjects = [subject for _, subject, _ in ENGINE_FRAMES.values()]
        self.subjects += [frame.holds for frame in self.rules.layout.frames]

    def counts(self, frame: int) -> bool:
        """Does a frame of this kind count the modules that were called?"""
        return frame < FIRST_FREE and ENGINE_FRAMES[frame][2]

    # --- writing
    def write(self, holds: str, value: int, values: Sequence[str] = ()) -> str:
        """A number in words; empty if it is no part of the position."""
        engine = self.engine
        match holds:
            case "nothing":
                return ""
            case "number":
                return values[value] if values else str(value)
            case "pile":
                return self.piles[value]
            case "tile":
                return self.rules.tiles[value].id
        if value == 0:
            return NONE
        match holds:
            case "type":
                return self.rules.tiles[value - 1].id
            case "segment":
                return str(engine.place_of(value))
            case "square":
                x, y = engine.coordinates_of(value)
                return f"{x},{y}"
            case _:  # figure: neither names nor pieces have a colon in them
                return f"{self.pieces[engine.piece(value)]}:{self.names[engine.owner(value)]}"

    # --- reading
    def read(self, words: Words, holds: str, values: Sequence[str] = ()) -> int:
        """The number that the next words stand for."""
        match holds:
            case "nothing":
                return 0
            case "number":
                return self.named(words, values) if values else plain_number(words)
            case "pile":
                return one_of(words, "a pile", self.piles)
            case "tile":
                return self.tile(words)
        if words.skip(NONE):
            return 0
        match holds:
            case "type":
                return 1 + self.tile(words)
            case "segment":
                return self.node(words)
            case "square":
                return self.block(words, words.cell())
            case _:
                return self.figure(words)

    def named(self, words: Words, values: Sequence[str]) -> int:
        """One of the names of a field's numbers."""
        return one_of(words, "a value", values)

    def tile(self, words: Words) -> int:
        """A tile type in play."""
        name = words.word("a tile")
        if name not in self.tiles:
            words.refuse(f"expected a tile in play, found {name!r}")
        return self.tiles[name]

    def block(self, words: Words, cell: Cell) -> int:
        """The tile on a cell."""
        block: int = self.engine.tile_at(self.torus.number(cell))
        if not block or unpack(self.engine.s[block + POS]) != cell:
            words.refuse(f"expected a cell with a tile, found {cell[0]},{cell[1]}")
        return block

    def node(self, words: Words) -> int:
        """A segment: a cell and a spot."""
        cell = words.cell()
        block = self.block(words, cell)
        spot = words.spot()
        engine = self.engine
        tile, rotation = self.rules.tiles[engine.type_of(block)], engine.rotation_of(block)
        spots = [tile.spot(segment, rotation) for segment in range(len(tile.segments))]
        if spot not in spots:
            words.refuse(f"expected a spot of the tile on {cell[0]},{cell[1]} ({', '.join(spots)}), found {spot!r}")
        node: int = engine.node(block, spots.index(spot))
        return node

    def figure(self, words: Words) -> int:
        """A piece and its owner: `follower:red`."""
        word = words.word("a piece such as follower:red")
        piece, _, name = word.partition(":")
        if piece not in self.pieces or name not in self.names:
            words.refuse(f"expected a piece and a player such as {self.pieces[0]}:{self.names[0]}, found {word!r}")
        return 1 + self.pieces.index(piece) * 8 + self.names.index(name)


def unique(names: Sequence[str]) -> list[str]:
    """The same names, with a number behind those that stand there already."""
    found: list[str] = []
    for name in names:
        again = name
        number = 2
        while again in found:
            again = f"{name}_{number}"
            number += 1
        found.append(again)
    return found


def one_of(words: Words, expected: str, names: Sequence[str]) -> int:
    """The index of the next word in a list of names."""
    word = words.word(expected)
    if word not in names:
        words.refuse(f"expected {expected} ({', '.join(names)}), found {word!r}")
    return names.index(word)


def plain_number(words: Words) -> int:
    """A number of a field or frame that has no names for its numbers."""
    number = words.number("a number")
    if not 0 <= number <= MOST:
        words.refuse(f"expected a number from 0 to {MOST}, found {number}")
    return number
