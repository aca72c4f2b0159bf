"""The board as people see it: tiles on cells, pieces on spots, regions with what is in them."""
# interpreted: speaks to people

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bastide.game.engine import Engine
from bastide.geometry import Cell
from bastide.kernel.offsets import (
    FIGURE,
    FLAGS,
    KIND,
    OPEN,
    POS,
    RING,
    STRENGTH,
)
from bastide.kernel.torus import unpack
from bastide.rules.module import Token
from bastide.tiles.model import Tile


@dataclass(frozen=True)
class Laid:
    """A tile on the board; `rotation` counts quarter turns clockwise."""

    tile: Tile
    cell: Cell
    rotation: int


@dataclass(frozen=True)
class Figure:
    """A piece on the board."""

    seat: int
    piece: str
    cell: Cell
    spot: str


@dataclass(frozen=True)
class Region:
    """A road, city, field ... as far as it is built."""

    kind: str
    tiles: int
    open: int  # open edges, or empty cells around
    complete: bool
    weights: Mapping[int, int]  # per seat: what its followers weigh
    attributes: Mapping[str, int]
    figures: tuple[Figure, ...]
    spots: tuple[tuple[Cell, str], ...]


class Board(Mapping[Cell, Laid]):
    """What lies on which cell, at the moment it was asked for."""

    def __init__(self, engine: Engine) -> None:
        self._tiles: dict[Cell, Laid] = {}
        self.figures: list[Figure] = []
        self.tokens = tokens_of(engine)
        for block in blocks(engine):
            cell = unpack(engine.s[block + POS])
            self._tiles[cell] = Laid(engine.rules.tiles[engine.type_of(block)], cell, engine.rotation_of(block))
            for segment in range(engine.segments(block)):
                node = engine.node(block, segment)
                if engine.s[node + FIGURE]:
                    self.figures += figures_on(engine, node)

    def __getitem__(self, cell: Cell) -> Laid:
        return self._tiles[cell]

    def __iter__(self) -> Iterator[Cell]:
        return iter(self._tiles)

    def __len__(self) -> int:
        return len(self._tiles)

    def __repr__(self) -> str:
        return f"<Board of {len(self)} tiles, {len(self.figures)} pieces>"


def tokens_of(engine: Engine) -> list[Token]:
    """What else lies on the table: goods, sheep, followers on a wheel."""
    return [token for module in engine.rules.modules for token in module.tokens_on_table(engine) if token.number]


def blocks(engine: Engine) -> Iterator[int]:
    """The blocks of all tiles, in the order in which they were laid."""
    block: int = engine.first_block()
    while block <= engine.last_block():
        yield block
        block = engine.next_block(block)


def figures_on(engine: Engine, node: int) -> list[Figure]:
    """The pieces on one segment, the first to come first."""
    found = []
    rest = engine.figures_on(node)
    while rest:
        figure = engine.first_figure(rest)
        cell, spot = cell_and_spot(engine, node)
        piece = engine.rules.layout.pieces[engine.piece(figure)]
        found.append(Figure(engine.owner(figure), piece.name, cell, spot))
        rest = engine.other_figures(rest)
    return found[::-1]


def cell_and_spot(engine: Engine, node: int) -> tuple[Cell, str]:
    """Where a segment lies."""
    place = engine.place_of(node)
    assert place.cell is not None, "a segment lies on a cell"
    return place.cell, place.spot


def node_at(engine: Engine, cell: Cell, spot: str) -> int | None:
    """The segment of that name on the tile on a cell."""
    for block in blocks(engine):
        if unpack(engine.s[block + POS]) == cell:
            tile = engine.rules.tiles[engine.type_of(block)]
            for segment in range(len(tile.segments)):
                if tile.spot(segment, engine.rotation_of(block)) == spot:
                    return engine.node(block, segment)
    return None


def region_of(engine: Engine, node: int) -> Region:
    """The region to which a segment belongs."""
    s = engine.s
    root = engine.find(node)
    nodes = [root]
    while s[nodes[-1] + RING] != root:
        nodes.append(s[nodes[-1] + RING])
    kind = list(engine.rules.layout.kinds.values())[s[root + KIND]]
    attributes = {mark: s[root + slot] for slot, mark in kind.slots.items()}
    attributes |= {mark: int(s[root + FLAGS] & bit != 0) for bit, mark in kind.flags.items()}
    weights = {seat: s[root + STRENGTH] >> 8 * seat & 255 for seat in range(engine.players)}
    places = tuple(cell_and_spot(engine, n) for n in nodes)
    return Region(
        kind=kind.name,
        tiles=len({cell for cell, _ in places}),
        open=s[root + OPEN] if kind.closes else 0,
        complete=s[root + OPEN] == 0,
        weights={seat: weight for seat, weight in weights.items() if weight},
        attributes=attributes,
        figures=tuple(figure for n in nodes for figure in figures_on(engine, n)),
        spots=places,
    )


def regions(engine: Engine) -> list[Region]:
    """Every region on the board, once."""
    roots = dict.fromkeys(
        engine.find(engine.node(block, segment))
        for block in blocks(engine)
        for segment in range(engine.segments(block))
    )
    return [region_of(engine, root) for root in roots]
