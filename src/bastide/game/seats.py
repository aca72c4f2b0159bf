"""Seats, and those who sit on none: chance, which decides draws, and spectators, who only look."""
# interpreted: speaks to people

from __future__ import annotations

from enum import IntEnum
from typing import Final


class Nobody(IntEnum):
    """Used in place of a seat. Its value is far from every seat number, so it is never an index of their list."""

    CHANCE = -1_000_001
    SPECTATOR = -1_000_002


CHANCE: Final = Nobody.CHANCE  # decides draws
SPECTATOR: Final = Nobody.SPECTATOR  # sees what everybody sees
