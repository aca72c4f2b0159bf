"""One game between bots: what is to be played, and what came of it. Plain data, so that it travels to any machine."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from bastide.analysis.fields import fields
from bastide.bots import Bot, bot
from bastide.errors import BastideError, BotError
from bastide.game import Game
from bastide.game.events import Event, Scored
from bastide.game.seeds import mixed
from bastide.notation.record import write_record
from bastide.notation.replay import record_of
from bastide.rules import Rules
from bastide.rules.spec import Value


@dataclass(frozen=True)
class Table:
    """The rules of all games of an arena."""

    seats: int
    edition: str
    modules: tuple[str, ...]
    options: tuple[tuple[str, Value], ...]  # all of them, so that a later default changes nothing

    @classmethod
    def of(cls, rules: Rules) -> Table:
        """The table for games by these rules."""
        return cls(rules.players, rules.edition, rules.module_names, tuple(rules.options.items()))

    def rules(self) -> Rules:
        """Compiled once in each process."""
        return Rules.of(
            self.edition, modules=self.modules, players=self.seats, preset="", scripted=False, **dict(self.options)
        )


@dataclass(frozen=True)
class Fixture:
    """A game to be played: which entrant sits where, and the seed from which dealer and bots get theirs."""

    id: str
    pairing: tuple[int, int]  # numbers of the two entrants
    pair: int  # two games with the same tiles and swapped seats have the same number
    seats: tuple[int, ...]  # per seat: number of the entrant
    bots: tuple[str, ...]  # per seat: the bot, as `bastide.bots.bot` knows it
    seed: int


@dataclass(frozen=True)
class Result:
    """A finished game. Everything per seat is in the order of the seats."""

    id: str
    pairing: tuple[int, int]
    pair: int
    seats: tuple[int, ...]
    seed: int
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    decisions: tuple[int, ...]
    seconds: tuple[float, ...]  # of thinking
    sources: tuple[dict[str, int], ...]  # points by what brought them
    farmers: tuple[int, ...]  # followers in fields at the end ...
    idle: tuple[int, ...]  # ... and those of them that scored nothing
    record: str

    def share(self, entrant: int) -> float:
        """An entrant's share of the victory: 1 won, 0 lost, in between when several seats came first together."""
        return sum(self.seats[seat] == entrant for seat in self.winners) / len(self.winners)

    def margin(self, entrant: int) -> float:
        """The mean of the entrant's points less the mean of the others'."""
        own = [score for score, who in zip(self.scores, self.seats, strict=True) if who == entrant]
        others = [score for score, who in zip(self.scores, self.seats, strict=True) if who != entrant]
        return sum(own) / len(own) - sum(others) / len(others)


def play(table: Table, fixture: Fixture) -> Result:
    """Plays one game; the same fixture gives the same game if its bots have a budget of work, not of time."""
    game = Game(table.rules(), names=seat_names(fixture.bots), seed=mixed(fixture.seed, "dealer"))
    bots = [bot(name, mixed(fixture.seed, fixture.id, seat)) for seat, name in enumerate(fixture.bots)]
    watch = Watch(table.seats)
    try:
        events = play_out(game, fixture, bots, watch)
    finally:
        for one in bots:
            one.close()
    assert game.outcome is not None
    ledger = fields(game, events)
    names = " and ".join(dict.fromkeys(fixture.bots))
    return Result(
        id=fixture.id,
        pairing=fixture.pairing,
        pair=fixture.pair,
        seats=fixture.seats,
        seed=fixture.seed,
        scores=game.scores,
        winners=tuple(game.outcome.winners),
        decisions=tuple(watch.decisions),
        seconds=tuple(round(spent, 4) for spent in watch.seconds),
        sources=tuple(points_by_source(events, seat) for seat in range(table.seats)),
        farmers=tuple(sum(f.seat == seat for field in ledger for f in field.farmers) for seat in range(table.seats)),
        idle=tuple(sum(field.idle(seat) for field in ledger) for seat in range(table.seats)),
        record=write_record(record_of(game, f"Arena, game {fixture.id}: {names}")),
    )


class Watch:
    """Counts decisions and the time that they took, per seat."""

    def __init__(self, seats: int) -> None:
        self.decisions = [0] * seats
        self.seconds = [0.0] * seats


def play_out(game: Game, fixture: Fixture, bots: Sequence[Bot], watch: Watch) -> list[Event]:
    """Lets the bots play until the game is over; gives everything that happened."""
    events: list[Event] = list(game.first_events)
    while not game.over:
        seat = game.seat
        view = game.view(seat)
        began = time.perf_counter()
        action = bots[seat].choose(view)
        watch.seconds[seat] += time.perf_counter() - began
        watch.decisions[seat] += 1
        try:
            events += game.play(action)
        except BastideError as refused:
            raise BotError(f"game {fixture.id}: {fixture.bots[seat]} chose {action}: {refused}") from refused
    return events


def points_by_source(events: Sequence[Event], seat: int) -> dict[str, int]:
    """What a seat scored: by kind of region or other source, apart for what was scored at the end."""
    found: dict[str, int] = {}
    for event in events:
        if isinstance(event, Scored) and event.seat == seat:
            source = f"{event.kind} at the end" if event.final else event.kind
            found[source] = found.get(source, 0) + event.points
    return dict(sorted(found.items()))


def seat_names(bots: Sequence[str]) -> tuple[str, ...]:
    """Names fit for a record, all different: `search-400ms`, and `greedy`, `greedy.2` for two of a kind."""
    names: list[str] = []
    for text in bots:
        word = "".join(c if c.isalnum() or c in "-_." else "-" for c in text)[:36]
        again = sum(name.split(".")[0] == word.split(".")[0] for name in names)
        names.append(f"{word}.{again + 1}" if again else word)
    return tuple(names)
