"""Hills & Sheep: hills that break ties, vineyards, shepherds with their flocks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from librt.vecs import vec

from bastide.native import i64
from bastide.rules.actions import Action
from bastide.rules.layout import Layout
from bastide.rules.module import Module, Token
from bastide.rules.position import Position
from bastide.rules.spec import Element, Option, PieceCount, Spec, Value
from bastide.tiles.model import Tile

TOKENS: Final = ("wolf", "sheep_1", "sheep_2", "sheep_3", "sheep_4")  # by the number of sheep they show
WOLF: Final = 0
KINDS_OF_TOKENS: Final = 5
VINEYARD: Final = 3  # HILL-10
MORE_SHEEP: Final = 2  # expected value of a token
GROW: Final = 0
HOME: Final = 1
ANSWERS: Final = ("grow", "home")


class Hills(Module):
    """Every shepherd has a number and a flock of its own; a field's flocks are those of its shepherds."""

    def __init__(self, options: Mapping[str, Value]) -> None:
        self.most_on_hills: bool = options["hill_tiebreak"] == "most_on_hills"
        self.acts_after: bool = options["shepherd_action"] == "after"
        self.closed_go_home: bool = options["closed_flock"] == "home"
        self.hill_kinds: i64 = 0  # bits: kinds of regions whose ties are broken by a hill
        self.hill = vec[i64]([])  # per tile type: 1 if it is a hill
        self.vineyard = vec[i64]([])
        self.shepherd: i64 = 0
        self.shepherds: i64 = 0  # flag of player 0: a shepherd stands in the region
        self.printed: i64 = 0  # where a field counts its printed sheep
        self.each: i64 = 0  # shepherds of a player
        self.where: i64 = 0  # per player, per shepherd: the segment where it stands, 0 in the supply
        self.flocks: i64 = 0  # per player, per shepherd, per token: what lies beside it
        self.tend: i64 = 0  # frame: grow the flock or drive it home; subject = where the shepherd stands
        self.token: i64 = 0  # frame of chance: a token for the shepherd on the segment `subject`
        self.p_vineyard: i64 = 0
        self.p_sheep: i64 = 0
        self.p_printed: i64 = 0
        self.from_flock: i64 = 0
        self.taken: i64 = 0
        self.in_box = vec[i64]([])  # per token: how many there are

    def declare(self, layout: Layout) -> None:
        box = layout.box("hills_and_sheep")
        layout.adjusts(self, "cloister")
        if layout.options.get("vineyards_for_gardens") == "on":  # ABBOT-6
            layout.adjusts(self, "garden")
        self.hill_kinds = sum(1 << layout.kind_id(kind) for kind in ("road", "city", "field"))
        self.each = layout.piece_count("shepherds")
        self.shepherd = layout.piece(self, "shepherd", self.each, 0, ["field"], presence=True)  # HILL-4
        self.shepherds = layout.presence_of(self.shepherd)
        self.printed = layout.sum(["field"], "sheep")
        self.where = layout.per_player(self.each, "shepherds", holds="segment")
        numbers = [""] if self.each == 1 else [f".{number + 1}" for number in range(self.each)]
        slots = [f"{token}{number}" for number in numbers for token in TOKENS]
        self.flocks = layout.per_player(self.each * KINDS_OF_TOKENS, "flock", slots=slots)
        self.in_box = vec[i64]([box.tokens[token] for token in TOKENS])
        self.tend = layout.frame(self, "tend", holds="segment")
        self.token = layout.frame(self, "token", chance=True, holds="segment")
        self.p_vineyard = layout.part("vineyards", "HILL-10")
        self.p_sheep = layout.part("sheep", "HILL-8")
        self.p_printed = layout.part("printed sheep", "RIVER-6")
        self.from_flock = layout.source("flock")
        self.taken = layout.reason("shepherd", "another shepherd is in this field")
        layout.tile_mark("hill")
        layout.tile_mark("vineyard")
        layout.add(box.tiles)
        layout.change_tiles(sheep_into_fields)

    def ready(self, tiles: list[Tile]) -> None:
        self.hill = vec[i64]([int("hill" in tile.marks) for tile in tiles])
        self.vineyard = vec[i64]([int("vineyard" in tile.marks) for tile in tiles])

    # --- hills and vineyards
    def drawn(self, pos: Position, tile_type: i64) -> None:
        """HILL-2: a tile goes unseen under the hill, if one is left."""
        if self.hill[tile_type]:
            land = pos.land_pile()
            if pos.tiles_left(land) > 0:
                pos.hide(land)

    def break_tie(self, pos: Position, root: i64, kind: i64, winners: i64) -> i64:
        """HILL-3: of the tied players those win who have a follower of this very region on a hill."""
        if self.hill_kinds >> kind & 1 == 0:
            return winners
        best: i64 = 0
        of_best: i64 = 0
        for player in range(pos.players):
            if winners >> player & 1:
                count = self.on_hills(pos, player)
                if count and not self.most_on_hills:
                    count = 1
                if count > best:
                    best = count
                    of_best = 0
                if count == best:
                    of_best |= 1 << player
        return of_best

    def on_hills(self, pos: Position, player: i64) -> i64:
        """Followers of a player on hills, among the figures of the region being scored."""
        count: i64 = 0
        for i in range(pos.figure_count):
            node = pos.figure_nodes[i]
            if self.hill[pos.type_of(pos.block_of(node))]:
                count += pos.followers_on(node, player)
        return count

    def adjust(self, pos: Position, root: i64, kind: i64, finished: bool) -> None:
        """HILL-10: vineyards on the tiles around a finished cloister."""
        if not finished:
            return
        cell = pos.cell_of(pos.block_of(root))
        count: i64 = 0
        for direction in range(i64(8)):
            count += self.vineyard[pos.type_of(pos.tile_at(pos.beside(cell, direction)))]
        if count:
            pos.part(self.p_vineyard, count, VINEYARD)

    # --- shepherds
    def may_deploy_own(self, pos: Position, piece: i64, root: i64) -> i64:
        """HILL-4: no other shepherd, at any distance; farmers do not matter."""
        return self.taken if pos.has(root, self.shepherds * 255) else 0

    def deployed(self, pos: Position, piece: i64, node: i64) -> None:
        """HILL-5: a shepherd comes with a token."""
        if piece == self.shepherd:
            at = self.where + pos.player() * self.each
            while pos.s[at]:
                at += 1
            pos.put(at, node)
            pos.push(self.token, pos.player(), node)

    def stands_in_field(self, pos: Position, shepherd: i64, root: i64) -> bool:
        """Does a shepherd (player * each + number) stand in this field?"""
        node = pos.s[self.where + shepherd]
        return node != 0 and pos.find(node) == root

    def sheep_of(self, pos: Position, shepherd: i64) -> i64:
        """Sheep on the tokens of a flock."""
        sheep: i64 = 0
        for token in range(i64(KINDS_OF_TOKENS)):
            sheep += token * pos.s[self.flocks + shepherd * KINDS_OF_TOKENS + token]
        return sheep

    def placed(self, pos: Position, block: i64) -> None:
        if not self.acts_after:
            self.ask_shepherds(pos, block)

    def piece_placed(self, pos: Position, player: i64) -> None:
        if self.acts_after:
            self.ask_shepherds(pos, pos.last_block())

    def ask_shepherds(self, pos: Position, block: i64) -> None:
        """HILL-6: the tile extends fields with own shepherds, who came with earlier tiles; HOUSE-10: one question for
        each field, the shepherd who came first speaks first."""
        player = pos.active_player()
        if pos.supply(player, self.shepherd) < self.each:
            for number in range(self.each):
                shepherd = player * self.each + self.each - 1 - number  # the last asked lies on top
                node = pos.s[self.where + shepherd]
                if node and pos.block_of(node) != block and self.is_first_in_extended_field(pos, shepherd, block):
                    pos.push(self.tend, player, node)
        self.bring_home_closed(pos)

    def is_first_in_extended_field(self, pos: Position, shepherd: i64, block: i64) -> bool:
        """Is the field of a shepherd extended by this tile, and is no shepherd of this player before him in it?"""
        root = pos.find(pos.s[self.where + shepherd])
        for before in range(shepherd - shepherd % self.each, shepherd):
            if self.stands_in_field(pos, before, root):
                return False
        extended = False
        for segment in range(pos.segments(block)):
            if pos.find(pos.node(block, segment)) == root:
                extended = True
        return extended

    def legal(self, pos: Position, frame: i64) -> i64:
        if frame == self.tend:
            pos.actions[0] = GROW
            pos.actions[1] = HOME
            return 2
        n: i64 = 0
        for token in range(i64(KINDS_OF_TOKENS)):
            count = self.in_box[token]
            for shepherd in range(pos.players * self.each):
                count -= pos.s[self.flocks + shepherd * KINDS_OF_TOKENS + token]
            if count:
                pos.actions[n] = token
                pos.weights[n] = count
                n += 1
        return n

    def apply(self, pos: Position, frame: i64, action: i64) -> None:
        node = pos.subject()
        root = pos.find(node)
        came_now = pos.block_of(node) == pos.last_block()
        if frame == self.tend and action == GROW:
            pos.set_question(pos.top(), self.token)
            return
        if frame == self.tend:
            self.drive_home(pos, root)
        elif action == WOLF:
            self.send_shepherds_home(pos, root)  # HILL-5, HILL-7: the wolf itself goes back among the tokens
        else:
            shepherd = pos.player() * self.each
            while pos.s[self.where + shepherd] != node:
                shepherd += 1
            pos.add(self.flocks + shepherd * KINDS_OF_TOKENS + action, 1)
        pos.pop()
        if not (self.acts_after and came_now):  # then all of them are examined together
            self.bring_home_closed(pos)

    def action_of(self, pos: Position, frame: i64, number: i64) -> Action:
        if frame == self.tend:
            return Action("choose", choice=ANSWERS[number])
        return Action("draw", tile=TOKENS[number])

    def drive_home(self, pos: Position, root: i64) -> None:
        """HILL-8: every player with a shepherd in the field scores all its sheep, printed ones too."""
        sheep: i64 = 0
        for shepherd in range(pos.players * self.each):
            if self.stands_in_field(pos, shepherd, root):
                sheep += self.sheep_of(pos, shepherd)
        for player in range(pos.players):
            if pos.has(root, self.shepherds << player):
                pos.begin_score()
                pos.part(self.p_sheep, sheep, 1)
                if pos.total(root, self.printed):
                    pos.part(self.p_printed, pos.total(root, self.printed), 1)
                pos.gain(player, root, self.from_flock)
        self.send_shepherds_home(pos, root)

    def send_shepherds_home(self, pos: Position, root: i64) -> None:
        """The shepherds of a field go home, with their tokens."""
        for shepherd in range(pos.players * self.each):
            if self.stands_in_field(pos, shepherd, root):
                pos.take_back(shepherd // self.each, self.shepherd, pos.s[self.where + shepherd])

    def lifted(self, pos: Position, player: i64, piece: i64, node: i64) -> None:
        """The tokens of a shepherd who leaves, for whatever reason, go back among the others."""
        if piece != self.shepherd:
            return
        shepherd = player * self.each
        while pos.s[self.where + shepherd] != node:
            shepherd += 1
        pos.put(self.where + shepherd, 0)
        for token in range(i64(KINDS_OF_TOKENS)):
            at = self.flocks + shepherd * KINDS_OF_TOKENS + token
            if pos.s[at]:
                pos.put(at, 0)

    # --- closed fields
    def bring_home_closed(self, pos: Position) -> None:
        """HILL-12 with closed_flock=home: flocks in fields that can't grow any more, if no question waits for them."""
        if not self.closed_go_home:
            return
        block = pos.last_block()
        for segment in range(pos.segments(block)):
            root = pos.find(pos.node(block, segment))
            if (
                pos.has(root, self.shepherds * 255)
                and not self.is_question_pending(pos, root)
                and self.is_enclosed(pos, root)
            ):
                self.drive_home(pos, root)

    def is_question_pending(self, pos: Position, root: i64) -> bool:
        """Does a question about the shepherd of a field wait for its answer?"""
        frame = pos.top()
        while pos.question_of(frame) == self.tend:
            if pos.find(pos.subject_of(frame)) == root:
                return True
            frame = pos.frame_below(frame)
        return False

    def is_enclosed(self, pos: Position, root: i64) -> bool:
        """Does a tile lie at every side that the field reaches?"""
        node = root
        while True:
            block = pos.block_of(node)
            for side in range(i64(4)):
                if pos.has_half_of(node, side) and pos.tile_beside(block, side) == 0:
                    return False
            node = pos.next_in_region(node)
            if node == root:
                return True

    def value(self, pos: Position, player: i64) -> i64:
        """A flock will usually be driven home with a few more sheep."""
        if pos.supply(player, self.shepherd) == self.each:
            return 0
        turns = pos.tiles_left(pos.land_pile()) // pos.players
        sheep: i64 = 0
        for shepherd in range(player * self.each, (player + 1) * self.each):
            if pos.s[self.where + shepherd]:
                sheep += self.sheep_of(pos, shepherd) + MORE_SHEEP
        return 100 * sheep * turns // (turns + 2)

    def why_impossible(self, pos: Position) -> str:
        asked: list[i64] = []
        frame = pos.top()
        while frame >= pos.turn_frame():
            if pos.question_of(frame) in (self.tend, self.token):
                node = pos.subject_of(frame)
                if node == 0 or not pos.stands_on(node, pos.player_of(frame), self.shepherd) or node in asked:
                    return "expected one question for each shepherd, about one who stands there"
                asked.append(node)
            frame = pos.frame_below(frame)
        for player in range(pos.players):
            standing: i64 = 0
            for shepherd in range(player * self.each, (player + 1) * self.each):
                node = pos.s[self.where + shepherd]
                if node and not pos.stands_on(node, player, self.shepherd):
                    return "expected in the field 'shepherds' where shepherds stand, found another place"
                if node:
                    standing += 1
                elif self.sheep_of(pos, shepherd):
                    return "expected a flock beside a shepherd, found one beside nobody"
            for i in range(pos.standing_count()):
                standing -= pos.stands_on(pos.standing_node(i), player, self.shepherd)
            if standing:
                return "expected in the field 'shepherds' all who stand in the landscape"
        for token in range(i64(KINDS_OF_TOKENS)):
            count = self.in_box[token]
            for shepherd in range(pos.players * self.each):
                beside = pos.s[self.flocks + shepherd * KINDS_OF_TOKENS + token]
                if beside < 0 or (token == WOLF and beside):
                    return "expected a flock of sheep"
                count -= beside
            if count < 0:
                return f"expected at most {self.in_box[token]} tokens {TOKENS[token]}"
        return ""

    def tokens_on_table(self, pos: Position) -> list[Token]:
        return [
            Token(player, TOKENS[token], "shepherd", self.tokens_beside(pos, player, token))
            for player in range(pos.players)
            for token in range(KINDS_OF_TOKENS)
        ]

    def tokens_beside(self, pos: Position, player: i64, token: i64) -> i64:
        """Tokens of a kind that lie beside the shepherds of a player."""
        count: i64 = 0
        for shepherd in range(player * self.each, (player + 1) * self.each):
            count += pos.s[self.flocks + shepherd * KINDS_OF_TOKENS + token]
        return count


def sheep_into_fields(listed: list[tuple[Tile, str]]) -> list[tuple[Tile, str]]:
    """RIVER-6: sheep printed on a tile become a mark of the field where they graze."""
    return [(with_sheep(tile) if "sheep" in tile.marks else tile, pile) for tile, pile in listed]


def with_sheep(tile: Tile) -> Tile:
    """The tile with its sheep in their field."""
    segments = list(tile.segments)
    grazed = segments[tile.marks["sheep_field"]]
    marks = {**grazed.marks, "sheep": tile.marks["sheep"]}
    segments[tile.marks["sheep_field"]] = replace(grazed, marks=marks)
    return replace(tile, segments=tuple(segments))


def make(options: Mapping[str, Value]) -> list[Module]:
    """One module."""
    return [Hills(options)]


MODULE = Spec(
    name="hills_and_sheep",
    make=make,
    order=40,
    prefix="HILL",
    options=(
        Option("hill_tiebreak", ("any", "most_on_hills"), "HILL-3"),
        Option("shepherd_action", ("before", "after"), "HILL-6"),
        Option("closed_flock", ("stay", "home"), "HILL-12"),
    ),
    boxes=("hills_and_sheep",),
    elements=(
        Element("hills", "HOUSE-10", marks=("hill",)),
        Element("vineyards", "HOUSE-10", marks=("vineyard",)),
    ),
    pieces=(PieceCount("shepherds", "shepherd", 1),),
)
