"""Tiles that are unlike the others. What makes them so is declared in their box, and the checks insist on it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bastide.errors import TileError
from bastide.homes import OURS
from bastide.tiles import Tile, boxes
from bastide.tiles.load import TileReader
from bastide.tiles.read import Origin

FILES = {path: json.loads(path.read_text(encoding="utf-8")) for path in sorted(OURS.glob("*/tiles*.json"))}
READERS = {path: TileReader(Origin(path.parent.name), raw) for path, raw in FILES.items()}
ENTRIES = {entry["id"]: (path, entry) for path, raw in FILES.items() for entry in raw["tiles"]}


def tile(name: str) -> Tile:
    return next(t for box in boxes().values() for t in box.tiles if t.id == name)


def ground(name: str) -> dict[str, set[str]]:
    """The fields of a tile by the half sides they reach, each with what it touches."""
    path, entry = ENTRIES[name]
    found = tile(name)
    shapes = READERS[path].kinds
    return {
        " ".join(entry["segments"][i]["halves"]): {found.spot(t) for t in segment.touches}
        for i, segment in enumerate(found.segments)
        if shapes[segment.kind].shape == "ground"
    }


def accepted(name: str, **changes: Any) -> bool:
    """Whether a tile is still read when keys of its entry are changed, or left out with None.

    Only an error that names the tile is a refusal.
    """
    path, entry = ENTRIES[name]
    changed = {key: value for key, value in {**entry, **changes}.items() if value is not None}
    try:
        READERS[path].read("tiles[0]", changed)
    except TileError as error:
        return error.tile != name
    return True


def test_two_cities_on_one_side() -> None:
    """HS-L: the side is one for its neighbours, and two cities for the tile."""
    found = tile("HS-L")
    assert found.count == 2
    assert found.marks["split_side"] == "N"
    west, east, _ = found.segments
    assert (west.sides, west.halves) == ((), (0, 6, 7))
    assert (east.sides, east.halves) == ((), (1, 2, 3))
    assert ground("HS-L") == {"SL SR": {"city NL", "city NR"}}


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("HS-K", {"SR WL WR": {"city N"}, "EL ER SL": {"city N"}}),
        ("IC-G", {"EL ER": {"city N"}, "SL SR WL WR": {"city N"}}),
        ("TB-W", {"EL": {"city N"}, "ER": {"city N"}, "SL SR": {"city N"}}),
        ("TB-I", {"SR": {"city N"}, "SL": {"city N"}, "EL ER": {"city N"}}),
        ("TB-O", {"EL": {"city N"}, "ER": {"city N"}, "SR": {"city N"}, "SL": {"city N"}}),
        ("hg004", {"NL NR": set(), "SL SR": set(), "WL WR": set()}),
        ("hg015", {"SL SR": set(), "WL WR": set()}),
        ("hg051", {"SL": set(), "SR": set(), "WL WR": set()}),
    ],
)
def test_a_tip_parts_fields_where_nothing_lies_between_them_on_the_rim(name: str, fields: dict[str, set[str]]) -> None:
    assert ground(name) == fields
    assert not accepted(name, tips=None)


def test_two_walls_back_to_back() -> None:
    """HS-O: the fields above and below are apart, and touch both cities."""
    assert ground("HS-O") == {"NL NR": {"city W", "city E"}, "SL SR": {"city W", "city E"}}
    assert not accepted("HS-O", meets=None)


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("TB-B", {"NL WR": set(), "NR EL": set(), "ER SL": set(), "SR WL": set()}),
        ("TB-C", {"WR": {"city N"}, "SR WL": set(), "EL ER SL": {"city N"}}),
        ("RI-B", {"EL": {"city N"}, "WR": {"city N"}, "ER SL": set(), "SR WL": set()}),
        ("RI-H", {"NL NR EL WR": set(), "ER SL": set(), "SR WL": set()}),
        ("RI-K", {"NL WR": set(), "NR EL": set(), "ER SL": set(), "SR WL": set()}),
        ("AE-L", {"WR": {"city N"}, "SR WL": set(), "EL ER SL": {"city N"}}),
        ("AR-N", {"NL WR": set(), "NR EL": set(), "ER SL": set(), "SR WL": set()}),
    ],
)
def test_no_field_passes_under_a_bridge(name: str, fields: dict[str, set[str]]) -> None:
    assert ground(name) == fields
    assert not accepted(name, bridge=None)


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("IC-D", {"NL NR EL WR": set(), "ER SL SR WL": set()}),
        ("TB-J", {"NL NR EL WR": set(), "ER SL": set(), "SR WL": set()}),
        ("WOF-30", {"NL NR EL WR": set(), "ER SL SR WL": set()}),
    ],
)
def test_a_cloister_ends_roads_and_parts_fields(name: str, fields: dict[str, set[str]]) -> None:
    found = tile(name)
    assert all(len(s.sides) == 1 for s in found.segments if s.kind == "road")
    assert ground(name) == fields
    assert not accepted(name, meets=None)


@pytest.mark.parametrize(
    ("name", "field"),
    [("A", "NL NR EL ER SL SR WL WR"), ("HS-J", "NL ER SL SR WL WR"), ("HS-P", "ER SL SR WL")],
)
def test_a_road_that_ends_on_the_tile_alone_parts_nothing(name: str, field: str) -> None:
    assert field in ground(name)


def test_a_hamlet_cuts_the_road_and_parts_the_fields() -> None:
    for name, fields in (("HS-E", {"NL NR EL ER SL WR", "SR WL"}), ("HS-F", {"NR EL ER SL", "NL SR WL WR"})):
        roads = [s for s in tile(name).segments if s.kind == "road"]
        assert [len(road.sides) for road in roads] == [1, 1]
        assert set(ground(name)) == fields


def test_road_stubs_into_a_city_are_no_segments() -> None:
    """IC-I: the crossing has two stubs to the gates, but only the roads to the rim are listed."""
    assert [tile("IC-I").spot(i) for i, s in enumerate(tile("IC-I").segments) if s.kind == "road"] == [
        "road W",
        "road E",
    ]
    assert ground("IC-I") == {"ER": {"city S"}, "WL": {"city S"}, "EL": {"city N"}, "WR": {"city N"}}


def test_an_inn_at_a_crossing_belongs_to_one_road() -> None:
    roads = {tile("IC-C").spot(i): s.marks for i, s in enumerate(tile("IC-C").segments) if s.kind == "road"}
    assert roads == {"road E": {"inn": 1}, "road W": {}, "road S": {}}


def test_two_bends_leave_three_fields() -> None:
    assert set(ground("IC-E")) == {"NL WR", "ER SL", "NR EL SR WL"}


@pytest.mark.parametrize(
    ("name", "touches"),
    [
        ("IC-H", {"city N", "city E", "city S", "city W"}),
        ("TB-M", {"city N", "city E", "city S"}),
        ("TB-X", {"city N", "city E"}),
        ("TB-N", {"city E", "city S"}),
        ("TB-P", {"city E", "city S"}),
    ],
)
def test_a_field_without_any_edge_touches_the_cities_around(name: str, touches: set[str]) -> None:
    assert ground(name)[""] == touches
    without = [s for s in ENTRIES[name][1]["segments"] if s.get("halves") != []]
    assert not accepted(name, segments=without)


@pytest.mark.parametrize("name", ["hg026", "hg063", "hg064"])
def test_an_enclosed_scrap_of_meadow_is_a_segment(name: str) -> None:
    assert ground(name)[""] == set()


@pytest.mark.parametrize("name", ["RI-A", "RI-L", "AR-L"])
def test_the_field_goes_round_spring_and_lake(name: str) -> None:
    assert set(ground(name)) == {"NL NR EL ER SL SR WL WR"}


def test_one_good_a_tile_and_in_the_large_city() -> None:
    for name in ("TB-D", "TB-L", "TB-M", "TB-N", "TB-P", "TB-X"):
        goods, *others = (s for s in tile(name).segments if s.kind == "city")
        assert sum(goods.marks.values()) == 1
        assert all(not other.marks for other in others)


def test_every_declared_tip_bridge_and_split_side_is_needed() -> None:
    declared = [
        (name, key) for name, (_, entry) in ENTRIES.items() for key in ("tips", "bridge", "split_side") if key in entry
    ]
    assert len(declared) == 20
    assert not [(name, key) for name, key in declared if accepted(name, **{key: None})]


def test_no_contact_can_be_left_out_or_made_up() -> None:
    """Over all tiles of all boxes: dropping one city that a field touches, or adding another, is noticed."""
    tried = 0
    for name, (path, entry) in ENTRIES.items():
        kinds = READERS[path].kinds
        for index, segment in enumerate(entry["segments"]):
            if kinds[segment["kind"]].shape != "ground" or not kinds[segment["kind"]].touches:
                continue
            for other, neighbour in enumerate(entry["segments"]):
                if neighbour["kind"] in kinds[segment["kind"]].touches:
                    touches = sorted(set(segment.get("touches", [])) ^ {other})
                    segments = [{**s, "touches": touches} if i == index else s for i, s in enumerate(entry["segments"])]
                    assert not accepted(name, segments=segments)
                    tried += 1
    assert tried > 200


def test_fields_can_be_neither_joined_nor_cut() -> None:
    """Over all tiles of one square: two fields as one, or one field as two, is noticed."""
    tried = 0
    for name, (path, entry) in ENTRIES.items():
        grounds = [i for i, s in enumerate(entry["segments"]) if READERS[path].kinds[s["kind"]].shape == "ground"]
        for one in grounds:
            halves = entry["segments"][one]["halves"]
            if len(halves) > 1:
                cut = [{**s, "halves": halves[1:]} if i == one else s for i, s in enumerate(entry["segments"])]
                assert not accepted(name, segments=[*cut, {**entry["segments"][one], "halves": halves[:1]}])
                tried += 1
            for other in grounds:
                if other > one and halves and entry["segments"][other]["halves"]:
                    segments = [dict(s) for s in entry["segments"]]
                    segments[one]["halves"] = [*halves, *segments[other]["halves"]]
                    segments[other]["halves"] = []
                    assert not accepted(name, segments=segments)
                    tried += 1
    assert tried > 500
