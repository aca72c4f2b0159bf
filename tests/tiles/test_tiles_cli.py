"""`bastide tiles`."""

from __future__ import annotations

import json

from click.testing import CliRunner, Result

from bastide.cli.group import group
from bastide.cli.tiles import box_rows, describe, picture, tile_rows
from bastide.tiles import box, boxes


def run(*args: str) -> Result:
    return CliRunner().invoke(group, ["tiles", *args])


def test_boxes_are_listed_with_their_certainty() -> None:
    rows = {name: (count, certainty) for name, count, certainty, _ in box_rows(boxes().values())}
    assert rows["base"] == ("72", "exact")
    assert rows["anniversary"] == ("15", "14 reconstructed")
    assert rows["over_hill_and_dale"] == ("73", "all reconstructed")
    result = run()
    assert result.exit_code == 0
    assert all(name in result.output for name in rows)
    assert "all reconstructed" in result.output


def test_tiles_of_a_box() -> None:
    rows = {row[0]: row[1:] for row in tile_rows(box("inns_and_cathedrals"))}
    assert rows["IC-L"] == (
        "1", "city road road city", "city N (shields 1), road E (inn 1), field ER, field EL", "", "exact",
    )  # fmt: skip
    assert {row[0]: row[4] for row in tile_rows(box("hills_and_sheep"))}["HS-L"] == "vineyard, split_side N"
    assert tile_rows(box("anniversary"))[14][4] == "anniversary 20, symbol kind extra_turn points_to N, bridge 0-1"
    assert tile_rows(box("river_anniversary"))[-1] == ("AR-A", "1", "", "2 squares", "spring, double", "reconstructed")
    result = run("river_anniversary")
    assert result.exit_code == 0
    assert "Chosen, not known" in result.output


def test_one_tile_is_shown_with_its_numbered_segments() -> None:
    shapes = box("base").extra["shapes"]
    found = next(tile for tile in box("base").tiles if tile.id == "D")
    assert picture(found, shapes) == [
        "########0########",
        "..#############..",
        "2...............2",
        ".................",
        "1===============1",
        ".................",
        "3...............3",
        ".................",
        "....3.......3....",
    ]
    assert describe(found, shapes)[-4:] == ["0  city N", "1  road E", "2  field EL", "3  field ER"]
    assert "\n".join(describe(found, shapes)) in run("base", "D").output


def test_every_tile_has_a_picture() -> None:
    for found in boxes().values():
        for tile in (*found.tiles, *(square.tile for big in found.big for square in big.squares)):
            lines = picture(tile, found.extra["shapes"])
            assert {len(line) for line in lines} == {17}


def test_big_tile_is_shown_square_by_square() -> None:
    output = run("river_anniversary", "AR-A").output
    assert output.startswith("AR-A  reconstructed, squares: 2\n")
    assert "AR-A.b  column 1, row 0" in output


def test_json() -> None:
    assert {b["name"]: b["reconstructed"] for b in json.loads(run("--json").output)}["anniversary"] == 14
    listed = json.loads(run("wheel_of_fortune", "--json").output)
    assert len(listed["tiles"]) == 13
    shown = json.loads(run("base", "D", "--json").output)
    assert shown["segments"][2] == {
        "spot": "field EL", "kind": "field", "sides": [], "halves": ["EL", "WR"], "touches": [0], "marks": {},
    }  # fmt: skip
    assert len(json.loads(run("wheel_of_fortune", "WOF-BOARD", "--json").output)["squares"]) == 16


def test_unknown_names_are_refused_in_one_line() -> None:
    for args in (("ferries",), ("base", "ZZ")):
        result = run(*args)
        assert result.exit_code == 1
        assert result.output.startswith("Error: ")
        assert result.output.count("\n") == 1
