"""Turns the calls of the engine to its listener into events with names."""
# interpreted: speaks to people

from __future__ import annotations

from bastide.game.engine import Engine
from bastide.game.events import Counted, Deployed, Discarded, Drawn, Event, Moved, Noted, Placed, Returned, Scored
from bastide.geometry import Cell
from bastide.kernel.offsets import BLOCK, POS, RING
from bastide.kernel.torus import unpack
from bastide.rules.listener import Listener, Part
from bastide.rules.position import OVER


class Reporter(Listener):
    """Collects the events of one action."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.events: list[Event] = []
        self.tokens = tokens_of(engine)

    def all_events(self) -> list[Event]:
        """Everything that happened, with the changed numbers of tokens at the end."""
        now = tokens_of(self.engine)
        places = [place for place in {**self.tokens, **now} if self.tokens.get(place, 0) != now.get(place, 0)]
        return self.events + [Counted(*place, now.get(place, 0)) for place in places]

    def drawn(self, player: int, tile_type: int) -> None:
        self.events.append(Drawn(player, self.engine.rules.tiles[tile_type].id))

    def discarded(self, player: int, tile_type: int) -> None:
        self.events.append(Discarded(player, self.engine.rules.tiles[tile_type].id))

    def placed(self, player: int, tile_type: int, cell: int, rotation: int) -> None:
        where = unpack(self.engine.position_of(cell))
        self.events.append(Placed(player, self.engine.rules.tiles[tile_type].id, where, rotation))

    def deployed(self, player: int, piece: int, node: int) -> None:
        self.events.append(Deployed(player, self.piece(piece), str(self.engine.place_of(node))))

    def returned(self, player: int, piece: int, node: int) -> None:
        self.events.append(Returned(player, self.piece(piece), str(self.engine.place_of(node))))

    def moved(self, player: int, piece: int, start: int, goal: int) -> None:
        spot, to = str(self.engine.place_of(start)), str(self.engine.place_of(goal))
        self.events.append(Moved(player, self.piece(piece), spot, to))

    def left_supply(self, player: int, piece: int, place: str) -> None:
        self.events.append(Deployed(player, self.piece(piece), place))

    def came_back(self, player: int, piece: int, place: str) -> None:
        self.events.append(Returned(player, self.piece(piece), place))

    def scored(self, player: int, points: int, root: int, source: int, parts: list[Part]) -> None:
        layout = self.engine.rules.layout
        kind = list(layout.kinds)[source] if source >= 0 else layout.sources[-source - 1]
        on_board = root >= self.engine.shape.blocks
        spot = str(self.engine.place_of(root)) if on_board else ""
        tiles = self.cells(root) if on_board else ()
        final = self.engine.question() == OVER
        self.events.append(Scored(player, points, kind, spot, tiles, tuple(parts), final))

    def noted(self, player: int, what: str, value: str) -> None:
        self.events.append(Noted(player, what, value))

    def piece(self, number: int) -> str:
        """The name of a kind of piece."""
        return self.engine.rules.layout.pieces[number].name

    def cells(self, root: int) -> tuple[Cell, ...]:
        """The cells on which a region lies, in the order of its ring."""
        s = self.engine.s
        found: dict[Cell, None] = {}
        node = root
        while True:
            found[unpack(s[s[node + BLOCK] + POS])] = None
            node = s[node + RING]
            if node == root:
                return tuple(found)


def tokens_of(engine: Engine) -> dict[tuple[int, str, str], int]:
    """How many tokens lie where: by owner, name and place."""
    found: dict[tuple[int, str, str], int] = {}
    for module in engine.rules.modules:
        for token in module.tokens_on_table(engine):
            place = token.seat, token.name, token.where
            found[place] = found.get(place, 0) + token.number
    return found


def first_counts(engine: Engine) -> list[Event]:
    """The tokens that lie somewhere before the first action."""
    return [Counted(*place, number) for place, number in tokens_of(engine).items() if number]
