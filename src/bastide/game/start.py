"""Games that begin with other tiles than usual. A start that cannot be played to its end is refused here."""
# interpreted: runs once for a game

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from bastide.errors import OptionError
from bastide.game.engine import Engine
from bastide.geometry import Cell
from bastide.kernel.offsets import AGENDA, F_QUESTION, F_SUBJECT
from bastide.kernel.torus import Torus, pack
from bastide.rules.position import DRAW

FARTHEST = 1000  # from 0,0, in either direction

Start = tuple[str, Cell, int]  # tile, cell, quarter turns


def lay_start(engine: Engine, start: Sequence[Start]) -> None:
    """Lays tiles instead of the usual ones, each beside the ones before it. They come out of the bag.

    Tiles that usually lie at the start are taken first. In a scripted game the bag holds everything, but not the board.
    """
    rules = engine.rules
    room = int(rules.shape.squares)
    if len(start) > room:
        raise OptionError(f"start: there is room for {room} tiles, got {len(start)}")
    torus = Torus(room)
    usual = Counter(int(tile_type) for tile_type in list(rules.start)[::4])
    engine.clear()
    for tile in start:
        name, cell, rotation = checked_form(tile)
        tile_type = checked_type(engine, name, cell, rotation)
        if engine.squares() and torus.number(cell) * 4 + rotation not in engine.fitting_places(tile_type):
            raise OptionError(f"start: {name} does not fit on {cell[0]},{cell[1]} turned {rotation * 90}")
        if usual[tile_type]:
            usual[tile_type] -= 1
        else:
            if not rules.scripted and engine.s[engine.bag + tile_type] == 0:
                raise OptionError(f"start: no {name} is left in the bag")
            engine.take_from_bag(tile_type, engine.pile_of(tile_type))
        engine.lay(tile_type, torus.number(cell), rotation, pack(cell))
    if not rules.scripted and all(engine.tiles_left(pile) == 0 for pile in range(rules.tables.main_piles)):
        raise OptionError("start: no tile is left to draw")
    if engine.s[AGENDA + F_QUESTION] == DRAW:
        engine.put(AGENDA + F_SUBJECT, engine.next_pile())
    for module in rules.game_started:
        module.game_started(engine)
    engine.trail_len = 0


def checked_form(tile: Start) -> Start:
    """Checks the form of a start tile: a name, a cell and a rotation."""
    match tile:
        case (str(name), (x, y), rotation):
            return name, (x, y), rotation
    raise OptionError(f"start: expected a tile such as ('D', (0, 0), 0), got {tile!r}")


def checked_type(engine: Engine, name: str, cell: Cell, rotation: int) -> int:
    """The number of the tile's type, if such a tile can lie there."""
    rules = engine.rules
    tile_type = int(rules.type_named(name))
    if tile_type < 0 or any(square.tile.id == name for big in rules.layout.big for square in big.squares):
        raise OptionError(f"start: expected a tile in play, got {name}")
    if type(rotation) is not int or rotation not in range(4):
        raise OptionError(f"start: expected a rotation of 0 to 3, got {rotation!r}")
    if any(type(n) is not int or abs(n) > FARTHEST for n in cell):
        raise OptionError(f"start: expected a cell no farther than {FARTHEST} from 0,0, got {cell}")
    return tile_type
