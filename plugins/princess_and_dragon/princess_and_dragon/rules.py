"""The Princess & the Dragon: volcanoes, a dragon that eats, a fairy that protects, portals, princesses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bastide.native import i64
from bastide.rules.actions import Action, Place, cell_text
from bastide.rules.elsewhere import Elsewhere
from bastide.rules.layout import Layout, Piece
from bastide.rules.module import Module, Token
from bastide.rules.position import Position
from bastide.rules.spec import OFF, Element, Option, Spec, Value
from bastide.tiles.model import Tile

from .impossible import wrong_dragon, wrong_fairy, wrong_path

STEPS: Final = 6  # DRAG-8: of one movement
FAIRY: Final = ("fairy", "fairy_2")  # beside the first, or beside the second kind of follower on a segment
SHEPHERD: Final = "shepherd"  # DRAG-10: eaten although it is no follower
# What the targets do, in the lowest bits of their numbers.
BESIDE: Final = 0  # the fairy moves
TAKE: Final = 1  # a princess takes a knight
DEEDS: Final = 2


class Dragon(Module):
    """Dragon and fairy stand on tiles; everything about them is kept in fields."""

    def __init__(self, options: Mapping[str, Value]) -> None:
        self.after_scoring: bool = options["dragon_moves"] == "after_scoring"
        self.on_tile: bool = options["fairy"] == "tile"
        self.must_take: bool = options["princess"] == "must"
        self.followers_only: bool = options["dragon_eats"] == "followers"
        self.has_dragon: bool = options["dragons"] != OFF
        self.has_fairy: bool = options["fairies"] != OFF
        self.elsewhere: Elsewhere | None = None
        self.pieces: list[Piece] = []
        self.volcano: list[bool] = []  # per tile type ...
        self.dragon_tile: list[bool] = []
        self.portal: list[bool] = []
        self.princess_tile: list[bool] = []  # ... one of its cities has a princess
        self.eaten: i64 = 0  # bits of the pieces that the dragon eats
        self.princess: i64 = 0  # flag of a city
        self.dragon: i64 = 0  # the tile where it stands, 0 beside the landscape
        self.visited: i64 = 0  # tiles where it has been in this movement, but not where it is
        self.fairy: i64 = 0  # the tile where she stands, 0 beside the landscape ...
        self.beside: i64 = 0  # ... the segment of the follower beside her, 0 if there is none ...
        self.friend: i64 = 0  # ... and 1 + the kind of this follower
        self.step: i64 = 0  # frame: the dragon's next step
        self.target: i64 = 0
        self.p_turn: i64 = 0
        self.p_scored: i64 = 0
        self.from_fairy: i64 = 0
        self.occupied: i64 = 0

    def declare(self, layout: Layout) -> None:
        self.pieces = layout.pieces
        self.elsewhere = layout.elsewhere()
        self.target = layout.target(self)
        self.princess = layout.any("city", "princess")
        self.dragon = layout.field(1, "dragon", holds="square")
        self.visited = layout.field(STEPS, "dragon_path", holds="square")
        self.fairy = layout.field(1, "fairy", holds="square")
        self.beside = layout.field(1, "fairy_beside", holds="segment")
        self.friend = layout.field(1, "fairy_follower")
        self.step = layout.frame(self, "dragon", holds="nothing")
        self.p_turn = layout.part("fairy, turn", "DRAG-13")
        self.p_scored = layout.part("fairy", "DRAG-14")
        self.from_fairy = layout.source("fairy")
        self.occupied = layout.reason("dragon", "nothing is placed on the tile where the dragon stands")
        for mark in ("dragon_volcano", "dragon", "magic_portal"):
            layout.tile_mark(mark)
        layout.add(layout.box("princess_and_dragon").tiles)
        if self.has_dragon:
            layout.waiting_tiles(lambda tile: "dragon" in tile.marks)  # DRAG-6

    def ready(self, tiles: list[Tile]) -> None:
        self.volcano = ["dragon_volcano" in tile.marks for tile in tiles]
        self.dragon_tile = ["dragon" in tile.marks for tile in tiles]
        self.portal = ["magic_portal" in tile.marks for tile in tiles]
        self.princess_tile = [any("princess" in segment.marks for segment in tile.segments) for tile in tiles]
        self.eaten = sum(
            1 << number
            for number, piece in enumerate(self.pieces)
            if piece.weight or piece.name == SHEPHERD or not self.followers_only  # DRAG-9, DRAG-10
        )

    # --- the volcano
    def game_started(self, pos: Position) -> None:
        """A volcano that lies from the start has called the dragon already."""
        block = pos.first_block()
        while block <= pos.last_block():
            if self.volcano[pos.type_of(block)]:
                self.call_dragon(pos, block)
            block = pos.next_block(block)

    def placed(self, pos: Position, block: i64) -> None:
        """DRAG-4: the dragon comes to a volcano at once."""
        if self.volcano[pos.type_of(block)]:
            self.call_dragon(pos, block)
            listener = pos.listener
            if listener is not None:
                listener.noted(pos.player(), "dragon", cell_text(pos.coordinates_of(block)))

    def call_dragon(self, pos: Position, block: i64) -> None:
        """The dragon stands on a volcano; DRAG-6: with the first one its tiles join the others."""
        pos.put(self.dragon, block)
        pos.release_waiting_tiles()

    def may_stand(self, pos: Position, piece: i64, node: i64) -> i64:
        """DRAG-4, DRAG-5: nobody is placed where the dragon stands."""
        dragon = pos.s[self.dragon]
        return self.occupied if dragon and pos.block_of(node) == dragon else 0

    # --- the dragon
    def piece_placed(self, pos: Position, player: i64) -> None:
        """DRAG-7: it moves before anything is scored ..."""
        if not self.after_scoring:
            self.move(pos)

    def tile_done(self, pos: Position, player: i64) -> None:
        """... or, by option, after that."""
        if self.after_scoring:
            self.move(pos)

    def move(self, pos: Position) -> None:
        """A dragon tile makes the dragon move, if it is in the landscape and can."""
        if self.dragon_tile[pos.type_of(pos.last_block())] and pos.s[self.dragon] and self.list_steps(pos):
            pos.push(self.step, pos.active_player(), 0)

    def steps_made(self, pos: Position) -> i64:
        """Steps of this movement so far."""
        count: i64 = 0
        while count < STEPS and pos.s[self.visited + count]:
            count += 1
        return count

    def list_steps(self, pos: Position) -> list[i64]:
        """DRAG-8: the tiles to which it can go."""
        dragon, fairy = pos.s[self.dragon], pos.s[self.fairy]
        been = [pos.s[self.visited + i] for i in range(STEPS)]
        beside = [pos.tile_beside(dragon, side) for side in range(4)]
        return [block for block in beside if block and block != fairy and block not in been]

    def legal(self, pos: Position, frame: i64) -> i64:
        found = self.list_steps(pos)
        for i, block in enumerate(found):
            pos.actions[i] = block
        return len(found)

    def apply(self, pos: Position, frame: i64, action: i64) -> None:
        """DRAG-8, DRAG-9: one step; the next player makes the next one."""
        self.remember(pos, pos.s[self.dragon])
        pos.put(self.dragon, action)
        pos.clear_tile(action, self.eaten)
        listener = pos.listener
        if listener is not None:
            listener.noted(pos.player(), "dragon", cell_text(pos.coordinates_of(action)))
        made = self.steps_made(pos)
        if made < STEPS and self.list_steps(pos):
            pos.set_player(pos.top(), (pos.active_player() + made) % pos.players)
            return
        for i in range(made):
            pos.put(self.visited + i, 0)
        pos.pop()

    def remember(self, pos: Position, block: i64) -> None:
        """It has been here. Sorted by cells, so that the same tiles in another order are the same position."""
        at = self.visited + self.steps_made(pos)
        cell = pos.cell_of(block)
        while at > self.visited and pos.cell_of(pos.s[at - 1]) > cell:
            pos.put(at, pos.s[at - 1])
            at -= 1
        pos.put(at, block)

    # --- the fairy
    def turn_started(self, pos: Position, player: i64) -> None:
        """DRAG-13: a point for whoever has a follower beside her."""
        if self.owners(pos, 0) >> player & 1:
            self.pay(pos, player, 0, self.p_turn, 1)

    def scored(self, pos: Position, root: i64, kind: i64, winners: i64) -> None:
        """DRAG-14; then the follower goes home and leaves her alone (DRAG-12)."""
        self.reward(pos, root)
        beside = pos.s[self.beside]
        if beside and pos.find(beside) == root:
            self.leave_alone(pos)

    def scored_at_end(self, pos: Position, root: i64, kind: i64, winners: i64) -> None:
        """DRAG-14: at the end of the game too."""
        self.reward(pos, root)

    def reward(self, pos: Position, root: i64) -> None:
        """3 points for the follower beside her in this region, whoever has the majority."""
        owners = self.owners(pos, root)
        for player in range(pos.players):
            if owners >> player & 1:
                self.pay(pos, player, root, self.p_scored, 3)

    def pay(self, pos: Position, player: i64, root: i64, part: i64, points: i64) -> None:
        """The fairy gives points."""
        pos.begin_score()
        pos.part(part, 1, points)
        pos.gain(player, root, self.from_fairy)

    def owners(self, pos: Position, root: i64) -> i64:
        """Bits of the players whose followers she stands beside, in this region or (0) in any."""
        fairy = pos.s[self.fairy]
        if fairy == 0:
            return 0
        if self.on_tile:  # DRAG-15
            nodes = [pos.node(fairy, segment) for segment in range(pos.segments(fairy))]
        else:
            nodes = [pos.s[self.beside]] if pos.s[self.beside] else []
        owners: i64 = 0
        for node in nodes:
            if pos.figures_on(node) and (root == 0 or pos.find(node) == root):
                for player in range(pos.players):
                    if pos.followers_on(node, player):
                        owners |= 1 << player
        return owners

    def lifted(self, pos: Position, player: i64, piece: i64, node: i64) -> None:
        """DRAG-12: her follower has gone; one of the same kind beside him stays with her."""
        if node == pos.s[self.beside] and piece + 1 == pos.s[self.friend] and not pos.stands_on(node, player, piece):
            self.leave_alone(pos)

    def leave_alone(self, pos: Position) -> None:
        """She stays on the tile, beside nobody."""
        pos.put(self.beside, 0)
        pos.put(self.friend, 0)

    # --- what can be done instead of placing a piece on the tile
    def targets(self, pos: Position, count: i64) -> i64:
        tile_type = pos.type_of(pos.last_block())
        if self.princess_tile[tile_type]:
            first = 0 if self.must_take else count  # DRAG-18: nothing else is allowed
            knights = self.list_knights(pos, first)
            if knights > first:
                if self.must_take:
                    return knights
                count = knights
        if self.portal[tile_type] and self.elsewhere is not None:
            count = self.elsewhere.offer_anywhere(pos, count)  # DRAG-16
        if self.has_fairy:
            count = self.list_walks(pos, count)
        return count

    def list_knights(self, pos: Position, count: i64) -> i64:
        """DRAG-17: adds the knights of the city with the princess on the tile just laid."""
        block = pos.last_block()
        for segment in range(pos.segments(block)):
            node = pos.node(block, segment)
            if pos.printed_flags(node) & self.princess:
                first = count
                for player in range(pos.players):
                    count = pos.list_followers(pos.find(node), player, count)
                for i in range(first, count):
                    pos.actions[i] = self.target | pos.actions[i] * DEEDS + TAKE
        return count

    def list_walks(self, pos: Position, count: i64) -> i64:
        """DRAG-11, DRAG-15: adds the followers, or tiles with followers, to which the fairy can go."""
        player = pos.player()
        blocks: list[i64] = []
        for i in range(pos.standing_count()):
            node = pos.standing_node(i)
            if not pos.followers_on(node, player):
                continue
            if self.on_tile:
                block = pos.block_of(node)
                if block != pos.s[self.fairy] and block not in blocks:
                    blocks.append(block)
                    pos.actions[count] = self.target | pos.pack_target(block, 0) * DEEDS + BESIDE
                    count += 1
                continue
            for piece in self.kinds_on(pos, node, player):
                if node != pos.s[self.beside] or piece + 1 != pos.s[self.friend]:
                    pos.actions[count] = self.target | pos.pack_target(node, piece) * DEEDS + BESIDE
                    count += 1
        return count

    def kinds_on(self, pos: Position, node: i64, player: i64) -> list[i64]:
        """The kinds of followers that a player has on a segment; companions may be of two kinds."""
        weight = pos.tables.weight
        return [piece for piece in range(len(weight)) if weight[piece] and pos.stands_on(node, player, piece)]

    def deploy_at(self, pos: Position, action: i64) -> None:
        where, piece = pos.target_of(action // DEEDS), pos.piece_of(action // DEEDS)
        if action % DEEDS == TAKE:
            owner = next(player for player in range(pos.players) if pos.stands_on(where, player, piece))
            pos.take_back(owner, piece, where)
            return
        pos.put(self.fairy, where if self.on_tile else pos.block_of(where))
        if not self.on_tile:
            pos.put(self.beside, where)
            pos.put(self.friend, piece + 1)
        listener = pos.listener
        if listener is not None:
            listener.noted(pos.player(), "fairy", cell_text(pos.coordinates_of(pos.s[self.fairy])))

    # --- for people
    def action_of(self, pos: Position, frame: i64, number: i64) -> Action:
        if frame == self.step:
            return Action("choose", cell=pos.coordinates_of(number))
        where, piece = pos.target_of(number // DEEDS), pos.piece_of(number // DEEDS)
        if number % DEEDS == TAKE:
            return Action.with_piece("take", self.pieces[piece].name, pos.place_of(where))
        if self.on_tile:
            return Action.with_piece("deploy", FAIRY[0], Place(pos.coordinates_of(where)))
        rank = self.kinds_on(pos, where, pos.player()).index(piece)
        return Action.with_piece("deploy", FAIRY[rank], pos.place_of(where))

    def why_not_target(self, pos: Position, piece: i64, place: Place) -> i64:
        """Why a piece cannot go to a tile that only a portal offers."""
        dragon = pos.s[self.dragon]
        return self.occupied if dragon and place.cell == pos.coordinates_of(dragon) else 0

    def why_impossible(self, pos: Position) -> str:
        dragon, fairy = pos.s[self.dragon], pos.s[self.fairy]
        if pos.s[self.friend] > len(self.pieces):
            return "expected beside the fairy a follower who stands there"
        been = [pos.s[self.visited + i] for i in range(STEPS)]
        return (
            wrong_fairy(pos, fairy, pos.s[self.beside], pos.s[self.friend] - 1)
            or wrong_path(pos, dragon, been, self.steps_made(pos), self.step)
            or wrong_dragon(pos, dragon, fairy, self.volcanoes(pos), self.eaten)
        )

    def volcanoes(self, pos: Position) -> list[i64]:
        """For each tile in the order in which they were laid: is it a volcano?"""
        found: list[i64] = []
        block = pos.first_block()
        while block <= pos.last_block():
            found.append(int(self.volcano[pos.type_of(block)]))
            block = pos.next_block(block)
        return found

    def tokens_on_table(self, pos: Position) -> list[Token]:
        figures = (("dragon", pos.s[self.dragon]), ("fairy", pos.s[self.fairy]))
        return [Token(-1, name, cell_text(pos.coordinates_of(block)), 1) for name, block in figures if block]

    # --- for bots
    def value(self, pos: Position, player: i64) -> i64:
        """What the dragon may eat, and what the fairy will pay."""
        return self.fairy_value(pos, player) - self.danger(pos, player)

    def fairy_value(self, pos: Position, player: i64) -> i64:
        """The fairy pays a point a turn for some turns, and 3 when the region is scored."""
        if not self.owners(pos, 0) >> player & 1:
            return 0
        turns = pos.tiles_left(pos.land_pile()) // pos.players
        return 100 * min(turns, STAYS) + PAYS

    def danger(self, pos: Position, player: i64) -> i64:
        """What the next movement of the dragon would take, by the distance of each piece from it."""
        dragon = pos.s[self.dragon]
        if dragon == 0:
            return 0
        left = pos.tiles_left(pos.land_pile())
        dragons = sum(pos.s[pos.bag + tile_type] for tile_type, one in enumerate(self.dragon_tile) if one)
        if dragons == 0 or left <= 0:
            return 0
        soon = min(100, 100 * SOON * dragons // left)  # in hundredths: a dragon tile comes soon
        x, y = pos.coordinates_of(dragon)
        fairy = pos.s[self.fairy]
        danger: i64 = 0
        for i in range(pos.standing_count()):
            node = pos.standing_node(i)
            block = pos.block_of(node)
            count = pos.followers_on(node, player)
            if count and block != fairy:
                there = pos.coordinates_of(block)
                distance = abs(there[0] - x) + abs(there[1] - y)
                if distance < len(REACHES):
                    danger += REACHES[distance] * count * (BITE + pos.size_of(pos.find(node)) * SEGMENT)
        return danger * soon // 100


# Estimates, not tuned by matches.
REACHES: Final = (0, 50, 30, 18, 10, 5, 2)  # in hundredths: the dragon comes so far, by the distance
BITE: Final = 3  # points that an eaten follower is worth at least ...
SEGMENT: Final = 1  # ... and what each segment of his region adds
SOON: Final = 4  # draws looked ahead
STAYS: Final = 2  # turns that she stays
PAYS: Final = 150  # the chance of her 3 points


def make(options: Mapping[str, Value]) -> list[Module]:
    """One module."""
    return [Dragon(options)]


MODULE = Spec(
    name="princess_and_dragon",
    make=make,
    order=45,  # DRAG-3: the dragon moves when the shepherd has acted ...
    orders={
        "placed": 34,  # ... a volcano calls it before symbols ask anything ...
        "targets": 65,  # ... nothing may be added to what a princess demands (DRAG-18) ...
        "tile_done": -1,  # ... and a hand is filled after it has moved
    },
    prefix="DRAG",
    options=(
        Option("dragon_moves", ("before_scoring", "after_scoring"), "DRAG-7"),
        Option("dragon_eats", ("all", "followers"), "DRAG-9"),
        Option("fairy", ("follower", "tile"), "DRAG-15"),
        Option("princess", ("may", "must"), "DRAG-18"),
    ),
    boxes=("princess_and_dragon",),
    elements=(
        Element("dragons", "DRAG-22", marks=("dragon_volcano", "dragon")),
        Element("fairies", "DRAG-22"),
        Element("princesses", "DRAG-22", marks=("princess",)),
        Element("portals", "DRAG-22", marks=("magic_portal",)),
    ),
)
