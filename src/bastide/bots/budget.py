"""How long a bot may think: `400ms`, `2s`, or so many trials (`2000`)."""
# interpreted: speaks to people

from __future__ import annotations

import re
from dataclasses import dataclass

from bastide.errors import OptionError

MOST_MS = 600_000
MOST_COUNT = 1_000_000_000


@dataclass(frozen=True)
class Budget:
    """For each turn: milliseconds, or a number that the bot counts in its own unit; the other one is 0."""

    ms: int = 0
    count: int = 0

    @classmethod
    def parse(cls, text: str) -> Budget:
        """Reads `400ms`, `2s` or `2000`."""
        match = re.fullmatch(r"([1-9]\d{0,9})(ms|s|)", text)
        if match is None:
            raise OptionError(f"budget: expected 400ms, 2s or a number such as 2000, got {text!r}")
        number = int(match[1])
        unit = {"": 0, "ms": 1, "s": 1000}[match[2]]
        budget = cls(ms=number * unit) if unit else cls(count=number)
        if budget.ms > MOST_MS or budget.count > MOST_COUNT:
            raise OptionError(f"budget: expected at most {MOST_MS}ms or {MOST_COUNT}, got {text!r}")
        return budget

    def __str__(self) -> str:
        return f"{self.ms}ms" if self.ms else str(self.count)

    def part(self, share: float) -> Budget:
        """A part of it, not less than one."""
        return Budget(int(self.ms * share) or min(self.ms, 1), int(self.count * share) or min(self.count, 1))
