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


class Rules(Struct, frozen=True):
    """What is played."""

    edition: str
    preset: str
    modules: list[str]
    options: dict[str, Value]
    scripted: bool


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


class Region(Message, frozen=True):
    """A region of the board."""

    re: MessageId
    kind: str
    tiles: int
    open: int
    complete: bool
    weights: list[int]
    attributes: dict[str, int]
    spots: list[Spot]
    figures: list[Figure]
    cells: list[Cell]


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


Outgoing = State | Said | Welcome | Done | Refused | Thinking | Presence | Region | Because | Pong


# --- answers of HTTP


class Problem(Struct, frozen=True, omit_defaults=True):
    """Why a request was refused."""

    code: str
    message: str
    reason: str | None = None


class TakenSeat(Struct, frozen=True):
    """A seat and the secret that it is played with."""

    seat: int
    token: str
    link: str


class MadeTable(Struct, frozen=True):
    """A new table."""

    table: str
    link: str
    invite: str | None
    seats: list[TakenSeat]


class Joined(Struct, frozen=True):
    """A seat was taken."""

    table: str
    seat: int
    token: str
    link: str


class Entered(Struct, frozen=True):
    """This browser has these seats now."""

    table: str
    seats: list[int]


class Summary(Struct, frozen=True):
    """A table in a list."""

    table: str
    title: str
    status: str
    created: int
    changed: int
    edition: str
    modules: list[str]
    seats: list[Seat]
    mine: list[int]
    decides: int
    deadline: int | None
    scores: list[int]
    winners: list[int] | None
    clock: Clock
    aids: bool
    next: str | None


class Summaries(Struct, frozen=True):
    """The tables of a browser."""

    tables: list[Summary]


class Step(Struct, frozen=True):
    """The position after one action."""

    n: int
    seat: int
    action: str
    events: list[AnyEvent]
    laid: int
    figures: list[Figure]
    tokens: list[Token]
    supply: list[dict[str, int]]
    scores: list[int]
    left: int
    tile: str | None


class Replay(Struct, frozen=True):
    """A whole game, step by step."""

    rules: Rules
    seats: list[Seat]
    drawings: Drawings
    title: str
    goal: str
    tiles: list[Tile]
    steps: list[Step]


class StoredPosition(Struct, frozen=True):
    """Where a position is kept."""

    position: str
    link: str


class Position(Struct, frozen=True):
    """A position that was kept."""

    position: str
    title: str
    goal: str
    record: str
    draws: int
    players: int
    replay: Replay


class Line(Struct, frozen=True):
    """One thing that happened at a table."""

    seq: int
    at: int
    text: str


class Log(Struct, frozen=True):
    """Every line of a game that is over, and the proof of its draws."""

    table: str
    commitment: str
    seed: str
    entropies: list[str]
    rules: Rules
    start: list[Tile]
    past: list[str]
    draws: list[str]
    lines: list[Line]


class TablePart(Struct, frozen=True):
    """What a preset says about the table."""

    clock: Clock | None = None
    aids: bool | None = None


class Chosen(Struct, frozen=True):
    """What a choice of rules comes to."""

    edition: str
    modules: list[str]
    options: dict[str, Value]
    tiles: int
    players: int
    pieces: dict[str, int]
    table: TablePart | None
    drawings: Drawings


class Rule(Struct, frozen=True):
    """A numbered rule."""

    id: str
    module: str
    section: str
    text: str
    examples: list[str]


class Health(Struct, frozen=True):
    """The server answers."""

    ok: bool
