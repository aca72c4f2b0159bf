"""The board as planes of 31 x 31 cells round its middle, seen by one seat. docs/environments.md tells every plane."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec

from bastide.game.engine import DISCARD, Engine
from bastide.game.observation import Observer
from bastide.game.observation_writer import ObservationWriter
from bastide.game.window import CELLS, Window
from bastide.kernel.offsets import (
    BLOCK,
    CENTRE,
    FLAGS,
    FRONT_LEN,
    HEAD,
    KIND,
    LAST,
    LOOK,
    LOOK_LEN,
    NEED_BITS,
    NSEG,
    P_LEFT,
    P_LEN,
    P_SIDE,
    PORT,
    POS,
    RING,
    SEG,
    SEGMENTS,
    STANDING_LEN,
    STRENGTH,
    SUMS,
    TILES_LEN,
)
from bastide.kernel.shape import zeros
from bastide.native import i16, i64, u8
from bastide.rules.position import DEPLOY, PLACE
from bastide.rules.rules import Rules

# --- planes after the four sides of each kind of land
LAID: Final = 0  # a tile lies here
CENTRED: Final = 1  # with something that closes when all cells around are taken
MARKED: Final = 2  # segments with a mark on them, such as a coat of arms
JUST_LAID: Final = 3
OPEN_CELL: Final = 4
FITS: Final = 5  # four planes: the tile to be placed fits here, turned by 0, 1, 2, 3
OWN: Final = 9  # five planes: weight of the own followers in the region at each side, and in one that reaches none
OTHERS: Final = 14  # five planes: weight of the strongest other's
PLANES: Final = 19
MOST: Final = 127


class Planes(ObservationWriter):
    """`cells` has `planes` planes of CELLS numbers for each game, `vectors` one row of `columns` numbers."""

    def __init__(self, rules: Rules, games: i64) -> None:
        super().__init__(rules, games)
        self.window = Window(rules, games)
        self.observer = Observer(rules)
        kinds = list(rules.layout.kinds.values())
        self.kinds: i64 = len(kinds)
        self.closes = vec[i64]([int(kind.closes) for kind in kinds])
        self.first: i64 = 4 * self.kinds  # the first plane after those of the sides
        self.planes: i64 = self.first + PLANES
        self.cells = vec[u8]([u8(0)] * (games * self.planes * CELLS))
        self.columns: i64 = self.observer.fields + 4 * self.kinds
        self.vectors = vec[i16]([i16(0)] * (games * self.columns))
        self.head = zeros(self.observer.fields)
        self.next = zeros(games)  # the block after the last tile that is drawn
        self.drawn = zeros(games)  # tiles that were looked at
        self.left = zeros(games)  # where the window was then
        self.top = zeros(games)
        self.tiles = zeros(games)  # tiles that are drawn ...
        self.places = zeros(games * rules.shape.squares)  # ... and where
        self.room: i64 = 5 * rules.shape.squares * SEGMENTS + 1024
        self.touched = zeros(games * self.room)  # places that must be zero again
        self.touches = zeros(games)
        table = [0] * (rules.types * 4 * SEGMENTS)
        looks = rules.shape.looks
        for look in range(rules.types * 4):
            for side in range(4):
                port = looks[look * rules.shape.look_size + PORT + P_LEN * side + P_SIDE]
                if port >= 0:
                    table[look * SEGMENTS + (port - HEAD) // rules.shape.stride] |= 1 << side
        self.sides = vec[i64](table)  # per look and segment: bits of the sides that it reaches

    def invalidate(self, number: i64) -> None:
        self.drawn[number] = 0
        self.window.invalidate(number)

    def write(self, number: i64, game: Engine, seat: i64, count: i64) -> None:
        s = game.s
        cells = self.cells
        at = number * self.room
        for i in range(at, at + self.touches[number]):
            cells[self.touched[i]] = 0
        self.touches[number] = 0
        window = self.window
        window.follow(number, game)
        moved = window.left[number] != self.left[number] or window.top[number] != self.top[number]
        if moved or self.drawn[number] == 0 or s[TILES_LEN] < self.drawn[number]:
            self.clear(number)
            self.next[number] = game.shape.blocks
            self.left[number] = window.left[number]
            self.top[number] = window.top[number]
        block = self.next[number]
        while block <= s[LAST]:
            self.draw_tile(number, game, block)
            block = block + game.looks[game.s[block + LOOK] + LOOK_LEN]
        self.next[number] = block
        self.drawn[number] = s[TILES_LEN]
        self.draw_open(number, game, count)
        self.draw_figures(number, game, seat)
        self.write_vector(number, game, seat)

    def clear(self, number: i64) -> None:
        """Takes all tiles off."""
        cells = self.cells
        first = number * self.planes * CELLS
        for i in range(self.tiles[number]):
            at = first + self.places[number * self.rules.shape.squares + i]
            for plane in range(self.first + MARKED + 1):
                cells[at + plane * CELLS] = 0
        self.tiles[number] = 0

    def set(self, number: i64, plane: i64, place: i64, value: i64) -> None:
        """Sets one cell of a plane that changes, and notes it for clearing."""
        at = (number * self.planes + plane) * CELLS + place
        n = self.touches[number]
        if n < self.room:
            self.touched[number * self.room + n] = at
            self.touches[number] = n + 1
            if value > MOST:
                value = MOST
            self.cells[at] = u8(value)

    def draw_tile(self, number: i64, game: Engine, block: i64) -> None:
        """Draws what lies on a cell permanently."""
        s = game.s
        looks = game.looks
        place = self.window.place_of(number, s[block + POS])
        if place < 0:
            return
        n = self.tiles[number]
        self.places[number * self.rules.shape.squares + n] = place
        self.tiles[number] = n + 1
        at = number * self.planes * CELLS + place
        look = s[block + LOOK]
        for side in range(i64(4)):
            kind = kind_at(game, look, side)
            if kind >= 0:
                self.cells[at + (4 * kind + side) * CELLS] = 1
        at += self.first * CELLS
        self.cells[at + LAID * CELLS] = 1
        if looks[look + CENTRE] >= 0:
            self.cells[at + CENTRED * CELLS] = 1
        marked: i64 = 0
        record = look + SEG
        for _segment in range(looks[look + NSEG]):
            if looks[record + FLAGS] or looks[record + SUMS]:
                marked += 1
            record += game.stride
        self.cells[at + MARKED * CELLS] = u8(marked)

    def draw_open(self, number: i64, game: Engine, count: i64) -> None:
        """The open cells, where the tile to be placed fits, and the tile laid last."""
        s = game.s
        window = self.window
        first = number * window.cells
        question = game.question()
        for i in range(s[FRONT_LEN]):
            place = window.place_of(number, window.positions[first + (s[game.frontier + i] >> NEED_BITS)])
            if place >= 0:
                self.set(number, self.first + OPEN_CELL, place, 1)
        if question == PLACE:
            for i in range(count):
                action = game.actions[i]
                if action != DISCARD:
                    place = window.place_of(number, window.positions[first + (action >> 2)])
                    if place >= 0:
                        self.set(number, self.first + FITS + (action & 3), place, 1)
        elif question == DEPLOY:
            place = window.place_of(number, s[s[LAST] + POS])
            if place >= 0:
                self.set(number, self.first + JUST_LAID, place, 1)

    def draw_figures(self, number: i64, game: Engine, seat: i64) -> None:
        """Weights of followers: all over a region that can close, else where they stand."""
        s = game.s
        for i in range(game.list_occupied()):
            root = game.occupied_regions[i]
            if self.closes[s[root + KIND]]:
                node = root
                while True:
                    self.draw_weight(number, game, seat, node, s[root + STRENGTH])
                    node = s[node + RING]
                    if node == root:
                        break
        for i in range(s[STANDING_LEN]):
            node = s[game.standing + i]
            if not self.closes[s[node + KIND]]:
                self.draw_weight(number, game, seat, node, s[game.find(node) + STRENGTH])

    def draw_weight(self, number: i64, game: Engine, seat: i64, node: i64, word: i64) -> None:
        """The followers' weights at the sides that a segment reaches."""
        s = game.s
        block = s[node + BLOCK]
        place = self.window.place_of(number, s[block + POS])
        if place < 0 or word == 0:
            return
        own = word >> (8 * seat) & 255
        other = self.strongest_other(word, seat)
        look = s[block + LOOK] // game.shape.look_size
        sides = self.sides[look * SEGMENTS + (node - block - HEAD) // game.stride]
        if sides == 0:
            sides = 16
        for side in range(i64(5)):
            if sides >> side & 1:
                if own:
                    self.set(number, self.first + OWN + side, place, own)
                if other:
                    self.set(number, self.first + OTHERS + side, place, other)

    def write_vector(self, number: i64, game: Engine, seat: i64) -> None:
        """What is not on the board: the beginning of a row of `Observer`, then the sides of the tile to be placed."""
        vectors = self.vectors
        at = number * self.columns
        self.observer.write_head(game, seat, self.head, 0)
        for i in range(self.observer.fields):
            vectors[at + i] = i16(self.head[i])
        at += self.observer.fields
        for i in range(4 * self.kinds):
            vectors[at + i] = 0
        if game.question() == PLACE:
            look = game.subject() * 4 * game.shape.look_size
            for side in range(i64(4)):
                kind = kind_at(game, look, side)
                if kind >= 0:
                    vectors[at + 4 * kind + side] = 1


def kind_at(game: Engine, look: i64, side: i64) -> i64:
    """The kind of land at a side of a tile, -1 for none."""
    port = look + PORT + P_LEN * side
    segment = game.looks[port + P_SIDE]
    if segment < 0:
        segment = game.looks[port + P_LEFT]
    if segment < 0:
        return -1
    return game.looks[look + SEG + segment - HEAD + KIND]
