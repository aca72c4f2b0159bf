"""The key of a position: bytes that are equal exactly when everything that can follow is the same.

The order in which tiles were laid and pieces were placed is no part of it. The tile laid last is, as long as something
about it is still to be decided or scored.
"""

from __future__ import annotations

from typing import Final

from librt.strings import BytesWriter, write_i64_le
from librt.vecs import vec

from bastide.kernel.offsets import (
    AGENDA,
    AT,
    BLOCK,
    CELL,
    EXTRA,
    F_LEN,
    F_MORE,
    F_PLAYER,
    F_QUESTION,
    F_SUBJECT,
    FIGURE,
    FIGURE_BITS,
    FIGURE_MASK,
    HEAD,
    HIDDEN,
    LAST,
    LOOK,
    PIECES,
    POS,
    REMAINING,
    SCORE,
    SEGMENTS,
    STANDING_LEN,
    SUPPLY,
    TILES_LEN,
    TOP,
)
from bastide.native import i64
from bastide.rules.layout import HOLDS
from bastide.rules.position import (
    DEPLOY,
    DRAW,
    DRAWN,
    ENDING,
    FIRST_FREE,
    LAID,
    OVER,
    PLACE,
    PLAYED,
    SCORING,
    Position,
)
from bastide.rules.rules import Rules

TILE_BITS: Final = 20  # room for a tile type and its rotation beside a cell
A_SEGMENT: Final[i64] = HOLDS.index("segment")
A_SQUARE: Final[i64] = HOLDS.index("square")
NO_SUBJECT: Final[i64] = HOLDS.index("nothing")


def key_of(pos: Position, rules: Rules) -> bytes:
    """The key of a position, comparable with the keys of other positions by the same rules."""
    out = BytesWriter()
    write_tiles(pos, out)
    write_figures(pos, out)
    write_counts(pos, rules, out)
    write_agenda(pos, rules, out)
    for i in range(i64(len(rules.field_at))):
        write_i64_le(out, located(pos, pos.s[rules.field_at[i]], rules.field_holds[i]))
    return out.getvalue()


def write_tiles(pos: Position, out: BytesWriter) -> None:
    """Every tile with its rotation, sorted by cells; one packed position says where all cells lie."""
    s = pos.s
    tiles = pos.scratch
    count = s[TILES_LEN]
    block = pos.shape.blocks
    for i in range(count):
        tiles[i] = s[block + AT] << TILE_BITS | s[block + LOOK] // pos.shape.look_size
        block = pos.next_block(block)
    sort(tiles, count)
    write_i64_le(out, s[s[CELL + (tiles[0] >> TILE_BITS)] + POS])
    for i in range(count):
        write_i64_le(out, tiles[i])
    write_i64_le(out, -1)


def sort(numbers: vec[i64], count: i64) -> None:
    """Shellsort: short, and fast enough for some hundred numbers."""
    gap = count // 2
    while gap > 0:
        for i in range(gap, count):
            number = numbers[i]
            at = i
            while at >= gap and numbers[at - gap] > number:
                numbers[at] = numbers[at - gap]
                at -= gap
            numbers[at] = number
        gap //= 2


def write_figures(pos: Position, out: BytesWriter) -> None:
    """The pieces on every segment, sorted by segments."""
    s = pos.s
    nodes = pos.occupied_regions
    count = s[STANDING_LEN]
    for i in range(count):
        node = s[pos.standing + i]
        where = spot(pos, node)
        at = i  # sorted as they come: they are few
        while at > 0 and spot(pos, nodes[at - 1]) > where:
            nodes[at] = nodes[at - 1]
            at -= 1
        nodes[at] = node
    for i in range(count):
        write_i64_le(out, spot(pos, nodes[i]))
        write_i64_le(out, sorted_figures(s[nodes[i] + FIGURE]))
    write_i64_le(out, -1)


def spot(pos: Position, node: i64) -> i64:
    """A segment as a number that does not depend on when its tile was laid."""
    block = pos.s[node + BLOCK]
    return pos.s[block + AT] * SEGMENTS + (node - block - HEAD) // pos.stride


def sorted_figures(word: i64) -> i64:
    """The pieces of a segment, the greatest first, whoever came first."""
    kept: i64 = 0
    while word:
        best: i64 = 0
        shift: i64 = 0
        at: i64 = 0
        while word >> shift:
            one = word >> shift & FIGURE_MASK
            if one > best:
                best = one
                at = shift
            shift += FIGURE_BITS
        kept = kept << FIGURE_BITS | best
        low = word & ((1 << at) - 1)
        word = word >> (at + FIGURE_BITS) << at | low
    return kept


def write_counts(pos: Position, rules: Rules, out: BytesWriter) -> None:
    """Scores, supplies, the bag and its piles."""
    s = pos.s
    for player in range(pos.players):
        write_i64_le(out, s[SCORE + player])
        for piece in range(rules.pieces):
            write_i64_le(out, s[SUPPLY + player * PIECES + piece])
    for tile_type in range(rules.types):
        write_i64_le(out, s[pos.bag + tile_type])
    for pile in range(i64(len(pos.tables.pile_first))):
        write_i64_le(out, s[REMAINING + pile])
        write_i64_le(out, s[HIDDEN + pile])
    write_i64_le(out, s[EXTRA])


def write_agenda(pos: Position, rules: Rules, out: BytesWriter) -> None:
    """All frames: who decides what; and the tile laid last, if a frame still depends on it."""
    s = pos.s
    frame: i64 = AGENDA
    while frame <= s[TOP]:
        question = s[frame + F_QUESTION]
        write_i64_le(out, question)
        write_i64_le(out, s[frame + F_PLAYER] if question != OVER else 0)
        write_i64_le(out, subject(pos, rules, frame, question))
        write_i64_le(out, s[frame + F_MORE] if counts_modules(question) else 0)
        frame += F_LEN
    write_i64_le(out, s[s[LAST] + AT] if last_tile_matters(pos) else -1)


def subject(pos: Position, rules: Rules, frame: i64, question: i64) -> i64:
    """What a frame is about; what an earlier question left in it is no part of the position."""
    value = pos.s[frame + F_SUBJECT]
    if question >= FIRST_FREE:
        return located(pos, value, rules.frame_holds[question - FIRST_FREE])
    if question in (DRAW, PLACE, DRAWN, SCORING):
        return value
    return 0


def counts_modules(question: i64) -> bool:
    """Does a frame of this kind store which module is called next?"""
    return question in (DRAWN, LAID, PLAYED, ENDING)


def last_tile_matters(pos: Position) -> bool:
    """Is something about the tile laid last still to be decided or scored?"""
    s = pos.s
    frame: i64 = AGENDA
    while frame <= s[TOP]:
        question = s[frame + F_QUESTION]
        if question in (DEPLOY, LAID, PLAYED, SCORING, ENDING):
            return True
        frame += F_LEN
    return False


def located(pos: Position, value: i64, holds: i64) -> i64:
    """A number of a field or frame, with offsets replaced by what they stand for."""
    if holds == NO_SUBJECT:
        return 0
    if value and holds == A_SEGMENT:
        return 1 + spot(pos, value)
    if value and holds == A_SQUARE:
        return 1 + pos.s[value + AT]
    return value
