"""Secrets of 128 bits: made from the secure generator, kept as hashes, compared in constant time."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from typing import TypeGuard

BYTES = 16
COOKIE = "bastide"  # carries a browser's key
SECURE_COOKIE = "__Host-bastide"  # under https: no other site, not even a neighbour in the same domain, can set it
SECRET = re.compile(r"[0-9a-f]{32}")
YEAR = 365 * 24 * 3600
LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # none that are mistaken for each other
ID_LENGTH = 12


def new_secret() -> str:
    """A seat token, an invite or a browser's key: 32 hex digits."""
    return secrets.token_hex(BYTES)


def is_secret(text: str | None) -> TypeGuard[str]:
    """Could this be a secret of ours?"""
    return text is not None and SECRET.fullmatch(text) is not None


def hash_secret(secret: str) -> str:
    """What is kept of a secret. It is random already, so one round suffices."""
    return hashlib.sha256(secret.encode()).hexdigest()


def same(hash_kept: str, secret: str) -> bool:
    """Does the secret belong to the hash?"""
    return hmac.compare_digest(hash_kept, hash_secret(secret))


def new_id() -> str:
    """The name of a table."""
    return "".join(secrets.choice(LETTERS) for _ in range(ID_LENGTH))
