"""What an attentive player could work out: tiles that fit a cell, dead cells, trapped pieces, what an action brings.

Everything is computed on a position that could be the real one (`View.imagine`), so nothing hidden is used.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from bastide.game import Board, Engine, View
from bastide.game.board import Region, node_at, region_of
from bastide.game.engine import PASS
from bastide.geometry import STEPS, Cell, step
from bastide.kernel.torus import unpack
from bastide.rules.position import DEPLOY, OVER
from bastide.server import outgoing

FORWARD = 4  # questions answered with `pass` at most, to see what an action alone brings


def aids_of(view: View, engine: Engine) -> outgoing.Aids:
    """All aids that belong to the position as a whole."""
    fits = dict.fromkeys(open_cells(view.board), 0)
    for name, count in view.unseen.items():
        for cell in where_it_fits(engine, name):
            fits[cell] += count
    held = {name for name in (view.tile, *view.secret) if name is not None}
    saved = {cell for name in held for cell in where_it_fits(engine, name)}
    dead = {cell for cell, count in fits.items() if count == 0 and cell not in saved}
    return outgoing.Aids(
        unseen=view.unseen,
        cells=[outgoing.OpenCell(cell, count, cell in dead) for cell, count in sorted(fits.items())],
        trapped=trapped(view.board, engine, dead) if dead else [],
    )


def open_cells(board: Board) -> set[Cell]:
    """Empty cells beside a tile."""
    return {step(cell, side) for cell in board for side in range(4)} - set(board)


def where_it_fits(engine: Engine, name: str) -> set[Cell]:
    """The cells whose sides a tile matches in some turn; none for a name that is no tile."""
    kind = engine.rules.type_named(name)
    if kind < 0:
        return set()
    count = engine.fitting(kind, engine.actions)
    return {unpack(engine.position_of(number >> 2)) for number in list(engine.actions[:count])}


def trapped(board: Board, engine: Engine, dead: Collection[Cell]) -> list[outgoing.Figure]:
    """Pieces in regions that reach a dead cell and so can never be completed."""
    kinds = engine.rules.layout.kinds
    found = []
    for figure in board.figures:
        node = node_at(engine, figure.cell, figure.spot)
        assert node is not None, "a piece on the board stands on a segment"
        region = region_of(engine, node)
        kind = kinds[region.kind]
        if not kind.closes or region.complete:
            continue
        needs = around(figure.cell) if kind.around else rim(board, region)
        if any(cell in dead for cell in needs):
            found.append(outgoing.Figure(figure.seat, figure.piece, figure.cell, figure.spot))
    return found


def around(cell: Cell) -> Iterator[Cell]:
    """The eight cells around one."""
    return (step(cell, direction) for direction in range(len(STEPS)))


def rim(board: Board, region: Region) -> Iterator[Cell]:
    """The empty cells into which a region goes on."""
    for cell, spot in region.spots:
        laid = board[cell]
        for index, segment in enumerate(laid.tile.segments):
            if laid.tile.spot(index, laid.turn) == spot:
                for side in {*segment.sides, *(half // 2 for half in segment.halves)}:
                    beside = step(cell, (side + laid.turn) % 4)
                    if beside not in board:
                        yield beside


def brings(engine: Engine) -> Iterator[tuple[list[int], list[int]]]:
    """For each legal action: points at once, and the change if the game ended then, for every seat."""
    actions = list(engine.actions[: engine.legal()])
    seat = engine.who()
    before, ended = points(engine), points_at_end(engine)
    for action in actions:
        mark = engine.trail_len
        engine.apply(action)
        for _ in range(FORWARD):
            if engine.asks() != DEPLOY or engine.who() != seat:
                break
            engine.apply(PASS)
        now = points(engine)
        later = points_at_end(engine)
        engine.undo(mark)
        yield [a - b for a, b in zip(now, before, strict=True)], [a - b for a, b in zip(later, ended, strict=True)]


def points(engine: Engine) -> list[int]:
    """The points of all players."""
    return [int(engine.score_of(seat)) for seat in range(engine.players)]


def points_at_end(engine: Engine) -> list[int]:
    """The points of all players if the game ended here."""
    mark = engine.trail_len
    if engine.asks() != OVER:
        engine.finish()
    found = points(engine)
    engine.undo(mark)
    return found
