"""A small landscape for each module, for the page where a table is made: its own tiles, laid by a simple hand."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain, zip_longest

from bastide.art.board import board_svg
from bastide.art.theme import themes
from bastide.errors import OptionError
from bastide.game import CHANCE, Action, Game
from bastide.game.board import Board
from bastide.geometry import Cell
from bastide.rules import Rules
from bastide.rules.registry import find
from bastide.server.content.drawings import from_cache
from bastide.tiles.catalogue import boxes

WIDE, HIGH = 5, 3  # cells that are shown
SIZE = 64.0  # pixels of a tile
TRIES = 8  # landscapes that are begun, if holes stay
ROUNDS = 4  # times that every tile is tried
PIECES = 3  # every so many tiles somebody puts a piece


def picture(module: str, theme: str) -> bytes:
    """A landscape that shows what the module brings."""
    if theme not in themes():
        raise OptionError(f"unknown theme {theme!r}; there are {', '.join(themes())}")
    return from_cache(f"picture {module} {theme}", lambda: draw_landscape(find(module).name, theme))


def draw_landscape(module: str, theme: str) -> bytes:
    """The first of several tries that leaves no hole, else the last."""
    for skip in range(TRIES):
        board, frame = landscape(module, skip)
        if not frame - set(board):
            break
    seen = {cell: laid for cell, laid in board.items() if cell in frame}
    figures = [figure for figure in board.figures if figure.cell in frame]
    return board_svg(seen, figures, theme=theme, cell_size=SIZE, frame=frame).encode()


def landscape(module: str, skip: int) -> tuple[Board, set[Cell]]:
    """Tiles laid one after another, and the cells to be shown; `skip` tiles of each kind are taken last."""
    game = Game(Rules.of(modules=[module], scripted=True))
    own, ordinary = (names[skip:] + names[:skip] for names in tiles_of(module, game.rules))
    start = list(game.board)
    for name in own * ROUNDS:  # a pile that must be laid before all others
        if not can_draw(game, ordinary):
            lay(game, name, ())
    frame = frame_of(start if len(start) > 1 else [central(list(game.board))])
    mixed = [name for group in zip_longest(own, ordinary[::2], ordinary[1::2]) for name in group if name]
    for name in chain.from_iterable([mixed] * ROUNDS):
        if frame - set(game.board):
            lay(game, name, frame)
    return game.board, frame


def tiles_of(module: str, rules: Rules) -> tuple[list[str], list[str]]:
    """The module's own tiles, and the others in play."""
    names = [tile.id for tile in rules.tiles if tile.count]
    own = {tile.id for box in find(module).boxes for tile in boxes()[box].tiles}
    return [name for name in names if name in own], [name for name in names if name not in own]


def can_draw(game: Game, names: Sequence[str]) -> bool:
    """May one of these tiles be drawn now? Of a game with no others: yes, as always."""
    return not names or any(Action("draw", tile=name) in game.legal for name in names)


def central(cells: Sequence[Cell]) -> Cell:
    """The one that is nearest to the middle of all."""
    x, y = sum(x for x, _ in cells) / len(cells), sum(y for _, y in cells) / len(cells)
    return min(cells, key=lambda cell: (abs(cell[0] - x) + abs(cell[1] - y), cell))


def frame_of(cells: Sequence[Cell]) -> set[Cell]:
    """The cells that are shown around these."""
    columns, rows = [x for x, _ in cells], [y for _, y in cells]
    wide, high = max(WIDE, max(columns) - min(columns) + 3), max(HIGH, max(rows) - min(rows) + 1)
    left, top = (min(columns) + max(columns) - wide + 1) // 2, (min(rows) + max(rows) - high + 1) // 2
    return {(left + i, top + j) for i in range(wide) for j in range(high)}


def lay(game: Game, name: str, frame: Collection[Cell]) -> None:
    """Draws this tile and lays it within the frame (without one: anywhere), if that goes; then perhaps a piece."""
    draw = Action("draw", tile=name)
    if game.over or game.seat != CHANCE or draw not in game.legal:
        return
    game.play(draw)
    places = [action for action in game.legal if action.verb == "place" and (not frame or action.cell in frame)]
    if not places:
        game.undo()
        return
    game.play(places[0])
    while not game.over and not asks_for_a_tile(game):
        deploys = [action for action in game.legal if action.verb == "deploy"]
        wanted = deploys if len(game.board) % PIECES == 0 else []
        game.play((wanted or [action for action in game.legal if action.verb == "pass"] or list(game.legal))[0])


def asks_for_a_tile(game: Game) -> bool:
    """Is a tile to be drawn next?"""
    return game.seat == CHANCE and game.rules.type_named(game.legal[0].tile or "") >= 0
