"""Over Hill and Dale: paths and wanderers, crop fields and their harvest, stables. A game of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from librt.vecs import vec

from bastide.native import i64
from bastide.rules.actions import Action, Place
from bastide.rules.layout import Layout, Start
from bastide.rules.module import Module
from bastide.rules.position import Position
from bastide.rules.spec import OFF, Element, PieceCount, Spec, Value
from bastide.tiles.model import Tile

CROPS: Final = ("apple", "strawberry", "pumpkin", "sunflower", "grain", "scarecrow")
KINDS_OF_CROPS: Final = 6
SCARECROW: Final = 5  # the last of them, a joker
SET: Final = 5  # the others make a set, which is worth as much
# A walk: the segment where it begins, the one where it ends, and the number of tiles moved onto.
STAY: Final = 0
WALK_FROM: Final = 40
WALK_TO: Final = 12
WALK_MASK: Final = (1 << 28) - 1


class Dale(Module):
    """Meeples wander on paths and farm crop fields; stables count the animals around them."""

    def __init__(self, options: Mapping[str, Value]) -> None:
        self.wanders: bool = options["wandering"] != OFF
        self.path: i64 = 0
        self.cropfield: i64 = 0
        self.meeple: i64 = 0
        self.meeples: i64 = 0  # that a player has
        self.stable: i64 = 0
        self.symbols = vec[i64]([])  # per kind of crop: where a field counts its symbols
        self.harvest: i64 = 0  # per player, per kind of crop: tokens
        self.supply = vec[i64]([])  # per kind of crop: tokens in the box
        self.to_share: i64 = 0  # per kind of crop: tokens of a harvest that several players are sharing
        self.busy: i64 = 0  # 1 when a piece was placed with the tile that is being played
        self.stabling: i64 = 0  # marks the action of placing a stable
        self.wander: i64 = 0
        self.share: i64 = 0
        self.near_stable: i64 = 0
        self.yard = vec[i64]([])  # per tile type: the number of its first meadow, -1 if it has none
        self.animals = vec[i64]([])  # per tile type
        self.p_path: i64 = 0
        self.p_field: i64 = 0
        self.p_left: i64 = 0
        self.p_wander: i64 = 0
        self.p_animals: i64 = 0
        self.p_tokens: i64 = 0
        self.p_sets: i64 = 0
        self.from_wander: i64 = 0
        self.from_stable: i64 = 0
        self.from_harvest: i64 = 0

    def declare(self, layout: Layout) -> None:
        self.path = layout.kind(self, "path")
        self.cropfield = layout.kind(self, "cropfield")
        layout.kind(self, "meadow", closes=False)
        self.symbols = vec[i64]([layout.sum(["cropfield"], crop) for crop in CROPS])
        self.meeples = layout.piece_count("meeples")
        self.meeple = layout.piece(self, "meeple", self.meeples, 1, ["path", "cropfield"])
        self.stable = layout.piece(self, "stable", layout.piece_count("stables"), 0, [])
        self.stabling = layout.target(self)
        self.busy = layout.field(name="piece_placed")
        self.harvest = layout.secret_counts(CROPS, "harvest")
        self.to_share = layout.field(KINDS_OF_CROPS, "to_share", slots=CROPS)
        self.wander = layout.frame(self, "wander")
        self.share = layout.frame(self, "share")
        self.near_stable = layout.reason("near_stable", "a stable stands on one of the eight squares around")
        self.p_path = layout.part("tiles", "DALE-5")
        self.p_field = layout.part("tiles", "DALE-8")
        self.p_left = layout.part("tiles", "DALE-11")
        self.p_wander = layout.part("tiles", "DALE-6")
        self.p_animals = layout.part("animals", "DALE-12")
        self.p_tokens = layout.part("tokens", "DALE-13")
        self.p_sets = layout.part("sets", "DALE-13")
        self.from_wander = layout.source("wander")
        self.from_stable = layout.source("stable")
        self.from_harvest = layout.source("harvest")
        box = layout.box("over_hill_and_dale")
        self.supply = vec[i64]([box.tokens[crop] for crop in CROPS])
        layout.add(box.tiles)
        layout.tile_mark("animals")
        layout.start = [Start(next(t.id for t in box.tiles if t.start), (0, 0))]

    def ready(self, tiles: list[Tile]) -> None:
        meadows = [[i for i, segment in enumerate(tile.segments) if segment.kind == "meadow"] for tile in tiles]
        self.yard = vec[i64]([found[0] if found else -1 for found in meadows])
        self.animals = vec[i64]([tile.marks.get("animals", 0) for tile in tiles])

    # --- stables
    def yard_of(self, pos: Position, block: i64) -> i64:
        """The segment of a tile on which a stable stands, regardless of which meadow was meant; 0 if it has none."""
        segment = self.yard[pos.type_of(block)]
        return pos.node(block, segment) if segment >= 0 else 0

    def targets(self, pos: Position, count: i64) -> i64:
        """DALE-10."""
        if (
            pos.supply(pos.player(), self.stable)
            and self.why_no_stable(pos) == 0
            and self.yard_of(pos, pos.last_block())
        ):
            pos.actions[count] = self.stabling
            return count + 1
        return count

    def why_no_stable(self, pos: Position) -> i64:
        """The reason why no stable can stand on the tile laid last: one around it. Meeples don't stand in meadows."""
        for direction in range(i64(8)):
            there = pos.tile_beside(pos.last_block(), direction)
            if there:
                yard = self.yard_of(pos, there)
                if yard and pos.figures_on(yard):
                    return self.near_stable
        return 0

    def why_not_target(self, pos: Position, piece: i64, place: Place) -> i64:
        return self.why_no_stable(pos) if piece == self.stable and place == self.meadow_of_last(pos) else 0

    def meadow_of_last(self, pos: Position) -> Place:
        """Where a stable stands: the tile just placed, whichever of its meadows was meant."""
        return Place(pos.coordinates_of(pos.last_block()), "meadow")

    def deploy_at(self, pos: Position, action: i64) -> None:
        pos.deploy(pos.player(), self.stable, self.yard_of(pos, pos.last_block()))

    def deployed(self, pos: Position, piece: i64, node: i64) -> None:
        pos.put(self.busy, 1)

    # --- scoring
    def score(self, pos: Position, root: i64, kind: i64, finished: bool) -> None:
        if not finished:
            pos.part(self.p_left, pos.tiles, 1)
        elif kind == self.path:
            pos.part(self.p_path, pos.tiles, 1)
        else:
            pos.part(self.p_field, pos.tiles, 2)

    def final(self, pos: Position) -> None:
        """DALE-12, DALE-13."""
        block = pos.first_block()
        while block <= pos.last_block():
            yard = self.yard_of(pos, block)
            if yard and pos.figures_on(yard):
                pos.begin_score()
                pos.part(self.p_animals, self.animals_around(pos, block), 1)
                pos.gain(pos.owner(pos.figures_on(yard)), yard, self.from_stable)
            block = pos.next_block(block)
        for player in range(pos.players):
            pos.begin_score()
            pos.part(self.p_tokens, self.tokens_of(pos, player), 1)
            sets = self.count_sets(pos, player)
            if sets:
                pos.part(self.p_sets, sets, SET)
            pos.gain(player, 0, self.from_harvest)

    def animals_around(self, pos: Position, block: i64) -> i64:
        """Animals on a tile and the eight around it."""
        count = self.animals[pos.type_of(block)]
        for direction in range(i64(8)):
            there = pos.tile_beside(block, direction)
            if there:
                count += self.animals[pos.type_of(there)]
        return count

    # --- the harvest
    def token_count(self, pos: Position, player: i64, crop: i64) -> i64:
        """Tokens of a kind that a player has."""
        return pos.s[self.harvest + player * KINDS_OF_CROPS + crop]

    def tokens_of(self, pos: Position, player: i64) -> i64:
        """All tokens of a player."""
        count: i64 = 0
        for crop in range(i64(KINDS_OF_CROPS)):
            count += self.token_count(pos, player, crop)
        return count

    def count_sets(self, pos: Position, player: i64) -> i64:
        """DALE-13: sets of five different crops; scarecrows fill what is missing, even all of it."""
        sets: i64 = 0
        while True:
            missing: i64 = 0
            for crop in range(i64(SCARECROW)):
                missing += max(0, sets + 1 - self.token_count(pos, player, crop))
            if missing > self.token_count(pos, player, SCARECROW):
                return sets
            sets += 1

    def scored(self, pos: Position, root: i64, kind: i64, winners: i64) -> None:
        """DALE-9: a token for each symbol that is left of its kind, all to a sole owner, in turn to tied ones."""
        if kind != self.cropfield:
            return
        first = self.next_of(pos, winners, pos.active_player())
        alone = winners & (winners - 1) == 0
        shared: i64 = 0
        for crop in range(i64(KINDS_OF_CROPS)):
            symbols = pos.total(root, self.symbols[crop])
            tokens = min(symbols, self.tokens_left(pos, crop)) if symbols else 0
            if alone:
                self.take_tokens(pos, first, crop, tokens)
            elif tokens:
                pos.put(self.to_share + crop, tokens)
                shared += tokens
        if shared:
            pos.push(self.share, first, winners)

    def tokens_left(self, pos: Position, crop: i64) -> i64:
        """Tokens of a kind that nobody has taken."""
        count = self.supply[crop]
        for player in range(pos.players):
            count -= self.token_count(pos, player, crop)
        return count

    def next_of(self, pos: Position, winners: i64, player: i64) -> i64:
        """The first of the winners clockwise, beginning with this player."""
        while winners >> player & 1 == 0:
            player = (player + 1) % pos.players
        return player

    def take_tokens(self, pos: Position, player: i64, crop: i64, count: i64) -> None:
        """A player gets tokens."""
        if count:
            pos.add(self.harvest + player * KINDS_OF_CROPS + crop, count)

    # --- wandering
    def tile_done(self, pos: Position, player: i64) -> None:
        """DALE-6: a player who placed no piece may wander."""
        if pos.s[self.busy]:
            pos.put(self.busy, 0)
        elif self.wanders and pos.supply(player, self.meeple) < self.meeples and self.list_walks(pos, player, 0):
            pos.push(self.wander, player, 0)

    def list_walks(self, pos: Position, player: i64, count: i64) -> i64:
        """Adds every walk on a path that the tile laid last continues to the actions; returns how many there are."""
        block = pos.last_block()
        for segment in range(pos.segments(block)):
            node = pos.node(block, segment)
            if pos.kind_of(node) != self.path:
                continue
            root = pos.find(node)
            if pos.open_edges(root) and pos.strength(root, player):
                pos.count_tiles(root)
                for i in range(pos.figure_count):
                    start = pos.figure_nodes[i]
                    if pos.first_figure(pos.figures_on(start)) == pos.figure(player, self.meeple):
                        for side in range(i64(4)):
                            count = self.list_stops(pos, start, side, count)
        return count

    def list_stops(self, pos: Position, start: i64, side: i64, count: i64) -> i64:
        """Adds the stops of a wanderer who leaves his tile by this side; none if his path does not."""
        node = start
        steps: i64 = 0
        while side >= 0:
            block = pos.block_of(node)
            if pos.node_at_side(block, side) != node:
                return count
            block = pos.tile_beside(block, side)
            if block == 0:
                return count
            side ^= 2
            node = pos.node_at_side(block, side)
            steps += 1
            if not self.has_wanderer(pos, block):
                pos.actions[count] = start << WALK_FROM | node << WALK_TO | steps
                count += 1
            side = self.way_on(pos, node, side)
        return count

    def way_on(self, pos: Position, node: i64, side: i64) -> i64:
        """The other side to which a segment of path leads; -1 where it ends."""
        block = pos.block_of(node)
        for other in range(i64(4)):
            if other != side and pos.node_at_side(block, other) == node:
                return other
        return -1

    def has_wanderer(self, pos: Position, block: i64) -> bool:
        """Does a meeple stand on a path of this tile?"""
        for segment in range(pos.segments(block)):
            node = pos.node(block, segment)
            if pos.figures_on(node) and pos.kind_of(node) == self.path:
                return True
        return False

    def why_impossible(self, pos: Position) -> str:
        for i in range(pos.standing_count()):
            if pos.other_figures(pos.figures_on(pos.standing_node(i))):
                return "expected at most one piece on a segment"
        shares: i64 = 0
        frame = pos.top()
        while frame >= pos.turn_frame():
            if pos.question_of(frame) == self.share:
                shares += 1
                winners = pos.subject_of(frame)
                if winners >> pos.players or winners >> pos.player_of(frame) & 1 == 0:
                    return "expected in 'share' the winners as bits, and one of them asked"
            frame = pos.frame_below(frame)
        open_tokens: i64 = 0
        for crop in range(i64(KINDS_OF_CROPS)):
            to_share = pos.s[self.to_share + crop]
            open_tokens += to_share
            if self.tokens_left(pos, crop) < to_share:
                return f"expected at most {self.supply[crop]} tokens {CROPS[crop]}"
        if shares > 1 or (shares == 1) != (open_tokens > 0):
            return "expected tokens in the field 'to_share' where they are shared, and nowhere else"
        return ""

    # --- the two questions
    def legal(self, pos: Position, frame: i64) -> i64:
        actions = pos.actions
        if frame == self.wander:
            actions[0] = STAY
            return self.list_walks(pos, pos.player(), 1)
        count: i64 = 0
        for crop in range(i64(KINDS_OF_CROPS)):
            if pos.s[self.to_share + crop]:
                actions[count] = crop
                count += 1
        return count

    def apply(self, pos: Position, frame: i64, action: i64) -> None:
        if frame == self.wander:
            pos.pop()
            if action != STAY:
                self.move(pos, action >> WALK_FROM, action >> WALK_TO & WALK_MASK, action & ((1 << WALK_TO) - 1))
            return
        player = pos.player()
        self.take_tokens(pos, player, action, 1)
        pos.add(self.to_share + action, -1)
        if self.legal(pos, frame):
            pos.set_player(pos.top(), self.next_of(pos, pos.subject(), (player + 1) % pos.players))
        else:
            pos.pop()

    def move(self, pos: Position, start: i64, goal: i64, tiles: i64) -> None:
        """DALE-6: a wanderer goes on along his path, a point for each tile."""
        figure = pos.figures_on(start)
        pos.relocate(start, goal)
        pos.begin_score()
        pos.part(self.p_wander, tiles, 1)
        pos.gain(pos.owner(figure), goal, self.from_wander)

    def action_of(self, pos: Position, frame: i64, number: i64) -> Action:
        if frame == self.share:
            return Action("choose", choice=CROPS[number])
        if frame != self.wander:
            return Action.with_piece("deploy", "stable", self.meadow_of_last(pos))
        if number == STAY:
            return Action("pass")
        start, goal = number >> WALK_FROM, number >> WALK_TO & WALK_MASK
        return Action.with_piece("move", "meeple", pos.place_of(start), pos.place_of(goal))


def make(options: Mapping[str, Value]) -> list[Module]:
    """One module."""
    return [Dale(options)]


MODULE = Spec(
    name="over_hill_and_dale",
    make=make,
    order=0,
    prefix="DALE",
    boxes=("over_hill_and_dale",),
    standalone=True,
    players=(2, 5),
    elements=(
        Element("wandering", "HOUSE-15"),
        Element("crops", "HOUSE-15", marks=CROPS[:SCARECROW]),
        Element("scarecrows", "HOUSE-15", marks=CROPS[SCARECROW:]),
        Element("animals", "HOUSE-15", marks=("animals",)),
    ),
    pieces=(PieceCount("meeples", "meeple", 4, least=1), PieceCount("stables", "stable", 2)),
)
