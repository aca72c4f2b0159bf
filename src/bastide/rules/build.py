"""Compiles a choice of modules into Rules. Runs once for each choice."""
# interpreted: runs once, when rules are compiled

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from bastide.errors import EngineLimit, ModuleError, OptionError
from bastide.homes import cleared_on_change
from bastide.kernel.offsets import (
    AGENDA,
    CELL,
    F_QUESTION,
    F_SUBJECT,
    P_ALSO,
    P_LAYER,
    P_LEN,
    PIECES,
    PILE,
    PORT,
    REMAINING,
    SUMS,
    SUPPLY,
    TOP,
)
from bastide.kernel.shape import Shape
from bastide.kernel.torus import Torus, pack
from bastide.rules.choose import choose as choose
from bastide.rules.layout import HOLDS, LAND, Layout
from bastide.rules.looks import LookWriter, block_length
from bastide.rules.module import Module
from bastide.rules.piles import Tables
from bastide.rules.position import DRAW
from bastide.rules.rules import Hooks, Rules, overriding
from bastide.rules.spec import Choice, Spec
from bastide.rules.types import Types, settle
from bastide.tiles import boxes
from bastide.tiles.model import Tile

SCRIPTED_ROOM = 256  # squares in a scripted game, which may draw more tiles than the bag holds
MOST_SQUARES = 640  # most squares on a board; its table grows with the square of this number
TRAIL_ROOM = 4096  # most that a game starts its trail with
TOKENS = 64  # most different things that a module's chance can bring
STRENGTH_LIMIT = 127  # eight bits for each player, the last one signed


@cleared_on_change
@lru_cache(maxsize=256)
def compiled(choice: Choice) -> Rules:
    """The rules of a choice."""
    options = dict(choice.options)
    made = [(module, spec) for spec in choice.specs for module in spec.make(options)]
    modules = [module for module, _ in made]
    first = Layout(options, choice.specs, boxes(), choice.players, 0, 0)
    for module in modules:
        module.declare(first)
    types = settle(first)
    squares = room_for_squares(types, first, choice.scripted)
    if squares > MOST_SQUARES:
        raise EngineLimit(f"a game has at most {MOST_SQUARES} tiles; this choice has {squares}")
    torus = Torus(squares)
    layout = Layout(options, choice.specs, boxes(), choice.players, CELL + torus.cells, first.sums)
    for module in modules:
        module.declare(layout)
    types = settle(layout)
    check_limits(layout, types)
    shared = [layout.elsewhere_targets] if layout.elsewhere_targets else []
    for module in [*shared, *modules]:
        module.ready([t.tile for t in types.types])
    return Build(choice, made, layout, types, torus, squares).rules()


def room_for_squares(types: Types, layout: Layout, scripted: bool) -> int:
    """The largest number of squares that a game can have on the board."""
    start = sum(t.tile.count for t in types.types if not t.pile) + len(layout.start)
    drawn = sum(t.drawn for t in types.types)
    return start + max(drawn, SCRIPTED_ROOM if scripted else 0)


def neighbours(tile: Tile) -> int:
    """Most segments of a tile that one of its segments borders on, seen from either side."""
    touched = Counter(number for segment in tile.segments for number in segment.touches)
    return max([0, *touched.values(), *(len(segment.touches) for segment in tile.segments)])


def check_limits(layout: Layout, types: Types) -> None:
    """Refuses rules that do not fit into the packed words of the state."""
    weight = sum(piece.count * piece.weight for piece in layout.pieces)
    if weight > STRENGTH_LIMIT:
        raise EngineLimit(f"a player's followers weigh at most {STRENGTH_LIMIT} together, got {weight}")
    land = sum(t.drawn for t in types.types if t.pile == LAND and not is_waiting(layout, t.tile))
    if land < layout.fewest_tiles:
        raise OptionError(f"at least {layout.fewest_tiles} of the tiles must be left to draw, got {land}")
    if not layout.start:
        raise ModuleError("no module lays a start tile")


def is_waiting(layout: Layout, tile: Tile) -> bool:
    """Is this one of the tiles that cannot be drawn at first?"""
    return layout.waiting is not None and layout.waiting(tile)


class Build:
    """One compilation: from what the modules declared to the tables that the engine reads."""

    def __init__(
        self,
        choice: Choice,
        made: list[tuple[Module, Spec]],
        layout: Layout,
        types: Types,
        torus: Torus,
        squares: int,
    ) -> None:
        self.choice = choice
        self.made = made
        self.modules = [module for module, _ in made]
        self.layout = layout
        self.types = types
        self.torus = torus
        self.squares = squares
        self.tiles = [t.tile for t in types.types]
        self.piles = [*layout.piles, *layout.side_piles]
        self.stride = SUMS + layout.sums
        needs_turn_due = choice.scripted and overriding(self.modules, "turn_started")
        self.turn_due = layout.field(name="turn_due") if needs_turn_due else 0
        self.bag = layout.field(len(self.tiles), "bag", holds="nothing")  # the engine keeps it

    def rules(self) -> Rules:
        """Everything put together."""
        start, joins = self.lay_start()
        return Rules(
            self.choice,
            self.modules,
            self.layout,
            self.tiles,
            self.choice.players,
            self.shape(),
            self.tables(),
            start,
            joins,
            self.hooks(),
        )

    def tables(self) -> Tables:
        """Pieces, words and piles."""
        layout = self.layout
        of_pile = [[i for i, t in enumerate(self.types.types) if t.pile == pile] for pile in self.piles]
        return Tables(
            [p.weight for p in layout.pieces],
            [p.stands for p in layout.pieces],
            layout.parts,
            self.bag,
            len(layout.piles),
            [(types[0], types[-1] + 1) if types else (0, 0) for types in of_pile],
            self.choice.scripted,
            layout.waiting_at,
            [t.drawn if is_waiting(layout, t.tile) else 0 for t in self.types.types],
            self.turn_due,
        )

    def shape(self) -> Shape:
        """Tables and places for the kernel."""
        layout = self.layout
        writer = LookWriter(self.tiles, layout, self.stride)
        looks = writer.looks()
        frontier = layout.field_at
        standing = frontier + 2 * self.squares + 2
        figures = self.choice.players * sum(p.count for p in layout.pieces) + 1
        start = standing + figures
        actions = self.squares * layout.actions_a_square + 64
        outcomes = max(len(self.tiles), TOKENS)
        scratch = self.squares * max(1, *(neighbours(tile) for tile in self.tiles)) + 1
        blank = max(actions, outcomes, scratch, figures, TRAIL_ROOM)
        shape = Shape(looks, writer.fits(), self.torus.steps(), self.empty_state(start), blank)
        shape.cells = self.torus.cells
        shape.look_size = writer.size
        shape.needs = writer.radix**4
        shape.frontier = frontier
        shape.standing = standing
        shape.blocks = start
        shape.stride = self.stride
        shape.extra_ports = any(
            looks[at + PORT + side * P_LEN + port] >= 0
            for at in range(0, len(looks), writer.size)
            for side in range(4)
            for port in (P_LAYER, P_ALSO)
        )
        shape.presence = layout.presence
        shape.squares = self.squares
        shape.scratch = scratch
        shape.figures = figures
        shape.actions = actions
        shape.outcomes = outcomes
        return shape

    def empty_state(self, blocks: int) -> list[int]:
        """The vector before the first tile: the agenda, the bag, the supplies, and room for all tiles."""
        layout = self.layout
        state = [0] * (blocks + self.block_room())
        state[TOP] = AGENDA
        state[AGENDA + F_QUESTION] = DRAW
        for number, t in enumerate(self.types.types):
            if is_waiting(layout, t.tile):
                continue
            state[self.bag + number] = t.drawn
            if t.pile:
                state[REMAINING + self.piles.index(t.pile)] += t.drawn
        drawn_from = [pile for pile in range(len(layout.piles)) if state[REMAINING + pile]]
        state[PILE] = state[AGENDA + F_SUBJECT] = drawn_from[0] if drawn_from else 0
        for player in range(self.choice.players):
            for number, piece in enumerate(layout.pieces):
                state[SUPPLY + player * PIECES + number] = piece.count
        return state

    def block_room(self) -> int:
        """Room for the blocks of all squares: exact where the bag decides, generous in scripted games."""
        if self.choice.scripted:
            return self.squares * max(block_length(tile, self.stride) for tile in self.tiles)
        return sum(block_length(t.tile, self.stride) * t.tile.count for t in self.types.types)

    def lay_start(self) -> tuple[list[int], list[int]]:
        """The start tiles, ordinary ones as they are, big ones square by square; and which segments are one."""
        big = {b.id: b for b in self.layout.big}
        squares: list[int] = []
        joins: list[int] = []
        for start in self.layout.start:
            if start.tile in big:
                whole = big[start.tile]
                if start.rotation:
                    raise ModuleError(f"{whole.id}: a big tile is not turned")
                first = len(squares) // 4
                for square in whole.squares:
                    cell = (start.cell[0] + square.x, start.cell[1] + square.y)
                    squares += [self.types.number[square.tile.id], self.torus.number(cell), 0, pack(cell)]
                for one, other in whole.joins:
                    for square_number, segment in (one, other):
                        place = self.types.place[whole.squares[square_number].tile.id]
                        joins += [first + square_number, place[segment]]
            else:
                number = self.types.number[start.tile]
                squares += [number, self.torus.number(start.cell), start.rotation, pack(start.cell)]
        return squares, joins

    def hooks(self) -> Hooks:
        """Which modules are asked: tables by tile type, kind, piece and frame."""
        layout = self.layout
        kinds = list(layout.kinds.values())
        hooks = Hooks(self.made)
        hooks.may_place = [[m for m, want in layout.filters if want(t)] for t in self.tiles]
        hooks.target_of = layout.targets
        hooks.scorer = [kind.owner for kind in kinds]
        hooks.adjusters = [overriding(kind.adjusters, "adjust") for kind in kinds]
        hooks.bonuses = [overriding(kind.adjusters, "bonus") for kind in kinds]
        hooks.frames = [frame.owner for frame in layout.frames]
        hooks.chance = [int(frame.chance) for frame in layout.frames]
        hooks.frame_holds = [HOLDS.index(frame.holds) for frame in layout.frames]
        hooks.fields = [
            (field.at + i, HOLDS.index(field.holds))
            for field in layout.fields
            if field.holds != "nothing"
            for i in range(field.size * (self.choice.players if field.per_player else 1))
        ]
        hooks.pieces_on = [sum(1 << i for i, p in enumerate(layout.pieces) if k in p.kinds) for k in layout.kinds]
        hooks.piece_owner = [piece.owner for piece in layout.pieces]
        return hooks
