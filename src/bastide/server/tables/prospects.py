"""What becomes of a region: its worth now and finished, the gaps it has, the tiles that can still finish it.

Computed for whoever asks about one region, on a position that could be the real one (`View.imagine`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bastide.game import Engine
from bastide.game.board import blocks, node_at
from bastide.geometry import STEPS, Cell, step
from bastide.kernel.offsets import KIND, OPEN, POS, RING
from bastide.kernel.torus import unpack
from bastide.server.api import outgoing
from bastide.server.api.refusal import Refusal


def prospect_of(engine: Engine, unseen: Mapping[str, int], cell: Cell, spot: str) -> outgoing.Prospect:
    """The prospect of the region at a spot; `unseen` are the tiles that may still come."""
    node = node_at(engine, cell, spot)
    if node is None:
        raise Refusal("illegal", f"there is no {spot} on {cell[0]},{cell[1]}", "spot")
    root = engine.find(node)
    number = engine.s[root + KIND]
    kind = list(engine.rules.layout.kinds.values())[number]
    tiles = engine.count_tiles(root)
    complete = kind.closes and engine.s[root + OPEN] == 0
    now = int(engine.points_now(root, number, complete, tiles))
    if complete or not kind.closes:
        return outgoing.Prospect(now, None, 0, 0)
    gaps = gaps_of(engine, root, kind.around)
    mark = engine.trail_len
    engine.put(root + OPEN, 0)
    finished = int(engine.points_now(root, number, True, tiles + (0 if kind.around else len(gaps))))
    engine.undo(mark)
    return outgoing.Prospect(now, finished, len(gaps), count_closing_tiles(engine, unseen, root, gaps, kind.around))


def gaps_of(engine: Engine, root: int, around: bool) -> dict[Cell, int]:
    """The empty cells that must be filled, each with the number of edges that are open there."""
    laid = {unpack(engine.s[block + POS]): block for block in blocks(engine)}
    own = set(blocks_of(engine, root))
    cells = [cell for cell, block in laid.items() if block in own]
    directions = range(len(STEPS)) if around else range(4)
    beside = {step(cell, direction) for cell in cells for direction in directions} - set(laid)
    edges = {cell: 1 if around else edges_into(engine, laid, root, cell) for cell in beside}
    return {cell: count for cell, count in edges.items() if count}


def blocks_of(engine: Engine, root: int) -> Iterator[int]:
    """The tiles of a region."""
    node = root
    while True:
        yield engine.block_of(node)
        node = engine.s[node + RING]
        if node == root:
            return


def edges_into(engine: Engine, laid: Mapping[Cell, int], root: int, cell: Cell) -> int:
    """With how many edges a region would go on in an empty cell."""
    found = 0
    for side in range(4):
        block = laid.get(step(cell, side))
        if block is not None:
            towards = (side + 2 - engine.rotation_of(block)) % 4  # of the tile as it is printed
            for index, segment in enumerate(engine.rules.tiles[engine.type_of(block)].segments):
                found += towards in segment.sides and engine.find(engine.node(block, index)) == root
    return found


def count_closing_tiles(
    engine: Engine, unseen: Mapping[str, int], root: int, gaps: Mapping[Cell, int], around: bool
) -> int:
    """The tiles that may come and fill the gap that is hardest to fill, without making a new one."""
    counts = dict.fromkeys(gaps, 0)
    for name, count in unseen.items():
        kind = engine.rules.type_named(name)
        filled = set()
        for place in engine.fitting_places(kind) if kind >= 0 else ():
            cell = unpack(engine.position_of(place >> 2))
            if cell in gaps and cell not in filled and (around or closes_edges(engine, root, kind, place, gaps[cell])):
                filled.add(cell)
        for cell in filled:
            counts[cell] += count
    return min(counts.values(), default=0)


def closes_edges(engine: Engine, root: int, kind: int, place: int, edges: int) -> bool:
    """Does a tile there close so many edges of a region and open none?"""
    rest = engine.s[root + OPEN] - edges
    mark = engine.trail_len
    engine.lay(kind, place >> 2, place & 3, 0)
    left: int = engine.s[engine.find(root) + OPEN]
    engine.undo(mark)
    return left <= rest
