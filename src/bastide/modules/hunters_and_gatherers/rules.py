"""Hunters and Gatherers: forests, rivers, river systems, meadows. A game of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from librt.vecs import vec

from bastide.native import i64
from bastide.rules.layout import Layout, Start
from bastide.rules.module import Module
from bastide.rules.position import DRAW, Position
from bastide.rules.spec import Element, PieceCount, Spec, Value
from bastide.tiles.model import Segment, Tile

BONUS = "bonus"  # the pile of bonus tiles
BONUS_TURN: Final = 800  # what bots think of a turn with one of them, in hundredths of points


class Hunters(Module):
    """Men gather, fish and hunt. Huts stand in river systems, which are `waters`: a layer below rivers and lakes."""

    def __init__(self) -> None:
        self.forest: i64 = 0
        self.river: i64 = 0
        self.meadow: i64 = 0
        self.nuggets: i64 = 0
        self.mushrooms: i64 = 0
        self.fish: i64 = 0
        self.deer: i64 = 0
        self.mammoth: i64 = 0
        self.aurochs: i64 = 0
        self.tiger: i64 = 0
        self.fire: i64 = 0
        self.shrine: i64 = 0
        self.bonus_pile: i64 = 0
        self.scraps = vec[i64]([])  # per tile type: bits of the meadows that reach no edge
        self.scrap: i64 = 0
        self.p_river: i64 = 0
        self.p_fish: i64 = 0
        self.p_forest: i64 = 0
        self.p_mushrooms: i64 = 0
        self.p_system: i64 = 0
        self.p_deer: i64 = 0
        self.p_deer_left: i64 = 0
        self.p_mammoths: i64 = 0
        self.p_aurochs: i64 = 0

    def declare(self, layout: Layout) -> None:
        self.forest = layout.kind(self, "forest")
        self.river = layout.kind(self, "river")
        layout.kind(self, "lake", closes=False)
        self.meadow = layout.kind(self, "meadow", closes=False)
        layout.kind(self, "waters", closes=False)
        self.nuggets = layout.any("forest", "nuggets")
        self.mushrooms = layout.sum(["forest"], "mushrooms")
        layout.any("river", "source")
        self.fish = layout.sum(["lake", "waters"], "fish")
        self.deer = layout.sum(["meadow"], "deer")
        self.mammoth = layout.sum(["meadow"], "mammoth")
        self.aurochs = layout.sum(["meadow"], "aurochs")
        self.tiger = layout.sum(["meadow"], "tiger")
        self.fire = layout.any("meadow", "fire")
        self.shrine = layout.any("meadow", "shrine")
        layout.piece(self, "man", layout.piece_count("men"), 1, ["forest", "river", "meadow"])
        layout.piece(self, "hut", layout.piece_count("huts"), 1, ["waters"])
        self.scrap = layout.reason("scrap", "a scrap of meadow that reaches no edge takes no hunter")
        self.declare_parts(layout)
        self.bonus_pile = layout.side_pile(BONUS)
        tiles = layout.box("hunters_and_gatherers").tiles
        layout.add(tiles)
        layout.add(layout.box("hunters_and_gatherers_bonus").tiles, BONUS)
        layout.add_segments(waters)
        layout.start = [Start(next(t.id for t in tiles if t.start), (0, 0))]

    def declare_parts(self, layout: Layout) -> None:
        """What scores are made of."""
        self.p_river = layout.part("sections", "HUNT-5")
        self.p_fish = layout.part("fish", "HUNT-5")
        self.p_forest = layout.part("sections", "HUNT-6")
        self.p_mushrooms = layout.part("mushrooms", "HUNT-16")
        self.p_system = layout.part("fish", "HUNT-13")
        self.p_deer = layout.part("deer", "HUNT-14")
        self.p_deer_left = layout.part("deer", "HUNT-15")
        self.p_mammoths = layout.part("mammoths", "HUNT-14")
        self.p_aurochs = layout.part("aurochs", "HUNT-14")

    def ready(self, tiles: list[Tile]) -> None:
        scraps = [[i for i, s in enumerate(tile.segments) if s.kind == "meadow" and not s.halves] for tile in tiles]
        self.scraps = vec[i64]([sum(1 << i for i in found) for found in scraps])

    def may_deploy(self, pos: Position, piece: i64, root: i64) -> i64:
        """HUNT-19."""
        if pos.size_of(root) > 1 or pos.kind_of(root) != self.meadow:
            return 0
        block = pos.block_of(root)
        segment = pos.segment_of(root)
        return self.scrap if self.scraps[pos.type_of(block)] >> segment & 1 else 0

    # --- bonus tiles
    def tile_done(self, pos: Position, player: i64) -> None:
        """HUNT-7, HUNT-8: one bonus tile for all nuggets; none for what a bonus tile, in a frame of its own, closes."""
        if pos.top() != pos.turn_frame():
            return
        for i in range(pos.closed_count()):
            root = pos.closed_region(i)
            if pos.kind_of(root) == self.forest and pos.has(root, self.nuggets):
                if pos.tiles_left(self.bonus_pile) > 0 or pos.tables.scripted:
                    pos.push(DRAW, player, self.bonus_pile)
                return

    def prize(self, pos: Position, root: i64, kind: i64) -> i64:
        """A bonus tile is one more turn, with one of the best tiles."""
        gold = kind == self.forest and pos.has(root, self.nuggets) and pos.tiles_left(self.bonus_pile) > 0
        return BONUS_TURN if gold else 0

    def value(self, pos: Position, player: i64) -> i64:
        """The same for a player who is about to draw one."""
        top = pos.top()
        drawing = pos.question() == DRAW and pos.subject_of(top) == self.bonus_pile and pos.player_of(top) == player
        return BONUS_TURN if drawing else 0

    # --- scoring
    def score(self, pos: Position, root: i64, kind: i64, finished: bool) -> None:
        """HUNT-12: forests and rivers only if complete, river systems and meadows only at the end."""
        if kind == self.forest:
            if finished:
                pos.part(self.p_forest, pos.size_of(root), 2)
                if pos.total(root, self.mushrooms):
                    pos.part(self.p_mushrooms, pos.total(root, self.mushrooms), 2)
        elif kind == self.river:
            if finished:
                pos.part(self.p_river, pos.size_of(root), 1)
                fish = self.fish_at_ends(pos, root)
                if fish:
                    pos.part(self.p_fish, fish, 1)
        elif kind == self.meadow:
            self.score_meadow(pos, root)
        else:
            pos.part(self.p_system, pos.total(root, self.fish), 1)

    def fish_at_ends(self, pos: Position, root: i64) -> i64:
        """HUNT-5, HUNT-18: the fish of the lakes where a river ends; of one lake at both ends once."""
        fish: i64 = 0
        first: i64 = 0
        node = root
        while True:
            border = pos.borders_of(node)
            lake = pos.node(pos.block_of(node), 0)
            while border:
                if border & 1 and lake != first:
                    first = lake
                    fish += pos.total(lake, self.fish)
                border >>= 1
                lake += pos.stride
            node = pos.next_in_region(node)
            if node == root:
                return fish

    def score_meadow(self, pos: Position, root: i64) -> None:
        """HUNT-14 to HUNT-16: prey, without what the tigers eat; on a shrine its hunter takes it alone."""
        deer = pos.total(root, self.deer)
        eaten: i64 = 0
        if not pos.has(root, self.fire):
            eaten = min(deer, pos.total(root, self.tiger))
        if deer > eaten:
            pos.part(self.p_deer_left if eaten else self.p_deer, deer - eaten, 2)
        if pos.total(root, self.mammoth):
            pos.part(self.p_mammoths, pos.total(root, self.mammoth), 2)
        if pos.total(root, self.aurochs):
            pos.part(self.p_aurochs, pos.total(root, self.aurochs), 2)
        if pos.has(root, self.shrine):
            priest = self.on_shrine(pos)
            if priest >= 0:
                pos.gain(priest, root, self.meadow)
                pos.begin_score()

    def on_shrine(self, pos: Position) -> i64:
        """Whose hunter of the meadow just counted stands on the shrine's own segment; -1 for nobody's."""
        for i in range(pos.figure_count):
            node = pos.figure_nodes[i]
            if pos.printed_flags(node) & self.shrine:
                return pos.owner(pos.figures_on(node))
        return -1


def waters(tile: Tile) -> list[Segment]:
    """HUNT-11: the parts of river systems on a tile: lakes with the rivers that run into them, and other rivers."""
    groups: list[set[int]] = []
    for number, segment in enumerate(tile.segments):
        if segment.kind in ("river", "lake"):
            group = {number, *segment.touches}
            groups = [*(g for g in groups if not g & group), group.union(*(g for g in groups if g & group))]
    found: list[Segment] = []
    for group in groups:
        parts = [tile.segments[number] for number in group]
        fish = sum(part.marks.get("fish", 0) for part in parts)
        sides = tuple(sorted(side for part in parts for side in part.sides))
        found.append(Segment("waters", sides, marks={"fish": fish} if fish else {}, layer=1))
    return found


def make(options: Mapping[str, Value]) -> list[Module]:
    """One module, without options."""
    return [Hunters()]


MODULE = Spec(
    name="hunters_and_gatherers",
    make=make,
    order=0,
    prefix="HUNT",
    boxes=("hunters_and_gatherers", "hunters_and_gatherers_bonus"),
    standalone=True,
    players=(2, 5),
    elements=(
        Element("nuggets", "HOUSE-14", marks=("nuggets",)),
        Element("mushrooms", "HOUSE-14", marks=("mushrooms",)),
        Element("fish", "HOUSE-14", marks=("fish",)),
        Element("tigers", "HOUSE-14", marks=("tiger",)),
        Element("fires", "HOUSE-14", marks=("fire",)),
        Element("shrines", "HOUSE-14", marks=("shrine",)),
    ),
    pieces=(PieceCount("men", "man", 5, least=1), PieceCount("huts", "hut", 2)),
)
