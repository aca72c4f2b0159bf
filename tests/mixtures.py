"""Random mixtures of house rules, for every test that wants to know whether all of them can be played."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from bastide.rules.choose import in_order
from bastide.rules.registry import find, specs
from bastide.rules.spec import BASE, MORE_PLAYERS, ON, TILE_COUNTS, Option
from tests.agreement import Setting

SET = 0.3  # how often a mixture sets an option or a house rule
CHANGED = 3  # most tiles in other numbers


def mixture(seed: int) -> Setting:
    """A game with some boxes, some options and house rules, and one to eight players."""
    random = Random(seed)
    games = [spec.name for spec in specs().values() if spec.standalone]
    expansions = [spec.name for spec in specs().values() if not spec.game]
    alone = random.random() < 0.25
    names = [random.choice(games)] if alone else random.sample(expansions, random.randint(0, len(expansions)))
    options: dict[str, Any] = {MORE_PLAYERS: ON}
    for spec in in_order(names):
        for option in spec.all_options:
            if random.random() < SET and option.name not in (MORE_PLAYERS, TILE_COUNTS):
                options[option.name] = value_of(option, random)
    edition = "" if alone else random.choice(list(find(BASE).editions))
    setting = Setting(tuple(names), random.randint(1, 8), tuple(sorted(options.items())), edition)
    return with_other_tiles(setting, random) if random.random() < SET else setting


def value_of(option: Option, random: Random) -> Any:
    """One of the values; small numbers only, for they are scarcer in play."""
    numbers = sorted(value for value in option.values if isinstance(value, int))
    return random.choice(numbers[:5] if numbers else list(option.values))


def with_other_tiles(setting: Setting, random: Random) -> Setting:
    """The same with other numbers of a few tiles."""
    rules = setting.rules()
    drawn = [tile.id for tile in rules.tiles[: max(rules.tables.pile_end)]]
    counts = [f"{name}={random.randint(0, 4)}" for name in random.sample(drawn, CHANGED)]
    return replace(setting, options=(*setting.options, (TILE_COUNTS, "+".join(counts))))
