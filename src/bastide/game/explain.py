"""Why an action is not legal: the first thing that speaks against it, as a code and a sentence."""
# interpreted: speaks to people

from __future__ import annotations

from bastide.errors import REASONS
from bastide.game.actions import VERBS, Action, cell_text
from bastide.game.board import Board, node_at
from bastide.game.engine import Engine
from bastide.geometry import SIDES, Cell, opposite, step
from bastide.kernel.places import BLOCK, F_KIND, F_WHAT, KIND, LAST, TOP
from bastide.rules.looks import edge
from bastide.rules.position import DEPLOY, DRAW, OVER, PLACE

Reason = tuple[str, str]


def why_not(engine: Engine, action: Action) -> Reason:
    """Explains an action that is not among the legal ones."""
    asks = engine.s[engine.s[TOP] + F_KIND]
    if asks == OVER:
        return reason("over")
    if asks == DRAW:
        return why_not_draw(engine, action)
    if asks == PLACE and action.verb in ("place", "discard"):
        return why_not_place(engine, action)
    if asks == DEPLOY and action.verb == "deploy":
        return why_not_deploy(engine, action)
    return reason("question", f"expected {wanted(engine)}; got {action}")


def reason(code: str, more: str = "") -> Reason:
    """A code of the engine's own, with what makes its sentence exact."""
    return code, f"{REASONS[code]}: {more}" if more else REASONS[code]


def wanted(engine: Engine) -> str:
    """The verbs that the question now asked can be answered with."""
    from bastide.game.actions import action_of

    verbs = {action_of(engine, number).verb for number in list(engine.actions[: engine.legal()])}
    return " or ".join(verb for verb in VERBS if verb in verbs)


def why_not_draw(engine: Engine, action: Action) -> Reason:
    """Chance is asked."""
    if action.verb != "draw":
        return reason("question", "a tile is drawn first")
    if engine.rules.type_named(action.what) < 0:
        return reason("unknown", f"no tile is called {action.what}")
    return reason("bag", action.what)


def why_not_place(engine: Engine, action: Action) -> Reason:
    """A tile is to be laid."""
    kind = engine.s[engine.s[TOP] + F_WHAT]
    tile = engine.rules.tiles[kind]
    if engine.rules.type_named(action.what) < 0:
        return reason("unknown", f"no tile is called {action.what}")
    if action.what != tile.id:
        return reason("tile", f"{tile.id}, not {action.what}")
    if action.verb == "discard":
        return reason("fits")
    target = read_place(action.where)
    if target is None:
        return reason("place", f"expected a cell and a turn such as 1,0 90; got {action.where!r}")
    cell, turn = target
    board = Board(engine)
    if cell in board:
        return reason("taken", cell_text(cell))
    beside = {side: board[step(cell, side)] for side in range(4) if step(cell, side) in board}
    if not beside:
        return reason("apart", cell_text(cell))
    for side, laid in beside.items():
        shown, met = edge(tile, (side - turn) % 4), edge(laid.tile, (opposite(side) - laid.turn) % 4)
        if shown != met:
            return reason("edge", f"to the {SIDES[side]} {shown} would meet {met}")
    for number in engine.fitting_places(kind):
        if unpack_cell(engine, number >> 2) == cell and number & 3 == turn:
            found = engine.why_not_place(kind, number >> 2, turn) or why_narrowed(engine, kind, number)
            return engine.rules.layout.reasons[found - 1] if found > 0 else reason("narrowed")
    return reason("alike")


def why_narrowed(engine: Engine, kind: int, place: int) -> int:
    """The reason that a module gives for leaving out a place as long as there is another; 0 if none speaks."""
    found = (m.why_narrowed(engine, kind, place >> 2, place & 3) for m in engine.rules.may_place[kind])
    return next((given for given in found if given), 0)


def unpack_cell(engine: Engine, number: int) -> Cell:
    """The cell of that number, taken or open."""
    from bastide.kernel.torus import unpack

    return unpack(engine.position_of(number))


def read_place(text: str) -> tuple[Cell, int] | None:
    """Cell and quarter turns of a `place`, or nothing if it is not written so."""
    words = text.split()
    if len(words) != 2 or words[1] not in ("0", "90", "180", "270"):
        return None
    cell = read_cell(words[0])
    return None if cell is None else (cell, int(words[1]) // 90)


def read_cell(text: str) -> Cell | None:
    """A cell written `x,y`, or nothing."""
    numbers = text.split(",")
    if len(numbers) != 2 or not all(n.removeprefix("-").isdecimal() and len(n) < 8 for n in numbers):
        return None
    return int(numbers[0]), int(numbers[1])


def why_not_deploy(engine: Engine, action: Action) -> Reason:
    """A piece is to be placed."""
    names = [piece.name for piece in engine.rules.layout.pieces]
    if action.what not in names:
        return reason("unknown", f"no piece is called {action.what}")
    piece = names.index(action.what)
    if engine.hand(engine.who(), piece) == 0:
        return reason("piece", action.what)
    for module in engine.rules.targets:
        refusal = module.refuses(engine, piece, action.where)
        if refusal:
            return engine.rules.layout.reasons[refusal - 1]
    where, _, spot = action.where.partition(" ")
    cell = read_cell(where)
    node = None if cell is None else node_at(engine, cell, spot)
    if node is None:
        return reason("spot", action.where)
    if engine.s[node + BLOCK] != engine.s[LAST]:
        return reason("elsewhere")
    if not engine.rules.pieces_on[engine.s[node + KIND]] >> piece & 1:
        return reason("land", f"{action.what} on {spot.partition(' ')[0]}")
    found = engine.why_not_deploy(piece, engine.find(node))
    return engine.rules.layout.reasons[found - 1] if found > 0 else reason("occupied")
