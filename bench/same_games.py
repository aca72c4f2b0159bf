"""Do browsers play the same game? Plays games in the engine of the browser, and replays them with the compiled engine.

    PYTHONPATH=. python bench/same_games.py SITE [--games 200]

SITE is a folder that `bastide site` wrote. After every action both sides tell what it was answered with (events), the
scores and all legal actions; the compiled engine must say the same words. Every choice in turn: the base game, all
presets, every box alone, mixtures with house rules. Needs Node.js: bench/pyodide.mjs.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

from bastide import Game, bot
from bastide.native import compiled
from bastide.rules import Rules
from bastide.rules.build import compiled as compiled_rules
from bastide.rules.choose import choose
from bastide.rules.registry import presets, specs

HERE = Path(__file__)
MIXTURES = 16


@dataclass
class Played:
    """One game: what was chosen, what was done, and after each action a digest of what was told."""

    choice: str
    seed: int
    actions: list[str]
    digests: list[str]
    scores: list[int]


Choice = tuple[str, list[str], int, str, dict[str, Any]]  # what `choose` wants


def choices() -> dict[str, Choice]:
    """The base game, all presets, every box alone, mixtures of boxes, players, options and house rules."""
    from tests.mixtures import mixture

    found: dict[str, Choice] = {preset or "base": ("", [], 2, preset, {}) for preset in ("", *presets())}
    found |= {name: ("", [name], 2, "", {}) for name in specs() if name != "base"}
    for seed in range(MIXTURES):
        mixed = mixture(seed)
        found[f"mixture {seed}"] = (mixed.edition, list(mixed.modules), mixed.players, "", dict(mixed.options))
    return found


def rules_of(choice: Choice) -> Rules:
    """The rules of a choice."""
    return compiled_rules(choose(*choice))


def told(game: Game, events: object) -> str:
    """What a player is told now, as a digest."""
    return sha256(repr((events, game.scores, list(map(str, game.legal)))).encode()).hexdigest()[:16]


def played(choice: str, rules: Rules, seed: int) -> Played:
    """A game of a bot that thinks little against one that does not think."""
    game = Game(rules, seed=seed)
    random, thinks = Random(seed), bot("greedy", seed)
    found = Played(choice, seed, [], [told(game, [])], [])
    while not game.over:
        action = thinks.choose(game.view(game.seat)) if game.seat == seed % 2 else random.choice(list(game.legal))
        found.actions.append(str(action))
        found.digests.append(told(game, list(map(str, game.play(action)))))
    found.scores = list(game.scores)
    return found


def difference(found: Played, rules: Rules) -> str:
    """Where the compiled engine says something else; empty if nowhere."""
    game = Game(rules, seed=found.seed)
    if told(game, []) != found.digests[0]:
        return "at the start"
    for n, action in enumerate(found.actions, 1):
        if told(game, list(map(str, game.play(action)))) != found.digests[n]:
            return f"after action {n}, {action}"
    return "" if game.over and list(game.scores) == found.scores else "at the end"


def in_browser(site: Path, games: int, wanted: dict[str, Choice]) -> Iterator[Played]:
    """The games, as they are played."""
    program = [HERE.with_name("pyodide.mjs"), site / "engine", HERE]
    command: list[str | Path] = ["node", *program, str(games), json.dumps(wanted)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            yield Played(**json.loads(line))
    if process.returncode:
        sys.exit(f"same_games: the engine of the browser ended with {process.returncode}")


def play_all(games: int, wanted: dict[str, Choice]) -> None:
    """Runs in the browser's engine: all choices in turn."""
    names = list(wanted)
    for seed in range(games):
        name = names[seed % len(names)]
        print(json.dumps(vars(played(name, rules_of(wanted[name]), seed))), flush=True)


def main() -> None:
    """Plays and compares."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("site", type=Path)
    parser.add_argument("--games", type=int, default=200)
    given = parser.parse_args()
    if not compiled():
        sys.exit("same_games: expected the compiled engine on this side")
    wanted = choices()
    seen: Counter[str] = Counter()
    actions = 0
    for n, found in enumerate(in_browser(given.site, given.games, wanted), 1):
        wrong = difference(found, rules_of(wanted[found.choice]))
        if wrong:
            sys.exit(f"same_games: {found.choice}, seed {found.seed}: the engines differ {wrong}")
        seen[found.choice] += 1
        actions += len(found.actions)
        print(f"same_games: {n} of {given.games}, {found.choice}, {actions:,} actions alike", file=sys.stderr)
    print(f"{sum(seen.values())} games, {actions:,} actions: the same events, scores and legal actions after each")
    print(", ".join(f"{name} {count}" for name, count in seen.items()))
    print(f"{process_time():.0f} s of CPU on the compiled side")


if __name__ == "__main__":
    if sys.platform == "emscripten":
        play_all(int(sys.argv[1]), json.loads(sys.argv[2]))
    else:
        main()
