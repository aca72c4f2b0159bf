"""Room in the packed words of a position: what does not fit is refused with a sentence, and nothing is written over.

Kinds of pieces, flags, weights, piles and frames are in tests/test_plain_python.py.
"""

from __future__ import annotations

import pytest

from bastide import Game
from bastide.check.declared import layout_of
from bastide.errors import EngineLimit
from bastide.kernel.offsets import FIGURE_ROOM
from bastide.rules.registry import find


def test_sums_of_regions_have_slots_of_their_own() -> None:
    layout = layout_of(find("base"), {})
    slots = [layout.sum(["city", "road"], f"mark_{number}") for number in range(40)]
    assert len({*slots, *layout.kinds["city"].slots}) == len(layout.kinds["city"].slots) == 41  # and the shields


def test_pieces_on_a_segment() -> None:
    engine = Game(seed=1).engine
    node = engine.node(engine.first_block(), 0)
    for _ in range(FIGURE_ROOM):
        engine.stand(0, 0, node)
    with pytest.raises(EngineLimit, match="a segment holds at most 5 pieces"):
        engine.stand(0, 0, node)
    assert engine.stands_on(node, 0, 0) == FIGURE_ROOM
