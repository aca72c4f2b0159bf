"""What a module declares wrongly is refused with a sentence that names what was expected."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bastide.check.declared import layout_of
from bastide.errors import ModuleError
from bastide.rules.layout import Layout
from bastide.rules.module import Module
from bastide.rules.registry import find

WRONG: dict[str, tuple[Callable[[Layout], object], str]] = {
    "any": (lambda layout: layout.any("castle", "inn"), "no module in play declares the kind 'castle'"),
    "sum": (lambda layout: layout.sum(["city", "castle"], "inn"), "no module in play declares the kind 'castle'"),
    "adjusts": (lambda layout: layout.adjusts(Module(), "castle"), "no module in play declares the kind 'castle'"),
    "slot_of": (lambda layout: layout.slot_of("castle", "inn"), "no module in play declares the kind 'castle'"),
    "box": (lambda layout: layout.box("dragon"), "box: expected one of the modules in play .*base.*, got 'dragon'"),
    "piece_count": (lambda layout: layout.piece_count("mayors"), "expected a house rule .*, got 'mayors'"),
    "pile_before": (lambda layout: layout.pile_before("hills", "sea"), "expected one of the piles .*, got 'sea'"),
}


@pytest.mark.parametrize("name", WRONG)
def test_an_unknown_name_is_refused(name: str) -> None:
    call, sentence = WRONG[name]
    with pytest.raises(ModuleError, match=sentence):
        call(layout_of(find("base"), {}))


def test_an_attribute_belongs_to_one_kind_or_several() -> None:
    layout = layout_of(find("base"), {})
    slot = layout.sum("city", "banners")
    assert layout.kinds["city"].slots[slot] == "banners"
    assert slot not in layout.kinds["road"].slots
    bit = layout.any(["city", "road"], "wall")
    assert layout.kinds["city"].flags[bit] == layout.kinds["road"].flags[bit] == "wall"
