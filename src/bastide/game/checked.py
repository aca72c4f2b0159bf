"""Checks the arguments of a game once, with a sentence for each refusal."""
# interpreted: speaks to people

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import Any

from bastide.errors import ActionSyntaxError, OptionError
from bastide.game.actions import Action

SEEDS = 2**63  # seeds are smaller
NEW_SEED_BITS = 31  # of a seed that Bastide chooses: short enough to type


def checked_seat(seat: int, players: int) -> int:
    """A seat at the table, or refused."""
    if type(seat) is not int or not 0 <= seat < players:
        raise OptionError(f"seat: expected 0 to {players - 1}, got {seat!r}")
    return seat


def checked_list(name: str, given: Iterable[Any]) -> tuple[Any, ...]:
    """What was given as a list."""
    if not isinstance(given, Iterable):
        raise OptionError(f"{name}: expected a list, got {given!r}")
    return tuple(given)


def check_kinds(players: int, edition: str, preset: str, scripted: bool | None) -> None:
    """Refuses arguments of a game that are of another kind, where compiled code would raise a TypeError."""
    if type(players) is not int:
        raise OptionError(f"players: expected a number, got {players!r}")
    for name, text in (("edition", edition), ("preset", preset)):
        if not isinstance(text, str):
            raise OptionError(f"{name}: expected a name, got {text!r}")
    if not isinstance(scripted, bool | None):
        raise OptionError(f"scripted: expected True or False, got {scripted!r}")


def checked_names(names: tuple[str, ...], players: int) -> tuple[str, ...]:
    """One name for each player, all different, fit for a line of a record."""
    if not all(isinstance(name, str) for name in names):
        raise OptionError(f"names: expected texts, got {names!r}")
    if len(names) != players:
        raise OptionError(f"names: expected {players}, got {len(names)}")
    for name in names:
        if not name or len(name) > 40 or any(c.isspace() or not c.isprintable() or c in ":;#" for c in name):
            raise OptionError(f"names: expected a word without spaces, ':', ';' or '#', got {name!r}")
    if len(set(names)) != players:
        raise OptionError(f"names: expected different names, got {', '.join(names)}")
    return names


def as_action(action: Action | str) -> Action:
    """An action, given as itself or as its text."""
    if isinstance(action, str):
        return Action.parse(action)
    if not isinstance(action, Action):
        raise ActionSyntaxError(f"expected an Action or its text, got {action!r}")
    return action


def checked_fields(action: Action) -> Action:
    """An action with the fields of its verb, each with what belongs there. Slow: for illegal actions only."""
    if not action.well_formed:
        raise ActionSyntaxError(f"expected the fields of an action, as Action.parse makes them; got {action!r}")
    return action


def checked_draws(draws: str) -> bool:
    """Are tiles drawn by hand?"""
    if draws not in ("by seed", "by hand"):
        raise OptionError(f"draws: expected 'by seed' or 'by hand', got {draws!r}")
    return draws == "by hand"


def checked_seed(seed: int | None, by_hand: bool) -> int | None:
    """The seed of a game; a new one where none is given, none where tiles are drawn by hand."""
    if seed is None:
        return None if by_hand else secrets.randbits(NEW_SEED_BITS)
    if by_hand:
        raise OptionError(f"seed: expected none where tiles are drawn by hand, as in scripted games; got {seed!r}")
    if type(seed) is not int or not 0 <= seed < SEEDS:
        raise OptionError(f"seed: expected a whole number from 0 to 2**63 - 1, got {seed!r}")
    return seed
