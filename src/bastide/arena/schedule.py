"""Who plays whom: a round robin of pairs of games, both with the same tiles and swapped seats."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations

from bastide.arena.match import Fixture
from bastide.errors import OptionError
from bastide.game.seeds import mixed

Pairing = tuple[int, int]
NAMED = re.compile(r"([\w.-]+)=(.+)")  # `mason=python:my_bot.py`


def bot_of(entrant: str) -> str:
    """The bot of an entrant, as `bastide.bots.bot` knows it."""
    found = NAMED.fullmatch(entrant)
    return found[2] if found else entrant


def labels(entrants: Sequence[str]) -> list[str]:
    """The entrants' names; a second one of the same name gets a number."""
    names = [found[1] if (found := NAMED.fullmatch(entrant)) else entrant for entrant in entrants]
    result: list[str] = []
    for number, name in enumerate(names):
        before = names[:number].count(name)
        result.append(f"{name} ({before + 1})" if before else name)
    return result


def check(entrants: Sequence[str], seats: int, games: int) -> None:
    """Refuses settings that cannot be played in pairs."""
    if len(entrants) < 2:
        raise OptionError(f"players: expected two or more bots, got {', '.join(entrants) or 'none'}")
    if games < 2 or games % 2:
        raise OptionError(f"games: expected an even number (each deck is played twice, seats swapped), got {games}")
    if not 2 <= seats <= 8:
        raise OptionError(f"seats: expected 2 to 8, got {seats}")


def pairings(entrants: Sequence[str]) -> list[Pairing]:
    """Everybody against everybody else."""
    return list(combinations(range(len(entrants)), 2))


def fixtures(entrants: Sequence[str], seats: int, games: int, seed: int) -> Iterator[Fixture]:
    """All games, `games` for each pairing: the first pair of every pairing, then the second of each, and so on.

    With more than two seats the two bots sit in turn (A B A B), then the other way round: over a pair of games
    each of them holds every seat once.
    """
    names = labels(entrants)
    for pair in range(1, games // 2 + 1):
        for one, other in pairings(entrants):
            for letter, order in (("a", (one, other)), ("b", (other, one))):
                holders = tuple(order[seat % 2] for seat in range(seats))
                yield Fixture(
                    id=f"{one + 1}v{other + 1}-{pair:04}{letter}",
                    pairing=(one, other),
                    pair=pair,
                    seats=holders,
                    bots=tuple(bot_of(entrants[entrant]) for entrant in holders),
                    names=tuple(names[entrant] for entrant in holders),
                    seed=mixed(seed, pair),
                )
