"""docs/tiles/ shows the tiles as they are drawn today."""

from __future__ import annotations

from pathlib import Path

import pytest

from bastide.art import sheet_svg, write_sheet
from bastide.errors import OptionError
from bastide.tiles import Box, boxes

SHEETS = Path(__file__).parents[2] / "docs/tiles"


@pytest.mark.parametrize("box", boxes().values(), ids=boxes().keys())
def test_the_contact_sheet_of_a_box_is_up_to_date(box: Box) -> None:
    """After a change of tiles or drawings: bastide tiles --sheet BOX -o docs/tiles/BOX.svg."""
    kept = (SHEETS / f"{box.name}.svg").read_text("utf-8")
    assert kept == sheet_svg(box), f"draw it anew: bastide tiles --sheet {box.name} -o docs/tiles/{box.name}.svg"


def test_every_sheet_is_listed() -> None:
    listed = (SHEETS / "README.md").read_text("utf-8")
    assert [name for name in boxes() if f"({name}.svg)" not in listed] == []
    assert {path.stem for path in SHEETS.glob("*.svg")} == set(boxes())


def test_a_sheet_is_written_by_the_ending_of_its_name(tmp_path: Path) -> None:
    box = boxes()["river_i"]
    write_sheet(box, tmp_path / "river.svg")
    assert (tmp_path / "river.svg").read_text("utf-8") == sheet_svg(box)
    with pytest.raises(OptionError, match=r"expected a file that ends in \.svg or \.png"):
        write_sheet(box, tmp_path / "river.pdf")
