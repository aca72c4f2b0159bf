"""The Wheel of Fortune: a big start tile, icons that move the pig, followers on the crown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from librt.vecs import vec

from bastide.errors import ModuleError
from bastide.native import i64
from bastide.rules.actions import Action, Place
from bastide.rules.layout import Dock, Layout, Piece, Start
from bastide.rules.module import Module, Token
from bastide.rules.position import Position
from bastide.rules.spec import OFF, Element, Option, Spec, Value
from bastide.tiles.model import Tile

# Sectors clockwise (WHEEL-3), as the box lists them.
FORTUNE: Final = 0
TAXES: Final = 1
FAMINE: Final = 2
STORM: Final = 3
INQUISITION: Final = 4
PLAGUE: Final = 5
SECTORS: Final = ("fortune", "taxes", "famine", "storm", "inquisition", "plague")
CROWN: Final = tuple(f"crown {sector}" for sector in SECTORS)  # what the crown spaces of a sector are called
RULES: Final = ("WHEEL-4", "WHEEL-5", "WHEEL-6", "WHEEL-7", "WHEEL-8")  # of the sectors that bring points
SIZE: Final = 6
SPACES: Final = 2  # most crown spaces of a sector
BACK: Final = 2  # worth of a follower that comes back from the crown
# WHEEL-12: where a river may begin; the first north of the square 1-2, the other east of 4-4, on field sides.
DOCKS: Final = (Dock((1, -1), 2), Dock((4, 3), 3))


class Wheel(Module):
    """Followers on the crown stand on no segment: they are kept here, and are in no supply."""

    def __init__(self, options: Mapping[str, Value]) -> None:
        self.acts = vec[i64]([int(options[sector] != OFF) for sector in SECTORS])  # per sector
        self.has_crown: bool = options["crown_spaces"] != OFF
        self.one_tile: bool = options["wheel_board"] == "one_tile"
        self.square = vec[i64]([])  # per tile type: 1 if it is a square of the board
        self.spaces = vec[i64]([])  # per sector: its crown spaces
        self.icon = vec[i64]([])  # per tile type: sectors that the pig moves
        self.board: set[str] = set()  # names of its squares
        self.pieces: list[Piece] = []
        self.walkers = vec[i64]([])  # pieces that may go on the crown
        self.city: i64 = 0
        self.field: i64 = 0
        self.cloister: i64 = 0
        self.shields: i64 = 0
        self.pig: i64 = 0  # the sector where it stands
        self.crown: i64 = 0  # per sector, per space: a figure, the greater number first
        self.target_code: i64 = 0
        self.plague: i64 = 0  # frame: take a follower back; subject = how many players have been asked
        self.parts = vec[i64]([])  # per sector that brings points
        self.sources = vec[i64]([])
        self.p_crown: i64 = 0
        self.from_crown: i64 = 0

    def declare(self, layout: Layout) -> None:
        box = layout.box("wheel_of_fortune")
        sectors = box.extra["wheel"]["sectors_clockwise"]
        if tuple(entry["sector"] for entry in sectors) != SECTORS:
            raise ModuleError(f"{box.name}: expected the sectors {', '.join(SECTORS)}")
        self.spaces = vec[i64]([entry["crown_spaces"] for entry in sectors])
        self.pieces = layout.pieces
        self.city = layout.kind_id("city")
        self.field = layout.kind_id("field")
        self.cloister = layout.kind_id("cloister")
        self.shields = layout.slot_of("city", "shields")
        self.pig = layout.field(name="pig_sector", values=SECTORS)
        self.crown = layout.field(SIZE * SPACES, "crown", holds="figure")
        self.target_code = layout.target(self)
        self.plague = layout.frame(self, "plague")
        self.parts = vec[i64]([layout.part(sector, rule) for sector, rule in zip(SECTORS[:PLAGUE], RULES, strict=True)])
        self.sources = vec[i64]([layout.source(sector) for sector in SECTORS[:PLAGUE]])
        self.p_crown = layout.part("crown", "WHEEL-11")
        self.from_crown = layout.source("crown")
        self.lay_board(layout)

    def lay_board(self, layout: Layout) -> None:
        """WHEEL-1: the board is the start; WHEEL-2: some tiles of the base game carry an icon."""
        box = layout.box("wheel_of_fortune")
        board = box.big[0]
        layout.big.append(board)
        self.board = {square.tile.id for square in board.squares}
        layout.start = [Start(board.id, (0, 0))]
        layout.docks = list(DOCKS)
        layout.tile_mark("wheel")
        layout.add(box.tiles)
        icons = Counter((icon["base_tile"], icon["wheel"]) for icon in box.extra["base_icons"]["list"])
        layout.change_tiles(lambda listed: [entry for tile, pile in listed for entry in with_icons(tile, pile, icons)])

    def ready(self, tiles: list[Tile]) -> None:
        self.icon = vec[i64]([tile.marks.get("wheel", 0) for tile in tiles])
        self.square = vec[i64]([int(tile.id in self.board) for tile in tiles])
        usual = set(self.pieces[0].kinds)
        self.walkers = vec[i64](
            [number for number, piece in enumerate(self.pieces) if piece.weight and usual <= set(piece.kinds)]
        )

    def game_started(self, pos: Position) -> None:
        """WHEEL-1: if the board is one tile, all its squares count as the first one where tiles are counted."""
        if not self.one_tile:
            return
        first: i64 = 0
        block = pos.first_block()
        while block <= pos.last_block():
            if self.square[pos.type_of(block)]:
                if first == 0:
                    first = block
                pos.count_as_one(block, first)
            block = pos.next_block(block)

    # --- icons
    def drawn(self, pos: Position, tile_type: i64) -> None:
        """WHEEL-2, WHEEL-3: the pig moves, its sector acts, then the crown there is scored."""
        if self.icon[tile_type] == 0:
            return
        sector = (pos.s[self.pig] + self.icon[tile_type]) % SIZE
        pos.put(self.pig, sector)
        listener = pos.listener
        if listener is not None:
            listener.noted(pos.active_player(), "pig", SECTORS[sector])
        if self.acts[sector] == 0:  # HOUSE-13
            self.score_crown(pos, sector)
            return
        if sector == PLAGUE:
            self.ask_next(pos, 0)
            return
        regions: i64 = 0
        if sector in (TAXES, FAMINE, INQUISITION):
            regions = pos.list_occupied()
        for player in range(pos.players):
            pos.begin_score()
            self.income(pos, sector, player, regions)
            pos.gain(player, 0, self.sources[sector])
        self.score_crown(pos, sector)

    def income(self, pos: Position, sector: i64, player: i64, regions: i64) -> None:
        """WHEEL-4 to WHEEL-8: what a player gets; a big follower counts as one (WHEEL-13)."""
        part = self.parts[sector]
        if sector == FORTUNE:
            if player == pos.active_player():
                pos.part(part, 1, 3)
        elif sector == STORM:
            pos.part(part, self.in_supply(pos, player), 1)
        else:
            for i in range(regions):
                if pos.strength(pos.occupied_regions[i], player):
                    self.region_income(pos, sector, player, pos.occupied_regions[i])

    def region_income(self, pos: Position, sector: i64, player: i64, root: i64) -> None:
        """What a player's followers in one region bring."""
        kind = pos.kind_of(root)
        part = self.parts[sector]
        own = self.followers(pos, root, player)
        if sector == TAXES and kind == self.city:
            pos.part(part, own, pos.total(root, self.shields) + own)
        elif sector == FAMINE and kind == self.field:
            pos.part(part, own, pos.bordering(root, True))
        elif sector == INQUISITION and kind == self.cloister:
            pos.part(part, own, 2)

    def followers(self, pos: Position, root: i64, player: i64) -> i64:
        """How many followers a player has in a region, whatever they weigh."""
        count: i64 = 0
        node = root
        while True:
            count += pos.followers_on(node, player)
            node = pos.next_in_region(node)
            if node == root:
                return count

    def in_supply(self, pos: Position, player: i64) -> i64:
        """How many followers a player has in the supply."""
        count: i64 = 0
        for piece in range(i64(len(pos.tables.weight))):
            if pos.tables.weight[piece]:
                count += pos.supply(player, piece)
        return count

    # --- plague
    def ask_next(self, pos: Position, asked: i64) -> None:
        """WHEEL-9: whoever has a follower in the landscape takes one back, the active player first."""
        while asked < pos.players:
            player = (pos.active_player() + asked) % pos.players
            asked += 1
            if self.list_takeable(pos, player):
                pos.push(self.plague, player, asked)
                return
        self.score_crown(pos, PLAGUE)

    def list_takeable(self, pos: Position, player: i64) -> i64:
        """Writes the followers that a player has in the landscape to `actions`; returns how many."""
        n: i64 = 0
        for i in range(pos.list_occupied()):
            root = pos.occupied_regions[i]
            if pos.strength(root, player):
                n = pos.list_followers(root, player, n)
        return n

    def legal(self, pos: Position, frame: i64) -> i64:
        return self.list_takeable(pos, pos.player())

    def apply(self, pos: Position, frame: i64, action: i64) -> None:
        asked = pos.subject()
        pos.take_back(pos.player(), pos.piece_of(action), pos.target_of(action))
        pos.pop()
        self.ask_next(pos, asked)

    # --- the crown
    def targets(self, pos: Position, count: i64) -> i64:
        """WHEEL-10, WHEEL-13: a follower on any free space."""
        if not self.has_crown:
            return count
        player = pos.player()
        for i in range(i64(len(self.walkers))):
            piece = self.walkers[i]
            if pos.supply(player, piece):
                for sector in range(i64(SIZE)):
                    if pos.s[self.crown + sector * SPACES + self.spaces[sector] - 1] == 0:
                        pos.actions[count] = self.target_code | pos.pack_target(sector, piece)
                        count += 1
        return count

    def deploy_at(self, pos: Position, action: i64) -> None:
        sector = pos.target_of(action)
        piece = pos.piece_of(action)
        player = pos.player()
        pos.move_to_place(player, piece, CROWN[sector])
        first = self.crown + sector * SPACES
        new = pos.figure(player, piece)
        if pos.s[first] > new:
            pos.put(first + 1, new)
        else:
            pos.put(first + 1, pos.s[first])
            pos.put(first, new)

    def crown_points(self, pos: Position, sector: i64) -> i64:
        """What each follower on the crown of a sector gets."""
        alone = pos.s[self.crown + sector * SPACES + 1] == 0
        return 6 if alone and self.spaces[sector] == 2 else 3

    def score_crown(self, pos: Position, sector: i64) -> None:
        """WHEEL-11: 3 points each, 6 for one alone where there is room for two; then they are back."""
        first = self.crown + sector * SPACES
        points = self.crown_points(pos, sector)
        for player in range(pos.players):
            count: i64 = 0
            for space in range(i64(SPACES)):
                figure = pos.s[first + space]
                if figure and pos.owner(figure) == player:
                    count += 1
                    pos.return_from_place(player, pos.piece(figure), CROWN[sector])
            if count:
                pos.begin_score()
                pos.part(self.p_crown, count, points)
                pos.gain(player, 0, self.from_crown)
        if pos.s[first]:
            pos.put(first, 0)
            pos.put(first + 1, 0)

    def value(self, pos: Position, player: i64) -> i64:
        """A follower on the crown is paid and returns when the pig stops there: the more icons, the likelier."""
        icons: i64 = 0
        for tile_type in range(i64(len(self.icon))):
            if self.icon[tile_type]:
                icons += pos.s[pos.bag + tile_type]
        points: i64 = 0
        for sector in range(i64(SIZE)):
            first = self.crown + sector * SPACES
            for space in range(i64(SPACES)):
                if pos.s[first + space] and pos.owner(pos.s[first + space]) == player:
                    points += self.crown_points(pos, sector) + BACK
        return 100 * points * icons // (icons + 4)

    # --- for people
    def action_of(self, pos: Position, frame: i64, number: i64) -> Action:
        piece = self.pieces[pos.piece_of(number)].name
        if frame == self.plague:
            return Action.with_piece("take", piece, pos.place_of(pos.target_of(number)))
        return Action.with_piece("deploy", piece, Place(None, CROWN[pos.target_of(number)]))

    def why_impossible(self, pos: Position) -> str:
        for sector in range(i64(SIZE)):
            one = pos.s[self.crown + sector * SPACES]
            other = pos.s[self.crown + sector * SPACES + 1]
            if other > one or (other and self.spaces[sector] == 1):
                return f"expected followers in order on the crown spaces of {SECTORS[sector]}, no more than have room"
            if (one and pos.piece(one) not in self.walkers) or (other and pos.piece(other) not in self.walkers):
                return f"expected followers on the crown spaces of {SECTORS[sector]}"
        below = pos.frame_below(pos.top())
        if below >= pos.turn_frame() and pos.question_of(below) == self.plague:
            return "expected one player after the other in 'plague'"
        if pos.question() == self.plague:
            player = (pos.active_player() + pos.subject() - 1) % pos.players
            if not 0 < pos.subject() <= pos.players or player != pos.player():
                return "expected in 'plague' the number of players asked, and the last of them"
        return ""

    def tokens_on_table(self, pos: Position) -> list[Token]:
        tokens = [Token(-1, "pig", SECTORS[pos.s[self.pig]], 1)]
        for sector in range(SIZE):
            for space in range(SPACES):
                figure = pos.s[self.crown + sector * SPACES + space]
                if figure:
                    name = self.pieces[pos.piece(figure)].name
                    tokens.append(Token(pos.owner(figure), name, CROWN[sector], 1))
        return tokens


def with_icons(tile: Tile, pile: str, icons: Mapping[tuple[str, int], int]) -> list[tuple[Tile, str]]:
    """A tile type without its copies that carry an icon, and these as types of their own: `N.w1`."""
    found = {number: count for (name, number), count in icons.items() if name == tile.id}
    plain: list[tuple[Tile, str]] = [(replace(tile, count=tile.count - sum(found.values())), pile)]
    return plain + [(with_icon(tile, number, count), pile) for number, count in found.items()]


def with_icon(tile: Tile, number: int, count: int) -> Tile:
    """So many copies of a tile, with an icon."""
    marks: dict[str, Any] = {**tile.marks, "wheel": number}
    return replace(tile, id=f"{tile.id}.w{number}", count=count, marks=marks)


def make(options: Mapping[str, Value]) -> list[Module]:
    """One module."""
    return [Wheel(options)]


MODULE = Spec(
    name="wheel_of_fortune",
    make=make,
    order=60,
    prefix="WHEEL",
    options=(Option("wheel_board", ("squares", "one_tile"), "WHEEL-1"),),
    boxes=("wheel_of_fortune",),
    elements=(*(Element(sector, "HOUSE-13") for sector in SECTORS), Element("crown_spaces", "HOUSE-13")),
)
