"""A window of 31 x 31 cells round the middle of the board, and actions as numbers in it. See docs/environments.md."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec

from bastide.game.engine import DISCARD, TARGET, Engine
from bastide.kernel.offsets import AT, LAST, LOOK, LOOK_LEN, POS, POS_BITS, SEGMENTS, TILES_LEN
from bastide.kernel.shape import zeros
from bastide.native import i64
from bastide.rules.position import DEPLOY, PLACE
from bastide.rules.rules import Rules

SIDE: Final = 31
CELLS: Final = SIDE * SIDE
HALF: Final = 15
ROOM: Final = 128  # answers that have a number


class Window:
    """The positions of the windows of `games` games. Each window follows its board.

    The numbers of actions: quarter turns * CELLS + row * SIDE + column for places, then discard, pass, deployments as
    in `Codes`, and the n-th legal action for everything else, also for a place outside of the window.
    """

    def __init__(self, rules: Rules, games: i64) -> None:
        self.rules = rules
        self.discard: i64 = 4 * CELLS
        self.passes: i64 = self.discard + 1
        self.answers: i64 = self.passes + 1 + rules.pieces * SEGMENTS
        self.size: i64 = self.answers + ROOM
        self.cells: i64 = rules.shape.cells
        self.positions = zeros(games * self.cells)  # per open cell: its packed position
        self.buffer = zeros(rules.shape.actions)
        self.tiles = zeros(games)  # squares already included
        self.least_x = zeros(games)
        self.most_x = zeros(games)
        self.least_y = zeros(games)
        self.most_y = zeros(games)
        self.next = zeros(games)  # the block after the last one included
        self.left = zeros(games)  # x of the first column
        self.top = zeros(games)  # y of the first row

    def __reduce__(self) -> tuple[object, ...]:
        return Window, (self.rules, i64(len(self.tiles)))

    def invalidate(self, number: i64) -> None:
        """Another game begins in this place, or an earlier position."""
        self.tiles[number] = 0

    def follow(self, number: i64, game: Engine) -> None:
        """Moves the window of a game to where the board's middle is now."""
        s = game.s
        if s[TILES_LEN] < self.tiles[number]:
            self.tiles[number] = 0
        if self.tiles[number] == 0:
            self.next[number] = game.shape.blocks
            self.least_x[number] = 1 << 20
            self.least_y[number] = 1 << 20
            self.most_x[number] = -(1 << 20)
            self.most_y[number] = -(1 << 20)
        block = self.next[number]
        while block <= s[LAST]:
            x = column_of(s[block + POS])
            y = s[block + POS] - (x << POS_BITS)
            if x < self.least_x[number]:
                self.least_x[number] = x
            if x > self.most_x[number]:
                self.most_x[number] = x
            if y < self.least_y[number]:
                self.least_y[number] = y
            if y > self.most_y[number]:
                self.most_y[number] = y
            first = number * self.cells
            for side in range(i64(4)):
                self.positions[first + game.beside(s[block + AT], side)] = s[block + POS] + game.step[side]
            block = block + game.looks[game.s[block + LOOK] + LOOK_LEN]
        self.next[number] = block
        self.tiles[number] = s[TILES_LEN]
        self.left[number] = ((self.least_x[number] + self.most_x[number]) >> 1) - HALF
        self.top[number] = ((self.least_y[number] + self.most_y[number]) >> 1) - HALF

    def place_of(self, number: i64, position: i64) -> i64:
        """row * SIDE + column of a packed position, -1 outside of the window."""
        x = column_of(position)
        column = x - self.left[number]
        row = position - (x << POS_BITS) - self.top[number]
        if column < 0 or column >= SIDE or row < 0 or row >= SIDE:
            return -1
        return row * SIDE + column

    def listed(self, game: Engine, count: i64) -> list[i64]:
        """The numbers of the legal actions in the first window, after moving it to its board."""
        self.invalidate(0)
        self.follow(0, game)
        self.write_codes(0, game, count, self.buffer, 0)
        return [self.buffer[i] for i in range(count)]

    def write_codes(self, number: i64, game: Engine, count: i64, out: vec[i64], at: i64) -> None:
        """Writes the numbers of the legal actions, `count` of them in `game.actions`; -1 for one that has none."""
        question = game.question()
        for i in range(count):
            action = game.actions[i]
            code: i64 = -1
            if i < ROOM:
                code = self.answers + i
            if question == PLACE:
                if action == DISCARD:
                    code = self.discard
                else:
                    place = self.place_of(number, self.positions[number * self.cells + (action >> 2)])
                    if place >= 0:
                        code = (action & 3) * CELLS + place
            elif question == DEPLOY and action < TARGET:
                code = self.passes + action
            out[at + i] = code


def column_of(position: i64) -> i64:
    """The x of a packed position."""
    return (position + (1 << (POS_BITS - 1))) >> POS_BITS
