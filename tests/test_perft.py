"""Counts of all ways to play given tiles, and the order in which legal actions come: both are pinned.

A count that changes is a rule that changed. The order is part of the contract: bots and records of searches rely on
it. `python -m tests.test_perft` prints both for every module, to be read before they are pinned anew.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bastide.game import Game
from bastide.game.perft import divided
from bastide.native import compiled
from bastide.rules import Rules
from bastide.rules.registry import specs

FILE = Path(__file__).parent / "perft.json"


def bags(name: str) -> list[tuple[str, ...]]:
    """The tiles that are played in every way: the first three and the last two types of the module's own box."""
    rules = Rules.of(modules=[] if name == "base" else [name], scripted=True)
    game = Game(rules, scripted=True)
    drawn = [action.tile or "" for action in game.legal if action.verb == "draw"]
    own = [tile for tile in drawn if tile in own_tiles(name)] or drawn
    return [tuple(own[:2]), tuple(own[-2:]), (own[len(own) // 2],) * 2]


def own_tiles(name: str) -> set[str]:
    """Ids of the tiles in a module's boxes."""
    from bastide.tiles import boxes

    return {tile.id for box in specs()[name].boxes for tile in boxes()[box].tiles}


def counts(name: str, most: int | None = None) -> dict[str, Any]:
    """Leaves for each bag or the first few, and the legal actions after the first draw in their order."""
    rules = Rules.of(modules=[] if name == "base" else [name], scripted=True)
    found: dict[str, Any] = {}
    for bag in bags(name)[:most]:
        game = Game(rules, scripted=True)
        game.play(f"draw {bag[0]}")
        found[" ".join(bag)] = {
            "leaves": sum(divided(rules, bag).values()),
            "order": [str(action) for action in game.legal],
        }
    return found


@pytest.mark.parametrize("name", specs())
def test_leaves_and_order_are_as_pinned(name: str) -> None:
    pinned = json.loads(FILE.read_text("utf-8"))
    assert name in pinned, f"no counts for {name}; python -m tests.test_perft writes them"
    if compiled():
        assert counts(name) == pinned[name]
    else:
        ((bag, found),) = counts(name, 1).items()
        assert found == pinned[name][bag]


def test_three_turns_of_the_base_game() -> None:
    """Deeper where it is cheap: all ways to play a cap, a straight road and a bend."""
    rules = Rules.of(scripted=True)
    found = divided(rules, ("E", "U", "V") if compiled() else ("E", "U"))
    assert sum(found.values()) == (DEEP if compiled() else SHALLOW)
    assert list(found) == ["place E 0,-1 180", "place E 0,1 90", "place E 0,1 180", "place E 0,1 270"]


SHALLOW = 201
DEEP = 7766


if __name__ == "__main__":
    FILE.write_text(json.dumps({name: counts(name) for name in specs()}, indent=1) + "\n", "utf-8")
    print(f"written: {FILE}")
