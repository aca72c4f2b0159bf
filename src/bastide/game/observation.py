"""A position as one row of numbers of fixed length, seen by one seat. docs/environments.md tells every place."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec

from bastide.game.engine import Engine
from bastide.game.keys import A_SEGMENT, A_SQUARE, NO_SUBJECT
from bastide.game.observation_writer import ObservationWriter
from bastide.kernel.offsets import (
    BLOCK,
    FIGURE,
    FIGURE_MASK,
    HEAD,
    LAST,
    LOOK,
    LOOK_LEN,
    NSEG,
    NUMBER,
    OPEN,
    POS,
    POS_BITS,
    STRENGTH,
)
from bastide.kernel.shape import zeros
from bastide.native import i64
from bastide.rules.layout import HOLDS
from bastide.rules.position import FIRST_FREE, PLACE
from bastide.rules.rules import Rules

HEADER: Final = 9  # single numbers, see `write_row`
SQUARE: Final = 4  # type, rotation, x, y ...
SEGMENT: Final = 5  # ... and of each segment: figure, piece, open edges, own weight, the best other's weight
A_FIGURE: Final[i64] = HOLDS.index("figure")


def width(holds: i64) -> i64:
    """How many numbers of a row represent one number of a module."""
    return 2 if holds in (A_SEGMENT, A_FIGURE) else 1


def secret_places(rules: Rules) -> dict[int, int]:
    """The offsets that only one player may see, and that player."""
    return {
        secret.at + player * secret.size + i: player
        for secret in rules.layout.secrets
        for player in range(rules.players)
        for i in range(secret.size)
    }


class Observer:
    """Writes observations for all games by the same rules. Where each part begins stands in its attributes."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.players: i64 = rules.players
        self.segments: i64 = max(len(tile.segments) for tile in rules.tiles)
        self.secrets: list[tuple[int, int]] = [(one.at, one.size) for one in rules.layout.secrets if not one.things]
        bag = int(rules.tables.bag)  # the last of the fields: shown as what is unseen
        fields = [i for i in range(len(rules.field_at)) if rules.field_at[i] < bag]
        owners = secret_places(rules)
        self.field_at = vec[i64]([rules.field_at[i] for i in fields])  # places of modules ...
        self.field_holds = vec[i64]([rules.field_holds[i] for i in fields])  # ... what they hold ...
        self.field_owner = vec[i64]([owners.get(int(at), -1) for at in self.field_at])  # ... who alone sees it, -1: all
        self.scores: i64 = HEADER
        self.supplies: i64 = self.scores + self.players
        self.unseen: i64 = self.supplies + self.players * rules.pieces
        self.fields: i64 = self.unseen + rules.types
        self.squares: i64 = self.fields + sum([width(int(holds)) for holds in self.field_holds])
        self.square_size: i64 = SQUARE + SEGMENT * self.segments
        self.size: i64 = self.squares + rules.shape.squares * self.square_size
        self.buffer = vec[i64]([])

    def __reduce__(self) -> tuple[object, ...]:
        return Observer, (self.rules,)

    def row(self, game: Engine, seat: i64) -> vec[i64]:
        """The game as a seat may see it. The next call overwrites the row: copy it."""
        if i64(len(self.buffer)) == 0:
            self.buffer = zeros(self.size)
        self.write_row(game, seat, self.buffer, 0)
        return self.buffer

    def write_row(self, game: Engine, seat: i64, out: vec[i64], at: i64) -> None:
        """The game as a seat may see it, to `out` from place `at` on. Other players are counted from this one.

        `out` must hold zeros there, or an earlier row. Most of a row is zero, and zeros are not written again.
        """
        before = out[at + 7]
        self.write_head(game, seat, out, at)
        self.write_fields(game, seat, out, at + self.fields)
        self.write_squares(game, seat, out, at + self.squares, before)

    def write_head(self, game: Engine, seat: i64, out: vec[i64], at: i64) -> None:
        """The part of a row before the fields of modules."""
        s = game.s
        players = self.players
        question = game.question()
        out[at] = question
        out[at + 1] = seat
        out[at + 2] = (game.player() - seat + players) % players
        out[at + 3] = (game.active_player() - seat + players) % players
        out[at + 4] = game.subject() + 1 if question == PLACE else 0
        out[at + 5] = 0
        out[at + 8] = 0
        if question >= FIRST_FREE and game.player() == seat:
            self.write_value(
                game, seat, game.subject(), self.rules.frame_holds[question - FIRST_FREE], out, at + 5, at + 8
            )
        left: i64 = 0
        for pile in range(game.tables.main_piles):
            left += game.tiles_left(pile)
        out[at + 6] = left
        out[at + 7] = game.squares()
        pieces = self.rules.pieces
        for i in range(players):
            player = (seat + i) % players
            out[at + self.scores + i] = game.score_of(player)
            for piece in range(pieces):
                out[at + self.supplies + i * pieces + piece] = game.supply(player, piece)
        for kind in range(self.rules.types):
            out[at + self.unseen + kind] = s[game.bag + kind]
        for first, size in self.secrets:
            for i in range(players * size):
                held = s[first + i]
                if held and i // size != seat:  # what others hold is unseen
                    out[at + self.unseen + held - 1] += 1

    def write_fields(self, game: Engine, seat: i64, out: vec[i64], at: i64) -> None:
        """The fields of modules, each as the seat may see it."""
        for i in range(i64(len(self.field_at))):
            holds = self.field_holds[i]
            owner = self.field_owner[i]
            value = game.s[self.field_at[i]] if owner < 0 or owner == seat else 0
            if width(holds) == 2:
                self.write_value(game, seat, value, holds, out, at, at + 1)
                at += 2
            else:
                self.write_value(game, seat, value, holds, out, at, at)
                at += 1

    def write_value(
        self, game: Engine, seat: i64, value: i64, holds: i64, out: vec[i64], first: i64, second: i64
    ) -> None:
        """A number of a module in one or two small numbers: never a place of the vector, never a packed word."""
        s = game.s
        if holds == A_SEGMENT and value:  # which square, which of its segments; both from 1 on
            block = s[value + BLOCK]
            out[second] = (value - block - HEAD) // game.stride + 1
            out[first] = s[block + NUMBER] + 1
        elif holds == A_FIGURE and value:  # whose, counted from the observer, and which piece; both from 1 on
            out[second] = (value - 1 >> 3) + 1
            out[first] = ((value - 1 & 7) - seat + self.players) % self.players + 1
        else:
            out[second] = 0
            if holds == A_SQUARE and value:
                value = s[value + NUMBER] + 1
            out[first] = 0 if holds == NO_SUBJECT else value

    def write_squares(self, game: Engine, seat: i64, out: vec[i64], at: i64, before: i64) -> None:
        """The tiles in the order in which they were laid; zeros where none lies yet. `before` so many lay there."""
        s = game.s
        looks = game.looks
        stride = game.stride
        players = self.players
        own = 8 * seat
        half: i64 = 1 << (POS_BITS - 1)
        end = at + before * self.square_size
        block = game.shape.blocks
        while block <= s[LAST]:
            look = s[block + LOOK]
            x = (s[block + POS] + half) >> POS_BITS
            tile = looks[look] + 1
            other = out[at] != tile
            out[at] = tile
            out[at + 1] = game.rotation_of(block)
            out[at + 2] = x
            out[at + 3] = s[block + POS] - (x << POS_BITS)
            place = at + SQUARE
            node = block + HEAD
            stop = node + looks[look + NSEG] * stride
            while node < stop:
                figure = (s[node + FIGURE] & FIGURE_MASK) - 1
                out[place] = 0 if figure < 0 else ((figure & 7) - seat + players) % players + 1
                out[place + 1] = (figure >> 3) + 1  # 0 for nobody, since -1 >> 3 is -1
                root = game.find(node)
                out[place + 2] = s[root + OPEN]
                word = s[root + STRENGTH]
                out[place + 3] = word >> own & 255
                out[place + 4] = self.strongest(word, seat) if word else 0
                place += SEGMENT
                node += stride
            at += self.square_size
            if other:  # another tile may have had more segments
                while place < at:
                    out[place] = 0
                    place += 1
            block += looks[look + LOOK_LEN]
        while at < end:
            out[at] = 0
            at += 1

    def strongest(self, word: i64, seat: i64) -> i64:
        """The weight of the strongest other player, from the word of all players' weights."""
        best: i64 = 0
        for player in range(self.players):
            if player != seat and word >> (8 * player) & 255 > best:
                best = word >> (8 * player) & 255
        return best


class Rows(ObservationWriter):
    """The rows of an observer, one for each of several games."""

    def __init__(self, rules: Rules, games: i64) -> None:
        super().__init__(rules, games)
        self.observer = Observer(rules)
        self.columns: i64 = self.observer.size
        self.rows = zeros(games * self.columns)

    def write(self, number: i64, game: Engine, seat: i64, count: i64) -> None:
        self.observer.write_row(game, seat, self.rows, number * self.columns)
