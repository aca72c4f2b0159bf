"""Reads what the evaluation has learned: `learned.json`, which bench/learn.py writes.

The file holds tables of numbers, in hundredths of points, and says how they were made. It belongs to one form of the
tables: one that is missing, or has other tables than `corrections.py` looks up, is refused. By rules that they were not
learned from, nothing is corrected: in other games they did harm.
"""
# interpreted: runs once, when the first evaluation is made

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from math import prod
from pathlib import Path
from typing import Any

from bastide.errors import BotError

BASE = "base"  # the module of the base game, which a line of rules does not name
FILE = Path(__file__).with_name("learned.json")

# Per table, in the order of `corrections.py`: how many values each number of its key has.
TABLES: Mapping[str, tuple[int, ...]] = {
    # a region that can be completed, for each player in it
    "completion": (2, 8, 8, 3, 4),  # is it surrounded, chance, turns left, own strength - 1, the others'
    "points": (8, 6, 8, 3),  # points now, more points when complete, chance, standing
    "cells": (2, 9, 6, 6, 3),  # is it surrounded, open cells, fewest tiles that fit, fewest that close, standing
    "followers": (3, 8, 8, 8),  # own strength - 1, followers in hand, chance, turns left
    "size": (6, 8, 8, 3, 4),  # open cells, points now, turns left, own strength - 1, the others'
    "tightness": (2, 6, 8, 8, 3),  # is it surrounded, fewest tiles that close, in hand, turns left, standing
    "soon": (2, 4, 6, 6, 3),  # is it the player's turn next, open cells, fewest tiles that close, more points, standing
    # a region that is scored at the end only, for each player in it
    "lasting_points": (8, 8, 3, 4),  # points expected, turns left, own strength - 1, the others'
    "lasting_sides": (8, 8, 3, 4),  # open sides, turns left, own strength - 1, the others'
    "lasting_borders": (8, 8, 8, 3),  # open regions beside it, complete ones, turns left, standing
    "lasting_held": (8, 8, 8, 3),  # points expected, turns left, followers in hand, standing
    # two regions that may be joined, for each player to whom it matters
    "join": (2, 9, 8, 8),  # is it scored at the end only, change in points, chance, turns left
    # each player
    "work": (8, 6, 5, 8),  # followers in hand, regions that can be completed, others, turns left
    "stuck": (8, 5, 8),  # followers in hand, regions hardly to be completed, turns left
    "hand": (8, 40),  # followers in hand, turns left
    "rivals": (2, 8, 8, 8),  # is it the player's turn next, followers in hand, most that another has, turns left
    # what the tile laid last leaves to whoever is next
    "left_cell": (6, 5, 8),  # tiles that fit an open cell, its free sides, turns left
    "left_region": (2, 6, 8, 8, 8),  # is it surrounded, open cells, tiles, chance, turns left
    "left_lasting": (8, 8, 8),  # open sides, tiles, turns left
}
SIZES = {name: prod(numbers) for name, numbers in TABLES.items()}


@cache
def learned(players: int, modules: tuple[str, ...]) -> tuple[float, ...]:
    """All tables one after another, in points; zeros where they were not learned from these rules."""
    made, values = read(FILE)
    known = " ".join([str(players), *(name for name in modules if name != BASE)])
    return values if known in made["rules"] else (0.0,) * len(values)


def read(file: Path) -> tuple[dict[str, Any], tuple[float, ...]]:
    """How the tables of a file were made, and all of them."""
    try:
        told = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as problem:
        raise BotError(f"{file.name}: expected the learned tables, got {problem}") from None
    if not isinstance(told, dict) or set(told) != {"made", "tables"} or not isinstance(told["tables"], dict):
        raise BotError(f"{file.name}: expected an object with 'made' and 'tables'")
    if list(told["tables"]) != list(TABLES):
        raise BotError(f"{file.name}: expected the tables {', '.join(TABLES)}, got {', '.join(told['tables'])}")
    made = told["made"]
    if not isinstance(made, dict) or not isinstance(made.get("rules"), list):
        raise BotError(f"{file.name}: expected 'made' to name the rules that were learned from")
    return made, tuple(value / 100 for name in TABLES for value in checked(file, name, told["tables"][name]))


def checked(file: Path, name: str, table: Any) -> list[int]:
    """One table, if it is one."""
    if not isinstance(table, list) or len(table) != SIZES[name] or any(type(value) is not int for value in table):
        raise BotError(f"{file.name}, {name}: expected {SIZES[name]} whole numbers")
    return table


def write(file: Path, values: Sequence[float], made: Mapping[str, object]) -> None:
    """Writes all tables, given in points, with a line for each."""
    lines = []
    at = 0
    for name, size in SIZES.items():
        table = [round(100 * value) for value in values[at : at + size]]
        lines.append(f"  {json.dumps(name)}: {json.dumps(table, separators=(',', ':'))}")
        at += size
    text = ",\n".join(lines)
    file.write_text(f'{{\n "made": {json.dumps(made)},\n "tables": {{\n{text}\n }}\n}}\n', "utf-8")
