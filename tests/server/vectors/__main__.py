"""Writes the test vectors of fair draws: `python -m tests.server.vectors`. Those of a version that is out stay.

That of the plug-in in plugins/ is written where it is installed: tiles join the pile after others have left it unseen.
"""

from __future__ import annotations

from typing import Any

from bastide.homes import homes
from tests.server.test_proof import VECTORS, log_text, whole_game

GAMES: dict[str, dict[str, Any]] = {
    "two-people": {"seed": 1},
    "shuffled-with-a-bot": {"seed": 2, "players": 3, "bots": 1, "shuffle": True},
}
OF_A_PLUGIN: dict[str, dict[str, Any]] = {
    "plugin/tiles-that-join": {"seed": 1, "modules": ["princess_and_dragon", "hills_and_sheep"]},
}


def main() -> None:
    """One log for each game."""
    for name, wanted in (GAMES | (OF_A_PLUGIN if "princess_and_dragon" in homes() else {})).items():
        (VECTORS / f"{name}.json").write_bytes(log_text(*whole_game(**wanted)) + b"\n")


if __name__ == "__main__":
    main()
