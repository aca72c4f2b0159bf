"""Plays a record on a game, line by line, with its checks; and makes the record of a game that was played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from bastide.errors import BastideError, ModuleError, RecordError
from bastide.game import CHANCE, Game
from bastide.game.actions import Action
from bastide.game.events import Event
from bastide.homes import homes
from bastide.notation.checks import Moment, read_test
from bastide.notation.position import position_lines
from bastide.notation.record import Check, End, Header, Line, Note, PositionLine, Record, Start, Turn
from bastide.notation.restore import restore
from bastide.notation.words import Words
from bastide.rules.build import compiled
from bastide.rules.choose import BASE, choose, unusual


@dataclass(frozen=True)
class Step:
    """One action, one check, the end or a note of a record, and what came of it."""

    line: Line
    action: Action | None = None
    events: tuple[Event, ...] = ()
    failure: str = ""  # why a check does not hold

    def __str__(self) -> str:
        return f"{self.line.player}: {self.action}" if isinstance(self.line, Turn) else str(self.line)


class Replay:
    """Plays a record; `game` is the position reached so far. Iterating yields what happens, step by step."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.game = new_game(record)
        self._events: list[Event] = []  # since the last turn line began

    def __iter__(self) -> Iterator[Step]:
        for line in self.record.lines:
            match line:
                case Turn():
                    self._events.clear()
                    for action in line.actions:
                        yield Step(line, action, self._play(line, action))
                case End():
                    yield Step(line, None, self._end(line))
                case Check():
                    test = read_test(Words(line.line, line.text, self.record.header.players))
                    yield Step(line, failure=test(Moment(self.game, self._events)))
                case Note():
                    yield Step(line)

    def _play(self, line: Turn, action: Action) -> tuple[Event, ...]:
        due = {self.game.names[seat] for seat in lines_for(self.game)}
        if line.player not in due and not self.game.over:
            raise RecordError(line.line, f"it is the turn of {' or '.join(sorted(due))}, not of {line.player}")
        try:
            events = self.game.play(action)
        except BastideError as error:
            said = "; ".join([f"{action}: {error}", *other_versions(self.record.header)])
            raise RecordError(line.line, said) from error
        self._events += events
        return tuple(events)

    def _end(self, line: End) -> tuple[Event, ...]:
        try:
            events = self.game.finish()
        except BastideError as error:
            raise RecordError(line.line, f"end: {error}") from error
        self._events += events
        return tuple(events)


def new_game(record: Record, seed: int | None = None) -> Game:
    """The game that the record's header describes, before its first line; a seed deals what its position hides."""
    head = record.header
    start = [(s.tile, s.cell, s.rotation) for s in head.start]
    try:
        check_plugins(head)
        rules = compiled(choose(head.edition, head.modules, len(head.players), "", dict(head.options)))
        game = Game(rules, names=head.players, draws="by hand", scripted=head.scripted, start=start)
    except BastideError as error:
        raise RecordError(1, f"in the header that begins here: {error}") from error
    if head.position:
        begin_at(game, head.position, seed)
    return game


def plugins_of(modules: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Those of these modules that other packages bring, with their versions."""
    found = (homes()[name] for name in modules if name in homes())
    return tuple((home.name, home.version) for home in found if home.plugin)


def check_plugins(head: Header) -> None:
    """Refuses a record that needs a plug-in which is not in use here."""
    for name, version in head.plugins:
        if name not in homes():
            raise ModuleError(f"expected the plug-in {name} {version}, which is not installed or not in use here")


def other_versions(head: Header) -> list[str]:
    """What may be the reason when an action of a record is not legal: it was played with other versions."""
    used = [(name, version, homes()[name].version) for name, version in head.plugins if name in homes()]
    return [f"it was played with {name} {old}, here is {new}" for name, old, new in used if old != new]


def begin_at(game: Game, lines: Sequence[PositionLine], seed: int | None = None) -> None:
    """A game in which nothing has happened begins at this position."""
    restore(game.engine, game.names, lines, seed)
    game.began_at = tuple(position_lines(game.engine, game.names))


def replay(record: Record) -> Game:
    """The game at the end of the record; the first check that does not hold is an error."""
    playing = Replay(record)
    for step in playing:
        if step.failure:
            said = "; ".join([f"{step.line}: {step.failure}", *other_versions(record.header)])
            raise RecordError(step.line.line, said)
    return playing.game


def lines_for(game: Game) -> set[int]:
    """The seats in whose lines the next action may stand: a draw belongs to the turn, or to the hand that it fills."""
    return {game.turn, game.engine.player()} if game.seat == CHANCE else {game.seat}


def record_of(game: Game, title: str = "") -> Record:
    """The record of everything that was played so far: reading it gives the same game."""
    turns: list[Line] = [
        Turn(game.names[seat], tuple(action for _, action in actions))
        for seat, actions in groupby(game.history, key=lambda entry: entry[0])
    ]
    head = replace(header_of(game), title=title)
    head = replace(head, start=tuple(Start(*tile) for tile in game.start))
    head = replace(head, position=tuple(PositionLine.of(line) for line in game.began_at))
    stopped = game.outcome is not None and game.outcome.reason == "stopped"
    return Record(head, (*turns, End()) if stopped else tuple(turns))


def header_of(game: Game) -> Header:
    """The rules and the players."""
    rules = game.rules
    modules = tuple(name for name in rules.module_names if name != BASE)
    return Header(
        edition=rules.edition,
        modules=modules,
        plugins=plugins_of(modules),
        options=tuple(unusual(rules.choice).items()),
        players=game.names,
        scripted=rules.scripted,
    )
