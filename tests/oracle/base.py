"""The base game in its three editions (BASE-1 to BASE-31), with a place for each box that may be added."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from typing import Any, ClassVar

from .board import Area, Cell, Figure
from .boxes import EXPANSIONS
from .expansion import CHANCE, Asking, Effect, Expansion, Question, Tokens, nothing
from .game import Game, Pile
from .tiles import Tile, read_box

# The table at the head of the rules: an edition is a named set of options.
EDITIONS: dict[str, dict[str, Any]] = {
    "classic": {"small_city": "two_points", "farmers": "per_city", "farmer_points": 3},
    "bigbox2014": {"small_city": "normal", "farmers": "per_field", "farmer_points": 3},
    "anniversary2021": {"small_city": "normal", "farmers": "per_field", "farmer_points": 3},
}

# HOUSE-3, HOUSE-4, HOUSE-8, HOUSE-13: house rules as they are when nobody sets them.
HOUSE: dict[str, Any] = {
    "followers": 7,
    **dict.fromkeys(("big_followers", "builders", "pigs", "shepherds", "abbots"), 1),
    **{f"{name}_copies": 1 for name in EXPANSIONS if name != "abbot"},
    "unfinished_inns": "nothing",
    **dict.fromkeys(("fortune", "taxes", "famine", "storm", "inquisition", "plague", "crown_spaces"), "on"),
}
ELEMENTS = {
    "shields": ("shields",),
    "cloisters": ("cloister",),
    "inns": ("inn",),
    "cathedrals": ("cathedral",),
    "goods": ("wine", "grain", "cloth"),
    "hills": ("hill",),
    "vineyards": ("vineyard",),
    "gardens": ("garden",),
    "companion_symbol": ("second_meeple",),
    "anywhere_symbol": ("free_placement",),
    "again_symbol": ("extra_turn",),
}

FEATURES = ("city", "road", "cloister", "field")  # BASE-9: where a follower may stand


class BaseGame(Game):
    """Draw and lay a tile, perhaps place a follower, score what is complete."""

    DEFAULTS: ClassVar[dict[str, Any]] = {
        **Game.DEFAULTS,
        **EDITIONS["bigbox2014"],
        **HOUSE,
        "hand": 0,
        "tactical_end": "all_placed",
        "river": "river_i",
        "river_bends": "away",
        "river_sheep": "on",
        "river_vineyards": "on",
        "hill_tiebreak": "any",
        "shepherd_action": "before",
        "closed_flock": "stay",
        "vineyards_for_gardens": "off",
        "companion_abbot": "yes",
        "wheel_board": "squares",
        "first_player": "seat_1",
        "first_player_tied": "shares",
    }
    ENDLESS: ClassVar[tuple[str, ...]] = ("field",)
    STRENGTH: ClassVar[dict[str, int]] = {"follower": 1}
    ELEMENTS: ClassVar[dict[str, tuple[str, ...]]] = ELEMENTS

    boxes: list[Expansion]
    land: Pile
    walkers: list[str]  # the pieces that may go on every feature
    hands: list[list[Tile]]
    turn_begun: bool
    second_turn: bool
    extra_turn: bool

    # --- setting up ---

    def prepare(self) -> None:
        """BASE-1 and BASE-2. The start tile is one of the four D; it never is in the pile."""
        self.walkers = ["follower"]
        self.hands = [[] for _ in range(self.players)]
        self.last: Tile | None = None  # the last tile of all, when it ends the game
        self.second_turn = self.extra_turn = False
        for supply in self.supply:
            supply["follower"] = self.options["followers"]
        copies = self.options["copies"]  # HOUSE-4
        tiles = [(tile, copies * count - (tile.name == "D")) for tile, count in read_box("base", self.printed_for)]
        self.land = self.add_pile(tiles)
        self.piles = [self.land]
        boxes = {name: EXPANSIONS[name](self) for name in self.modules if name in EXPANSIONS}
        self.boxes = [boxes[name] for name in EXPANSIONS if name in boxes]
        self.change_counts(self.piles)
        for name, cell, turn in self.start or []:
            self.board.lay(self.types[name], cell, turn // 90)
        if not self.start:
            for box in self.boxes:
                box.begin()
            if not self.board.tiles:
                self.board.lay(self.types["D"], (0, 0))

    def add_tiles(self, name: str) -> None:
        """The tiles of a box are shuffled with the others; one that equals a tile of another box is of its type."""
        copies = self.options[f"{name}_copies"]  # HOUSE-4
        self.shuffle_in([(tile, copies * count) for tile, count in read_box(name, self.printed_for)], self.land)

    def add_piece(self, piece: str, number: int) -> None:
        """Every player gets so many of this piece."""
        for supply in self.supply:
            supply[piece] += number

    # --- the course of the game ---

    def course(self) -> Asking:
        """BASE-29: the hands are dealt first, if there are hands; then the game."""
        for player in range(self.players):
            self.player = player
            for _ in range(self.options["hand"]):
                self.hands[player].append((yield from self.draw([self.land])))
        if self.options["first_player"] == "random":  # BASE-3
            seats = {f"draw seat_{player + 1}": 1 for player in range(self.players)}
            self.player = 0
            self.first = int((yield Question(CHANCE, seats, seats)).removeprefix("draw seat_")) - 1
        self.player = self.first
        yield from super().course()

    def tiles_left(self) -> bool:
        """BASE-22, and BASE-29: with hands, until every hand is empty."""
        return super().tiles_left() or any(self.hands)

    def turns(self) -> Asking:
        """BASE-31 step 6: at most one more turn, only if a tile is left."""
        self.second_turn = self.extra_turn = False
        self.turn_begun = False
        if not self.scripted and self.tile_for_player():
            self.begin_turn()
        yield from self.turn()
        if self.extra_turn and not self.ended and self.tile_for_player():
            self.second_turn = True
            yield from self.turn()

    def begin_turn(self) -> None:
        """Tell the boxes once; in a scripted game, which may be ended between two turns, when a tile is drawn."""
        if not self.turn_begun:
            self.turn_begun = True
            for box in self.boxes:
                box.turn_begins()

    def tile_for_player(self) -> bool:
        """Whether the player has a tile to play: from the piles, or from the own hand."""
        return bool(self.hands[self.player]) if self.from_hand() else super().tiles_left()

    def grant_turn(self) -> None:
        """The player will play once more (TRAD-4, ANNI-8); never a third time in a row (TRAD-5, ANNI-8)."""
        if not self.second_turn:
            self.extra_turn = True

    def turn(self) -> Asking:
        """BASE-4: lay a tile, perhaps place a piece, score."""
        from_hand = self.from_hand()
        piles = [pile for pile in self.piles if pile is not self.land] if self.options["hand"] else self.piles
        cell = yield from self.lay_from_hand() if from_hand else self.lay_drawn(piles)
        if cell is None and not from_hand and self.from_hand():
            # The rest of the river fitted nowhere: the turn goes on from the hand.
            from_hand = True
            cell = yield from self.lay_from_hand()
        if cell is not None:
            yield from self.use_tile(cell)
        elif not from_hand:
            self.ended = True  # BASE-8: no tile of the bag fits any more
        if from_hand:
            yield from self.refill_hand()

    def use_tile(self, cell: Cell) -> Asking:
        """BASE-31 steps 2 to 5 after the tile has been laid."""
        for box in self.boxes:
            box.lies(cell)
        for box in self.boxes:
            yield from box.laid(cell)
        offers: dict[str, Effect] = {"pass": nothing}
        offers |= self.follower_offers(cell)
        for box in self.boxes:
            offers |= box.offers(cell)
        for box in self.boxes:
            offers = box.allowed(offers, cell)
        yield from offers[(yield Question(self.player, offers))]()
        for box in self.boxes:
            yield from box.piece_placed(cell)
        self.score_completed(cell)
        for box in self.boxes:
            yield from box.all_scored(cell)

    def on_drawn(self, tile: Tile) -> Asking:
        """HILL-2 and WHEEL-2."""
        self.begin_turn()
        for box in self.boxes:
            yield from box.drawn(tile)

    def allowed(self, tile: Tile) -> list[tuple[Cell, int]]:
        """BASE-6, BASE-7 and the boxes' own rules (the river)."""
        found = super().allowed(tile)
        for box in self.boxes:
            found = box.placements(tile, found)
        return found

    # --- the tactical variant (BASE-29) ---

    def from_hand(self) -> bool:
        """Whether a turn is played from the hand: not while the river lasts."""
        river = [pile for pile in self.piles if pile is not self.land]
        return self.options["hand"] > 0 and not any(pile.left() > 0 for pile in river)

    def lay_from_hand(self) -> Generator[Question, str, Cell | None]:
        """One of the own tiles; when none fits one of them leaves the game and another is drawn."""
        while hand := self.hands[self.player]:
            fitting = {f"choose {tile.name}": tile for tile in hand if self.places(tile)}
            if self.last is not None:  # tactical_end=last_drawn: this one tile, no choice
                return (yield from self.lay_last(self.last))
            if fitting:
                tile = fitting[(yield Question(self.player, fitting))]
                hand.remove(tile)
                return (yield from self.lay_chosen(tile))
            name = (yield Question(self.player, {f"discard {tile.name}" for tile in hand})).removeprefix("discard ")
            hand.remove(self.types[name])
            yield from self.draw_to_hand()
        return None

    def lay_chosen(self, tile: Tile) -> Generator[Question, str, Cell | None]:
        """A tile from the hand is played: a hill or a wheel icon acts now."""
        yield from self.on_drawn(tile)
        places = self.places(tile)
        tile, cell, turn = places[(yield Question(self.player, places))]
        self.board.lay(tile, cell, turn)
        return cell

    def lay_last(self, tile: Tile) -> Generator[Question, str, Cell | None]:
        """The last tile drawn is played at once; it is lost if it fits nowhere."""
        self.hands[self.player].remove(tile)
        if self.places(tile):
            return (yield from self.lay_chosen(tile))
        yield from self.on_drawn(tile)
        yield Question(self.player, {f"discard {tile.name}"})
        return None

    def draw_to_hand(self) -> Asking:
        """Draw one tile, if there is one. tactical_end=last_drawn: the last tile is the only one still played."""
        if self.scripted or self.land.left() > 0:
            tile = yield from self.draw([self.land])
            self.hands[self.player].append(tile)
            if self.options["tactical_end"] == "last_drawn" and not super().tiles_left():
                self.last = tile

    def refill_hand(self) -> Asking:
        """After scoring the player draws one tile."""
        if self.options["tactical_end"] == "all_placed":
            yield from self.draw_to_hand()
            return
        if super().tiles_left():
            yield from self.draw_to_hand()
            if super().tiles_left():
                return
            cell = yield from self.lay_from_hand()
            if cell is not None:
                yield from self.use_tile(cell)
        self.ended = True

    # --- followers ---

    def free(self, area: Area) -> bool:
        """BASE-10 and BASE-30: no follower in it, whoever owns it; other pieces do not matter."""
        return not self.counting(area)

    def may_hold_follower(self, area: Area) -> bool:
        """BASE-9, BASE-26."""
        return area.kind in FEATURES and not (area.kind == "field" and self.options["farmers"] == "off")

    def follower_offers(self, cell: Cell) -> dict[str, Effect]:
        """BASE-9 to BASE-11: a follower from the supply on one free feature of the tile just laid."""
        offers: dict[str, Effect] = {}
        for index in range(len(self.board.tiles[cell].segments)):
            area = self.board.area((cell, index))
            if self.may_hold_follower(area) and self.free(area):
                for piece in self.walkers:
                    if self.supply[self.player][piece] > 0:
                        offers |= self.offer(piece, (cell, index))
        return offers

    def take_back(self, figures: Any) -> None:
        """Figures return; a builder or pig may be left alone by it (TRAD-8, TRAD-10)."""
        gone = list(figures)
        super().take_back(gone)
        for box in self.boxes:
            box.figures_left(gone)

    # --- scoring ---

    def winners(self, figures: list[Figure], kind: str) -> list[int]:
        """BASE-18, with the tie-break of the hills (HILL-3)."""
        tied = self.majority(figures)
        if len(tied) > 1:
            for box in self.boxes:
                tied = box.tie_break(tied, figures, kind)
        return tied

    def worth(self, area: Area, complete: bool) -> int:
        """BASE-13 to BASE-16 when complete, BASE-23 at the end."""
        if area.kind in ("cloister", "garden"):
            ((cell, _),) = area.spots
            return 1 + self.board.surrounding(cell) + (sum(box.bonus(area) for box in self.boxes) if complete else 0)
        price = 2 if area.kind == "city" and complete else 1
        if area.kind == "city" and complete and self.tiles_of(area) == 2 and self.options["small_city"] == "two_points":
            price = 1  # BASE-15
        for box in self.boxes:
            price = box.price(area, price, complete)
        return price * (self.tiles_of(area) + self.board.count(area, "shields"))

    def tiles_of(self, area: Area) -> int:
        """How many tiles a road or city lies on; a start tile of several squares may count as one (WHEEL-1)."""
        return len(area.cells) - sum(box.not_counted(area) for box in self.boxes)

    def score_area(self, area: Area, complete: bool) -> None:
        """All points of an area to the majority, to all tied players alike (BASE-18)."""
        winners = self.winners(self.counting(area), area.kind)
        points = self.worth(area, complete) if winners else 0
        for player in winners:
            self.score(player, points, area.kind)
        self.told_scored(area)

    def told_scored(self, area: Area) -> None:
        """The boxes are told of an area in which somebody stands."""
        if self.counting(area):
            for box in self.boxes:
                box.scored(area)

    def score_completed(self, cell: Cell) -> None:
        """BASE-16, BASE-17, BASE-19: everything complete is scored for whoever holds it, then its pieces return."""
        done = [area for area in self.board.all_areas() if area.kind not in ("field", "river")]
        done = [area for area in done if self.board.complete(area)]
        for area in done:
            self.score_area(area, complete=True)
        on_tile = self.board.areas_on(cell)
        for area in done:
            if area in on_tile:
                for box in self.boxes:
                    box.completed(area)
        for area in done:
            if figures := self.board.figures_in(area):
                self.take_back(figures)

    def final_scoring(self) -> None:
        """BASE-23 to BASE-26, then the boxes."""
        for area in self.board.all_areas():
            if area.kind not in ("field", "river"):
                self.score_area(area, complete=False)
        if self.options["farmers"] == "per_field":
            self.score_fields()
        elif self.options["farmers"] == "per_city":
            self.score_cities_supplied()
        for field in self.fields():
            self.told_scored(field)
        for box in self.boxes:
            box.final()

    def farmer_points(self, player: int, fields: list[Area]) -> int:
        """Points for one complete city (BASE-24, BASE-25), with the pig's (TRAD-10, TRAD-13)."""
        points: int = self.options["farmer_points"]
        return points + sum(box.city_bonus(player, fields) for box in self.boxes)

    def score_fields(self) -> None:
        """BASE-24: each field, for each complete city that touches it."""
        for field in self.fields():
            cities = [city for city in self.board.cities_of(field) if self.board.complete(city)]
            for player in self.winners(self.counting(field), "field"):
                self.score(player, len(cities) * self.farmer_points(player, [field]), "field")

    def score_cities_supplied(self) -> None:
        """BASE-25: each complete city once, for all farmers in all fields that touch it."""
        for city in self.board.all_areas():
            if city.kind == "city" and self.board.complete(city):
                fields = [field for field in self.fields() if city in self.board.cities_of(field)]
                farmers = [farmer for field in fields for farmer in self.counting(field)]
                for player in self.winners(farmers, "field"):
                    self.score(player, self.farmer_points(player, fields), "field")

    def fields(self) -> list[Area]:
        """Every field on the table."""
        return [area for area in self.board.all_areas() if area.kind == "field"]

    # --- what the comparison reads ---

    def tokens_shown(self) -> Tokens:
        """What the boxes show."""
        return sum((box.tokens_shown() for box in self.boxes), Counter())

    def hidden(self, player: int) -> Counter[str]:
        """BASE-29: the tiles in the hand."""
        return Counter(tile.name for tile in self.hands[player])

    def who_won(self) -> list[int]:
        """By option, in tournaments: who began loses a tie."""
        best = super().who_won()
        if len(best) > 1 and self.options["first_player_tied"] == "loses":
            best = [player for player in best if player != self.first]
        return best
