"""What a table is before anybody plays: rules, seats, clock, aids, and the beginning of a puzzle."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any

from msgspec import Struct, ValidationError, convert, to_builtins

from bastide.bots import names as bot_names
from bastide.errors import OptionError
from bastide.game import CHANCE, Event, Game, new_engine
from bastide.game.game import COLOURS
from bastide.notation.record import read_record
from bastide.notation.replay import Replay
from bastide.rules import Rules
from bastide.rules.build import TOKENS, compiled
from bastide.rules.choose import BASE, choose
from bastide.rules.position import FIRST_FREE
from bastide.rules.registry import presets
from bastide.rules.spec import Choice
from bastide.rules.texts import LANGUAGES, describe
from bastide.server.api import outgoing
from bastide.server.api.incoming import NO_CLOCK, Clock, NewTable, SeatKind, StartTile, WantedSeat
from bastide.server.api.refusal import Refusal
from bastide.server.api.responses import TablePart
from bastide.server.draws.fair import VERSION

Value = str | int


class Setup(Struct, frozen=True):
    """Everything about a table that never changes. Kept as JSON."""

    edition: str
    modules: tuple[str, ...]  # without the base game
    options: dict[str, Value]
    players: int
    preset: str = ""
    title: str = ""
    goal: str = ""
    clock: Clock = NO_CLOCK
    aids: bool = True
    public: bool = False  # everybody may find it
    start: tuple[StartTile, ...] = ()
    past: tuple[str, ...] = ()  # actions of the record with which the table begins
    scripted: bool = False
    draws: tuple[str, ...] = ()  # a puzzle's
    fair: int = 1  # the version of fair draws with which the table began
    shuffle: bool = False  # the seats are shuffled when the game begins

    def rules(self) -> Rules:
        """The rules, compiled."""
        return compiled(self.choice())

    def choice(self) -> Choice:
        """What decides how the rules are compiled."""
        return choose(self.edition, self.modules, self.players, "", self.options, self.scripted)

    def game(self, names: Sequence[str]) -> tuple[Game, list[list[Event]]]:
        """The game before the first line, and what each of its past actions brought."""
        start = [(tile.tile, tile.cell, tile.turn) for tile in self.start]
        game = Game(self.rules(), names=names, draws="by hand", scripted=self.scripted, start=start)
        return game, [game.play(action) for action in self.past]

    def public_rules(self) -> outgoing.Rules:
        """The rules for people."""
        rules = self.rules()
        names = list(rules.module_names)
        return outgoing.Rules(
            rules.edition, self.preset, names, rules.options, self.scripted, describe_choice(rules.choice)
        )


class Chair(Struct):
    """A seat as it is kept."""

    seat: int
    kind: SeatKind
    name: str
    colour: str
    bot: str | None = None
    token_hash: str = ""
    entropy: str | None = None

    @property
    def ready(self) -> bool:
        """Taken, and its part in the draws is known."""
        return self.kind != "open" and self.entropy is not None


@lru_cache(maxsize=256)
def describe_choice(choice: Choice) -> dict[str, outgoing.RulesInWords]:
    """A choice of rules in each language."""
    found = {language: describe(choice, language) for language in LANGUAGES}
    return {
        language: outgoing.RulesInWords(words.edition, list(words.boxes), list(words.house_rules))
        for language, words in found.items()
    }


def table_part(preset: str) -> TablePart | None:
    """What a preset says about clock and aids."""
    found: Any = presets().get(preset, {}).get("table")
    return None if found is None else convert(found, TablePart)


def setup_of(wanted: NewTable) -> Setup:
    """Checks a wish and makes it complete; refuses what cannot be played."""
    setup = from_record(wanted) if wanted.record else from_choice(wanted)
    setup.game(COLOURS[: setup.players])  # start tiles and past actions are tried out
    check_draws(setup)
    check_kept(setup)
    return setup


def check_kept(setup: Setup) -> None:
    """Refuses what could be kept but not read again: a record may place its start tiles anywhere."""
    try:
        convert(to_builtins(setup), Setup)
    except ValidationError as error:
        raise Refusal("record", str(error)) from error


def check_draws(setup: Setup) -> None:
    """Refuses a puzzle that draws what does not exist."""
    if setup.draws:
        known = drawable(setup.rules())
        for name in setup.draws:
            if name not in known:
                raise OptionError(f"draws: nothing in play is called {name!r}")


def drawable(rules: Rules) -> set[str]:
    """Names of everything that chance can bring: tiles, and what modules deal (tokens, say)."""
    names = {tile.id for tile in rules.tiles}
    engine = new_engine(rules)
    for number, frame in enumerate(rules.layout.frames, FIRST_FREE):
        with suppress(IndexError):  # a module has names for its own numbers only
            for action in range(TOKENS if frame.chance else 0):
                names.add(frame.owner.action_of(engine, number, action).tile or "")
    return names


def from_choice(wanted: NewTable) -> Setup:
    """A table from a preset, an edition, boxes, options."""
    players, scripted = len(wanted.seats), bool(wanted.draws)
    rules = compiled(choose(wanted.edition, wanted.modules, players, wanted.preset, wanted.options, scripted))
    part = table_part(wanted.preset) or TablePart()
    return Setup(
        edition=rules.edition,
        modules=tuple(name for name in rules.module_names if name != BASE),
        options=rules.options,
        players=players,
        preset=wanted.preset,
        title=wanted.title,
        clock=wanted.clock if part.clock is None else part.clock,
        aids=wanted.aids if part.aids is None else part.aids,
        public=wanted.public,
        start=tuple(wanted.start),
        scripted=scripted,
        draws=tuple(wanted.draws),
        fair=VERSION,
        shuffle=wanted.shuffle,
    )


def from_record(wanted: NewTable) -> Setup:
    """A table that goes on where a record ends."""
    if wanted.preset or wanted.edition or wanted.modules or wanted.options or wanted.start:
        raise Refusal("shape", "a record says itself which rules are played; give no others beside it")
    record = read_record(wanted.record)
    head = record.header
    if len(head.players) != len(wanted.seats):
        raise OptionError(f"seats: the record has {len(head.players)} players, got {len(wanted.seats)} seats")
    playing = Replay(record)
    for _ in playing:  # its checks are for tests; here it is only played
        pass
    game = playing.game
    if game.over:
        raise Refusal("record", "the game of this record is over")
    if head.scripted and game.seat == CHANCE and not wanted.draws:
        raise Refusal("record", "somebody must draw next, and no draws are given")
    return Setup(
        edition=game.rules.edition,
        modules=tuple(name for name in game.rules.module_names if name != BASE),
        options=game.rules.options,
        players=len(head.players),
        title=wanted.title or head.title,
        goal=head.goal,
        clock=wanted.clock,
        aids=wanted.aids,
        public=wanted.public,
        start=tuple(StartTile(tile.tile, tile.cell, tile.rotation) for tile in head.start),
        past=tuple(str(action) for _, action in game.history),
        scripted=head.scripted or bool(wanted.draws),
        draws=tuple(wanted.draws),
        fair=VERSION,
        shuffle=wanted.shuffle,
    )


def chairs_of(wanted: Sequence[WantedSeat]) -> list[Chair]:
    """The seats of a new table, each with a colour of its own."""
    chosen = [seat.colour for seat in wanted if seat.colour]
    for colour in chosen:
        check_colour(colour, [])
        if chosen.count(colour) > 1:
            raise OptionError(f"colour: {colour} is wanted by two seats")
    free = [colour for colour in COLOURS if colour not in chosen]
    chairs = []
    for number, seat in enumerate(wanted):
        if seat.kind == "bot" and seat.bot not in bot_names():
            raise OptionError(f"bot: expected one of {', '.join(bot_names())}, got {seat.bot!r}")
        colour = seat.colour or free.pop(0)
        bot = seat.bot if seat.kind == "bot" else None
        name = clean_name(seat.name) or bot or ("" if seat.kind == "open" else colour)
        chairs.append(Chair(number, seat.kind, name, colour, bot, entropy="" if bot else None))
    return chairs


def check_colour(colour: str, taken: Sequence[str]) -> None:
    """Refuses a colour that does not exist or that another seat has."""
    if colour not in COLOURS:
        raise OptionError(f"colour: expected one of {', '.join(COLOURS)}, got {colour!r}")
    if colour in taken:
        raise OptionError(f"colour: {colour} is taken")


def clean_name(name: str) -> str:
    """A name without spaces around it; refused if it cannot be printed."""
    name = name.strip()
    if not name.isprintable():
        raise Refusal("shape", "name: expected letters that can be printed")
    return name
