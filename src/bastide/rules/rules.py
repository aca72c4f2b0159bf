"""Rules: a choice of modules compiled into tables for the kernel and one flat list of modules for each hook."""

from __future__ import annotations

from collections.abc import Sequence

from librt.vecs import vec

from bastide.kernel.shape import Shape
from bastide.native import i64
from bastide.rules.layout import Layout
from bastide.rules.module import Module
from bastide.rules.piles import Tables
from bastide.rules.spec import Choice, Spec, Value
from bastide.tiles.model import Tile


class Hooks:
    """Which modules each hook calls, as lists: interpreted code must not pass vectors to compiled code."""

    def __init__(self, made: list[tuple[Module, Spec]]) -> None:
        self.made = made  # all modules, in the order of their specs
        self.may_place: list[list[Module]] = []  # per tile type
        self.scorer: list[Module] = []  # per kind of region ...
        self.adjusters: list[list[Module]] = []
        self.bonuses: list[list[Module]] = []
        self.pieces_on: list[i64] = []  # ... bits of the pieces that may stand there
        self.frames: list[Module] = []  # per frame ...
        self.chance: list[i64] = []  # ... 1 = the dealer decides
        self.frame_holds: list[i64] = []  # ... what its subject stands for
        self.fields: list[tuple[i64, i64]] = []  # places that modules reserved, and what each stands for
        self.target_of: list[Module] = []  # per target
        self.piece_owner: list[Module] = []  # per kind of piece

    def of(self, hook: str) -> list[Module]:
        """The modules that override a hook, in the order of this hook. The others are never called."""
        found = overriding([module for module, _ in self.made], hook)
        order = {id(module): spec.orders.get(hook, spec.order) for module, spec in self.made}
        return sorted(found, key=lambda module: order[id(module)])


def overriding(modules: list[Module], hook: str) -> list[Module]:
    """The modules that override a hook."""
    return [m for m in modules if getattr(type(m), hook) is not getattr(Module, hook)]


def rows(lists: list[list[Module]]) -> vec[vec[Module]]:
    """A vector of vectors."""
    return vec[vec[Module]]([vec[Module](row) for row in lists])


class Rules:
    """Compiled rules. They never change, and any number of games can share them. Make them with `Rules.of`."""

    def __init__(
        self,
        choice: Choice,
        modules: list[Module],
        layout: Layout,
        tiles: list[Tile],
        players: i64,
        shape: Shape,
        tables: Tables,
        start: list[i64],
        joins: list[i64],
        hooks: Hooks,
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
        self.start = vec[i64](start)  # type, cell, rotation, position for each square that lies at the start
        self.joins = vec[i64](joins)  # pairs (square, segment) that are one region from the start
        # hooks, flattened; vec[Module], because taking an item out of a list costs a type check
        self.may_deploy = vec[Module](hooks.of("may_deploy"))
        self.may_stand = vec[Module](hooks.of("may_stand"))
        self.targets = vec[Module](hooks.of("targets"))
        self.final = vec[Module](hooks.of("final"))
        self.value = vec[Module](hooks.of("value"))
        self.prize = vec[Module](hooks.of("prize"))
        self.game_started = vec[Module](hooks.of("game_started"))
        self.drawn = vec[Module](hooks.of("drawn"))
        self.placed = vec[Module](hooks.of("placed"))
        self.deployed = vec[Module](hooks.of("deployed"))
        self.piece_placed = vec[Module](hooks.of("piece_placed"))
        self.closed = vec[Module](hooks.of("closed"))
        self.scored = vec[Module](hooks.of("scored"))
        self.scored_at_end = vec[Module](hooks.of("scored_at_end"))
        self.lifted = vec[Module](hooks.of("lifted"))
        self.tile_done = vec[Module](hooks.of("tile_done"))
        self.turn_started = vec[Module](hooks.of("turn_started"))
        self.begin_turn = vec[Module](hooks.of("begin_turn"))
        self.tiebreakers = vec[Module](hooks.of("break_tie"))
        # per tile type, kind of region, piece, frame, target
        self.may_place = rows(hooks.may_place)
        self.kind_names: list[str] = list(layout.kinds)
        self.kind_closes = vec[i64]([int(kind.closes) for kind in layout.kinds.values()])
        self.no_weights: tuple[int, ...] = tuple([0] * int(players))  # per player: of followers in an empty region
        self.scorer = vec[Module](hooks.scorer)
        self.adjusters = rows(hooks.adjusters)
        self.bonuses = rows(hooks.bonuses)
        self.frames = vec[Module](hooks.frames)
        self.chance = vec[i64](hooks.chance)  # per frame: 1 = the dealer decides
        self.frame_holds = vec[i64](hooks.frame_holds)  # per frame: what its subject stands for, as HOLDS counts
        self.field_at = vec[i64](
            [at for at, _holds in hooks.fields]
        )  # places that modules reserved, but no scratch ...
        self.field_holds = vec[i64]([holds for _at, holds in hooks.fields])  # ... and what each stands for
        self.target_of = vec[Module](hooks.target_of)
        self.pieces: i64 = len(hooks.piece_owner)
        self.pieces_on = vec[i64](hooks.pieces_on)  # per kind of region: bits of the pieces that may stand there
        self.piece_owner = vec[Module](hooks.piece_owner)

    @staticmethod
    def of(
        edition: str = "",
        *,
        modules: Sequence[str | Spec] = (),
        players: int = 2,
        preset: str = "",
        scripted: bool = False,
        **options: Value,
    ) -> Rules:
        """Compiles an edition (or a preset), boxes and options; the same choice is compiled only once."""
        from bastide.rules.build import choose, compiled

        return compiled(choose(edition, modules, players, preset, options, scripted))

    def with_scripted(self, scripted: bool) -> Rules:
        """The same choice, scripted (any tile may be drawn) or not."""
        if scripted == self.scripted:
            return self
        from bastide.rules.build import compiled

        return compiled(self.choice.with_scripted(scripted))

    def type_named(self, name: str) -> i64:
        """The number of a tile type, -1 for a name that is not in play."""
        for number, tile in enumerate(self.tiles):
            if tile.id == name:
                return number
        return -1

    def __repr__(self) -> str:
        from bastide.rules.choose import unusual

        modules = [name for name in self.module_names if name != "base"]
        given = [f"{self.edition!r}"] if self.edition else []
        given += [f"modules={modules}"] if modules else []
        given += [f"players={self.players}"]
        given += ["scripted=True"] if self.scripted else []
        given += [f"{name}={value!r}" for name, value in unusual(self.choice).items()]
        return f"Rules.of({', '.join(given)})"

    def __reduce__(self) -> tuple[object, ...]:
        from bastide.rules.build import compiled

        return compiled, (self.choice,)
