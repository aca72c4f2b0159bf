"""Draws that nobody chooses: bound to a seed the server has committed to, and to what every person adds.

The next tile is decided when it is drawn. docs/fair-draws.md describes it for whoever wants to check it with another
program; `proof` checks it here. A table keeps the version with which it began: in version 2 people add links of hash
chains (`links`), in version 1 everything that they have done.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence

from bastide.game import Action, Game
from bastide.game.actions import action_of

VERSION = 2  # of new tables
PREFIX = {1: (), 2: ("bastide draws 2",)}  # what the text of the key begins with
SEED_BYTES = 32
SPAN = 1 << 64  # values of eight bytes


def new_seed() -> str:
    """A secret seed in hex."""
    return secrets.token_hex(SEED_BYTES)


def commitment(seed: str) -> str:
    """What is shown of a seed before the game."""
    return hashlib.sha256(bytes.fromhex(seed)).hexdigest()


class PlayerTranscript:
    """Version 1: a hash of all that people have done, what was taken back too; it grows with every action."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()
        self._first = True

    def add(self, line: str) -> None:
        """Somebody did something."""
        self._hash.update(line.encode() if self._first else b"\n" + line.encode())
        self._first = False

    def copy(self) -> PlayerTranscript:
        """An independent transcript of the same actions."""
        twin = PlayerTranscript()
        twin._hash, twin._first = self._hash.copy(), self._first
        return twin

    def __str__(self) -> str:
        return self._hash.hexdigest()


class Dealer:
    """Answers for chance at one table."""

    def __init__(self, seed: str, entropies: Sequence[str], version: int = VERSION) -> None:
        self._key = hashlib.sha256("\n".join([*PREFIX[version], seed, *entropies]).encode()).digest()

    def below(self, total: int, draw: int | str, told: str) -> int:
        """A number from 0 to total - 1 for the draw of this number after what people added, all equally likely."""
        limit = SPAN - SPAN % total
        attempt = 0
        while True:
            digest = hmac.digest(self._key, f"{draw}.{attempt}.{told}".encode(), "sha256")
            value = int.from_bytes(digest[:8], "big")
            if value < limit:
                return value % total
            attempt += 1

    def deal(self, game: Game, draw: int, told: str) -> Action:
        """What chance brings now: in the draw of this number, after what people added."""
        weights = [weight for _, weight in weighed(game)]
        left = self.below(sum(weights), draw, told)
        for index, weight in enumerate(weights):
            left -= weight
            if left < 0:
                return game.legal[index]  # the game knows it then, and need not make all others to find it
        raise AssertionError("a number below the sum of all weights falls on one of them")

    def order(self, seats: int, told: str) -> list[int]:
        """Who sits where after the seats were shuffled: on seat n, who sat on order[n]."""
        order = list(range(seats))
        for last in range(seats - 1, 0, -1):
            other = self.below(last + 1, f"seat {last}", told)
            order[last], order[other] = order[other], order[last]
        return order


def hash_lines(lines: Sequence[str]) -> str:
    """What people added, as one hash."""
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def weighed(game: Game) -> list[tuple[int, int]]:
    """Everything that can be drawn now by its number in the engine, in the engine's order, with its weight."""
    engine = game.engine
    count = engine.legal()
    return [
        (int(number), int(weight))
        for number, weight in zip(engine.actions[:count], engine.weights[:count], strict=True)
    ]


def bag(game: Game) -> list[tuple[str, int]]:
    """The same by name, for who checks a draw without an engine."""
    return [(action_of(game.engine, number).tile or "", weight) for number, weight in weighed(game)]
