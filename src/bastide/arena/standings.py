"""Statistics of the results: each pairing, each entrant, the ladder."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count

from bastide.arena.match import Result
from bastide.arena.ratings import Rating, Sequential, bradley_terry, mean_interval, wilson
from bastide.arena.schedule import Pairing, labels, pairings


@dataclass(frozen=True)
class Duel:
    """One pairing, seen by the first of the two."""

    one: str
    other: str
    games: int
    wins: int
    draws: int
    losses: int
    score: float  # share of victories
    low: float  # Wilson interval of the score, 95 %
    high: float
    margin: float  # points ahead
    margin_low: float  # interval over pairs of games, 95 %
    margin_high: float
    verdict: str  # of the sequential test


@dataclass(frozen=True)
class Standing:
    """One entrant, over all its games; points, sources and farmers over those that were played to the end."""

    name: str
    rating: Rating
    games: int
    score: float
    points: float  # mean of a seat
    sources: dict[str, float]  # mean points of a seat by source
    farmers: float  # mean followers in fields at the end of a game
    idle: float  # share of them that scored nothing
    seconds: float  # thinking for one decision
    faults: int  # games that it lost because it failed


@dataclass(frozen=True)
class Standings:
    """Everything that a report shows; the ladder is in order of rating."""

    ladder: tuple[Standing, ...]
    duels: tuple[Duel, ...]


def of_pairing(results: Iterable[Result], pairing: Pairing) -> list[Result]:
    """The games of two entrants, in the order of the schedule."""
    return sorted((r for r in results if r.pairing == pairing), key=lambda r: r.id)


def pairs(games: Iterable[Result]) -> dict[int, list[Result]]:
    """Games by deck; a pair is complete with two."""
    found: dict[int, list[Result]] = {}
    for game in games:
        found.setdefault(game.pair, []).append(game)
    return found


def verdict(games: Iterable[Result], one: int, test: Sequential) -> str:
    """The sequential test over the pairs that are complete, in order, up to the first that is not: so it does not
    matter which games were finished first."""
    decks = pairs(games)
    shares = []
    for number in count(1):
        pair = decks.get(number, [])
        if len(pair) < 2:
            break
        shares.append(sum(game.share(one) for game in pair) / 2)
    return test.verdict(shares)


def standings(entrants: Sequence[str], results: Sequence[Result], test: Sequential) -> Standings:
    """All of it."""
    names = labels(entrants)
    duels = {p: duel(names, p, of_pairing(results, p), test) for p in pairings(entrants)}
    ratings = bradley_terry(len(names), {p: (d.score * d.games, d.games) for p, d in duels.items()})
    ladder = [standing(name, number, ratings[number], results) for number, name in enumerate(names)]
    ladder.sort(key=lambda entry: -entry.rating.elo)
    return Standings(tuple(ladder), tuple(duels.values()))


def duel(names: Sequence[str], pairing: Pairing, games: Sequence[Result], test: Sequential) -> Duel:
    """The results of one pairing."""
    one, other = pairing
    shares = [game.share(one) for game in games]
    score = sum(shares) / len(shares) if shares else 0.5
    finished = [game for game in games if not game.fault]
    margins = [sum(game.margin(one) for game in pair) / len(pair) for pair in pairs(finished).values()]
    return Duel(
        names[one],
        names[other],
        len(games),
        sum(share == 1 for share in shares),
        sum(0 < share < 1 for share in shares),
        sum(share == 0 for share in shares),
        score,
        *wilson(score, len(games)),
        *mean_interval(margins),
        verdict(games, one, test),
    )


def standing(name: str, number: int, rating: Rating, results: Sequence[Result]) -> Standing:
    """The results of one entrant."""
    games = [game for game in results if number in game.pairing]
    every = [(game, seat) for game in games for seat, who in enumerate(game.seats) if who == number]
    held = [(game, seat) for game, seat in every if not game.fault]
    seats = len(held) or 1
    sources: dict[str, float] = {}
    for game, seat in held:
        for source, points in game.sources[seat].items():
            sources[source] = sources.get(source, 0) + points / seats
    farmers = sum(game.farmers[seat] for game, seat in held)
    return Standing(
        name,
        rating,
        len(games),
        sum(game.share(number) for game in games) / (len(games) or 1),
        sum(game.scores[seat] for game, seat in held) / seats,
        dict(sorted(sources.items())),
        farmers / seats,
        sum(game.idle[seat] for game, seat in held) / (farmers or 1),
        sum(game.seconds[seat] for game, seat in every) / (sum(game.decisions[seat] for game, seat in every) or 1),
        sum(game.faulty == seat for game, seat in every),
    )
