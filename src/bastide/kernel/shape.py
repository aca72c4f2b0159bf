"""Tables and offsets that the rules compiler makes for the kernel."""

from __future__ import annotations

from librt.vecs import vec

from bastide.native import i16, i64


def zeros(n: i64) -> vec[i64]:
    """A vector of n zeros."""
    return vec[i64]([0] * n)


class Shape:
    """Read-only after it is built. All games with the same rules share one.

    It takes lists and makes its own vectors of them: see "What to know" in CONTRIBUTING.md.
    """

    def __init__(self, looks: list[i64], fits: list[i16], steps: list[i64], empty: list[i64], blank: i64) -> None:
        self.looks = vec[i64](looks)  # records, see offsets
        # per tile type, per need: the rotations that fit, two bits each, and their number above bit 8
        self.fits = vec[i16](fits)
        self.steps = vec[i64](steps)  # per direction: what leads to the neighbour, modulo the number of cells
        self.empty = vec[i64](empty)  # the state before the first tile
        self.cells: i64 = 0  # of the board
        self.look_size: i64 = 0
        self.needs: i64 = 0  # number of different needs
        self.frontier: i64 = 0  # offset of the frontier: one number for each open cell
        self.standing: i64 = 0  # offset of the list of segments on which pieces stand
        self.blocks: i64 = 0  # offset of the first tile's block
        self.stride: i64 = 0  # length of a segment's record
        self.extra_ports: bool = False  # some tile uses P_LAYER or P_ALSO
        self.presence: i64 = 0  # flags that go when the figures go
        self.squares: i64 = 0  # room for squares on the board
        self.scratch: i64 = 0  # room for a list of all neighbours of a region, or of all squares
        self.figures: i64 = 0  # most segments on which figures can stand, and one more
        self.actions: i64 = 0  # most actions there can be at once
        self.outcomes: i64 = 0  # most different things that chance can bring at once
        self.blank = zeros(blank)  # zeros, from which every game copies its scratch
