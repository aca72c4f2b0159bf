"""What each legal action brings: the points at once, and how the final scores would change if the game ended then."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec

from bastide.game.choices import PASS
from bastide.game.engine import Engine
from bastide.kernel.offsets import SCORE
from bastide.native import i64
from bastide.rules.position import DEPLOY, OVER

FORWARD: Final = 4  # questions answered with `pass` at most, to see what an action alone brings

Points = list[int] | None  # of every player; none: nobody gets anything


def gains(engine: Engine) -> list[tuple[Points, Points]]:
    """For each legal action, in the engine's order: points at once, and the change if the game ended then."""
    actions = engine.actions[: engine.legal()]
    seat = engine.player()
    before, ended = points(engine), points_at_end(engine)
    found: list[tuple[Points, Points]] = []
    for action in actions:
        mark = engine.trail_len
        engine.apply(action)
        for _ in range(FORWARD):
            if engine.question() != DEPLOY or engine.player() != seat:
                break
            engine.apply(PASS)
        now, later = points(engine), points_at_end(engine)
        engine.undo(mark)
        found.append((difference(now, before), difference(later, ended)))
    return found


def final_points(engine: Engine) -> list[int]:
    """The points of all players if the game ended here."""
    found: list[int] = []
    for each in points_at_end(engine):
        found.append(each)
    return found


def points_at_end(engine: Engine) -> vec[i64]:
    """The same for compiled code."""
    mark = engine.trail_len
    if engine.question() != OVER:
        engine.finish()
    found = points(engine)
    engine.undo(mark)
    return found


def points(engine: Engine) -> vec[i64]:
    """The points of all players."""
    return engine.s[SCORE : SCORE + engine.players]


def difference(now: vec[i64], before: vec[i64]) -> Points:
    """What every player has more than before; none if nobody has."""
    more: list[int] = []
    some = False
    for i in range(i64(len(now))):
        more.append(now[i] - before[i])
        some = some or now[i] != before[i]
    return more if some else None
