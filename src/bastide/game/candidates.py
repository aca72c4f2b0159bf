"""For each legal action a row of numbers about the position after it. docs/environments.md tells every column."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec

from bastide.game.engine import DISCARD, PASS, TARGET, Engine
from bastide.game.joined import Joined
from bastide.game.sight import Sight
from bastide.kernel.offsets import (
    CELL,
    CENTRE,
    HEAD,
    KIND,
    LAST,
    LOOK,
    NSEG,
    OPEN,
    PIECES,
    REMAINING,
    SCORE,
    SEG,
    SEGMENTS,
    SIZE,
    STRENGTH,
    SUPPLY,
)
from bastide.kernel.shape import zeros
from bastide.native import i16, i64
from bastide.rules.position import DEPLOY, OVER, PLACE
from bastide.rules.rules import Rules

ROOM: Final = 128  # actions that a list shows
POINTS: Final = 9999  # no score is shown larger
LARGEST: Final = 32767

# --- columns of a row: what the action is ...
IS_PLACE: Final = 0
IS_DISCARD: Final = 1
IS_PASS: Final = 2
IS_DEPLOY: Final = 3
IS_OTHER: Final = 4
PIECE: Final = 5  # kind of piece + 1
LAND: Final = 6  # kind of land + 1
# --- ... and the position after it
GAIN: Final = 7
OTHERS_GAIN: Final = 8  # of the best other
LEAD: Final = 9
FOLLOWERS: Final = 10
OTHERS_FOLLOWERS: Final = 11
TILES_LEFT: Final = 12
AGAIN: Final = 13  # the same seat decides next
AROUND: Final = 14  # own regions that close when all cells around are taken, beside the tile
OTHERS_AROUND: Final = 15
COLUMNS: Final = 16

# --- per kind of land: what each side holds on the whole board before the action ...
BOARD_COLUMNS: Final = 4  # own regions, their open edges, others' regions, their open edges
# --- ... and what the tile laid last belongs to after it
TILE_COLUMNS: Final = 9  # own, others', free: segments, open edges, segments of complete regions


class Candidates(Sight):
    """`rows` has ROOM rows of `columns` numbers for each game; rows without an action are zeros."""

    def __init__(self, rules: Rules, games: i64) -> None:
        super().__init__(rules, games)
        kinds = list(rules.layout.kinds.values())
        self.kinds: i64 = len(kinds)
        self.closing: i64 = sum([1 << number for number, kind in enumerate(kinds) if kind.closes])  # bits
        self.weighty: i64 = sum([1 << number for number, piece in enumerate(rules.layout.pieces) if piece.weight])
        self.centres: i64 = centres(rules)  # bits: kinds that close when all cells around are taken ...
        self.watched: bool = False  # ... and whether a follower stands in one
        self.hides: bool = len(rules.layout.secrets) > 0
        self.board: i64 = COLUMNS  # the first column of the board's
        self.tile: i64 = self.board + BOARD_COLUMNS * self.kinds
        self.columns: i64 = self.tile + TILE_COLUMNS * self.kinds
        self.rows = blank(games * ROOM * self.columns)
        self.written = zeros(games)  # rows that are not zeros
        self.actions = zeros(rules.shape.actions)
        self.before = zeros(rules.players)
        self.shared = zeros(BOARD_COLUMNS * self.kinds)
        self.roots = zeros(SEGMENTS)
        self.joined = Joined(rules)
        self.quick: bool = len(rules.placed) == 0 and not rules.shape.extra_ports  # laying a tile does nothing else

    def bounds(self) -> tuple[list[int], list[int]]:
        """The smallest and the largest number of each column."""
        rules = self.rules
        segments = min(LARGEST, int(rules.shape.squares) * SEGMENTS)
        followers = max(int(rules.shape.figures), 1) * 4
        low = [0] * int(self.columns)
        high = [1] * COLUMNS + [segments] * int(self.columns - COLUMNS)
        high[PIECE], high[LAND] = int(rules.pieces), int(self.kinds)
        for column in (GAIN, OTHERS_GAIN, LEAD):
            low[column], high[column] = -POINTS, POINTS
        high[FOLLOWERS] = high[OTHERS_FOLLOWERS] = followers
        high[TILES_LEFT] = int(rules.shape.squares)
        high[AROUND] = high[OTHERS_AROUND] = 8
        return low, high

    def write(self, number: i64, game: Engine, seat: i64, count: i64) -> None:
        shown = count
        if shown > ROOM:
            shown = ROOM
        at = number * ROOM * self.columns
        if shown:
            for i in range(count):
                self.actions[i] = game.actions[i]
            for player in range(self.players):
                self.before[player] = game.s[SCORE + player]
            self.look_round(game, seat)
            question = game.question()
            if question == PLACE and self.quick and self.actions[0] != DISCARD:
                self.write_places(game, seat, shown, at)
            else:
                for i in range(shown):
                    self.write_action(game, seat, question, self.actions[i], at + i * self.columns)
            for i in range(count):
                game.actions[i] = self.actions[i]
        end = at + self.written[number] * self.columns
        at += shown * self.columns
        rows = self.rows
        while at < end:
            rows[at] = 0
            at += 1
        self.written[number] = shown

    def write_places(self, game: Engine, seat: i64, shown: i64, first: i64) -> None:
        """The rows of places, without laying the tile: nothing changes but the regions that it joins."""
        rows = self.rows
        joined = self.joined
        look = game.subject() * 4 * game.shape.look_size
        for i in range(shown):
            action = self.actions[i]
            at = first + i * self.columns
            if i == 0:
                self.write_common(game, seat, at)
            else:
                for column in range(self.tile):
                    rows[at + column] = rows[first + column]
            if self.watched:
                self.write_around(game, seat, action >> 2, at)
            place = at + self.tile
            for column in range(place, place + TILE_COLUMNS * self.kinds):
                rows[column] = 0
            joined.look(game, look + (action & 3) * game.shape.look_size, action >> 2)
            for segment in range(joined.count):
                if joined.group[segment] == segment:
                    word = joined.words[segment]
                    self.add_region(
                        place, seat, joined.kinds[segment], joined.sizes[segment], joined.opens[segment], word
                    )

    def write_common(self, game: Engine, seat: i64, at: i64) -> None:
        """The columns in which all places are alike."""
        rows = self.rows
        for column in range(at, at + COLUMNS):
            rows[column] = 0
        self.write_players(game, seat, at)
        rows[at + IS_PLACE] = 1
        for column in range(i64(len(self.shared))):
            rows[at + self.board + column] = i16(self.shared[column])

    def look_round(self, game: Engine, seat: i64) -> None:
        """Fills `shared`: what is held on the whole board; and `watched`."""
        s = game.s
        shared = self.shared
        for i in range(i64(len(shared))):
            shared[i] = 0
        self.watched = False
        for i in range(game.list_occupied()):
            root = game.occupied_regions[i]
            kind = s[root + KIND]
            if self.centres >> kind & 1:
                self.watched = True
            word = s[root + STRENGTH]
            own = word >> (8 * seat) & 255
            other = self.strongest_other(word, seat)
            at = BOARD_COLUMNS * kind
            open_edges: i64 = 0
            if self.closing >> kind & 1:
                open_edges = s[root + OPEN]
            if own >= other:
                shared[at] += 1
                shared[at + 1] += open_edges
            if other >= own:
                shared[at + 2] += 1
                shared[at + 3] += open_edges

    def write_action(self, game: Engine, seat: i64, question: i64, action: i64, at: i64) -> None:
        """One row: the action is carried out and taken back."""
        rows = self.rows
        mark = game.trail_len
        for i in range(at, at + COLUMNS):
            rows[i] = 0
        if question == PLACE:
            if action == DISCARD:
                rows[at + IS_DISCARD] = 1
            else:
                rows[at + IS_PLACE] = 1
        elif question == DEPLOY:
            if action == PASS:
                rows[at + IS_PASS] = 1
            else:
                rows[at + IS_DEPLOY] = 1
                if action < TARGET:
                    piece = (action - 1) // SEGMENTS
                    node = game.node(game.s[LAST], (action - 1) % SEGMENTS)
                    rows[at + PIECE] = i16(piece + 1)
                    rows[at + LAND] = i16(game.s[node + KIND] + 1)
        else:
            rows[at + IS_OTHER] = 1
        game.apply(action)
        self.write_players(game, seat, at)
        if question == PLACE and action != DISCARD:
            self.write_around(game, seat, action >> 2, at)
        place = at + self.board
        for i in range(i64(len(self.shared))):
            rows[place + i] = i16(self.shared[i])
        self.write_tile(game, seat, at + self.tile)
        game.undo(mark)

    def write_players(self, game: Engine, seat: i64, at: i64) -> None:
        """Scores and hands after the action."""
        s = game.s
        rows = self.rows
        over = game.question() == OVER
        secret = over and self.hides  # what the others held hidden is in the final scores: nobody may see it before
        own: i64 = 0
        best: i64 = -POINTS
        gain: i64 = -POINTS
        most: i64 = 0
        for player in range(self.players):
            score = s[SCORE + player]
            if secret:
                score = self.before[player]
            followers: i64 = 0
            for piece in range(self.rules.pieces):
                if self.weighty >> piece & 1:
                    followers += s[SUPPLY + player * PIECES + piece]
            if player == seat:
                own = score
                rows[at + FOLLOWERS] = i16(followers)
                rows[at + GAIN] = i16(limited(score - self.before[player]))
            else:
                if score > best:
                    best = score
                if score - self.before[player] > gain:
                    gain = score - self.before[player]
                if followers > most:
                    most = followers
        if self.players == 1:
            best = 0
            gain = 0
        rows[at + OTHERS_GAIN] = i16(limited(gain))
        rows[at + LEAD] = i16(limited(own - best))
        rows[at + OTHERS_FOLLOWERS] = i16(most)
        left: i64 = 0
        for pile in range(game.tables.main_piles):
            left += s[REMAINING + pile]
        if left > 0:
            rows[at + TILES_LEFT] = i16(left)
        if not over and not game.chance() and game.player() == seat:
            rows[at + AGAIN] = 1

    def write_around(self, game: Engine, seat: i64, cell: i64, at: i64) -> None:
        """Whose regions have one empty cell less around them."""
        s = game.s
        own: i64 = 0
        others: i64 = 0
        for direction in range(i64(8)):
            block = s[CELL + game.beside(cell, direction)]
            if block > 0:
                centre = game.looks[s[block + LOOK] + CENTRE]
                if centre >= 0:
                    word = s[block + centre + STRENGTH]
                    if word:
                        if word >> (8 * seat) & 255:
                            own += 1
                        else:
                            others += 1
        self.rows[at + AROUND] = i16(own)
        self.rows[at + OTHERS_AROUND] = i16(others)

    def write_tile(self, game: Engine, seat: i64, at: i64) -> None:
        """The regions of the tile laid last, added up for each kind of land and for whoever holds them."""
        s = game.s
        rows = self.rows
        roots = self.roots
        for i in range(at, at + TILE_COLUMNS * self.kinds):
            rows[i] = 0
        node = s[LAST] + HEAD
        stride = game.stride
        for segment in range(game.looks[s[s[LAST] + LOOK] + NSEG]):
            root = game.find(node)
            node += stride
            roots[segment] = root
            known: i64 = 0
            while roots[known] != root:
                known += 1
            if known < segment:
                continue
            self.add_region(at, seat, s[root + KIND], s[root + SIZE], s[root + OPEN], s[root + STRENGTH])

    def add_region(self, at: i64, seat: i64, kind: i64, size: i64, open_edges: i64, word: i64) -> None:
        """Adds one region to the columns of its kind and of whoever holds it."""
        rows = self.rows
        done: i64 = 0
        if self.closing >> kind & 1 == 0:
            open_edges = 0
        elif open_edges == 0:
            done = size
        place = at + TILE_COLUMNS * kind
        if word == 0:
            rows[place + 6] += i16(size)
            rows[place + 7] += i16(open_edges)
            rows[place + 8] += i16(done)
            return
        own = word >> (8 * seat) & 255
        other = self.strongest_other(word, seat)
        if own >= other:
            rows[place] += i16(size)
            rows[place + 1] += i16(open_edges)
            rows[place + 2] += i16(done)
        if other >= own:
            rows[place + 3] += i16(size)
            rows[place + 4] += i16(open_edges)
            rows[place + 5] += i16(done)


def centres(rules: Rules) -> i64:
    """The kinds of land, as bits, that close when all cells around are taken."""
    shape = rules.shape
    found: i64 = 0
    look: i64 = 0
    while look < i64(len(shape.looks)):
        centre = shape.looks[look + CENTRE]
        if centre >= 0:
            found |= 1 << shape.looks[look + SEG + centre - HEAD + KIND]
        look += shape.look_size
    return found


def limited(points: i64) -> i64:
    """Points as a row shows them."""
    if points > POINTS:
        return POINTS
    if points < -POINTS:
        return -POINTS
    return points


def blank(n: i64) -> vec[i16]:
    """A vector of n zeros of 16 bits."""
    return vec[i16]([i16(0)] * n)
