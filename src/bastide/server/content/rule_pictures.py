"""The rules of a module in pictures: drawn boards with arrows and sums, from `pictures.json` in the module's folder.

A picture is a record and a sentence in each language. The record is played; its last action is what the picture is
about: an arrow shows the tile laid last, the regions that scored are lit, and the sum is the one that the engine made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Any

import msgspec

from bastide.art.board import board_svg
from bastide.art.theme import themes
from bastide.errors import OptionError
from bastide.game import Game, Scored
from bastide.game.board import Figure
from bastide.geometry import Cell
from bastide.homes import homes, per_modules
from bastide.notation.record import read_record
from bastide.notation.replay import Replay
from bastide.server.api.contents import RulePicture
from bastide.server.api.refusal import Refusal
from bastide.server.content.drawings import from_cache

SIZE = 72.0  # pixels of a tile
READ = 3.5  # tiles across a board on which sums and arrow have their own size; on wider ones they grow with it
PAPER, INK, ACCENT = "#fcf7eb", "#35261b", "#8a3f22"
SEATS = ("#c93a34", "#2c62b5", "#3a8f43", "#f2c832", "#33302e", "#f7f4ec", "#ee8226", "#7d479f")
FONT = "font-family='Noto Sans,DejaVu Sans,sans-serif' font-weight='700'"
SIDES: dict[Cell, int] = {(0, -1): 90, (1, 0): 180, (0, 1): 270, (-1, 0): 0}  # where an arrow comes from: its angle


@per_modules
def pages() -> dict[str, list[dict[str, Any]]]:
    """What modules bring, by module."""
    found = {name: home.json("pictures.json") for name, home in homes().items()}
    return {name: page for name, page in found.items() if page is not None}


def page_of(module: str, theme: str) -> bytes:
    """All pictures of a module as JSON, refused if it has none."""
    if theme not in themes():
        raise OptionError(f"unknown theme {theme!r}; there are {', '.join(themes())}")
    if module not in pages():
        raise Refusal("table", f"there are no pictures of the rules of {module!r}")

    def draw() -> bytes:
        return msgspec.json.encode([drawn_picture(entry, theme) for entry in pages()[module]])

    return from_cache(f"rules {module} {theme}", draw)


def draw_page(data: bytes) -> str:
    """The same for a worker: what is wanted comes as JSON."""
    wanted = msgspec.json.decode(data, type=dict[str, str])
    return page_of(wanted["module"], wanted["theme"]).decode()


def drawn_picture(entry: dict[str, Any], theme: str) -> RulePicture:
    """One picture: the board after the last action, with the pieces that went home since the tile was drawn."""
    replay = Replay(read_record("\n".join(entry["record"]) + "\n"))
    start = list(replay.game.board)
    figures: list[Figure] = []
    before: list[Figure] = []
    scores: list[Scored] = []
    placed: Cell | None = None
    for step in replay:
        action = step.action
        if action is not None and action.verb == "draw":
            before, scores = figures, []
        figures = list(replay.game.board.figures)
        scores += [event for event in step.events if isinstance(event, Scored)]
        if action is not None and action.verb == "place":
            placed = action.cell
        if action is not None and action.verb == "deploy" and action.cell:
            seat = replay.game.names.index(str(step).partition(":")[0])
            before = [*before, Figure(seat, action.piece or "", action.cell, action.spot or "")]
    board = replay.game.board
    shown = [*figures, *(one for one in before if one not in figures)] if scores else figures
    lit = [spot for one in scores if one.spot for spot in region_at(replay.game, one)]
    svg = board_svg(board, shown, lit=dict.fromkeys(lit), theme=theme, cell_size=SIZE)
    size = max(1.0, reach(board) / READ)
    marks = ([arrow(placed, board, size)] if placed else []) + labels(scores, start, size)
    return RulePicture(
        svg.removesuffix("</svg>") + "".join(marks) + "</svg>",
        list(entry["rules"]),
        {language: entry[language] for language in ("en", "fr") if language in entry},
        [sum_of(one) for one in scores],
    )


def region_at(game: Game, score: Scored) -> tuple[tuple[Cell, str], ...]:
    """The segments of the region that scored: `spot` names one of them with its cell; other sources have none."""
    place, _, spot = score.spot.partition(" ")
    if "," not in place:
        return ()
    x, _, y = place.partition(",")
    return game.region((int(x), int(y)), spot).spots


def sum_of(score: Scored) -> str:
    """The sum behind a score, as people write it."""
    parts = [
        str(part.count * part.each) if 1 in (part.count, part.each) else f"{part.count}×{part.each}"
        for part in score.parts
    ]
    text = " + ".join(parts).replace("+ -", "− ")
    return f"{text} = {score.points}" if len(parts) > 1 or "×" in text else f"+{score.points}"


def reach(cells: Collection[Cell]) -> int:
    """How many tiles a board is wide or high, whichever is more."""
    columns, rows = [x for x, _ in cells], [y for _, y in cells]
    return max(max(columns) - min(columns), max(rows) - min(rows)) + 1


def labels(scores: Iterable[Scored], start: Sequence[Cell], size: float) -> list[str]:
    """The sums on their regions, in the colours of the players; those of no region on what lay at the start."""
    told: dict[tuple[Cell, int], list[str]] = {}
    for score in scores:
        cells = score.tiles or start
        x = sum(cell[0] for cell in cells) / len(cells)
        y = sum(cell[1] for cell in cells) / len(cells)
        cell = min(cells, key=lambda one: (abs(one[0] - x) + abs(one[1] - y), one))
        told.setdefault((cell, score.seat), []).append(sum_of(score))
    found: list[str] = []
    taken: Counter[Cell] = Counter()
    for (cell, seat), sums in told.items():
        text, row = " ".join(sums), taken[cell]
        taken[cell] += 1
        wide = 17 * len(text) * 0.6 + 24
        found.append(
            f'<g transform="translate({100 * cell[0] + 50} {100 * cell[1] + 80 - 30 * size * row:g})scale({size:g})">'
            f'<rect x="{-wide / 2:g}" y="-14" width="{wide:g}" height="28" rx="14" fill="{PAPER}" '
            f'stroke="{SEATS[seat]}" stroke-width="4"/>'
            f'<text y="6" text-anchor="middle" font-size="17" {FONT} fill="{INK}">{text}</text></g>'
        )
    return found


def arrow(cell: Cell, board: Iterable[Cell], size: float) -> str:
    """An arrow to the tile laid last, from a side where nothing lies."""
    lying = set(board)
    free = [side for side in SIDES if (cell[0] + side[0], cell[1] + side[1]) not in lying]
    side = free[0] if free else (0, -1)
    x, y = 100 * cell[0] + 50 + 46 * side[0], 100 * cell[1] + 50 + 46 * side[1]
    return (
        f'<path transform="translate({x} {y})rotate({SIDES[side]})scale({size:g})" '
        f'd="M-30 -5H-8V-13L12 0L-8 13V5H-30z" '
        f'fill="{ACCENT}" stroke="{PAPER}" stroke-width="2.5" stroke-linejoin="round"/>'
    )
