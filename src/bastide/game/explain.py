"""Why an action is not legal: the first reason against it, as a code and a sentence."""
# interpreted: speaks to people

from __future__ import annotations

from bastide.errors import REASONS
from bastide.game.actions import FIELDS, Action, Place, action_of, cell_text
from bastide.game.board import Board, node_at
from bastide.game.engine import Engine
from bastide.geometry import SIDES, Cell, opposite, step
from bastide.kernel.offsets import BLOCK, F_QUESTION, F_SUBJECT, KIND, LAST, TOP
from bastide.rules.looks import edge
from bastide.rules.position import DEPLOY, DRAW, OVER, PLACE

Reason = tuple[str, str]


def why_not(engine: Engine, action: Action) -> Reason:
    """Explains an action that is not among the legal ones."""
    question = engine.s[engine.s[TOP] + F_QUESTION]
    if question == OVER:
        return reason("over")
    if question == DRAW:
        return why_not_draw(engine, action)
    if question == PLACE and action.verb in ("place", "discard"):
        return why_not_place(engine, action)
    if question == DEPLOY and action.verb == "deploy":
        return why_not_deploy(engine, action)
    return reason("question", f"expected {wanted(engine)}; got {action}")


def reason(code: str, more: str = "") -> Reason:
    """A code of the engine's own, with what makes its sentence exact."""
    return code, f"{REASONS[code]}: {more}" if more else REASONS[code]


def wanted(engine: Engine) -> str:
    """The verbs that the question now asked can be answered with."""
    verbs = {action_of(engine, number).verb for number in list(engine.actions[: engine.legal()])}
    return " or ".join(verb for verb in FIELDS if verb in verbs)


def why_not_draw(engine: Engine, action: Action) -> Reason:
    """Chance is asked."""
    if action.verb != "draw":
        return reason("question", "a tile is drawn first")
    if action.tile is None or engine.rules.type_named(action.tile) < 0:
        return reason("unknown", f"no tile is called {action.tile}")
    return reason("bag", action.tile)


def why_not_place(engine: Engine, action: Action) -> Reason:
    """A tile is to be laid."""
    tile_type = engine.s[engine.s[TOP] + F_SUBJECT]
    tile = engine.rules.tiles[tile_type]
    if action.tile is None or engine.rules.type_named(action.tile) < 0:
        return reason("unknown", f"no tile is called {action.tile}")
    if action.tile != tile.id:
        return reason("tile", f"{tile.id}, not {action.tile}")
    if action.verb == "discard":
        return reason("fits")
    cell, rotation = action.cell, action.rotation
    if cell is None or rotation is None or rotation not in range(4):
        return reason("place", f"expected a cell and a rotation such as 1,0 90; got {action}")
    board = Board(engine)
    if cell in board:
        return reason("taken", cell_text(cell))
    beside = {side: board[step(cell, side)] for side in range(4) if step(cell, side) in board}
    if not beside:
        return reason("apart", cell_text(cell))
    for side, laid in beside.items():
        shown, met = edge(tile, (side - rotation) % 4), edge(laid.tile, (opposite(side) - laid.rotation) % 4)
        if shown != met:
            return reason("edge", f"to the {SIDES[side]} {shown} would meet {met}")
    for number in engine.fitting_places(tile_type):
        if unpack_cell(engine, number >> 2) == cell and number & 3 == rotation:
            found = engine.why_not_place(tile_type, number >> 2, rotation) or why_narrowed(engine, tile_type, number)
            return engine.rules.layout.reasons[found - 1] if found > 0 else reason("narrowed")
    return reason("alike")


def why_narrowed(engine: Engine, tile_type: int, place: int) -> int:
    """The reason that a module gives for leaving out a place as long as there is another; 0 if none speaks."""
    found = (m.why_narrowed(engine, tile_type, place >> 2, place & 3) for m in engine.rules.may_place[tile_type])
    return next((given for given in found if given), 0)


def unpack_cell(engine: Engine, number: int) -> Cell:
    """The cell of that number, taken or open."""
    from bastide.kernel.torus import unpack

    return unpack(engine.position_of(number))


def why_not_deploy(engine: Engine, action: Action) -> Reason:
    """A piece is to be placed."""
    names = [piece.name for piece in engine.rules.layout.pieces]
    if action.piece not in names:
        return reason("unknown", f"no piece is called {action.piece}")
    piece = names.index(action.piece)
    if engine.supply(engine.player(), piece) == 0:
        return reason("piece", action.piece)
    place = Place(action.cell, action.spot or "")
    for module in engine.rules.targets:
        refusal = module.why_not_target(engine, piece, place)
        if refusal:
            return engine.rules.layout.reasons[refusal - 1]
    node = None if place.cell is None else node_at(engine, place.cell, place.spot)
    if node is None:
        return reason("spot", str(place))
    if engine.s[node + BLOCK] != engine.s[LAST]:
        return reason("elsewhere")
    if not engine.rules.pieces_on[engine.s[node + KIND]] >> piece & 1:
        return reason("land", f"{action.piece} on {place.spot.partition(' ')[0]}")
    found = engine.why_not_stand(piece, node) or engine.why_not_deploy(piece, engine.find(node))
    return engine.rules.layout.reasons[found - 1] if found > 0 else reason("occupied")
