"""Names of segments, on the tile as printed and turned."""

from __future__ import annotations

import pytest

from bastide.tiles import Tile, boxes


def tile(name: str) -> Tile:
    return next(t for box in boxes().values() for t in box.tiles if t.id == name)


@pytest.mark.parametrize(
    ("name", "turn", "spots"),
    [
        ("D", 0, ["city N", "road E", "field EL", "field ER"]),
        ("D", 1, ["city E", "road N", "field NR", "field NL"]),
        ("D", 2, ["city S", "road E", "field ER", "field NL"]),
        ("A", 0, ["road S", "cloister", "field NL"]),
        ("IC-H", 3, ["city W", "city S", "city N", "city E", "field", "garden"]),
        ("HS-L", 0, ["city NL", "city NR", "field SL"]),
        ("HS-L", 1, ["city NL", "city ER", "field WL"]),
        ("hg086", 0, [
            "lake 1", "lake 2", "river N", "river E", "river S", "river W", "meadow NR", "meadow NL", "meadow SR",
        ]),
    ],
)  # fmt: skip
def test_spots(name: str, turn: int, spots: list[str]) -> None:
    found = tile(name)
    assert [found.spot(index, turn) for index in range(len(found.segments))] == spots


def test_no_two_segments_of_a_tile_have_the_same_name_however_it_lies() -> None:
    for box in boxes().values():
        for found in box.tiles:
            for turn in range(4):
                spots = [found.spot(index, turn) for index in range(len(found.segments))]
                assert len(set(spots)) == len(spots)
