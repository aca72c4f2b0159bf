"""What an attentive player could work out: tiles that fit a cell, dead cells, trapped pieces, what an action brings.

Everything is computed on a position that could be the real one (`View.imagine`), so nothing hidden is used.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from bastide.game import Board, Engine, Figure, View
from bastide.game.board import blocks, figures_on
from bastide.game.gains import final_points
from bastide.geometry import STEPS, Cell, step
from bastide.kernel.offsets import FIGURE, KIND, POS
from bastide.kernel.torus import unpack
from bastide.server.api import outgoing


def aids_of(view: View, engine: Engine) -> outgoing.AidFacts:
    """All aids that belong to the position as a whole."""
    fits = dict.fromkeys(open_cells(view.board), 0)
    for name, count in view.unseen.items():
        for cell in fitting_cells(engine, name):
            fits[cell] += count
    held = {name for name in (view.tile, *view.secret) if name is not None}
    saved = {cell for name in held for cell in fitting_cells(engine, name)}
    dead = {cell for cell, count in fits.items() if count == 0 and cell not in saved}
    return outgoing.AidFacts(
        unseen=view.unseen,
        cells=[outgoing.OpenCell(cell, count, cell in dead) for cell, count in sorted(fits.items())],
        trapped=trapped_figures(engine, dead) if dead else [],
    )


def projected_scores(view: View, engine: Engine) -> list[int | None]:
    """The points of all players if the game ended now; nothing where things that others hide would count."""
    hidden = any(secret.things for secret in engine.rules.layout.secrets)
    ended = final_points(engine)
    return [None if hidden and seat != view.seat else ended[seat] for seat in range(engine.players)]


def open_cells(board: Board) -> set[Cell]:
    """Empty cells beside a tile."""
    return {step(cell, side) for cell in board for side in range(4)} - set(board)


def fitting_cells(engine: Engine, name: str) -> set[Cell]:
    """The cells whose sides a tile matches in some turn; none for a name that is no tile."""
    kind = engine.rules.type_named(name)
    if kind < 0:
        return set()
    return {unpack(engine.position_of(number >> 2)) for number in engine.fitting_places(kind)}


def trapped_figures(engine: Engine, dead: Collection[Cell]) -> list[outgoing.Figure]:
    """Pieces in regions that reach a dead cell and so can never be completed."""
    tiles = {unpack(engine.s[block + POS]): block for block in blocks(engine)}
    stopped = {root for cell in dead for root in regions_beside(engine, tiles, cell)}
    kinds = list(engine.rules.layout.kinds.values())
    found = []
    for cell, block in tiles.items():
        hemmed = any(step(cell, direction) in dead for direction in range(len(STEPS)))
        for segment in range(engine.segments(block)):
            node = engine.node(block, segment)
            if engine.s[node + FIGURE]:
                root = engine.find(node)
                kind = kinds[engine.s[root + KIND]]
                if kind.closes and (hemmed if kind.around else root in stopped):
                    found += [figure_of(figure) for figure in figures_on(engine, node)]
    return found


def regions_beside(engine: Engine, tiles: Mapping[Cell, int], cell: Cell) -> Iterator[int]:
    """The regions that would go on in an empty cell."""
    for side in range(4):
        block = tiles.get(step(cell, side))
        if block is not None:
            towards = (side + 2 - engine.rotation_of(block)) % 4  # of the tile as it is printed
            for index, segment in enumerate(engine.rules.tiles[engine.type_of(block)].segments):
                if towards in segment.sides or any(half // 2 == towards for half in segment.halves):
                    yield engine.find(engine.node(block, index))


def figure_of(figure: Figure) -> outgoing.Figure:
    """A piece on the board."""
    return outgoing.Figure(figure.seat, figure.piece, figure.cell, figure.spot)
