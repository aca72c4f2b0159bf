"""The long run: many random games of every module, every pair and every preset against the oracle.

`scripts/fuzz --games 2000` plays everything, `--games 10000 base` the base game, `--games 100 river+abbot` one pair,
`--games 500 modules pairs` two groups. The games of a subject are spread over its settings.
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
TABLES = (2, 5)  # numbers of players

Subjects = dict[str, list[Setting]]  # what is played, and the settings over which its games are spread


def groups() -> dict[str, Subjects]:
    """All there is to compare."""
    boxes = [spec.name for spec in specs().values() if not spec.standalone and spec.name != "base"]
    return {
        "base": {"base": base_settings()},
        "modules": {name: [Setting((name,), n) for n in TABLES] for name in boxes},
        "pairs": {"+".join(pair): [Setting(pair, n) for n in TABLES] for pair in combinations(boxes, 2)},
        "presets": dict(preset_settings()),
        "games": {s.name: [Setting((s.name,), n) for n in range(2, 6)] for s in specs().values() if s.standalone},
        "options": {str(setting): [setting] for setting in option_settings()},
    }


def base_settings() -> list[Setting]:
    """Editions, numbers of players and variants."""
    found = [Setting(players=n, edition=edition) for edition in specs()["base"].editions for n in TABLES]
    found += [Setting(options=(("farmers", "off"),)), Setting(players=8)]
    found += [Setting(players=3, edition="classic", options=(("hand", 3),))]
    found += [Setting(edition="classic", options=(("hand", 3), ("tactical_end", "last_drawn")))]
    return found


def preset_settings() -> Iterator[tuple[str, list[Setting]]]:
    """Every preset that has boxes."""
    for name, preset in presets().items():
        if preset.get("modules"):
            options = tuple(sorted(preset.get("options", {}).items()))
            edition = preset.get("edition", "")
            yield name, [Setting(tuple(preset["modules"]), n, options, edition) for n in TABLES]


def option_settings() -> Iterator[Setting]:
    """Every value that is not the default of every option of a box besides the base game."""
    for spec in specs().values():
        if spec.name != "base":
            for option in spec.options:
                for value in option.values[1:]:
                    yield Setting((spec.name,), 3, ((option.name, value),))


def chosen(names: list[str]) -> Subjects:
    """The subjects of these groups and of these names; without names, all."""
    known = groups()
    every = {name: settings for group in known.values() for name, settings in group.items()}
    found: Subjects = {} if names else every
    for name in names:
        if name in every:
            found[name] = every[name]
        elif name in known:
            found |= known[name]
        else:
            sys.exit(f"expected one of {', '.join(known)} or of {', '.join(every)}; got {name!r}")
    return found


def chunk(settings: list[Setting], seeds: range) -> int:
    """Some games in a process of their own; returns the number of actions."""
    return sum(agree(settings[seed % len(settings)], seed) for seed in seeds)


def main() -> None:
    """Plays, shows how far it is, and says which subjects differ."""
    parser = argparse.ArgumentParser(prog="scripts/fuzz", description=__doc__.splitlines()[0])
    parser.add_argument("subjects", nargs="*", help=f"groups ({', '.join(groups())}) or names; all if none")
    parser.add_argument("--games", type=int, default=100, help="for each subject (default 100)")
    parser.add_argument("--seed", type=int, default=int(time.time()) % 10**6 * 1000, help="the first seed")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    wanted = parser.parse_args()
    subjects = chosen(wanted.subjects)
    print(f"{len(subjects)} subjects, {wanted.games} games each, seeds from {wanted.seed}", flush=True)
    end = wanted.seed + wanted.games
    failed = 0
    with ProcessPoolExecutor(wanted.workers) as pool:
        for name, settings in subjects.items():
            pieces = [range(at, min(at + CHUNK, end)) for at in range(wanted.seed, end, CHUNK)]
            jobs = [pool.submit(chunk, settings, piece) for piece in pieces]
            try:
                actions = 0
                for done, job in enumerate(as_completed(jobs), 1):
                    actions += job.result()
                    print(f"\r{name}: {100 * done // len(jobs)} %", end="\r", file=sys.stderr, flush=True)
                print(f"agree: {name}: {wanted.games} games, {actions} actions", flush=True)
            except Disagreement as difference:
                failed += 1
                for job in jobs:
                    job.cancel()
                print(f"DIFFER: {name}\n{difference}", flush=True)
    print(f"{len(subjects) - failed} passed, {failed} failed")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
