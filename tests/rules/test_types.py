"""Which tiles are one type: only what is in play distinguishes them, in whatever order a box lists it."""

from __future__ import annotations

from bastide.rules import Rules


def counts(*modules: str) -> dict[str, int]:
    """How many tiles there are of each type."""
    return {tile.id: tile.count for tile in Rules.of(modules=modules).tiles}


def test_the_same_tile_in_two_boxes_is_one_type_under_its_first_name() -> None:
    """IC-D and WOF-30 show a cloister that parts a road; their boxes list its segments in different order."""
    alone = counts("wheel_of_fortune")
    together = counts("inns_and_cathedrals", "wheel_of_fortune")
    assert alone["WOF-30"] == 1
    assert "WOF-30" not in together
    assert together["IC-D"] == 2


def test_gardens_distinguish_tiles_only_when_they_are_in_play() -> None:
    assert counts()["E"] == 5
    with_gardens = counts("abbot")
    assert (with_gardens["E"], with_gardens["Eg"]) == (4, 1)


def test_copies_with_an_icon_are_types_of_their_own() -> None:
    """Of the eight U seven carry an icon; a tile of the wheel's own box is one more U with a 1."""
    tiles = counts("wheel_of_fortune")
    assert [tiles[name] for name in ("U", "U.w1", "U.w2", "U.w3")] == [1, 3, 3, 2]
    assert counts()["U"] == 8
