"""Start tiles of several squares: their segments are cut along the squares and joined again."""

from __future__ import annotations

from bastide.tiles import BigTile, box

Part = tuple[int, int]  # square, segment


def regions(big: BigTile) -> list[set[Part]]:
    """All segments of a big tile, those that are joined together."""
    parts = [(i, j) for i, square in enumerate(big.squares) for j in range(len(square.tile.segments))]
    found: list[set[Part]] = []
    while parts:
        region = {parts[0]}
        while more := {b for pair in big.joins for a, b in (pair, pair[::-1]) if a in region} - region:
            region |= more
        parts = [part for part in parts if part not in region]
        found.append(region)
    return found


def of_kind(big: BigTile, kind: str) -> list[set[str]]:
    """The regions of one kind, each as the names of its squares and spots."""
    return [
        {f"{big.squares[i].tile.id} {big.squares[i].tile.spot(j)}" for i, j in region}
        for region in regions(big)
        if {big.squares[i].tile.segments[j].kind for i, j in region} == {kind}
    ]


def touched(big: BigTile, region: set[Part]) -> set[Part]:
    """What a region touches, inside its squares."""
    return {(i, t) for i, j in region for t in big.squares[i].tile.segments[j].touches}


def test_wheel_board_has_three_cities_three_roads_and_three_fields() -> None:
    (board,) = box("wheel_of_fortune").big
    assert len(board.squares) == 16
    assert [(s.x, s.y) for s in board.squares if s.tile.id == "WOF-BOARD.1-3"] == [(2, 0)]
    assert of_kind(board, "city") == [{"WOF-BOARD.1-1 city N"}, {"WOF-BOARD.1-4 city E"}, {"WOF-BOARD.4-2 city S"}]
    assert of_kind(board, "road") == [{"WOF-BOARD.1-3 road N"}, {"WOF-BOARD.3-4 road E"}, {"WOF-BOARD.4-1 road W"}]
    fields = [
        region
        for region in regions(board)
        if board.squares[min(region)[0]].tile.segments[min(region)[1]].kind == "field"
    ]
    assert [len({square for square, _ in field}) for field in fields] == [6, 4, 5]
    assert [{board.squares[i].tile.id for i, _ in touched(board, field)} for field in fields] == [
        {"WOF-BOARD.1-1"}, {"WOF-BOARD.1-4"}, {"WOF-BOARD.4-2"},
    ]  # fmt: skip


def test_squares_under_the_wheel_are_empty() -> None:
    (board,) = box("wheel_of_fortune").big
    assert [(s.x, s.y) for s in board.squares if not s.tile.segments] == [(1, 1), (2, 1), (1, 2), (2, 2)]


def test_outer_sides_of_the_board_are_covered_and_inner_ones_bare() -> None:
    for big in (*box("wheel_of_fortune").big, *box("river_anniversary").big):
        cells = {(s.x, s.y) for s in big.squares}
        for square in big.squares:
            reached = {h // 2 for s in square.tile.segments for h in s.halves} | {
                side for s in square.tile.segments for side in s.sides
            }
            steps = ((0, -1), (1, 0), (0, 1), (-1, 0))
            outer = {side for side, (x, y) in enumerate(steps) if (square.x + x, square.y + y) not in cells}
            assert reached == outer


def test_double_spring_has_two_rivers_and_one_field() -> None:
    (spring,) = box("river_anniversary").big
    assert [square.tile.id for square in spring.squares] == ["AR-A.a", "AR-A.b"]
    assert of_kind(spring, "river") == [{"AR-A.a river S"}, {"AR-A.b river N"}]
    assert of_kind(spring, "field") == [{"AR-A.a field NL", "AR-A.b field NL"}]
    assert all(square.tile.start and square.tile.reconstructed for square in spring.squares)
    assert spring.marks["spring"]
