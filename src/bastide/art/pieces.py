"""Pieces in the colours of the players. Every colour has a pattern of its own, for eyes that tell colours badly."""

from __future__ import annotations

from collections.abc import Iterable

from bastide.art import kit
from bastide.art.curves import Point, nums
from bastide.art.kit import Piece
from bastide.art.tile import page, symbol_sheet
from bastide.errors import ModuleError

SEATS = 8
# The pattern on each colour, drawn in a square of six units.
PATTERNS = (
    "",
    '<path class="mark1" d="M1.5 1.5h0M4.5 4.5h0"/>',
    '<path class="mark2" d="M-1 1L1-1M-1 7L7-1M5 7L7 5"/>',
    '<path class="mark3" d="M0 1.5H6M0 4.5H6"/>',
    '<path class="mark4" d="M-1-1L7 7M7-1L-1 7"/>',
    '<path class="mark5" d="M1.5 0V6M4.5 0V6"/>',
    '<path class="mark6" d="M0 0H3V3H0zM3 3H6V6H3z"/>',
    '<path class="mark7" d="M-1 2L1.5 4.5 4.5 1.5 7 4"/>',
)

# Stands for pieces that no module draws.
PAWN = Piece('<path d="M0-10a4 4 0 0 1 2.6 7Q5 1 7 9H-7Q-5 1-2.6-3A4 4 0 0 1 0-10z"/>')


def piece(name: str) -> Piece:
    """How a piece is drawn; a plain pawn if no module says."""
    return kit.pieces().get(name, PAWN)


def piece_defs(names: Iterable[str], seats: Iterable[int]) -> str:
    """Definitions of pieces by name and seat: `f-follower-0`."""
    out: list[str] = []
    used = sorted(set(seats))
    for seat in used:
        if not 0 <= seat < SEATS:
            raise ModuleError(f"there are colours for seats 0 to {SEATS - 1}, not for {seat}")
        if PATTERNS[seat]:
            out.append(
                f'<pattern id="w-{seat}" width="6" height="6" patternUnits="userSpaceOnUse">{PATTERNS[seat]}</pattern>'
            )
    for name in sorted(set(names)):
        drawn = piece(name)
        for seat in used:
            grain = f'<g fill="url(#w-{seat})">{drawn.outline}</g>' if PATTERNS[seat] else ""
            light = drawn.details.replace('class="trim"', 'class="ease"')  # so that details show on dark colours too
            out.append(
                f'<g id="f-{name}-{seat}"><g class="halo">{drawn.outline}</g><g class="seat{seat}">{drawn.outline}</g>'
                f'{grain}{light}<g class="rims">{drawn.outline}</g>{drawn.details}</g>'
            )
    return "".join(out)


def piece_use(name: str, seat: int, at: Point, size: float = 1.0, lying: bool = False) -> str:
    """A piece with its middle on a point."""
    scale = size * piece(name).scale
    laid = "rotate(-90)" if lying and piece(name).lies else ""
    return f'<use href="#f-{name}-{seat}" transform="translate({nums(at)}){laid}scale({scale:.3g})"/>'


def piece_svg(name: str, seat: int, lying: bool = False, theme: str = "day", size: int = 64) -> str:
    """One piece as a picture of its own."""
    return page(piece_defs([name], [seat]), piece_use(name, seat, (0, 0), lying=lying), (-16, -16, 32, 32), theme, size)


def token_def(name: str) -> str:
    """The definition of a token that is nobody's: `k-pig`. It is drawn as on tiles, and always upright."""
    return f'<g id="k-{name}">{kit.symbol(name)}</g>'


def token_svg(name: str, theme: str = "day", size: int = 64) -> str:
    """One token (a good, a crop, a flock) as a picture of its own."""
    return page(token_def(name), f'<use href="#k-{name}"/>', (-12, -12, 24, 24), theme, size)


def piece_symbols() -> str:
    """All pieces in all colours as a sheet for a page: `f-follower-0`, about 20 units high around (0, 0)."""
    return symbol_sheet(piece_defs(kit.pieces(), range(SEATS)))
