"""Every point of a tile has one owner, and the drawing parts the land exactly as the segments say."""

from __future__ import annotations

from math import dist

import pytest

from bastide.art import drawing_data, kit
from bastide.art.curves import area, border, inside
from bastide.art.picture import Picture, picture
from bastide.art.plan import OBSTACLE, Plan, PlanError
from bastide.tiles import Segment, Tile, boxes

TILES = {
    tile.id: tile
    for box in boxes().values()
    for tile in [*box.tiles, *(square.tile for big in box.big for square in big.squares)]
}


@pytest.fixture(params=[*TILES.values()], ids=[*TILES], scope="module")  # all that looks at a tile after each other
def tile(request: pytest.FixtureRequest) -> Tile:
    found: Tile = request.param
    return found


def owner(drawn: Picture, x: float, y: float) -> list[int]:
    """The segments whose outline holds a point."""
    return [i for i in drawn.plan.outlines if drawn.plan.holds(i, (x, y))]


def test_outlines_tile_the_square_without_overlap(tile: Tile) -> None:
    drawn = picture(tile)
    covered = sum(area(ring) for rings in drawn.plan.outlines.values() for ring in rings)
    assert covered == pytest.approx(100 * 100, abs=0.1)
    points = [(x + 0.37, y + 0.41) for x in range(0, 100, 7) for y in range(0, 100, 7)]
    assert [p for p in points if len(owner(drawn, *p)) != 1] == []


def test_the_rim_shows_what_the_segments_say(tile: Tile) -> None:
    """A quarter along a side lies its left half, three quarters along its right half, a line in the middle."""
    drawn = picture(tile)
    shapes = [form.shape for form in drawn.plan.forms]
    for index, segment in enumerate(tile.segments):
        halves = set(segment.halves)
        for side in segment.sides:
            if shapes[index] == "line":
                assert owner(drawn, *on_rim(side, 0.5)) == [index]
            else:
                halves |= {2 * side, 2 * side + 1}
        for half in halves:
            assert owner(drawn, *on_rim(half // 2, 0.25 + half % 2 / 2)) == [index], f"half {half}"


def on_rim(side: int, part: float) -> tuple[float, float]:
    """A point just inside the rim, a part of the way along a side."""
    along = 100 * part
    return [(along, 0.3), (99.7, along), (100 - along, 99.7), (0.3, 100 - along)][side]


def test_ground_and_areas_hang_together(tile: Tile) -> None:
    """One outer ring each; only a line that passes under another, or an obstacle, may fall into pieces."""
    drawn = picture(tile)
    for index, form in enumerate(drawn.plan.forms):
        if form.shape in ("ground", "area", "inner"):
            pieces = [ring for ring in drawn.plan.outlines[index] if area(ring) > 0]
            assert len(pieces) == 1, tile.spot(index)


def test_pieces_stand_on_their_segment(tile: Tile) -> None:
    drawn = picture(tile)
    for index, spots in enumerate(drawn.brush.spots):
        rings = drawn.outline(index)
        for spot in spots:
            assert sum(inside(spot, ring) for ring in rings) % 2 == 1, tile.spot(index)


def test_pieces_on_one_tile_keep_apart(tile: Tile) -> None:
    """A follower is drawn 15.4 units wide; the first spots of two segments are never closer."""
    spots = [places[0] for places in picture(tile).brush.spots]
    close = [(a, b) for i, a in enumerate(spots) for b in spots[:i] if dist(a, b) < 15.5]
    assert close == []


def test_pieces_keep_away_from_the_rim(tile: Tile) -> None:
    """A piece that hung over the edge would seem to stand on the next tile."""
    near = [spots[0] for spots in picture(tile).brush.spots if border(spots[0]) < 6]
    assert near == []


def test_a_farmer_stands_in_the_middle_of_a_corner() -> None:
    """V: the small field within the bend of the road."""
    drawn = picture(TILES["V"])
    assert drawn.brush.spots[drawn.index("field SR")][0] == pytest.approx((18, 82), abs=4)


def test_a_bridge_gives_its_place_to_the_upper_road() -> None:
    drawn = picture(TILES["TB-B"])
    assert owner(drawn, 50, 50) == [0]
    assert len(drawn.plan.outlines[1]) == 2  # the lower road is seen on both sides of it


def test_a_tip_reaches_the_rim() -> None:
    """HS-K: the tip of the city touches the middle of S and parts two fields there."""
    drawn = picture(TILES["HS-K"])
    assert owner(drawn, 50, 99) == [0]
    assert owner(drawn, 46, 99.5) == [1]
    assert owner(drawn, 54, 99.5) == [2]


def test_a_wheel_belongs_to_no_segment() -> None:
    drawn = picture(TILES["WOF-BOARD.2-2"])
    assert list(drawn.plan.outlines) == [OBSTACLE]


def test_data_for_the_page_names_every_segment_for_every_turn() -> None:
    data = drawing_data(TILES["D"])
    road = data["segments"][1]
    assert road["kind"] == "road"
    assert road["names"] == ["road E", "road N", "road E", "road N"]
    assert road["sides"] == ["E", "W"]
    assert road["outline"].startswith("M")
    assert len(road["spots"]) == 3


def test_places_on_a_big_tile_are_seen_from_each_square() -> None:
    places = drawing_data(TILES["WOF-BOARD.3-4"])["places"]
    assert len(places["crown taxes"]) == 2
    assert places["crown fortune"] == [[48.0, 0.0]]


def test_land_that_cannot_lie_so_is_refused() -> None:
    """Two fields with nothing between them."""
    tile = Tile("?", 1, (Segment("field", halves=(0, 1, 2, 3)), Segment("field", halves=(4, 5, 6, 7))))
    with pytest.raises(PlanError, match="run together"):
        Plan(tile, kit.form)
