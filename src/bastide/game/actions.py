"""Makes an Action of an action number of the engine."""
# interpreted: speaks to people

from __future__ import annotations

from bastide.game.engine import DISCARD, PASS, TARGET, Engine
from bastide.kernel.offsets import F_QUESTION, F_SUBJECT, LAST, SEGMENTS, TARGET_SHIFT, TOP
from bastide.kernel.torus import unpack
from bastide.rules.actions import FIELDS, ROTATIONS, Action, Fields, Place, cell_text, read_cell
from bastide.rules.position import DEPLOY, DRAW, FIRST_FREE, PLACE


def action_of(engine: Engine, number: int) -> Action:
    """The action that a number of the engine stands for, now."""
    top = engine.s[TOP]
    question = engine.s[top + F_QUESTION]
    rules = engine.rules
    if question == DRAW:
        return Action("draw", tile=rules.tiles[number].id)
    if question == PLACE:
        tile = rules.tiles[engine.s[top + F_SUBJECT]].id
        if number == DISCARD:
            return Action("discard", tile=tile)
        cell = unpack(engine.position_of(number >> 2))
        return Action("place", tile=tile, cell=cell, rotation=number & 3)
    if question == DEPLOY:
        if number == PASS:
            return Action("pass")
        if number >= TARGET:
            owner = rules.target_of[(number >> TARGET_SHIFT) - 1]
            return owner.action_of(engine, -1, number & (TARGET - 1))
        piece, segment = divmod(number - 1, SEGMENTS)
        place = engine.place_of(engine.node(engine.s[LAST], segment))
        return Action.with_piece("deploy", rules.layout.pieces[piece].name, place)
    return rules.frames[question - FIRST_FREE].action_of(engine, question, number)


__all__ = ["FIELDS", "ROTATIONS", "Action", "Fields", "Place", "action_of", "cell_text", "read_cell"]
