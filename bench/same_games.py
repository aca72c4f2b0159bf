"""Do browsers play the same game? Plays games in the engine of the browser, and replays them with the compiled engine.

    python bench/same_games.py SITE [--games 200] [--log FILE]

SITE is a folder that `bastide site` wrote. After every action both sides tell what it was answered with (events), the
scores and all legal actions; the compiled engine must say the same words. Needs Node.js: bench/pyodide.mjs.
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

from bastide import Game, bot
from bastide.native import compiled
from bastide.rules import Rules
from bastide.rules.build import compiled as rules_of
from bastide.rules.choose import choose
from bastide.rules.registry import presets, specs

HERE = Path(__file__)


@dataclass
class Played:
    """One game: what was chosen, what was done, and after each action a digest of what was told."""

    choice: str
    seed: int
    actions: list[str]
    digests: list[str]
    scores: list[int]


def choices() -> dict[str, Rules]:
    """The base game, all presets, every box alone."""
    found = {preset or "base": rules_of(choose("", [], 2, preset, {})) for preset in ("", *presets())}
    alone = {name: rules_of(choose("", [name], 2, "", {})) for name in specs() if name != "base"}
    return found | alone


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


def in_browser(site: Path, games: int) -> Iterator[Played]:
    """The games, as they are played."""
    command: list[str | Path] = ["node", HERE.with_name("pyodide.mjs"), site / "engine", HERE, str(games)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            yield Played(**json.loads(line))
    if process.returncode:
        sys.exit(f"same_games: the engine of the browser ended with {process.returncode}")


def play_all(games: int) -> None:
    """Runs in the browser's engine: all choices in turn."""
    rules = choices()
    names = list(rules)
    for seed in range(games):
        name = names[seed % len(names)]
        print(json.dumps(vars(played(name, rules[name], seed))), flush=True)


def main() -> None:
    """Plays and compares."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("site", type=Path)
    parser.add_argument("--games", type=int, default=200)
    given = parser.parse_args()
    if not compiled():
        sys.exit("same_games: expected the compiled engine on this side")
    rules = choices()
    seen: Counter[str] = Counter()
    actions = 0
    for n, found in enumerate(in_browser(given.site, given.games), 1):
        wrong = difference(found, rules[found.choice])
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
        play_all(int(sys.argv[1]))
    else:
        main()
