"""Makes unrelated seeds from similar values: game 1 and game 2 get different tiles."""
# interpreted: runs once for a game

from __future__ import annotations

from hashlib import sha256


def mixed(*parts: object) -> int:
    """A seed of 32 bits; the same parts give the same seed on every machine."""
    return int.from_bytes(sha256("/".join(map(str, parts)).encode()).digest()[:4], "big")
