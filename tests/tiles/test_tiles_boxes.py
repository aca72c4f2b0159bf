"""What is in the boxes: numbers that the rulebooks and the boxes' contents lists give."""

from __future__ import annotations

from collections import Counter

import pytest

from bastide.errors import ModuleError
from bastide.tiles import Box, box, boxes

COUNTS = {
    "base": 72,
    "river_i": 12,
    "river_anniversary": 17,
    "inns_and_cathedrals": 18,
    "traders_and_builders": 24,
    "hills_and_sheep": 18,
    "wheel_of_fortune": 12 + 1,  # the board is a big tile and counts once
    "anniversary": 15,
    "hunters_and_gatherers": 79,
    "hunters_and_gatherers_bonus": 12,
    "over_hill_and_dale": 73,
}


def printed(box: Box) -> Counter[str]:
    """All marks of all segments, over all copies."""
    found: Counter[str] = Counter()
    for tile in box.tiles:
        for segment in tile.segments:
            found.update({name: number * tile.count for name, number in segment.marks.items()})
    return found


def on_tiles(box: Box, mark: str) -> int:
    """The number of tiles with a mark."""
    return sum(tile.count for tile in box.tiles if mark in tile.marks)


def kinds(box: Box) -> Counter[str]:
    """How many segments of each kind, over all copies."""
    return Counter(s.kind for tile in box.tiles for s in tile.segments for _ in range(tile.count))


def test_all_boxes_are_found_with_their_numbers() -> None:
    assert {name: found.count for name, found in boxes().items()} == COUNTS


def test_every_box_says_where_it_comes_from() -> None:
    for found in boxes().values():
        assert found.title
        assert found.confidence
        assert found.sources


def test_an_unknown_box_is_refused_with_the_names_of_those_there_are() -> None:
    with pytest.raises(ModuleError, match=r"expected one of the boxes anniversary, base, .*, got 'ferries'"):
        box("ferries")


def test_base_game() -> None:
    base = box("base")
    assert {tile.id: tile.count for tile in base.tiles if tile.id in "ABCDX"} == {
        "A": 2,
        "B": 4,
        "C": 1,
        "D": 4,
        "X": 1,
    }
    assert [tile.id for tile in base.tiles if tile.start] == ["D"]
    assert kinds(base)["cloister"] == 6
    assert kinds(base)["garden"] == 8
    assert printed(base) == {"shields": 10}
    assert base.extra["refs"]["D"] == {"jcz": "BA/RCr"}


def test_garden_copies_differ_from_their_letter_in_the_garden_alone() -> None:
    tiles = {tile.id: tile for tile in box("base").tiles}
    for letter in "EHIMNRUV":
        *rest, garden = tiles[letter + "g"].segments
        assert garden.kind == "garden"
        assert tuple(rest) == tiles[letter].segments


def test_inns_and_cathedrals() -> None:
    assert printed(box("inns_and_cathedrals")) == {"inn": 6, "cathedral": 2, "shields": 3}


def test_traders_and_builders_has_a_token_for_every_good() -> None:
    traders = box("traders_and_builders")
    assert printed(traders) == {"wine": 9, "grain": 6, "cloth": 5} == traders.tokens


def test_hills_and_sheep() -> None:
    hills = box("hills_and_sheep")
    assert (on_tiles(hills, "hill"), on_tiles(hills, "vineyard"), kinds(hills)["cloister"]) == (8, 8, 2)
    assert sum(hills.tokens.values()) == 18


def test_river_of_the_big_box_has_sheep_and_vineyards() -> None:
    river = {tile.id: tile for tile in box("river_i").tiles}
    assert {name for name, tile in river.items() if tile.marks.get("vineyard")} == {"RI-G", "RI-J"}
    for name in ("RI-D", "RI-F"):
        marks = river[name].marks
        assert marks["sheep"] == 1
        assert river[name].segments[marks["sheep_field"]].kind == "field"
    assert river["RI-A"].start
    assert river["RI-A"].segments[0].marks == {"source": 1}
    assert river["RI-L"].segments[0].marks == {"lake": 1}


def test_hunters_and_gatherers() -> None:
    land = printed(box("hunters_and_gatherers"))
    assert {name: land[name] for name in ("deer", "tiger", "mammoth", "nuggets")} == {
        "deer": 30, "tiger": 11, "mammoth": 14, "nuggets": 30,
    }  # fmt: skip
    start = next(tile for tile in box("hunters_and_gatherers").tiles if tile.start)
    assert start.marks["volcano"]
    bonus = printed(box("hunters_and_gatherers_bonus"))
    assert (bonus["shrine"], bonus["fire"], bonus["mushrooms"], bonus["aurochs"]) == (1, 1, 3, 3)


def test_rivers_touch_the_lake_that_they_end_in() -> None:
    tile = next(tile for tile in box("hunters_and_gatherers_bonus").tiles if tile.id == "hg086")
    assert [
        (tile.spot(i), [tile.spot(t) for t in s.touches]) for i, s in enumerate(tile.segments) if s.kind == "river"
    ] == [
        ("river N", ["lake 1"]),
        ("river E", ["lake 1"]),
        ("river S", ["lake 2"]),
        ("river W", ["lake 2"]),
    ]


def test_over_hill_and_dale_has_more_icons_than_tokens() -> None:
    """Two icons on every large part of a crop field, and of each kind some more than there are tokens."""
    dale = box("over_hill_and_dale")
    icons = {name: number for name, number in printed(dale).items() if name in dale.tokens}
    assert icons == {"apple": 9, "strawberry": 10, "pumpkin": 10, "sunflower": 9, "grain": 10, "scarecrow": 14}
    parts = [segment for tile in dale.tiles for segment in tile.segments if segment.kind == "cropfield"]
    assert Counter((min(len(s.sides), 2), sum(s.marks.values())) for s in parts) == {(2, 2): 21, (1, 1): 20, (1, 0): 10}
    assert sum(tile.count * tile.marks.get("animals", 0) for tile in dale.tiles) == 65
    ends = {name for tile in dale.tiles for s in tile.segments if s.kind == "path" for name in s.marks}
    assert ends == {"junction", "cropfield"}


def test_anniversary_symbols() -> None:
    symbols = Counter(tile.marks["symbol"]["kind"] for tile in box("anniversary").tiles)
    assert symbols == {"second_meeple": 5, "free_placement": 5, "extra_turn": 5}
    assert set(box("anniversary").extra["symbols"]) == set(symbols)


def test_wheel_of_fortune_keeps_what_its_rules_need() -> None:
    wheel = box("wheel_of_fortune")
    sectors = wheel.extra["wheel"]["sectors_clockwise"]
    assert [(s["sector"], s["crown_spaces"]) for s in sectors] == [
        ("fortune", 1), ("taxes", 2), ("famine", 1), ("storm", 2), ("inquisition", 1), ("plague", 2),
    ]  # fmt: skip
    icons = Counter(icon["base_tile"] for icon in wheel.extra["base_icons"]["list"])
    assert icons == {"N": 2, "V": 6, "U": 7, "X": 1}
    numbers = [icon["wheel"] for icon in wheel.extra["base_icons"]["list"]]
    numbers += [tile.marks["wheel"] for tile in wheel.tiles if "wheel" in tile.marks]
    assert Counter(numbers) == {1: 11, 2: 5, 3: 3}
    assert {tile.id: tile.marks["wheel"] for tile in wheel.tiles if "wheel" in tile.marks} == {
        "WOF-29": 3, "WOF-31": 1, "WOF-34": 1,
    }  # fmt: skip


def test_what_was_not_seen_is_marked_as_reconstructed() -> None:
    unsure = {
        name: {tile.id for tile in found.tiles if tile.reconstructed}
        | {big.id for big in found.big if big.reconstructed}
        for name, found in boxes().items()
    }
    every = {name: {tile.id for tile in found.tiles} | {big.id for big in found.big} for name, found in boxes().items()}
    assert {name: tiles for name, tiles in unsure.items() if tiles} == {
        "river_anniversary": every["river_anniversary"] - {"AR-J", "AR-N"},
        "anniversary": every["anniversary"] - {"AE-D"},
        "hunters_and_gatherers": {"hg_river_tiger"},
        "over_hill_and_dale": every["over_hill_and_dale"],
    }
