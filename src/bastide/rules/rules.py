"""Rules: a choice of modules compiled into tables for the kernel and one flat list of modules for each hook."""

from __future__ import annotations

from collections.abc import Sequence

from librt.vecs import vec

from bastide.kernel.shape import Shape
from bastide.native import i64
from bastide.rules.layout import Layout
from bastide.rules.module import Module
from bastide.rules.position import Tables
from bastide.rules.spec import Choice, Spec, Value
from bastide.tiles.model import Tile


class Rules:
    """Read only once compiled; any number of games share one. Make it with `Rules.of`."""

    def __init__(
        self,
        choice: Choice,
        modules: list[Module],
        layout: Layout,
        tiles: list[Tile],
        players: i64,
        shape: Shape,
        tables: Tables,
    ) -> None:
        self.choice = choice
        self.edition: str = choice.edition
        self.module_names: tuple[str, ...] = tuple(spec.name for spec in choice.specs)
        self.options: dict[str, Value] = dict(choice.options)
        self.scripted: bool = choice.scripted
        self.modules = modules
        self.layout = layout
        self.tiles = tiles
        self.players: i64 = players
        self.shape = shape
        self.tables = tables
        self.types: i64 = len(tiles)
        self.start = vec[i64]([])  # type, cell, turn, position for each square that lies at the start
        self.joins = vec[i64]([])  # pairs (square, segment) that are one region from the start
        # hooks, flattened; vec[Module], because taking an item out of a list costs a type check
        none = vec[Module]([])
        self.may_place = vec[vec[Module]]([])  # per tile type
        self.may_deploy = none
        self.targets = none
        self.target_of = none
        self.final = none
        self.value = none
        self.prize = none
        self.begun = none
        self.drawn = none
        self.placed = none
        self.deployed = none
        self.part_settled = none
        self.closed = none
        self.scored = none
        self.lifted = none
        self.part_ended = none
        self.turn_ended = none
        self.turn_begins = none
        self.tiebreakers = none
        # per kind of region, of piece, of frame
        self.kind_names: list[str] = list(layout.kinds)
        self.kind_closes = vec[i64]([int(kind.closes) for kind in layout.kinds.values()])
        self.no_weights: tuple[int, ...] = tuple([0] * int(players))  # per player: of followers in an empty region
        self.scorer = none
        self.adjusters = vec[vec[Module]]([])
        self.bonuses = vec[vec[Module]]([])
        self.frames = none
        self.chance = vec[i64]([])  # per frame: 1 = the dealer decides
        self.frame_holds = vec[i64]([])  # per frame: what its subject stands for, as Layout counts HOLDS
        self.field_at = vec[i64]([])  # places that modules reserved, scratch left out ...
        self.field_holds = vec[i64]([])  # ... and what each stands for
        self.pieces: i64 = 0
        self.pieces_on = vec[i64]([])  # per kind of region: bits of the pieces that may stand there
        self.piece_owner = none

    @staticmethod
    def of(
        edition: str = "",
        modules: Sequence[str | Spec] = (),
        players: int = 2,
        preset: str = "",
        scripted: bool = False,
        **options: Value,
    ) -> Rules:
        """Compiles an edition (or a preset), boxes and options; the same choice is compiled only once."""
        from bastide.rules.build import choose, compiled

        return compiled(choose(edition, tuple(modules), players, preset, options, scripted))

    def retold(self, scripted: bool) -> Rules:
        """The same choice with drawing as usual, or with any tile drawn at will."""
        from bastide.rules.build import compiled

        return compiled(self.choice.retold(scripted))

    def type_named(self, name: str) -> i64:
        """The number of a tile type, -1 for a name that is not in play."""
        for number, tile in enumerate(self.tiles):
            if tile.id == name:
                return number
        return -1

    def __reduce__(self) -> tuple[object, ...]:
        from bastide.rules.build import compiled

        return compiled, (self.choice,)
