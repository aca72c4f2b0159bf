"""Every check refuses a broken box, and names file, tile and field."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from bastide.errors import TileError
from bastide.tiles import load_box
from bastide.tiles.catalogue import gather

LAND: dict[str, Any] = {  # city in the north, road from east to west
    "id": "D",
    "count": 4,
    "start": True,
    "segments": [
        {"kind": "city", "sides": ["N"], "shields": 1, "goods": ["wine"]},
        {"kind": "road", "sides": ["E", "W"]},
        {"kind": "field", "halves": ["EL", "WR"], "touches": [0]},
        {"kind": "field", "halves": ["ER", "SL", "SR", "WL"]},
    ],
    "marks": {"sheep": 2, "sheep_field": 3, "weather": "rain"},
    "ref": {"jcz": "BA/RCr"},
}
DOUBLE: dict[str, Any] = {  # a city in the north of a, and a road in the south of b that ends there
    "id": "AB",
    "squares": {"a": [0, 0], "b": [1, 0]},
    "segments": [
        {"kind": "city", "sides": ["a.N"]},
        {"kind": "road", "sides": ["b.S"]},
        {
            "kind": "field",
            "halves": [f"a.{h}" for h in ("SL", "SR", "WL", "WR")]
            + [f"b.{h}" for h in ("NL", "NR", "EL", "ER", "SL", "SR")],
            "touches": [0],
        },
        {"kind": "cloister", "squares": ["b"]},
    ],
}
BOX: dict[str, Any] = {
    "set": "ferries",
    "title": "Ferries, a box that nobody prints",
    "count": 5,
    "confidence": "made up",
    "sources": ["made up"],
    "kinds": {
        "city": {"shape": "area", "facts": {"shields": "number", "goods": ["wine", "cloth"]}},
        "road": {"shape": "line", "facts": {"inn": "flag"}},
        "river": {"shape": "line", "touches": ["lake"]},
        "field": {"shape": "ground", "touches": ["city"]},
        "cloister": {"shape": "inner"},
        "lake": {"shape": "inner"},
    },
    "marks": {"sheep": "number", "sheep_field": "segment", "weather": ["rain", "snow"], "hill": "flag"},
    "tokens": {"wolf": 2},
    "tiles": [LAND, DOUBLE],
}


def city(*sides: str) -> dict[str, Any]:
    return {"kind": "city", "sides": list(sides)}


def road(*sides: str) -> dict[str, Any]:
    return {"kind": "road", "sides": list(sides)}


def river(*sides: str) -> dict[str, Any]:
    return {"kind": "river", "sides": list(sides)}


def field(halves: str, *touches: int) -> dict[str, Any]:
    return {"kind": "field", "halves": halves.split(), "touches": list(touches)}


CITIES = [city(side) for side in "NESW"]
CROSSROADS = [road("N", "S"), road("E", "W"), field("NL WR"), field("NR EL"), field("ER SL"), field("SR WL")]


def write(folder: Path, box: Any, name: str = "tiles.json") -> Path:
    path = folder / "ferries" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(box if isinstance(box, str) else json.dumps(box), encoding="utf-8")
    return path


def refused(path: Path) -> TileError:
    with pytest.raises(TileError) as caught:
        load_box(path)
    assert caught.value.file == "ferries/tiles.json"
    return caught.value


def changed(where: str, value: Any) -> dict[str, Any]:
    """The box with another value somewhere, or with nothing there."""
    box = deepcopy(BOX)
    *path, last = where.split("/")
    inside: Any = box
    for step in path:
        inside = inside[int(step)] if isinstance(inside, list) else inside[step]
    if value is None:
        del inside[last]
    else:
        inside[int(last) if isinstance(inside, list) else last] = value
    return box


def test_the_sound_box_is_read(tmp_path: Path) -> None:
    box = load_box(write(tmp_path, BOX))
    assert (box.name, box.count) == ("ferries", 5)
    assert box.tiles[0].segments[0].marks == {"shields": 1, "wine": 1}
    assert box.tiles[0].marks == {"sheep": 2, "sheep_field": 3, "weather": "rain"}
    assert box.extra["refs"] == {"D": {"jcz": "BA/RCr"}}


@pytest.mark.parametrize(
    ("text", "got"),
    [
        ("{", "Expecting property name"),
        ('{"set": "a", "set": "b"}', "'set' twice"),
        ("[]", "expected an object, got []"),
    ],
)
def test_a_file_that_is_no_json_object(tmp_path: Path, text: str, got: str) -> None:
    assert got in refused(write(tmp_path, text)).message


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    error = refused(tmp_path / "ferries" / "tiles.json")
    assert (error.tile, error.field) == ("", "file")


@pytest.mark.parametrize(
    ("where", "value", "tile", "at", "message"),
    [
        # the box
        ("title", None, "", "box.title", "expected a value, got none"),
        ("titel", "x", "", "box.titel", "got 'titel'"),
        ("count", 6, "", "count", "expected 6 tiles, as declared, got 5 in the list"),
        ("count", 0, "", "count", "expected a number from 1, got 0"),
        ("certainty", "perhaps", "", "certainty", "expected one of exact, inferred, chosen, open, got 'perhaps'"),
        ("sources", "a book", "", "sources", "expected a list, got 'a book'"),
        ("tokens/wolf", -1, "", "tokens.wolf", "expected a number from 1, got -1"),
        ("kinds/city/shape", "round", "", "kinds.city.shape", "expected one of area, line, ground, inner"),
        ("kinds/city/facts/shields", "many", "", "kinds.city.facts.shields", "expected one of flag, number"),
        ("kinds/field/touches", ["town"], "", "kinds.field.touches", "got 'town'"),
        ("marks/hill", "big", "", "marks.hill", "got 'big'"),
        # a tile
        ("tiles/0/id", "", "", "tiles[0].id", "expected a text, got ''"),
        ("tiles/1/id", "D", "D", "id", "expected a name of its own, got 'D' again"),
        ("tiles/0/count", 0, "D", "count", "expected a number from 1, got 0"),
        ("tiles/0/count", True, "D", "count", "expected a number from 1, got True"),
        ("tiles/0/start", "yes", "D", "start", "expected true or false, got 'yes'"),
        ("tiles/0/certainty", "sure", "D", "certainty", "got 'sure'"),
        ("tiles/0/colour", "red", "", "tiles[0].colour", "got 'colour'"),
        ("tiles/0/ref/jcz", 7, "D", "ref.jcz", "expected a text, got 7"),
        ("tiles/0/marks/hil", True, "D", "marks.hil", "got 'hil'"),
        ("tiles/0/marks/hill", False, "D", "marks.hill", "expected a flag, got False"),
        ("tiles/0/marks/sheep", "two", "D", "marks.sheep", "expected a number, got 'two'"),
        ("tiles/0/marks/sheep_field", 4, "D", "marks.sheep_field", "expected a segment, got 4"),
        ("tiles/0/marks/weather", "fog", "D", "marks.weather", "expected one of rain, snow, got 'fog'"),
        ("tiles/0/meets", [[1, 9]], "D", "meets", "expected a segment from 0 to 3, got 9"),
        ("tiles/0/meets", [[1, 3]], "D", "meets", "expected segments that part the ground, got field ER"),
        ("tiles/0/bridge", [[0, 1]], "D", "bridge", "expected two lines, got city N"),
        ("tiles/0/bridge", [[1]], "D", "bridge", "expected pairs of segments, got [1]"),
        ("tiles/0/tips", [[1, "SE"]], "D", "tips", "expected the tip of an area, got road E"),
        ("tiles/0/tips", [[0, "N"]], "D", "tips", "expected a tip between open ground, got one where city N lies"),
        ("tiles/0/tips", [[0, "X"]], "D", "tips", "got 'X'"),
        ("tiles/0/split_side", "S", "D", "split_side", "expected a side with two areas, got field ER on side S"),
        # a segment
        ("tiles/0/segments/0/kind", "town", "D", "segments[0].kind", "expected one of city, road, river"),
        ("tiles/0/segments/0/sheilds", 1, "D", "segments[0].sheilds", "got 'sheilds'"),
        ("tiles/0/segments/0/shields", "one", "D", "segments[0].shields", "expected a number, got 'one'"),
        ("tiles/0/segments/0/goods", ["vine"], "D", "segments[0].goods", "expected one of wine, cloth, got 'vine'"),
        ("tiles/0/segments/0/goods", {"wine": 0}, "D", "segments[0].goods.wine", "expected a number from 1, got 0"),
        ("tiles/0/segments/0/sides", ["X"], "D", "segments[0].sides", "expected one of N, E, S, W, got 'X'"),
        ("tiles/0/segments/0/sides", [], "D", "segments[0].sides", "expected a place on the rim, got none"),
        ("tiles/0/segments/1/sides", None, "D", "segments[1].sides", "expected a value, got none"),
        ("tiles/0/segments/1/sides", ["E", "E"], "D", "segments[1].sides", "expected every one once"),
        ("tiles/0/segments/2/halves", ["N"], "D", "segments[2].halves", "got 'N'"),
        ("tiles/0/segments/2/touches", [7], "D", "segments[2].touches", "expected a segment from 0 to 3, got 7"),
        ("tiles/0/segments/2/touches", [1], "D", "segments[2].touches", "expected a segment of kind city, got road E"),
        # a big tile
        ("tiles/1/squares/b", [2, 0], "AB", "squares", "expected a full rectangle of several squares"),
        ("tiles/1/squares/b", [1], "AB", "squares.b", "expected [column, row], got [1]"),
        ("tiles/1/count", 1, "", "tiles[1].count", "got 'count'"),
        ("tiles/1/segments/0/sides", ["a.E"], "AB", "segments[0].sides", "expected one of a.N, b.N, b.E, b.S"),
        ("tiles/1/segments/3/squares", [], "AB", "segments[3].squares", "expected the square it lies on, got none"),
        ("tiles/1/segments/3/squares", ["c"], "AB", "segments[3].squares", "expected one of a, b, got 'c'"),
    ],
)  # fmt: skip
def test_a_wrong_value(tmp_path: Path, where: str, value: Any, tile: str, at: str, message: str) -> None:
    error = refused(write(tmp_path, changed(where, value)))
    assert (error.tile, error.field) == (tile, at)
    assert message in error.message
    assert str(error).startswith(f"ferries/tiles.json, {f'tile {tile}, ' if tile else ''}{at}: ")


@pytest.mark.parametrize(
    ("segments", "at", "message"),
    [
        # half sides
        (LAND["segments"][:3], "segments", "expected a segment on ER SL SR WL, got none"),
        ([*CITIES, field("NL")], "segments[4].halves", "expected one segment on NL, got city N and field NL"),
        ([*CITIES, city("N")], "segments[4].sides", "expected one segment on NL, got city N and city N"),
        ([*CITIES, road("N")], "segments[4].sides", "expected open ground left and right of the line on side N"),
        ([*CROSSROADS, river("N")], "segments[6].sides", "expected one line on side N, got road N and river N"),
        (
            [{"kind": "city", "halves": ["NL"]}, field("NR EL ER SL SR WL WR", 0)],
            "segments",
            "expected one kind on both halves of side N, got city NL and field NR",
        ),
        (
            [{"kind": "city", "halves": ["NL"]}, {"kind": "city", "halves": ["NR"]}, field("EL ER SL SR WL WR", 0, 1)],
            "split_side",
            "expected N, got city NL and city NR on side N",
        ),
        # planarity
        (CROSSROADS, "bridge", "expected [0, 1] or segments that do not cross, got road N and road E, which cross"),
        ([city("N", "S"), city("E", "W")], "bridge", "got city N and city E, which cross"),
        # the ground
        (
            [road("E", "W"), field("NL NR EL ER SL SR WL WR")],
            "segments[1].halves",
            "expected NL NR EL WR, as the other segments part the ground, got NL NR EL ER SL SR WL WR",
        ),
        (
            [field("NL NR"), field("EL ER SL SR WL WR")],
            "segments[0].halves",
            "expected NL NR EL ER SL SR WL WR, as the other segments part the ground, got NL NR",
        ),
        (CITIES, "segments", "expected ground enclosed by city N and city E and city S and city W, got none"),
        (
            [city("N", "E", "S", "W"), field("", 0)],
            "segments[1].halves",
            "expected a half side, or ground enclosed by city N, got neither",
        ),
        # contact
        (
            [city("N"), road("E", "W"), field("EL WR"), field("ER SL SR WL")],
            "segments[2].touches",
            "expected [0] (city N), got []",
        ),
        (
            [city("N"), road("E", "W"), field("EL WR", 0), field("ER SL SR WL", 0)],
            "segments[3].touches",
            "expected [] (nothing), got [0]",
        ),
        (
            [{**river("N"), "touches": [1]}, {"kind": "cloister"}, field("NL NR")],
            "segments[0].touches",
            "expected a segment of kind lake, got cloister",
        ),
    ],
)
def test_a_tile_that_does_not_hold_together(tmp_path: Path, segments: list[Any], at: str, message: str) -> None:
    error = refused(write(tmp_path, changed("tiles/0", {"id": "Z", "count": 4, "segments": segments})))
    assert (error.tile, error.field) == ("Z", at)
    assert message in error.message


def test_segments_that_meet_do_not_cross_a_third_one(tmp_path: Path) -> None:
    segments = [city("N"), road("S"), river("E", "W"), field("EL WR", 0), field("ER SL SR WL")]
    tile = {"id": "Z", "count": 4, "segments": segments, "meets": [[0, 1]]}
    error = refused(write(tmp_path, changed("tiles/0", tile)))
    assert (error.tile, error.field) == ("Z", "bridge")
    assert "got city N and road S, which meet, across river E" in error.message


UNDER_THE_CITY = [city("E", "W"), road("N", "S"), field("NL NR", 0), field("SL SR", 0)]


def test_a_road_passes_below_a_city_and_the_fields_go_round_its_mouths(tmp_path: Path) -> None:
    tile = {"id": "Z", "count": 4, "segments": UNDER_THE_CITY, "tunnel": [[1, 0]]}
    box = load_box(write(tmp_path, changed("tiles/0", tile)))
    assert box.tiles[0].marks["tunnel"] == [[1, 0]]


@pytest.mark.parametrize(
    ("segments", "tunnel", "message"),
    [
        (UNDER_THE_CITY, [], "expected [0, 1] or segments that do not cross, got city E and road N, which cross"),
        (UNDER_THE_CITY, [[0, 1]], "expected a line and the area above it, got city E"),
        (UNDER_THE_CITY, [[1, 2]], "expected a line and the area above it, got field NL"),
        (UNDER_THE_CITY, [[1]], "expected pairs of segments, got [1]"),
        (
            [city("N"), road("E", "W"), field("EL ER SL SR WL WR", 0)],
            [[1, 0]],
            "expected a line that passes below the area, got city N and road E",
        ),
    ],
)
def test_a_tunnel_that_is_none(tmp_path: Path, segments: list[Any], tunnel: list[Any], message: str) -> None:
    tile = {"id": "Z", "count": 4, "segments": segments, "tunnel": tunnel}
    error = refused(write(tmp_path, changed("tiles/0", tile)))
    assert (error.tile, error.field) == ("Z", "tunnel" if tunnel else "bridge")
    assert message in error.message


def test_a_field_of_a_big_tile_lies_on_a_square_with_the_city_it_touches(tmp_path: Path) -> None:
    segments = [city("a.N", "a.W", "a.S"), field("b.NL b.NR b.EL b.ER b.SL b.SR", 0)]
    error = refused(write(tmp_path, changed("tiles/1/segments", segments)))
    assert (error.tile, error.field) == ("AB", "segments[1].squares")
    assert error.message == "expected a square with city a.N, which it touches, got b"


@pytest.mark.parametrize(
    ("change", "tile", "at", "message"),
    [
        ({}, "", "set", "expected a name of its own, got 'ferries' again"),
        ({"set": "rafts"}, "D", "id", "expected a name of its own, got one that ferries has"),
    ],
)
def test_boxes_share_no_names(tmp_path: Path, change: dict[str, Any], tile: str, at: str, message: str) -> None:
    first = write(tmp_path, BOX)
    second = write(tmp_path, {**BOX, **change}, "tiles_more.json")
    with pytest.raises(TileError) as caught:
        gather([first, second])
    error = caught.value
    assert (error.file, error.tile, error.field) == ("ferries/tiles_more.json", tile, at)
    assert message in error.message


def test_a_kind_has_the_same_shape_in_all_boxes(tmp_path: Path) -> None:
    shore = {"kind": "river", "halves": ["NL", "NR", "EL", "ER", "SL", "SR", "WL", "WR"]}
    tiles = [{"id": "B", "count": 1, "segments": [shore]}]
    other = {**BOX, "set": "rafts", "count": 1, "kinds": {"river": {"shape": "ground"}}, "tiles": tiles}
    with pytest.raises(TileError) as caught:
        gather([write(tmp_path, BOX), write(tmp_path, other, "tiles_more.json")])
    assert str(caught.value) == (
        "ferries/tiles_more.json, kinds.river.shape: expected line, as in other boxes, got ground"
    )
