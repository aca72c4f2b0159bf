"""The layout: modules reserve kinds, pieces, attributes, fields, frames and tiles here while rules are compiled."""
# interpreted: runs once, when rules are compiled

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, get_args

from bastide.errors import EngineLimit, ModuleError
from bastide.geometry import Cell
from bastide.kernel.offsets import PIECES, PILES, PLAYERS, SUMS, TARGET_SHIFT
from bastide.rules.position import FIRST_FREE
from bastide.rules.spec import OFF, PRINTED, TILE_COUNTS, Element, Spec, Value, tile_counts
from bastide.tiles.model import BigTile, Box, Segment, Tile

if TYPE_CHECKING:
    from bastide.rules.elsewhere import Elsewhere
    from bastide.rules.module import Module

FLAG_BITS = 62  # one word, without its sign
LAND = "land"  # the pile of ordinary tiles

# What the numbers of a field, or the subject of a frame, stand for: keys and texts of positions must know.
# segment: its record on the board; square: a tile's block on the board; type: 1 + a tile type; figure: 1 + piece * 8 +
# player; in all of these 0 stands for none. nothing: scratch, no part of the position.
Holds = Literal["number", "segment", "square", "type", "figure", "nothing"]
HOLDS: tuple[str, ...] = get_args(Holds)


@dataclass
class Kind:
    """A kind of region: `closes` when no edge is open, or (`around`) when all cells around are taken."""

    name: str
    owner: Module
    closes: bool
    around: bool
    slots: dict[int, str] = field(default_factory=dict)  # place in the record -> mark on the tile that it starts from
    flags: dict[int, str] = field(default_factory=dict)  # bit -> mark
    adjusters: list[Module] = field(default_factory=list)


@dataclass
class Piece:
    """A kind of piece that every player has `count` of."""

    name: str
    owner: Module
    count: int
    weight: int  # for majorities; 0: no follower, its owner's `may_deploy_own` says where it can stand
    kinds: tuple[str, ...]
    stands: int = 0  # first of its eight presence flags
    alone: bool = False  # never side by side with another piece of its owner


@dataclass
class Frame:
    """A question that a module asks."""

    name: str
    owner: Module
    chance: bool
    holds: Holds = "number"  # what its subject stands for


@dataclass(frozen=True)
class Field:
    """Numbers in the vector that a module reserved, with the name that texts of positions give them."""

    name: str
    at: int
    size: int  # for the whole game, or for each player
    per_player: bool
    holds: Holds
    slots: tuple[str, ...]  # names of the single places; none: they are a list
    values: tuple[str, ...]  # names of the numbers 0, 1, 2, ...; none: they are just numbers


@dataclass(frozen=True)
class Secret:
    """Numbers of each player that nobody else may see: tiles (type + 1, the largest first), or counts of named things.

    This alone decides what a view and an observation leave out, which draws a record hides, and what
    `View.imagine` deals anew.
    """

    at: int
    size: int  # for each player
    things: tuple[str, ...]  # what each number counts; none: the numbers are tiles
    deal: int  # the frame in which chance brings one of them, 0 if it never does


@dataclass(frozen=True)
class Start:
    """A tile that lies before the first turn."""

    tile: str
    cell: Cell
    rotation: int = 0


@dataclass(frozen=True)
class Dock:
    """Where a start tile of another box may be laid beside this one: an open cell, and which of its sides touches."""

    cell: Cell
    side: int


class Layout:
    """Modules declare twice. The first pass only counts tiles and sums, on which the offsets of the second depend.

    Attributes of different kinds share slots: a record is as long as the richest kind needs, not as all together.
    """

    def __init__(
        self,
        options: Mapping[str, Value],
        specs: Sequence[Spec],
        boxes: Mapping[str, Box],
        players: int,
        field_at: int,
        sums_before: int,
    ) -> None:
        for spec in specs:
            for name in spec.boxes:
                if name not in boxes:
                    raise ModuleError(f"{spec.name}: MODULE names the box {name!r}, which no tiles*.json has")
        self.options = options
        self.boxes = {name: boxes[name] for spec in specs for name in spec.boxes}  # of the modules in play
        self.off: list[Element] = [e for spec in specs for e in spec.elements if options[e.name] == OFF]
        self.copies = {
            tile.id: int(options[spec.copies]) for spec in specs for name in spec.boxes for tile in boxes[name].tiles
        }
        self.tile_counts = tile_counts(str(options.get(TILE_COUNTS, PRINTED)))
        self.players = players
        self.field_at = field_at  # next free offset in the vector
        self.sums_before = sums_before
        self.kinds: dict[str, Kind] = {}
        self.pieces: list[Piece] = []
        self.parts: list[tuple[str, str]] = []
        self.sources: list[str] = []
        self.frames: list[Frame] = []
        self.fields: list[Field] = []
        self.secrets: list[Secret] = []
        self.reasons: list[tuple[str, str]] = []
        self.targets: list[Module] = []
        self.sums = 0  # slots given out, most of any kind
        self.flag_bits = 0
        self.presence = 0
        self.tiles: list[tuple[Tile, str]] = []  # with the pile to which each belongs
        self.piles: list[str] = [LAND]  # from which turns draw, one after another
        self.side_piles: list[str] = []  # from which only modules draw
        self.big: list[BigTile] = []
        self.start: list[Start] = []
        self.first_seat: int | None = None  # the field that says who began; without one the first seat always does
        self.first_loses_ties = False  # whether who began loses a tie at the end
        self.docks: list[Dock] = []  # for start tiles of boxes declared later: each takes the first that suits it
        self.tile_marks: list[str] = []
        self.filters: list[tuple[Module, Callable[[Tile], bool]]] = []
        self.waiting: Callable[[Tile], bool] | None = None  # tiles that cannot be drawn yet ...
        self.waiting_at = 0  # ... and the field that says whether they have joined the others
        self.elsewhere_targets: Elsewhere | None = None
        self.growers: list[Callable[[Tile], list[Segment]]] = []
        self.alterations: list[Callable[[list[tuple[Tile, str]]], list[tuple[Tile, str]]]] = []
        self.fewest_tiles = 1  # of land, with which the game can begin
        self.actions_a_square = 8  # room for actions: so many for each square that can lie

    # --- kinds of land and their attributes
    def kind(self, owner: Module, name: str, closes: bool = True, around: bool = False) -> int:
        """A new kind of region, scored by its owner."""
        if name in self.kinds:
            raise ModuleError(f"two modules declare the kind {name!r}")
        self.kinds[name] = Kind(name, owner, closes, around)
        return len(self.kinds) - 1

    def kind_id(self, name: str) -> int:
        """The number of a kind that a module declared before."""
        if name not in self.kinds:
            raise ModuleError(f"no module in play declares the kind {name!r}")
        return list(self.kinds).index(name)

    def adjusts(self, owner: Module, kind: str) -> int:
        """Calls the module's `adjust` and `bonus` when a region of this kind is scored."""
        number = self.kind_id(kind)
        self.kinds[kind].adjusters.append(owner)
        return number

    def any(self, kinds: str | Iterable[str], mark: str) -> int:
        """A region attribute with the law "any", for one kind or several: returns its bit in FLAGS."""
        bit = self._flags(1)
        for kind in self._known_kinds(kinds):
            self.kinds[kind].flags[bit] = mark
        return bit

    def sum(self, kinds: str | Iterable[str], mark: str) -> int:
        """A region attribute with the law "sum", for one kind or several: returns its slot in the record."""
        slot = self._slot(self._known_kinds(kinds), mark)
        self.sums = max(self.sums, slot + 1 - SUMS)
        return slot

    def _known_kinds(self, kinds: str | Iterable[str]) -> list[str]:
        """The names of kinds, all of them declared before."""
        names = [kinds] if isinstance(kinds, str) else list(kinds)
        for name in names:
            self.kind_id(name)
        return names

    def slot_of(self, kind: str, mark: str) -> int:
        """The slot of an attribute that a module declared before."""
        self.kind_id(kind)
        for slot, name in self.kinds[kind].slots.items():
            if name == mark:
                return slot
        raise ModuleError(f"no module in play counts {mark!r} in the kind {kind!r}")

    def _slot(self, kinds: list[str], mark: str) -> int:
        """The first slot that none of the kinds uses."""
        first = SUMS
        while builtins.any(first in self.kinds[k].slots for k in kinds):
            first += 1
        for k in kinds:
            self.kinds[k].slots[first] = mark
        return first

    def _flags(self, count: int) -> int:
        bit = 1 << self.flag_bits
        self.flag_bits += count
        if self.flag_bits > FLAG_BITS:
            raise EngineLimit(f"a region has at most {FLAG_BITS} flags; this choice of modules needs more")
        return bit

    # --- pieces, fields, frames, words
    def piece(
        self,
        owner: Module,
        name: str,
        count: int,
        weight: int,
        kinds: Iterable[str],
        presence: bool = False,
        alone: bool = False,
    ) -> int:
        """A kind of piece; with `presence` every region knows whose piece of this kind stands in it."""
        if len(self.pieces) == PIECES:
            raise EngineLimit(f"there are at most {PIECES} kinds of pieces; this choice of modules needs more")
        stands = 0
        if presence:
            stands = self._flags(PLAYERS)
            self.presence |= 255 * stands
        self.pieces.append(Piece(name, owner, count, weight, tuple(kinds), stands, alone))
        return len(self.pieces) - 1

    def piece_count(self, house_rule: str) -> int:
        """How many of a piece every player has: the value of the house rule that its Spec declares."""
        if house_rule not in self.options:
            raise ModuleError(f"piece_count: expected a house rule that a Spec in play declares, got {house_rule!r}")
        return int(self.options[house_rule])

    def presence_of(self, piece: int) -> int:
        """The flag "a piece of this kind stands here" of player 0; shift it by the player."""
        return self.pieces[piece].stands

    def field(
        self,
        size: int = 1,
        name: str = "",
        holds: Holds = "number",
        slots: Iterable[str] = (),
        values: Iterable[str] = (),
    ) -> int:
        """Reserves numbers for the whole game; returns the offset of the first."""
        return self._field(size, False, name, holds, tuple(slots), tuple(values))

    def record(self, name: str) -> int:
        """Room for a temporary region, which is no part of the position: see `Position.clear_record`."""
        return self.field(SUMS + self.sums_before, name, holds="nothing")

    def per_player(
        self,
        size: int = 1,
        name: str = "",
        holds: Holds = "number",
        slots: Iterable[str] = (),
        values: Iterable[str] = (),
    ) -> int:
        """Reserves numbers for each player; those of a player begin at the returned offset + size * player."""
        return self._field(size, True, name, holds, tuple(slots), tuple(values))

    def _field(
        self, size: int, per_player: bool, name: str, holds: Holds, slots: tuple[str, ...], values: tuple[str, ...]
    ) -> int:
        name = name or f"field_{len(self.fields) + 1}"
        if holds not in HOLDS:
            raise ModuleError(f"field {name}: expected it to hold one of {', '.join(HOLDS)}, got {holds!r}")
        if slots and len(slots) != size:
            raise ModuleError(f"field {name}: expected {size} names of its numbers, got {len(slots)}")
        if builtins.any(field.name == name for field in self.fields):
            raise ModuleError(f"two fields are called {name!r}")
        at = self.field_at
        self.field_at += size * PLAYERS if per_player else size
        self.fields.append(Field(name, at, size, per_player, holds, slots, values))
        return at

    def secret_tiles(self, size: int, name: str, deal: int) -> int:
        """Reserves room for tiles that each player holds hidden; `deal` is the frame of chance in which they are drawn.

        They come from the pile of land. A place holds a type + 1, 0 for none, the largest first.
        """
        at = self.per_player(size, name, holds="type")
        self.secrets.append(Secret(at, size, (), deal))
        return at

    def secret_counts(self, things: Iterable[str], name: str) -> int:
        """Reserves a count for each of these things, which players hold hidden; returns the offset of the first."""
        names = tuple(things)
        at = self.per_player(len(names), name, slots=names)
        self.secrets.append(Secret(at, len(names), names, 0))
        return at

    def is_secret(self, frame: int) -> bool:
        """Does only one player see what chance brings in this frame?"""
        return builtins.any(secret.deal == frame for secret in self.secrets)

    def frame(self, owner: Module, name: str, chance: bool = False, holds: Holds = "number") -> int:
        """Declares a question of a module. With `chance` the dealer answers it.

        `holds` says what its subject (the last argument of `push`) stands for.
        """
        if holds not in HOLDS:
            raise ModuleError(f"frame {name}: expected it to hold one of {', '.join(HOLDS)}, got {holds!r}")
        self.frames.append(Frame(name, owner, chance, holds))
        return FIRST_FREE + len(self.frames) - 1

    def target(self, owner: Module) -> int:
        """The module adds actions to the deploy question; returns the bits that mark them."""
        self.targets.append(owner)
        return len(self.targets) << TARGET_SHIFT

    def elsewhere(self) -> Elsewhere:
        """The actions that put a piece on another tile than the one just laid, which all modules share."""
        from bastide.rules.elsewhere import Elsewhere

        if self.elsewhere_targets is None:
            self.elsewhere_targets = Elsewhere(self)
        return self.elsewhere_targets

    def part(self, name: str, rule: str) -> int:
        """Declares a named part of scores, with the rule that it follows."""
        self.parts.append((name, rule))
        return len(self.parts) - 1

    def source(self, name: str) -> int:
        """Declares a source of points that is no region."""
        self.sources.append(name)
        return -len(self.sources)

    def reason(self, code: str, sentence: str) -> int:
        """Declares a reason of a filter: a stable code and a sentence for people."""
        self.reasons.append((code, sentence))
        return len(self.reasons)

    # --- tiles
    def box(self, name: str) -> Box:
        """A box that belongs to one of the modules in play."""
        if name not in self.boxes:
            known = ", ".join(self.boxes)
            raise ModuleError(f"box: expected one of the modules in play ({known}), got {name!r}")
        return self.boxes[name]

    def add(self, tiles: Iterable[Tile], pile: str = LAND, once: bool = False) -> None:
        """Adds tiles to a pile, once for each copy of their box in play, or only once."""
        for tile in tiles:
            copies = 1 if once else self.copies.get(tile.id, 1)
            self.tiles.append((replace(tile, count=tile.count * copies), pile))

    def pile_before(self, name: str, before: str = LAND) -> None:
        """Turns draw from this pile first, until it is empty."""
        if before not in self.piles:
            known = ", ".join(self.piles)
            raise ModuleError(f"pile_before: expected one of the piles ({known}), got {before!r}")
        self.piles.insert(self.piles.index(before), name)
        self._check_piles()

    def side_pile(self, name: str) -> int:
        """A pile from which only modules draw; returns its number. Declare it after all others' `pile_before`."""
        self.side_piles.append(name)
        self._check_piles()
        return len(self.piles) + len(self.side_piles) - 1

    def _check_piles(self) -> None:
        if len(self.piles) + len(self.side_piles) > PILES:
            raise EngineLimit(f"there are at most {PILES} piles of tiles; this choice of modules needs more")

    def waiting_tiles(self, wanted: Callable[[Tile], bool]) -> None:
        """These tiles of the pile of land cannot be drawn before the module calls `Position.release_waiting_tiles`."""
        if self.waiting is not None:
            raise EngineLimit("one group of tiles can wait; this choice of modules has two")
        self.waiting = wanted
        self.waiting_at = self.field(2, "waiting_tiles", slots=("joined", "hidden_before"))

    def tile_mark(self, name: str) -> None:
        """Declares a mark on whole tiles: tiles that differ in it are different types."""
        self.tile_marks.append(name)

    def restricts(self, owner: Module, wanted: Callable[[Tile], bool]) -> None:
        """Calls the module's `may_place` and `narrow` for these tiles only, because they are called for every place."""
        self.filters.append((owner, wanted))

    def add_segments(self, grower: Callable[[Tile], list[Segment]]) -> None:
        """Adds segments to every tile, for instance in layer 1."""
        self.growers.append(grower)

    def change_tiles(self, change: Callable[[list[tuple[Tile, str]]], list[tuple[Tile, str]]]) -> None:
        """Changes the list of all tiles and their piles before types are settled."""
        self.alterations.append(change)
