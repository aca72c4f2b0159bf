"""The base game: roads, cities, cloisters, fields."""

from __future__ import annotations

from collections.abc import Mapping

from bastide.modules.base.hand import Hand
from bastide.native import i64
from bastide.rules.actions import Action
from bastide.rules.layout import Layout, Start
from bastide.rules.module import Module
from bastide.rules.position import Position
from bastide.rules.spec import Element, Option, PieceCount, Spec, Value


class Base(Module):
    """What the first box brings. Other boxes add to these kinds of land or adjust their scores."""

    def __init__(self, options: Mapping[str, Value]) -> None:
        self.small_city: bool = options["small_city"] == "two_points"
        self.per_city: bool = options["farmers"] == "per_city"
        self.no_farmers: bool = options["farmers"] == "off"
        self.farmer_points: i64 = int(options["farmer_points"])
        self.draws_first: bool = options["first_player"] == "random"
        self.first: i64 = 0
        self.first_seat: i64 = 0  # who began, kept where it decides a tie (BASE-27)
        self.first_loses_ties: bool = options["first_player_tied"] == "loses"
        self.keeps_first: bool = self.draws_first and self.first_loses_ties
        self.road: i64 = 0
        self.city: i64 = 0
        self.cloister: i64 = 0
        self.field: i64 = 0
        self.shields: i64 = 0
        self.around_city: i64 = 0  # a temporary record that merges all fields that touch one city
        self.p_road: i64 = 0
        self.p_city: i64 = 0
        self.p_shields: i64 = 0
        self.p_small: i64 = 0
        self.p_cloister: i64 = 0
        self.p_left_city: i64 = 0
        self.p_left_shields: i64 = 0
        self.p_left_road: i64 = 0
        self.p_left_cloister: i64 = 0
        self.p_farms: i64 = 0

    def declare(self, layout: Layout) -> None:
        self.road = layout.kind(self, "road")
        self.city = layout.kind(self, "city")
        self.cloister = layout.kind(self, "cloister", around=True)
        self.field = layout.kind(self, "field", closes=False)
        self.shields = layout.sum(["city"], "shields")
        self.p_road = layout.part("tiles", "BASE-13")
        self.p_city = layout.part("tiles", "BASE-14")
        self.p_shields = layout.part("shields", "BASE-14")
        self.p_small = layout.part("small city", "BASE-15")
        self.p_cloister = layout.part("tiles", "BASE-16")
        self.p_left_city = layout.part("tiles", "BASE-23")
        self.p_left_shields = layout.part("shields", "BASE-23")
        self.p_left_road = layout.part("tiles", "BASE-23")
        self.p_left_cloister = layout.part("tiles", "BASE-23")
        self.p_farms = layout.part("cities", "BASE-25" if self.per_city else "BASE-24")
        kinds = ["road", "city", "cloister"]
        if not self.no_farmers:  # BASE-26
            kinds.append("field")
        layout.piece(self, "follower", layout.piece_count("followers"), 1, kinds)  # BASE-2
        self.around_city = layout.record("around_city")
        tiles = layout.box("base").tiles
        layout.add(tiles)
        self.first = layout.frame(self, "first", chance=True)
        if self.keeps_first:
            self.first_seat = layout.first_seat = layout.field(name="first_seat")
        layout.first_loses_ties = self.first_loses_ties
        layout.start = [Start(next(t.id for t in tiles if t.start), (0, 0))]

    # --- who begins (BASE-3)
    def game_started(self, pos: Position) -> None:
        if self.draws_first:
            pos.push(self.first, 0, 0)

    def legal(self, pos: Position, frame: i64) -> i64:
        for player in range(pos.players):
            pos.actions[player] = player
            pos.weights[player] = 1
        return pos.players

    def apply(self, pos: Position, frame: i64, action: i64) -> None:
        pos.pop()
        pos.set_player(pos.turn_frame(), action)
        if self.keeps_first:
            pos.put(self.first_seat, action)

    def action_of(self, pos: Position, frame: i64, number: i64) -> Action:
        return Action("draw", tile=f"seat_{number + 1}")

    def why_impossible(self, pos: Position) -> str:
        if self.keeps_first and pos.s[self.first_seat] >= pos.players:
            return f"expected in the field 'first_seat' 0 to {pos.players - 1}"
        return ""

    # --- scoring
    def score(self, pos: Position, root: i64, kind: i64, finished: bool) -> None:
        if kind == self.city:
            self.score_city(pos, root, finished)
        elif kind == self.road:
            pos.part(self.p_road if finished else self.p_left_road, pos.tiles, 1)
        elif kind == self.cloister:
            pos.part(self.p_cloister if finished else self.p_left_cloister, 9 - pos.open_edges(root), 1)
        elif not self.per_city:
            pos.count = pos.bordering(root, True)
            pos.part(self.p_farms, pos.count, self.farmer_points)

    def score_city(self, pos: Position, root: i64, finished: bool) -> None:
        """BASE-14, BASE-15 and the incomplete cities of BASE-23."""
        shields = pos.total(root, self.shields)
        if not finished:
            pos.part(self.p_left_city, pos.tiles, 1)
            if shields:
                pos.part(self.p_left_shields, shields, 1)
        elif self.small_city and pos.tiles == 2:
            pos.part(self.p_small, 2 + shields, 1)
        else:
            pos.part(self.p_city, pos.tiles, 2)
            if shields:
                pos.part(self.p_shields, shields, 2)

    # --- farmers=per_city
    def final(self, pos: Position) -> None:
        """BASE-25: every complete city pays whoever has most farmers in all the fields that touch it."""
        if not self.per_city:
            return
        block = pos.first_block()
        while block <= pos.last_block():
            for segment in range(pos.segments(block)):
                node = pos.node(block, segment)
                if pos.kind_of(node) == self.city and pos.is_root(node) and pos.complete(node):
                    self.score_fields_around(pos, node)
            block = pos.next_block(block)

    def score_fields_around(self, pos: Position, city: i64) -> None:
        """One complete city: the fields around it count as one."""
        around = self.around_city
        pos.clear_record(around, self.field)
        pos.begin_count()
        for i in range(self.fields_around(pos, city)):
            pos.gather(around, pos.scratch[i])
            pos.count_more_tiles(pos.scratch[i])
        if pos.is_occupied(around):
            pos.begin_score()
            pos.count = 1
            pos.part(self.p_farms, 1, self.farmer_points)
            pos.award(around)

    def fields_around(self, pos: Position, city: i64) -> i64:
        """Writes the different fields that touch a city to the scratch list; returns how many."""
        seen = pos.scratch
        count: i64 = 0
        node = city
        while True:
            block = pos.block_of(node)
            bit = pos.segment_of(node)
            for segment in range(pos.segments(block)):
                field = pos.node(block, segment)
                if pos.borders_of(field) >> bit & 1:
                    found = pos.find(field)
                    seen[count] = found
                    i: i64 = 0
                    while seen[i] != found:
                        i += 1
                    if i == count:
                        count += 1
            node = pos.next_in_region(node)
            if node == city:
                return count


def make(options: Mapping[str, Value]) -> list[Module]:
    """The base game, with hands of tiles in the tactical variant."""
    if options["hand"]:
        return [Base(options), Hand(options)]
    return [Base(options)]


MODULE = Spec(
    name="base",
    make=make,
    order=0,
    prefix="BASE",
    options=(
        Option("small_city", ("normal", "two_points"), "BASE-15"),
        Option("farmers", ("per_field", "per_city", "off"), "BASE-24"),
        Option("farmer_points", (3, 4), "BASE-25"),
        Option("hand", (0, 3), "BASE-29"),
        Option("tactical_end", ("all_placed", "last_drawn"), "BASE-29"),
        Option("first_player", ("seat_1", "random"), "BASE-3"),
        Option("first_player_tied", ("shares", "loses"), "BASE-27"),
    ),
    boxes=("base",),
    editions={
        "bigbox2014": {},
        "classic": {"small_city": "two_points", "farmers": "per_city"},
        "anniversary2021": {},
    },
    edition_players={"classic": (2, 5), "anniversary2021": (2, 5)},
    elements=(
        Element("shields", "HOUSE-7", marks=("shields",)),
        Element("cloisters", "HOUSE-7", kinds=("cloister",)),
    ),
    pieces=(PieceCount("followers", "follower", 7, least=1),),
)
