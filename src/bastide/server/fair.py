"""Draws that nobody chooses: bound to a seed the server has committed to, and to entropy from every seat.

The next tile is decided when it is drawn, from the number of the draw; docs/protocol.md describes it for whoever wants
to check it with a program of his own.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence

from bastide.game import Action, Game
from bastide.game.actions import action_of

SEED_BYTES = 32
SPAN = 1 << 64  # values of eight bytes


def new_seed() -> str:
    """A secret seed in hex."""
    return secrets.token_hex(SEED_BYTES)


def commitment(seed: str) -> str:
    """What is shown of a seed before the game."""
    return hashlib.sha256(bytes.fromhex(seed)).hexdigest()


class Dealer:
    """Answers for chance at one table."""

    def __init__(self, seed: str, entropies: Sequence[str]) -> None:
        self._key = hashlib.sha256("\n".join([seed, *entropies]).encode()).digest()

    def below(self, total: int, draw: int) -> int:
        """A number from 0 to total - 1 for the draw of this number, each as likely as the others."""
        limit = SPAN - SPAN % total
        attempt = 0
        while True:
            digest = hmac.digest(self._key, f"{draw}.{attempt}".encode(), "sha256")
            value = int.from_bytes(digest[:8], "big")
            if value < limit:
                return value % total
            attempt += 1

    def deal(self, game: Game, draw: int) -> Action:
        """What chance brings now."""
        engine = game.engine
        count = engine.legal()
        weights = [int(weight) for weight in engine.weights[:count]]
        left = self.below(sum(weights), draw)
        for number, weight in zip(list(engine.actions[:count]), weights, strict=True):
            left -= weight
            if left < 0:
                return action_of(engine, number)
        raise AssertionError("a number below the sum of all weights falls on one of them")
