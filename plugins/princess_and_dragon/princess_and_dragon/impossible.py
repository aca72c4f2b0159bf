"""What cannot be about dragon and fairy, in a position that somebody wrote."""

from __future__ import annotations

from collections.abc import Sequence

from bastide.native import i64
from bastide.rules.position import Position


def wrong_fairy(pos: Position, fairy: i64, beside: i64, piece: i64) -> str:
    """She stands beside a follower of this kind on her tile, or beside nobody (no segment, -1)."""
    if (beside == 0) != (piece < 0) or (beside and pos.block_of(beside) != fairy):
        return "expected the fairy beside a follower on her tile, or beside nobody"
    if beside and not any(pos.stands_on(beside, player, piece) for player in range(pos.players)):
        return "expected beside the fairy a follower who stands there"
    return ""


def wrong_dragon(pos: Position, dragon: i64, fairy: i64, volcanoes: Sequence[i64], eaten: i64) -> str:
    """DRAG-4 to DRAG-9: a volcano has called it, its tiles have joined the others, nobody stands where it is."""
    if dragon == 0:
        return "expected the dragon in the landscape, for a volcano lies there" if any(volcanoes[:-1]) else ""
    if not any(volcanoes):
        return "expected a volcano, for the dragon is in the landscape"
    if pos.tiles_waiting():
        return "expected no dragon tiles that wait, for a volcano lies"
    if dragon == fairy:
        return "expected dragon and fairy on different tiles"
    for segment in range(pos.segments(dragon)):
        rest = pos.figures_on(pos.node(dragon, segment))
        while rest:
            if eaten >> pos.piece(pos.first_figure(rest)) & 1:
                return "expected nobody on the tile of the dragon"
            rest = pos.other_figures(rest)
    return ""


def wrong_path(pos: Position, dragon: i64, been: Sequence[i64], made: i64, step: i64) -> str:
    """DRAG-8: the tiles where it has been stand first, and there are some only while it moves."""
    if any(been[made:]) or len(set(been[:made])) < made or dragon in been[:made]:
        return "expected the dragon's path first, each tile once and without the tile where it stands"
    frames = range(pos.turn_frame(), pos.top() + 1, pos.top() - pos.frame_below(pos.top()))
    if sum(pos.question_of(frame) == step for frame in frames) > 1:
        return "expected one movement of the dragon at a time"
    if made and pos.question() != step:
        return "expected a path while the dragon moves only"
    if pos.question() == step and dragon == 0:
        return "expected the dragon in the landscape, for it moves"
    return ""
