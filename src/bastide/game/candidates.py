"""For each legal action a row of numbers about the position after it. docs/environments.md tells every column."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec

from bastide.game.engine import DISCARD, PASS, TARGET, Engine
from bastide.game.join_preview import JoinPreview
from bastide.game.observation_writer import ObservationWriter
from bastide.kernel.offsets import (
    AT,
    BLOCK,
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
from bastide.native import i64
from bastide.rules.position import DEPLOY, OVER, PLACE
from bastide.rules.rules import Rules

ROOM: Final = 128  # actions that a list shows
PACKED: Final = 4  # numbers of 16 bits in a word: rows are cleared and copied word by word, a quarter of the time
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


class Candidates(ObservationWriter):
    """`rows` has ROOM rows of `columns` numbers for each game; rows without an action are zeros.

    Four numbers of 16 bits are packed in a word, the first in its lowest bits: `memoryview(rows)` is a table of int16.
    """

    def __init__(self, rules: Rules, games: i64) -> None:
        super().__init__(rules, games)
        kinds = list(rules.layout.kinds.values())
        self.kinds: i64 = len(kinds)
        self.closing: i64 = sum([1 << number for number, kind in enumerate(kinds) if kind.closes])  # bits
        self.weighty: i64 = sum([1 << number for number, piece in enumerate(rules.layout.pieces) if piece.weight])
        self.centres: i64 = centres(rules)  # bits: kinds that close when all cells around are taken ...
        self.watched: bool = False  # ... whether a follower stands in one ...
        self.around = zeros(rules.shape.cells)  # ... and per cell: own ones beside it, and others' in bits 8 and up
        self.hides: bool = len(rules.layout.secrets) > 0
        self.board: i64 = COLUMNS  # the first column of the board's
        self.tile: i64 = self.board + BOARD_COLUMNS * self.kinds
        self.width: i64 = (self.tile + TILE_COLUMNS * self.kinds + PACKED - 1) // PACKED  # words of a row
        self.columns: i64 = self.width * PACKED
        self.rows = zeros(games * ROOM * self.width)
        self.written = zeros(games)  # rows that are not zeros
        self.actions = zeros(rules.shape.actions)
        self.before = zeros(rules.players)
        self.shared = zeros(BOARD_COLUMNS * self.kinds)
        self.common = zeros(self.width)  # the columns in which all places are alike
        self.roots = zeros(SEGMENTS)
        self.joined = JoinPreview(rules)
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

    def row(self, i: i64) -> list[i64]:
        """The i-th row of all games, unpacked."""
        return [signed(self.rows[i * self.width + n // PACKED] >> 16 * (n % PACKED)) for n in range(self.columns)]

    def write(self, number: i64, game: Engine, seat: i64, count: i64) -> None:
        shown = count
        if shown > ROOM:
            shown = ROOM
        at = number * ROOM * self.width
        if shown:
            for player in range(self.players):
                self.before[player] = game.s[SCORE + player]
            self.read_board(game, seat)
            if self.quick and game.question() == PLACE and game.actions[0] != DISCARD:
                self.watch(game, seat, 1)
                self.write_places(game, seat, shown, at)
                self.watch(game, seat, -1)
            else:
                self.write_actions(game, seat, count, at)
        rows = self.rows
        for i in range(at + shown * self.width, at + self.written[number] * self.width):
            rows[i] = 0
        self.written[number] = shown

    def write_actions(self, game: Engine, seat: i64, count: i64, first: i64) -> None:
        """Writes the rows of any actions. The engine's list of legal actions is unchanged afterwards."""
        question = game.question()
        legal = game.actions
        actions = self.actions
        for i in range(count):
            actions[i] = legal[i]
        for i in range(count):
            if i < ROOM:
                self.write_action(game, seat, question, actions[i], first + i * self.width)
        for i in range(count):
            legal[i] = actions[i]

    def write_places(self, game: Engine, seat: i64, shown: i64, first: i64) -> None:
        """Writes the rows of placements without laying the tile: only the regions that it joins differ."""
        rows = self.rows
        common = self.common
        joined = self.joined
        group = joined.group
        look_size = game.shape.look_size
        look = game.subject() * 4 * look_size
        for i in range(self.width):
            common[i] = 0
        self.put(common, IS_PLACE, 1)
        self.write_players(game, seat, common, 0)
        self.write_board(common, 0)
        met: i64 = -1
        for i in range(shown):
            action = game.actions[i]
            at = first + i * self.width
            for word in range(self.width):
                rows[at + word] = common[word]
            at *= PACKED
            cell = action >> 2
            if self.around[cell]:
                self.put(rows, at + AROUND, self.around[cell] & 255)
                self.put(rows, at + OTHERS_AROUND, self.around[cell] >> 8)
            if cell != met:
                joined.meet(game, cell)
                met = cell
            joined.look(game, look + (action & 3) * look_size)
            for segment in range(joined.count):
                if group[segment] == segment:
                    weights = joined.words[segment]
                    self.add_region(
                        at, seat, joined.kinds[segment], joined.sizes[segment], joined.opens[segment], weights
                    )

    def put(self, rows: vec[i64], at: i64, number: i64) -> None:
        """Adds a number to a column. Only columns that nothing is added to later may become negative."""
        place = at & 3
        if place == 3:
            rows[at >> 2] += number << 48
        else:
            rows[at >> 2] += (number & 65535) << (place << 4)

    def write_board(self, rows: vec[i64], at: i64) -> None:
        """What is held on the whole board."""
        for column in range(i64(len(self.shared))):
            self.put(rows, at + self.board + column, self.shared[column])

    def read_board(self, game: Engine, seat: i64) -> None:
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

    def write_action(self, game: Engine, seat: i64, question: i64, action: i64, first: i64) -> None:
        """Writes one row, from word `first` on: the action is applied and undone."""
        rows = self.rows
        mark = game.trail_len
        for i in range(first, first + self.width):
            rows[i] = 0
        at = first * PACKED
        if question == PLACE:
            self.put(rows, at + (IS_DISCARD if action == DISCARD else IS_PLACE), 1)
        elif question == DEPLOY:
            self.put(rows, at + (IS_PASS if action == PASS else IS_DEPLOY), 1)
            if action != PASS and action < TARGET:
                node = game.node(game.s[LAST], (action - 1) % SEGMENTS)
                self.put(rows, at + PIECE, (action - 1) // SEGMENTS + 1)
                self.put(rows, at + LAND, game.s[node + KIND] + 1)
        else:
            self.put(rows, at + IS_OTHER, 1)
        game.apply(action)
        self.write_players(game, seat, rows, at)
        if question == PLACE and action != DISCARD:
            self.write_around(game, seat, action >> 2, at)
        self.write_board(rows, at)
        self.write_tile(game, seat, at)
        game.undo(mark)

    def write_players(self, game: Engine, seat: i64, rows: vec[i64], at: i64) -> None:
        """Scores and hands after the action."""
        s = game.s
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
                self.put(rows, at + FOLLOWERS, followers)
                self.put(rows, at + GAIN, limited(score - self.before[player]))
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
        self.put(rows, at + OTHERS_GAIN, limited(gain))
        self.put(rows, at + LEAD, limited(own - best))
        self.put(rows, at + OTHERS_FOLLOWERS, most)
        left: i64 = 0
        for pile in range(game.tables.main_piles):
            left += s[REMAINING + pile]
        if left > 0:
            self.put(rows, at + TILES_LEFT, left)
        if not over and not game.chance() and game.player() == seat:
            self.put(rows, at + AGAIN, 1)

    def watch(self, game: Engine, seat: i64, more: i64) -> None:
        """Counts in `around` the regions that close when all cells around are taken, or takes them out again."""
        if not self.watched:
            return
        s = game.s
        for i in range(game.list_occupied()):
            root = game.occupied_regions[i]
            if self.centres >> s[root + KIND] & 1:
                amount = more if s[root + STRENGTH] >> (8 * seat) & 255 else 256 * more
                cell = s[s[root + BLOCK] + AT]
                for direction in range(i64(8)):
                    self.around[game.beside(cell, direction)] += amount

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
        rows = self.rows
        self.put(rows, at + AROUND, own)
        self.put(rows, at + OTHERS_AROUND, others)

    def write_tile(self, game: Engine, seat: i64, at: i64) -> None:
        """The regions of the tile laid last, added up by kind of land and by who holds them."""
        s = game.s
        roots = self.roots
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
        done: i64 = 0
        if self.closing >> kind & 1 == 0:
            open_edges = 0
        elif open_edges == 0:
            done = size
        first = at + self.tile + TILE_COLUMNS * kind
        if word == 0:
            self.add_held(first + 6, size, open_edges, done)
            return
        own = word >> (8 * seat) & 255
        other = self.strongest_other(word, seat)
        if own >= other:
            self.add_held(first, size, open_edges, done)
        if other >= own:
            self.add_held(first + 3, size, open_edges, done)

    def add_held(self, at: i64, size: i64, open_edges: i64, done: i64) -> None:
        """Three columns: segments, open edges, segments of complete regions. All at once; they may lie in two words."""
        rows = self.rows
        three = size + (open_edges << 16) + (done << 32)
        shift = (at & 3) << 4
        if shift <= 16:
            rows[at >> 2] += three << shift
        else:
            room = 64 - shift
            rows[at >> 2] += (three & ((1 << room) - 1)) << shift
            rows[(at >> 2) + 1] += three >> room


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


def signed(bits: i64) -> i64:
    """The number in the lowest 16 bits."""
    bits &= 65535
    return bits - 65536 if bits > LARGEST else bits
