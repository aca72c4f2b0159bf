"""Hash chains of the seats: each person commits to the end of one, and reveals a link before a tile is drawn.

A link is 32 bytes in hex; its SHA-256 is the link that was revealed before it, the first one's is the end that was
committed to. So no link can be exchanged for another, and nobody knows the next one before its owner shows it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

CHAIN = "chain:"  # before the end of a chain, where a seat without one has its entropy
BLANK = "-"  # stands for the link of a chain that was lost


def hash_link(link: str) -> str:
    """The link that was revealed before this one."""
    return hashlib.sha256(bytes.fromhex(link)).hexdigest()


def has_chain(entropy: str | None) -> bool:
    """Did a seat commit to a chain?"""
    return (entropy or "").startswith(CHAIN)


class Links:
    """What the seats have revealed so far, and where each chain goes on."""

    def __init__(self) -> None:
        self.revealed: dict[int, list[str]] = {}  # by seat, in order
        self._ends: dict[int, str] = {}

    def copy(self) -> Links:
        """Independent links that are the same."""
        twin = Links()
        twin.revealed = {seat: links[:] for seat, links in self.revealed.items()}
        twin._ends = self._ends.copy()
        return twin

    def add(self, seat: int, link: str) -> None:
        """A seat reveals its next link."""
        self.revealed.setdefault(seat, []).append(link)
        self._ends[seat] = link

    def change(self, seat: int, end: str) -> None:
        """A seat has lost its chain and commits to another one; the link that was wanted stays blank."""
        self.revealed.setdefault(seat, []).append(BLANK)
        self._ends[seat] = end

    def end(self, seat: int, entropy: str) -> str:
        """What the next link of a seat must hash to."""
        return self._ends.get(seat, entropy.removeprefix(CHAIN))

    def reseat(self, order: Sequence[int]) -> None:
        """The seats were shuffled: who sat on order[n] sits on n now."""
        moved = {old: seat for seat, old in enumerate(order)}
        self.revealed = {moved[old]: links for old, links in self.revealed.items()}
        self._ends = {moved[old]: end for old, end in self._ends.items()}
