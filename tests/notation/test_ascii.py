"""The board in letters: pictures of tiles, figures, coordinates, marks, colours."""

from __future__ import annotations

import pytest

from bastide.game import Game
from bastide.notation.ascii import HEIGHT, WIDTH, draw_board, draw_tile, initials, standing
from bastide.notation.record import read_record
from bastide.notation.replay import replay
from bastide.rules import Rules
from bastide.tiles import box, boxes

TILES = {tile.id: tile for tile in box("base").tiles}

PLAYED = """\
bastide 1
players red blue
draws scripted

red: draw B; place B 0,1 0; deploy follower 0,1 cloister
blue: draw V; place V 1,0 0; deploy follower 1,0 road S
red: draw F; place F 0,-1 90; deploy follower 0,-1 city N
blue: draw U; place U -1,0 0; deploy follower -1,0 field ER
"""

PICTURE = """\
        -1        0        1
              +▒▒▒▒▒▒▒+
               .▒▒▒▒▒.
  -1           .▒R◆▒▒.
               .▒▒▒▒▒.
              +▒▒▒▒▒▒▒+
     +. . . .++▒▒▒▒▒▒▒++. . . .+
      . . . .  .▒▒▒▒▒.  . . . .
   0 ═════════════════════B╗. .
      . .B. .  . . . .  . .║. .
     +. . . .++. . . .++. .║. .+
              +. . . .+
               . . . .
   1           . [R] .
               . . . .
              +. . . .+"""


def test_a_board_with_figures_and_coordinates() -> None:
    assert draw_board(replay(read_record(PLAYED))) == PICTURE


def test_marks_stand_on_empty_cells() -> None:
    lines = draw_board(Game(draws="by hand"), {(1, 0): "a", (0, 1): "12"}).splitlines()
    assert lines[3] == "   0 ═════════    a"
    assert lines[8] == "   1    12"


def test_colour_changes_no_letter() -> None:
    game = replay(read_record(PLAYED))
    coloured = draw_board(game, colour=True)
    assert "\x1b[1;91mR\x1b[0m" in coloured  # red's figures are red
    assert "\x1b[1;94mB\x1b[0m" in coloured
    plain = "".join(part.partition("m")[2] if at else part for at, part in enumerate(coloured.split("\x1b[")))
    assert [line.rstrip() for line in plain.splitlines()] == PICTURE.splitlines()


@pytest.mark.parametrize(
    ("tile", "turn", "picture"),
    [
        (
            "W",
            0,
            """\
+. . . .+
 . . . .
════■════
 . .║. .
+. .║. .+""",
        ),
        (
            "P",
            1,
            """\
+▒▒▒▒▒▒▒+
 .▒▒▒▒▒▒▒
════╗▒▒▒▒
 . .║.▒▒▒
+. .║. .+""",
        ),
        (
            "S",
            0,
            """\
+▒▒▒▒▒▒▒+
▒▒▒▒◆▒▒▒▒
▒▒▒▒▒▒▒▒▒
▒▒ .║. ▒▒
+. .║. .+""",
        ),
    ],
)
def test_a_tile_and_its_turns(tile: str, turn: int, picture: str) -> None:
    assert [line.rstrip() for line in draw_tile(TILES[tile], turn).splitlines()] == picture.splitlines()


@pytest.mark.parametrize("name", [name for name, tile in TILES.items() if len(name) == 1])
def test_every_side_shows_what_it_carries(name: str) -> None:
    """The middle of a side is a letter of city, road or field, so that neighbours seem to continue each other."""
    tile = TILES[name]
    for turn in range(4):
        rows = draw_tile(tile, turn).splitlines()
        middles = (rows[0][WIDTH // 2], rows[HEIGHT // 2][-1], rows[-1][WIDTH // 2], rows[HEIGHT // 2][0])
        kinds = {side: s.kind for s in tile.segments for side in s.sides}
        for side, shown in enumerate(middles):
            kind = kinds.get((side - turn) % 4, "field")
            assert shown in {"city": "▒", "road": "═║", "field": " ."}[kind]


@pytest.mark.parametrize("name", boxes())
def test_every_tile_of_every_box_can_be_drawn(name: str) -> None:
    found = boxes()[name]
    for tile in [*found.tiles, *(square.tile for big in found.big for square in big.squares)]:
        for turn in range(4):
            assert [len(line) for line in draw_tile(tile, turn).splitlines()] == [WIDTH] * HEIGHT


def test_letters_of_players() -> None:
    assert initials(("red", "blue", "black")) == ["R", "B", "L"]
    assert initials(("Ann", "Anna", "A")) == ["A", "N", "3"]


@pytest.mark.rule("BASE-28")
def test_the_standing_shows_points_laps_and_supply() -> None:
    game = replay(read_record(PLAYED))
    assert standing(game).splitlines() == ["  R red: 0 points, follower 5", "  B blue: 0 points, follower 5"]
    laps = "bastide 1\nplayers red blue\ndraws scripted\n\n" + "".join(closed_cities(14))
    assert standing(replay(read_record(laps))).splitlines() == [
        "  R red: 56 points (1 x 50 + 6), follower 7",
        "  B blue: 0 points, follower 7",
    ]


@pytest.mark.rule("HOUSE-3")
def test_a_piece_that_is_not_in_the_game_is_not_in_the_standing() -> None:
    game = Game(Rules.of(modules=["traders_and_builders"], builders=0))
    assert standing(game).splitlines()[0] == "  R red: 0 points, follower 7, pig 1"


def closed_cities(count: int) -> list[str]:
    """A road to the east, laid by blue, with a city of two tiles above every second tile of it, closed by red."""
    lines = ["red: draw E; place E 0,-1 180; deploy follower 0,-1 city S\n"]
    for x in range(1, count):
        lines.append(f"blue: draw D; place D {x},0 0; pass\n")
        lines.append(f"red: draw E; place E {x},-1 180; deploy follower {x},-1 city S\n")
    return lines
