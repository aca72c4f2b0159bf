"""The long run: many games of the box against the oracle, with the subjects and arguments of scripts/fuzz.

python -m plugins.princess_and_dragon.tests.fuzz --games 3000 princess_and_dragon
"""

from __future__ import annotations

from plugins.princess_and_dragon.tests.in_use import in_use
from tests.fuzz import main

if __name__ == "__main__":
    with in_use():
        main()
