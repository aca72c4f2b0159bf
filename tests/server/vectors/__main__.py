"""Writes the test vectors of fair draws: `python -m tests.server.vectors`. Those of a version that is out stay."""

from __future__ import annotations

from typing import Any

from tests.server.test_proof import VECTORS, log_text, whole_game

GAMES: dict[str, dict[str, Any]] = {
    "two-people": {"seed": 1},
    "shuffled-with-a-bot": {"seed": 2, "players": 3, "bots": 1, "shuffle": True},
}


def main() -> None:
    """One log for each game."""
    for name, wanted in GAMES.items():
        (VECTORS / f"{name}.json").write_bytes(log_text(*whole_game(**wanted)) + b"\n")


if __name__ == "__main__":
    main()
