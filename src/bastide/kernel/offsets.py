"""Offsets in the state vector, in a tile's block and in the table of looks.

The vector begins with a header of fixed offsets. Then come the cells, then what the rules compiler gives out (fields
of modules, the bag, the frontier), and at the end one block for each tile on the board.
"""

from __future__ import annotations

from typing import Final

# --- limits; the rules compiler refuses what does not fit
PLAYERS: Final = 8  # room for players ...
PIECES: Final = 16  # ... for kinds of pieces ...
PILES: Final = 8  # ... for piles of tiles ...
FRAMES: Final = 32  # ... for frames on the agenda ...
CLOSINGS: Final = 32  # ... for regions closed by one tile ...
SEGMENTS: Final = 16  # ... and for segments on a tile

TARGET_SHIFT: Final = 40  # actions that modules add to the deploy question carry their module's number above this bit
TARGET: Final = 1 << TARGET_SHIFT  # the first of them. Sums of constants are folded only where the constants stand.

# --- a frame of the agenda
F_QUESTION: Final = 0
F_PLAYER: Final = 1
F_SUBJECT: Final = 2
F_MORE: Final = 3
F_LEN: Final = 4

# --- the header
TILES_LEN: Final = 0  # squares on the board
LAST: Final = 1  # block of the tile laid last
FRONT_LEN: Final = 2  # open cells
CLOSED_LEN: Final = 3  # regions closed by the tile laid last ...
CLOSED: Final = 4  # ... their roots
TOP: Final = CLOSED + CLOSINGS  # the agenda: offset of its top frame ...
AGENDA: Final = TOP + 1  # ... and its frames
SCORE: Final = AGENDA + FRAMES * F_LEN  # per player
SUPPLY: Final = SCORE + PLAYERS  # per player, per kind of piece
PILE: Final = SUPPLY + PLAYERS * PIECES  # the pile from which turns draw now
REMAINING: Final = PILE + 1  # per pile: tiles that can still be drawn
HIDDEN: Final = REMAINING + PILES  # per pile: tiles that left it unseen; the bag still counts them
EXTRA: Final = HIDDEN + PILES  # one more turn for the same player: 0 no, 1 due, 2 had
STANDING_LEN: Final = EXTRA + 1  # segments on which pieces stand; the list is where the shape says
CELL: Final = STANDING_LEN + 1  # per cell: 0 empty, a tile's block, or -(index in the frontier + 1)

# --- an entry of the frontier: the open cell, and below these bits what it must show
NEED_BITS: Final = 20
NEED_MASK: Final = (1 << NEED_BITS) - 1

# --- a tile's block: a head, then one record for each segment
LOOK: Final = 0
AT: Final = 1  # its cell
NUMBER: Final = 2  # 0 for the first square, then 1, 2, ...
POS: Final = 3  # x and y in one number: (x << POS_BITS) + y, see kernel.torus
HEAD: Final = 4

POS_BITS: Final = 20

# --- a segment's record; in its root it describes the whole region
PARENT: Final = 0  # union-find ...
RING: Final = 1  # ... and a ring through all segments of the region
SIZE: Final = 2  # number of segments
BLOCK: Final = 3  # its tile
FIGURE: Final = 4  # pieces on this very segment: up to five, twelve bits each: 1 + piece * 8 + player
KIND: Final = 5
BORDER: Final = 6  # bits of the segments of the same tile that it borders on
OPEN: Final = 7  # open edges, or empty cells around; always at least 1 for kinds that never close
STRENGTH: Final = 8  # followers' weights, 8 bits for each player: adding the words adds all players
FLAGS: Final = 9  # all attributes with the law "any", one bit each: one OR merges them
SUMS: Final = 10  # attributes with the law "sum"

FIGURE_BITS: Final = 12
FIGURE_MASK: Final = (1 << FIGURE_BITS) - 1
FIGURE_ROOM: Final = 5

# --- a look (tile type and rotation) in the table of looks
TYPE: Final = 0
NSEG: Final = 1
NCLOSING: Final = 2  # segments that can close come first
CENTRE: Final = 3  # a segment that closes when all cells around are taken (-1: none)
LOOK_LEN: Final = 4  # length of its block
NEED: Final = 5  # per side: what the cell there must show, weighted for adding up
PORT: Final = 9  # per side, five slots (-1: none) ...
P_SIDE: Final = 0  # ... the segment at the whole side
P_LEFT: Final = 1  # ... at its left half
P_RIGHT: Final = 2  # ... at its right half
P_LAYER: Final = 3  # ... of layer 1
P_ALSO: Final = 4  # ... a second one at the whole side, joined with whatever lies there
P_LEN: Final = 5
SEG: Final = PORT + 4 * P_LEN  # per segment: a fresh record
