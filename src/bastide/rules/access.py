"""Named access to the state vector: the agenda, tiles, segments, regions, figures. Modules need no offsets.

A `block` is a tile on the board, a `node` one of its segments, a `root` the node that stands for a whole region. A
`figure` is a piece with its owner in one number; 0 is no figure.
"""

from __future__ import annotations

from bastide.errors import EngineLimit
from bastide.geometry import Cell
from bastide.kernel.board import Board
from bastide.kernel.offsets import (
    AGENDA,
    AT,
    BLOCK,
    BORDER,
    CELL,
    CLOSED,
    CLOSED_LEN,
    F_LEN,
    F_PLAYER,
    F_QUESTION,
    F_SUBJECT,
    FIGURE,
    FIGURE_BITS,
    FIGURE_MASK,
    FLAGS,
    FRAMES,
    HEAD,
    KIND,
    LAST,
    LOOK,
    LOOK_LEN,
    NSEG,
    NUMBER,
    OPEN,
    P_LEFT,
    P_LEN,
    P_RIGHT,
    P_SIDE,
    PARENT,
    PIECES,
    PORT,
    POS,
    POS_BITS,
    RING,
    SEG,
    SIZE,
    STANDING_LEN,
    STRENGTH,
    SUMS,
    TOP,
)
from bastide.kernel.torus import unpack
from bastide.native import i64


class Access(Board):
    """The board, with a name for everything that a rule reads."""

    # --- the agenda
    def top(self) -> i64:
        """The frame that is decided next."""
        return self.s[TOP]

    def turn_frame(self) -> i64:
        """The lowest frame: the turn itself. Extra turns and other questions lie above it."""
        return AGENDA

    def frame_below(self, frame: i64) -> i64:
        """The frame that is decided after this one."""
        return frame - F_LEN

    def question(self) -> i64:
        """The question of the frame on top: what is decided next."""
        return self.s[self.s[TOP] + F_QUESTION]

    def player(self) -> i64:
        """The player of the frame on top: who decides next."""
        return self.s[self.s[TOP] + F_PLAYER]

    def subject(self) -> i64:
        """The subject of the frame on top: what its question is about."""
        return self.s[self.s[TOP] + F_SUBJECT]

    def active_player(self) -> i64:
        """The player whose turn it is, whoever decides now."""
        return self.s[AGENDA + F_PLAYER]

    def question_of(self, frame: i64) -> i64:
        """The question of any frame."""
        return self.s[frame + F_QUESTION]

    def player_of(self, frame: i64) -> i64:
        """The player of any frame."""
        return self.s[frame + F_PLAYER]

    def subject_of(self, frame: i64) -> i64:
        """The subject of any frame."""
        return self.s[frame + F_SUBJECT]

    def set_question(self, frame: i64, question: i64) -> None:
        """Changes the question of a frame."""
        self.put(frame + F_QUESTION, question)

    def set_player(self, frame: i64, player: i64) -> None:
        """Changes the player of a frame."""
        self.put(frame + F_PLAYER, player)

    def set_subject(self, frame: i64, subject: i64) -> None:
        """Changes the subject of a frame."""
        self.put(frame + F_SUBJECT, subject)

    def push(self, question: i64, player: i64, subject: i64) -> None:
        """Pushes a question that `player` must decide before anything else."""
        top = self.s[TOP] + F_LEN
        if top >= AGENDA + FRAMES * F_LEN:
            raise EngineLimit(f"the agenda holds at most {FRAMES} frames")
        self.put(TOP, top)
        self.put(top + F_QUESTION, question)
        self.put(top + F_PLAYER, player)
        self.put(top + F_SUBJECT, subject)

    def pop(self) -> None:
        """Removes the frame on top: its question is answered."""
        self.put(TOP, self.s[TOP] - F_LEN)

    # --- tiles
    def first_block(self) -> i64:
        """The tile that was laid first."""
        return self.shape.blocks

    def last_block(self) -> i64:
        """The tile that was laid last."""
        return self.s[LAST]

    def next_block(self, block: i64) -> i64:
        """The tile that was laid after this one. After the last tile the result is not a tile."""
        return block + self.looks[self.s[block + LOOK] + LOOK_LEN]

    def occupied_nodes(self) -> list[i64]:
        """The segments with pieces, those of the tile that was laid first before others."""
        s = self.s
        found: list[i64] = []
        block = self.shape.blocks
        while block <= s[LAST]:
            end = self.next_block(block)
            node = block + HEAD
            while node < end:
                if s[node + FIGURE]:
                    found.append(node)
                node += self.stride
            block = end
        return found

    def segments(self, block: i64) -> i64:
        """Number of segments of a tile."""
        return self.looks[self.s[block + LOOK] + NSEG]

    def type_of(self, block: i64) -> i64:
        """The type of a tile on the board."""
        return self.looks[self.s[block + LOOK]]

    def rotation_of(self, block: i64) -> i64:
        """The quarter turns of a tile on the board."""
        return self.s[block + LOOK] // self.shape.look_size & 3

    def cell_of(self, block: i64) -> i64:
        """The cell of a tile."""
        return self.s[block + AT]

    def coordinates_of(self, block: i64) -> Cell:
        """The cell of a tile as people write it: x and y."""
        return unpack(self.s[block + POS])

    def tile_beside(self, block: i64, side: i64) -> i64:
        """The tile at a side of another one, or across a corner (4 to 7); 0 if none lies there."""
        there = self.s[CELL + self.beside(self.s[block + AT], side)]
        if there > 0:
            return there
        return 0

    def tile_towards(self, cell: i64, side: i64, margin: i64) -> bool:
        """Is there a tile on this side of a cell, at any distance, at most `margin` rows or columns off the line?"""
        s = self.s
        here = self.position_of(cell)
        half: i64 = 1 << (POS_BITS - 1)
        block = self.shape.blocks
        last = s[LAST]
        while block <= last:
            away = s[block + POS] - here
            dx = (away + half) >> POS_BITS
            dy = away - (dx << POS_BITS)
            ahead = dx if side & 1 else -dy
            aside = dy if side & 1 else dx
            if side > 1:
                ahead = -ahead
            if ahead > 0 and -margin <= aside <= margin:
                return True
            block += self.looks[s[block + LOOK] + LOOK_LEN]
        return False

    def count_as_one(self, block: i64, other: i64) -> None:
        """From now on these two tiles count as one tile of a region."""
        self.put(block + NUMBER, self.s[other + NUMBER])

    # --- segments
    def node(self, block: i64, segment: i64) -> i64:
        """The record of one segment of a tile."""
        return block + HEAD + segment * self.stride

    def block_of(self, node: i64) -> i64:
        """The tile of a segment."""
        return self.s[node + BLOCK]

    def segment_of(self, node: i64) -> i64:
        """The number of a segment on its tile."""
        return (node - self.s[node + BLOCK] - HEAD) // self.stride

    def borders_of(self, node: i64) -> i64:
        """Bits of the segments of the same tile on which a segment borders."""
        return self.s[node + BORDER]

    def printed_flags(self, node: i64) -> i64:
        """The flags that are printed on this very segment, whatever its region has."""
        block = self.s[node + BLOCK]
        return self.looks[self.s[block + LOOK] + SEG + node - block - HEAD + FLAGS]

    def node_at_side(self, block: i64, side: i64) -> i64:
        """The segment that covers a whole side of a tile. If there is none, the result is less than the block."""
        return block + self.looks[self.s[block + LOOK] + PORT + P_LEN * side + P_SIDE]

    def has_half_of(self, node: i64, side: i64) -> bool:
        """Does a segment reach one half of this side of its tile?"""
        block = self.s[node + BLOCK]
        port = self.s[block + LOOK] + PORT + side * P_LEN
        return self.looks[port + P_LEFT] == node - block or self.looks[port + P_RIGHT] == node - block

    # --- regions
    def region(self, segment: i64) -> i64:
        """Root of the region to which a segment of the tile laid last belongs."""
        return self.find(self.s[LAST] + HEAD + segment * self.stride)

    def is_root(self, node: i64) -> bool:
        """Does this segment stand for its region? One of each region does."""
        return self.s[node + PARENT] == node

    def next_in_region(self, node: i64) -> i64:
        """The next segment of the same region, in a ring: after the last one comes the first."""
        return self.s[node + RING]

    def kind_of(self, node: i64) -> i64:
        """The kind of land of a segment or region."""
        return self.s[node + KIND]

    def size_of(self, root: i64) -> i64:
        """Number of segments of a region."""
        return self.s[root + SIZE]

    def open_edges(self, root: i64) -> i64:
        """Open edges of a region, or empty cells around it; never 0 for kinds that do not close."""
        return self.s[root + OPEN]

    def complete(self, root: i64) -> bool:
        """Is nothing of the region open?"""
        return self.s[root + OPEN] == 0

    def total(self, root: i64, attribute: i64) -> i64:
        """The value of an attribute that `Layout.sum` declared."""
        return self.s[root + attribute]

    def has(self, root: i64, flag: i64) -> bool:
        """Does a region have a flag that `Layout.any` declared, or a presence flag?"""
        return self.s[root + FLAGS] & flag != 0

    def closed_count(self) -> i64:
        """Number of regions that the tile laid last has closed."""
        return self.s[CLOSED_LEN]

    def closed_region(self, i: i64) -> i64:
        """One of the regions that the tile laid last has closed."""
        return self.s[CLOSED + i]

    def clear_record(self, record: i64, kind: i64) -> None:
        """Clears a record that `Layout.record` reserved: it becomes an empty region, to which `gather` adds others."""
        for i in range(i64(SUMS), self.stride):
            self.put(record + i, 0)
        self.put(record + PARENT, record)
        self.put(record + RING, record)
        self.put(record + STRENGTH, 0)
        self.put(record + FLAGS, 0)
        self.put(record + KIND, kind)

    # --- strengths and figures
    def is_occupied(self, root: i64) -> bool:
        """Does a follower stand in the region?"""
        return self.s[root + STRENGTH] != 0

    def strength(self, root: i64, player: i64) -> i64:
        """The weight of a player's followers in a region."""
        return self.s[root + STRENGTH] >> (8 * player) & 255

    def leaders(self, word: i64) -> i64:
        """The players whose followers weigh most, one bit each."""
        best: i64 = 0
        rest = word
        while rest:
            if rest & 255 > best:
                best = rest & 255
            rest >>= 8
        winners: i64 = 0
        player: i64 = 0
        while word:
            if word & 255 == best:
                winners |= 1 << player
            word >>= 8
            player += 1
        return winners

    def figure(self, player: i64, piece: i64) -> i64:
        """A piece and its owner in one number."""
        return 1 + piece * 8 + player

    def owner(self, figure: i64) -> i64:
        """The player to whom a figure belongs."""
        return (figure - 1) & 7

    def piece(self, figure: i64) -> i64:
        """The kind of piece of a figure."""
        return (figure - 1) >> 3

    def figures_on(self, node: i64) -> i64:
        """All figures on exactly this segment, packed in one word; 0 for none."""
        return self.s[node + FIGURE]

    def first_figure(self, figures: i64) -> i64:
        """The first figure of such a word."""
        return figures & FIGURE_MASK

    def other_figures(self, figures: i64) -> i64:
        """Such a word without its first figure."""
        return figures >> FIGURE_BITS

    def standing_count(self) -> i64:
        """Number of segments on which figures stand."""
        return self.s[STANDING_LEN]

    def standing_node(self, i: i64) -> i64:
        """One of the segments on which figures stand."""
        return self.s[self.shape.standing + i]

    # --- numbers for actions: a piece on a segment, or on a space of a module's own
    def pack_target(self, target: i64, piece: i64) -> i64:
        """A target and a piece in one number."""
        return target * PIECES + piece

    def target_of(self, number: i64) -> i64:
        """The target in such a number."""
        return number // PIECES

    def piece_of(self, number: i64) -> i64:
        """The piece in such a number."""
        return number % PIECES
