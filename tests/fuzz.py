"""The long run: many random games of every module, every pair and every preset against the oracle.

`scripts/fuzz --games 2000` plays all settings, `scripts/fuzz --games 100 river` those with river in them.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import combinations

from bastide.rules.registry import presets, specs
from tests.agreement import Disagreement, Setting, agree

CHUNK = 20  # games in one piece of work


def every_setting() -> list[Setting]:
    """Base editions and variants, every module alone, every pair, every preset, every option."""
    return [*singles(), *pairs(), *option_settings()]


def pairs() -> list[Setting]:
    """Every two boxes together, with 2 and 5 players in turn."""
    boxes = [spec.name for spec in specs().values() if not spec.standalone and spec.name != "base"]
    return [Setting(pair, 2 + 3 * (n % 2)) for n, pair in enumerate(combinations(boxes, 2))]


def singles() -> list[Setting]:
    """Base editions and variants, every module alone, every preset; with 2 and 5 players."""
    found = [Setting(edition=edition) for edition in specs()["base"].editions]
    found += [Setting(players=5, edition="classic"), Setting(options=(("farmers", "off"),))]
    found += [Setting(players=3, edition="classic", options=(("hand", 3),))]
    found += [Setting(edition="classic", options=(("hand", 3), ("tactical_end", "last_drawn")))]
    boxes = [spec.name for spec in specs().values() if not spec.standalone and spec.name != "base"]
    for players in (2, 5):
        found += [Setting((name,), players) for name in boxes]
    for preset in presets().values():
        if preset.get("modules"):
            options = tuple(sorted(preset.get("options", {}).items()))
            found += [Setting(tuple(preset["modules"]), n, options, preset.get("edition", "")) for n in (2, 5)]
    for spec in specs().values():
        if spec.standalone:
            found += [Setting((spec.name,), players) for players in range(2, 6)]
    return found


def option_settings() -> Iterator[Setting]:
    """Every value that is not the default of every option of a box besides the base game."""
    for spec in specs().values():
        if spec.name != "base":
            for option in spec.options:
                for value in option.values[1:]:
                    yield Setting((spec.name,), 3, ((option.name, value),))


def chunk(setting: Setting, first: int, games: int) -> int:
    """Some games in a process of their own; returns the number of actions."""
    return sum(agree(setting, seed) for seed in range(first, first + games))


def main() -> None:
    """Plays, shows how far it is, and stops at the first difference."""
    parser = argparse.ArgumentParser(prog="scripts/fuzz", description=__doc__.splitlines()[0])
    parser.add_argument("modules", nargs="*", help="only settings with these modules")
    parser.add_argument("--games", type=int, default=100, help="for each setting (default 100)")
    parser.add_argument("--seed", type=int, default=int(time.time()) % 10**6 * 1000, help="the first seed")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    wanted = parser.parse_args()
    settings = [s for s in every_setting() if all(name in s.modules for name in wanted.modules)]
    print(f"{len(settings)} settings, {wanted.games} games each, seeds from {wanted.seed}", flush=True)
    failed = 0
    with ProcessPoolExecutor(wanted.workers) as pool:
        for setting in settings:
            pieces = range(wanted.seed, wanted.seed + wanted.games, CHUNK)
            jobs = [pool.submit(chunk, setting, at, min(CHUNK, wanted.seed + wanted.games - at)) for at in pieces]
            try:
                actions = sum(job.result() for job in as_completed(jobs))
                print(f"agree: {setting}: {wanted.games} games, {actions} actions", flush=True)
            except Disagreement as difference:
                failed += 1
                for job in jobs:
                    job.cancel()
                print(f"DIFFER: {setting}\n{difference}", flush=True)
    print(f"{len(settings) - failed} passed, {failed} failed")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
