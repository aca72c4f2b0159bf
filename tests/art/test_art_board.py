"""Boards of real games, pieces on them, and what is lit up."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest

from bastide.art import board_frames, board_svg, gif, png, save, themes
from bastide.art.picture import picture
from bastide.art.printed import catalogue, kinds, printed
from bastide.errors import BastideError, OptionError
from bastide.game import Game
from bastide.rules import Rules
from bastide.tiles import boxes
from tests.art.landscape import Figure, Laid, Landscape

TILES = {tile.id: tile for box in boxes().values() for tile in box.tiles}
GAMES = {
    "base": (),
    "big box": ("river", "inns_and_cathedrals", "traders_and_builders", "hills_and_sheep", "wheel_of_fortune"),
    "anniversary": ("river", "abbot", "anniversary"),
    "hunters": ("hunters_and_gatherers",),
    "dale": ("over_hill_and_dale",),
}


def played(modules: tuple[str, ...], actions: int) -> Game:
    game = Game(Rules.of(modules=modules, players=2), names=("red", "blue"), seed=1)
    random = Random(1)
    for _ in range(actions):
        if game.over:
            break
        game.play(random.choice(list(game.legal)))
    return game


@pytest.mark.parametrize("modules", GAMES.values(), ids=GAMES.keys())
def test_a_game_in_play_is_drawn_with_all_its_pieces(modules: tuple[str, ...]) -> None:
    game = played(modules, 120)
    board = game.board
    assert len(board) > 20
    svg = board_svg(board, coordinates=True)
    root = ElementTree.fromstring(svg)
    hrefs = [use.get("href", "") for use in root.iter("{http://www.w3.org/2000/svg}use")]
    assert sum(href.startswith("#day-t-") for href in hrefs) == len(board)
    crowned = [token for token in board.tokens if token.where.startswith("crown")]
    assert sum(href.startswith("#day-f-") for href in hrefs) == len(board.figures) + len(crowned) > 0


def test_all_tiles_that_rules_know_can_be_drawn() -> None:
    """The rules drop marks and segments that are not in play; the drawing takes them from the printed tile."""
    for modules in GAMES.values():
        for tile in Rules.of(modules=modules, players=2).tiles:
            drawn = picture(tile)
            for turn in range(4):
                for index in range(len(tile.segments)):
                    assert drawn.index(tile.spot(index, turn), turn) >= 0


@pytest.mark.parametrize(
    "modules", [*GAMES.values(), ("abbot", "inns_and_cathedrals", "traders_and_builders")], ids=str
)
def test_a_tile_in_play_is_drawn_as_it_is_printed(modules: tuple[str, ...]) -> None:
    """But for gardens without their abbot, and for copies that carry an icon of their own."""
    for tile in Rules.of(modules=modules, players=2).tiles:
        whole = catalogue().get(tile.id)
        if whole is not None and ("abbot" in modules or "garden" not in kinds(whole)):
            assert picture(tile).inside() == picture(whole).inside(), tile.id


def test_a_garden_is_drawn_only_with_the_abbot() -> None:
    without = next(t for t in Rules.of(modules=("inns_and_cathedrals",), players=2).tiles if t.id == "IC-B")
    with_abbot = next(t for t in Rules.of(modules=("inns_and_cathedrals", "abbot"), players=2).tiles if t.id == "IC-B")
    assert "garden" not in picture(without).symbols()
    assert "garden" in picture(with_abbot).symbols()


def test_a_copy_that_the_rules_tell_apart_looks_like_its_tile() -> None:
    copy = next(t for t in Rules.of(modules=("wheel_of_fortune",), players=2).tiles if t.id == "X.w1")
    assert printed(copy).marks["meets"] == TILES["X"].marks["meets"]
    assert "wheel1" in picture(copy).symbols()


def test_farmers_lie_down_and_others_stand() -> None:
    board = Landscape({(0, 0): Laid(TILES["D"], 1)})
    board.figures = [Figure(0, "follower", (0, 0), "field NL"), Figure(1, "follower", (0, 0), "city E")]
    pieces = re.findall(r'#day-f-follower-(\d)" transform="translate\([^)]*\)(rotate)?', board_svg(board))
    assert sorted(pieces) == [("0", "rotate"), ("1", "")]


def test_several_pieces_on_one_spot_stand_apart() -> None:
    board = Landscape({(0, 0): Laid(TILES["C"], 0)})
    board.figures = [Figure(seat, "follower", (0, 0), "city N") for seat in range(3)]
    places = re.findall(r"day-f-follower-\d\" transform=\"translate\(([^)]*)\)", board_svg(board))
    assert len(set(places)) == 3


def test_pieces_on_the_wheel_stand_on_its_crown() -> None:
    big = boxes()["wheel_of_fortune"].big[0]
    board = Landscape({(square.x, square.y): Laid(square.tile, 0) for square in big.squares})
    board.figures = [Figure(0, "follower", (0, 0), "crown fortune")]
    assert "translate(348 200)" in board_svg(board)


def test_the_board_of_a_game_shows_what_lies_on_the_wheel() -> None:
    """Nobody's pig, in its first sector."""
    game = Game(Rules.of(modules=("wheel_of_fortune",), players=2), names=("red", "blue"), seed=1)
    svg = board_svg(game.board)
    assert [(token.name, token.where) for token in game.board.tokens] == [("pig", "fortune")]
    assert len(re.findall('<use href="#day-k-pig" transform="translate', svg)) == 1


def test_segments_are_lit_up() -> None:
    board = Landscape({(2, -1): Laid(TILES["D"], 1)})
    svg = board_svg(board, lit=[((2, -1), "road N")])
    assert 'transform="translate(200 -100)rotate(90 50 50)"' in svg
    with pytest.raises(BastideError, match="the tile on 2,-1 has no spot 'road E'"):
        board_svg(board, lit=[((2, -1), "road E")])


def test_frames_of_an_animation_have_one_size() -> None:
    first, second = (
        Landscape({(0, 0): Laid(TILES["D"], 0)}),
        Landscape({(0, 0): Laid(TILES["D"], 0), (1, 0): Laid(TILES["U"], 0)}),
    )
    frames = board_frames([first, second])
    assert len({re.findall('viewBox="([^"]*)"', frame)[0] for frame in frames}) == 1


def test_pictures_of_pixels(tmp_path: Path) -> None:
    pytest.importorskip("resvg_py", reason="pixels need the extra `png`")
    image = pytest.importorskip("PIL.Image", reason="pixels need the extra `png`")
    board = Landscape({(0, 0): Laid(TILES["D"], 0)})
    assert image.open(BytesIO(png(board_svg(board), width=80))).size == (80, 80)
    moving = image.open(BytesIO(gif(board_frames([Landscape(), board]), width=80)))
    assert (moving.format, moving.n_frames) == ("GIF", 2)
    board.figures = [Figure(seat, "follower", (0, 0), spot) for seat, spot in enumerate(("city N", "road E"))]
    film = image.open(BytesIO(gif([board_svg(board)], width=320))).convert("RGB")
    painted = {colour for _, colour in film.getcolors(256)}
    for seat in ("seat0", "seat1"):  # pieces are small, but keep their colours
        assert tuple(bytes.fromhex(themes()["day"][seat][1:])) in painted
    save(board_svg(board), tmp_path / "board.png")
    save(board_svg(board), tmp_path / "board.svg")
    assert (tmp_path / "board.svg").read_text("utf-8") == board_svg(board)
    with pytest.raises(OptionError, match=r"expected a file that ends in .svg or .png, got board.jpg"):
        save(board_svg(board), tmp_path / "board.jpg")
