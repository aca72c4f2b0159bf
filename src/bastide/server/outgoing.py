"""What the server sends: the answers of HTTP and the messages of the socket, as docs/protocol.md describes them."""

from __future__ import annotations

from msgspec import Struct

from bastide.geometry import Cell
from bastide.server.incoming import Clock, MessageId

Value = str | int


# --- the game


class Tile(Struct, frozen=True):
    """A tile on the board."""

    tile: str
    cell: Cell
    turn: int


class Figure(Struct, frozen=True):
    """A piece on the board."""

    seat: int
    piece: str
    cell: Cell
    spot: str


class Token(Struct, frozen=True):
    """Something else on the table."""

    seat: int
    name: str
    where: str
    count: int


class Spot(Struct, frozen=True):
    """A segment of the tile on a cell."""

    cell: Cell
    spot: str


class Discard(Struct, frozen=True):
    """A tile that fitted nowhere."""

    seat: int
    tile: str


class Outcome(Struct, frozen=True):
    """How the game ended."""

    reason: str
    scores: list[int]
    ranking: list[int]
    winners: list[int]


class Part(Struct, frozen=True):
    """A named part of a score."""

    name: str
    count: int
    each: int
    rule: str


class Event(Struct, frozen=True, tag_field="event", tag=str.lower):
    """Something that an action brought."""


class Drawn(Event, frozen=True):
    """A tile or token was drawn."""

    seat: int
    name: str


class Discarded(Event, frozen=True):
    """A tile left the game."""

    seat: int
    tile: str


class Placed(Event, frozen=True):
    """A tile was laid."""

    seat: int
    tile: str
    cell: Cell
    turn: int


class Deployed(Event, frozen=True):
    """A piece was put on a spot."""

    seat: int
    piece: str
    cell: Cell | None
    spot: str


class Returned(Event, frozen=True):
    """A piece went home."""

    seat: int
    piece: str
    cell: Cell | None
    spot: str


class Scored(Event, frozen=True):
    """A player got points, and why."""

    seat: int
    points: int
    kind: str
    cell: Cell | None
    spot: str
    tiles: list[Cell]
    parts: list[Part]
    rules: list[str]
    final: bool


class Noted(Event, frozen=True):
    """Something in the words of its module."""

    seat: int
    what: str
    value: str


class Ended(Event, frozen=True):
    """The game is over."""

    outcome: Outcome


AnyEvent = Drawn | Discarded | Placed | Deployed | Returned | Scored | Noted | Ended


class Entry(Struct, frozen=True):
    """One action of the game, as the receiver may know it."""

    n: int
    seq: int
    seat: int
    action: str
    events: list[AnyEvent]


class Source(Struct, frozen=True):
    """Points by where they came from."""

    kind: str
    final: bool
    points: list[int]


class Choice(Struct, frozen=True, omit_defaults=True):
    """A legal action in parts. `text` is what is sent back."""

    text: str
    verb: str
    tile: str | None = None
    cell: Cell | None = None
    turn: int | None = None
    piece: str | None = None
    spot: str | None = None
    to: Spot | None = None
    choice: str | None = None
    gain: list[int] | None = None
    worth: list[int] | None = None


class Question(Struct, frozen=True, rename={"may_pass": "pass"}):
    """What the seat is asked."""

    seat: int
    prompt: str
    kind: str
    may_pass: bool
    rules: list[str]
    actions: list[Choice]


class OpenCell(Struct, frozen=True):
    """An empty cell beside a tile."""

    cell: Cell
    fits: int
    dead: bool


class Aids(Struct, frozen=True):
    """What an attentive player could work out."""

    unseen: dict[str, int]
    cells: list[OpenCell]
    trapped: list[Figure]


class Game(Struct, frozen=True):
    """The position by the eyes of a seat."""

    turn: int
    decides: int
    prompt: str
    tile: str | None
    left: int
    tiles: list[Tile]
    figures: list[Figure]
    tokens: list[Token]
    scores: list[int]
    laps: list[int]
    supply: list[dict[str, int]]
    secret: list[str]
    secret_counts: list[int]
    discards: list[Discard]
    question: Question | None
    log_from: int
    log: list[Entry]
    sources: list[Source]
    aids: Aids | None
    outcome: Outcome | None


# --- the table


class Drawings(Struct, frozen=True):
    """Addresses of what the tiles in play look like."""

    data: str
    themes: dict[str, str]


class Seat(Struct, frozen=True):
    """A player's place."""

    seat: int
    kind: str
    name: str
    colour: str
    bot: str | None
    ready: bool
    online: bool
    out: str | None


class Told(Struct, frozen=True):
    """A choice of rules in words."""

    edition: str
    boxes: list[str]
    house_rules: list[str]  # and options, where they are not as the edition has them


class Rules(Struct, frozen=True):
    """What is played."""

    edition: str
    preset: str
    modules: list[str]
    options: dict[str, Value]
    scripted: bool
    told: dict[str, Told]  # by language


class ClockState(Clock, frozen=True, kw_only=True, omit_defaults=True):
    """The clock at the moment of the message."""

    left: list[int] | None
    running: int | None


class Offer(Struct, frozen=True):
    """Something that others must agree to."""

    kind: str
    seat: int
    waiting: list[int]


class Fair(Struct, frozen=True):
    """The proof of the draws, as far as it may be known."""

    version: int
    wanted: list[int]  # seats whose links are wanted
    ends: dict[int, str]  # of own seats: what the next link must hash to
    commitment: str
    entropies: list[str | None]
    seed: str | None


# --- messages of the socket


class Message(Struct, tag_field="type", tag=str.lower, kw_only=True, frozen=True):
    """One message of the server."""


class State(Message, frozen=True):
    """A table by the eyes of a seat."""

    table: str
    seq: int
    now: int
    status: str
    title: str
    goal: str
    rules: Rules
    drawings: Drawings
    seats: list[Seat]
    mine: list[int]
    seat: int
    invite: str | None
    aids: bool
    clock: ClockState
    undo: int
    takeback: bool
    offer: Offer | None
    thinking: int | None
    next: str | None
    fair: Fair
    game: Game | None


class Said(Message, tag="chat", frozen=True):
    """A line of the chat."""

    n: int
    at: int
    seat: int
    name: str
    text: str
    emote: str | None
    system: bool


class Welcome(Message, frozen=True):
    """The answer to hello."""

    version: int
    table: str
    mine: list[int]
    chat: list[Said]
    now: int
    re: MessageId = None


class Done(Message, frozen=True):
    """It is stored."""

    re: MessageId
    seq: int


class Refused(Message, frozen=True, omit_defaults=True):
    """Nothing was changed."""

    re: MessageId
    code: str
    message: str
    reason: str | None = None


class Thinking(Message, frozen=True):
    """A bot began to think."""

    seat: int
    bot: str
    since: int


class Presence(Message, frozen=True):
    """Who is there."""

    online: list[bool]
    watching: int


class RegionFacts(Struct, frozen=True, kw_only=True):
    """A region of the board."""

    kind: str
    tiles: int
    open: int
    complete: bool
    weights: list[int]
    attributes: dict[str, int]
    spots: list[Spot]
    figures: list[Figure]
    cells: list[Cell]


class Region(RegionFacts, tag_field="type", tag="region", kw_only=True, frozen=True):
    """The region that was asked for."""

    re: MessageId


class Regions(Message, frozen=True):
    """All regions that were asked for."""

    re: MessageId
    regions: list[RegionFacts]


class Because(Message, tag="why", frozen=True):
    """Why an action is illegal; or that it is not."""

    re: MessageId
    legal: bool
    reason: str
    message: str


class Pong(Message, frozen=True):
    """The answer to ping."""

    re: MessageId
    now: int


class Beat(Message, frozen=True):
    """To be sent back at once: the server measures how long messages are under way."""

    n: int


Outgoing = State | Said | Welcome | Done | Refused | Thinking | Presence | Region | Regions | Because | Pong | Beat
