"""One game between bots: its settings and its result, as plain data that can be sent to any machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias

from bastide.analysis.fields import Field, fields
from bastide.arena.control import Control, TimeOver, interrupted, limited, patience
from bastide.bots import Bot, bot
from bastide.bots.contract import fingerprint
from bastide.errors import BotError, IllegalAction
from bastide.game import Action, Game, View
from bastide.game.events import Event, Scored
from bastide.game.seeds import mixed
from bastide.notation.record import write_record
from bastide.notation.replay import record_of
from bastide.rules import Rules
from bastide.rules.spec import Value

MAKING = 60.0  # seconds for a bot to be made, and to say goodbye
SHOWING = 5.0  # seconds for an error or an answer of a bot to say what it is ...
WIDTH = 200  # ... and characters of that in a report
NOBODY = -1

Tell: TypeAlias = Callable[[int, float], None]  # which bot is at work, and the seconds that it has; 0: any time


def ignore(seat: int, seconds: float) -> None:
    """Does nothing with an event."""


@dataclass(frozen=True)
class Table:
    """The rules of all games of an arena, and the time that bots have."""

    seats: int
    edition: str
    modules: tuple[str, ...]
    options: tuple[tuple[str, Value], ...]  # all of them, so that a later default changes nothing
    control: Control = field(default_factory=Control)

    @classmethod
    def of(cls, rules: Rules, control: Control | None = None) -> Table:
        """The table for games by these rules."""
        options = tuple(rules.options.items())
        return cls(rules.players, rules.edition, rules.module_names, options, control or Control())

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
    bots: tuple[str, ...]  # per seat: the bot, as `bastide.bots.bot` knows it ...
    names: tuple[str, ...]  # ... and what it is called
    seed: int


@dataclass(frozen=True)
class Result:
    """A finished game. Everything per seat is in the order of the seats.

    A bot that fails (raises, answers too late or not legally, changes the game) loses: `fault` says why, `faulty` is
    its seat, the winners are the seats of the other, and scores are those when it happened.
    """

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
    fault: str = ""
    faulty: int = -1

    def share(self, entrant: int) -> float:
        """An entrant's share of the victory: 1 won, 0 lost, in between when several seats came first together."""
        return sum(self.seats[seat] == entrant for seat in self.winners) / len(self.winners)

    def margin(self, entrant: int) -> float:
        """The mean of the entrant's points less the mean of the others'."""
        own = [score for score, who in zip(self.scores, self.seats, strict=True) if who == entrant]
        others = [score for score, who in zip(self.scores, self.seats, strict=True) if who != entrant]
        return sum(own) / len(own) - sum(others) / len(others)


class Fault(BotError):
    """A bot failed."""

    def __init__(self, seat: int, why: str) -> None:
        super().__init__(why)
        self.seat = seat
        self.why = why


def play(table: Table, fixture: Fixture, tell: Tell = ignore) -> Result:
    """Plays one game; the same fixture gives the same game if its bots have a budget of work, not of time."""
    game = new_game(table, fixture)
    events = list(game.first_events)
    watch = Watch(table.seats, tell)
    bots: list[Bot] = []
    fault: Fault | None = None
    try:
        for seat, name in enumerate(fixture.bots):
            bots.append(make_bot(name, seat, fixture, watch))
        play_out(game, bots, watch, table.control, events)
        for seat, one in enumerate(bots):
            say_goodbye(partial(one.ended, game.view(seat)), seat, watch)
    except Fault as failed:
        fault = failed
    finally:
        for seat, one in enumerate(bots):
            say_goodbye(one.close, seat, watch)
    return result_of(game, fixture, events, watch, fault)


def new_game(table: Table, fixture: Fixture) -> Game:
    """The game before the first decision."""
    return Game(table.rules(), names=seat_names(fixture.names), seed=mixed(fixture.seed, "dealer"))


def lost_game(table: Table, fixture: Fixture, seat: int, why: str) -> Result:
    """The result of a game whose process was crashed by a bot: this seat loses."""
    game = new_game(table, fixture)
    return result_of(game, fixture, list(game.first_events), Watch(table.seats), Fault(seat, why))


def make_bot(name: str, seat: int, fixture: Fixture, watch: Watch) -> Bot:
    """The bot for a seat."""
    try:
        with watch.watching(seat, MAKING):
            return bot(name, mixed(fixture.seed, fixture.id, seat))
    except TimeOver:
        raise Fault(seat, f"could not be made within {MAKING:g} s") from None
    except BaseException as error:  # SystemExit too: a bot that wants to leave loses
        if interrupted(error):
            raise
        raise Fault(seat, f"could not be made: {watch.error_line(seat, error)}") from error


def check_made(name: str) -> None:
    """Refuses a bot that cannot be made. How it takes being closed does not matter."""
    watch = Watch(1)
    try:
        with watch.watching(0, MAKING):
            made = bot(name)
    except TimeOver:
        raise BotError(f"{name}: could not be made within {MAKING:g} s") from None
    say_goodbye(made.close, 0, watch)


def say_goodbye(goodbye: Callable[[], None], seat: int, watch: Watch) -> None:
    """Tells a bot that the game is over. Its errors no longer change the result."""
    try:
        with watch.watching(seat, MAKING):
            goodbye()
    except BaseException as error:
        if interrupted(error):
            raise


def result_of(game: Game, fixture: Fixture, events: Sequence[Event], watch: Watch, fault: Fault | None) -> Result:
    """The result of a game."""
    seats = range(len(fixture.seats))
    ledger: Sequence[Field] = () if fault else fields(game, events)
    if fault:
        loser = fixture.seats[fault.seat]
        winners = tuple(seat for seat in seats if fixture.seats[seat] != loser)
    else:
        assert game.outcome is not None
        winners = tuple(game.outcome.winners)
    names = " and ".join(dict.fromkeys(fixture.names))
    return Result(
        id=fixture.id,
        pairing=fixture.pairing,
        pair=fixture.pair,
        seats=fixture.seats,
        seed=fixture.seed,
        scores=game.scores,
        winners=winners,
        decisions=tuple(watch.decisions),
        seconds=tuple(round(spent, 4) for spent in watch.seconds),
        sources=tuple(points_by_source(events, seat) for seat in seats),
        farmers=tuple(sum(f.seat == seat for field in ledger for f in field.farmers) for seat in seats),
        idle=tuple(sum(field.idle(seat) for field in ledger) for seat in seats),
        record=write_record(record_of(game, f"Arena, game {fixture.id}: {names}")),
        fault=fault.why if fault else "",
        faulty=fault.seat if fault else -1,
    )


class Watch:
    """Counts decisions and the time that they took, per seat."""

    def __init__(self, seats: int, tell: Tell = ignore) -> None:
        self.decisions = [0] * seats
        self.seconds = [0.0] * seats
        self.tell = tell

    @contextmanager
    def watching(self, seat: int, allowed: float, cpu: bool = False) -> Iterator[None]:
        """While a bot does something: it is interrupted when its time is over, and others can see who it is."""
        self.tell(seat, patience(allowed, cpu))
        try:
            with limited(allowed, cpu):
                yield
        finally:
            self.tell(NOBODY, 0.0)

    def error_line(self, seat: int, error: BaseException) -> str:
        """A bot's error in one line."""
        text = self.shown(seat, error)
        return text if isinstance(error, BotError) else f"{type(error).__name__}: {text}"

    def shown(self, seat: int, what: object) -> str:
        """What a bot has made, as a text that fits in a report. It may be made so that it cannot be shown."""
        try:
            with self.watching(seat, SHOWING):
                text = str(what)
        except BaseException as error:
            if interrupted(error):
                raise
            text = f"a {type(what).__name__} that cannot be shown"
        line = " ".join(text[: 2 * WIDTH].split())
        plain = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in line)
        return plain if len(plain) <= WIDTH else f"{plain[: WIDTH - 1]}…"


def play_out(game: Game, bots: Sequence[Bot], watch: Watch, control: Control, events: list[Event]) -> None:
    """Lets the bots play until the game is over; adds everything that happens to `events`."""
    while not game.over:
        seat = game.seat
        view = game.view(seat)
        before = fingerprint(game)
        action = ask_bot(bots[seat], seat, view, watch, control)
        if fingerprint(game) != before:
            raise Fault(seat, "changed the game when it was asked")
        if type(action) is not Action:  # one of another class might say of itself that it is legal
            raise Fault(seat, f"expected an Action, got {watch.shown(seat, action)}")
        try:
            events += game.play(action)
        except IllegalAction as error:
            why = f"chose {watch.shown(seat, action)}, which is not legal: {watch.shown(seat, error)}"
            raise Fault(seat, why) from error


def ask_bot(one: Bot, seat: int, view: View, watch: Watch, control: Control) -> object:
    """Asks a bot for its action, within the time limit."""
    allowed = control.allowed(watch.seconds[seat])
    one.time_ms = max(1, int(1000 * allowed)) if allowed else 0
    began = control.clock(one)
    try:
        with watch.watching(seat, allowed, control.cpu):
            answer: object = one.choose(view)
    except TimeOver:
        raise Fault(seat, f"no answer within {allowed:g} s") from None
    except BaseException as error:  # SystemExit too: a bot that wants to leave loses
        if interrupted(error):
            raise
        raise Fault(seat, watch.error_line(seat, error)) from error
    finally:
        spent = control.clock(one) - began
        watch.seconds[seat] += spent
        watch.decisions[seat] += 1
    if allowed and spent > allowed:
        raise Fault(seat, f"answered after {spent:.3f} s, {allowed:g} s were allowed")
    return answer


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
