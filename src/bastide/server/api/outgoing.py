"""What the server sends: the answers of HTTP and the messages of the socket, as docs/protocol.md describes them.

Nothing here knows itself, and there is much of it, so the collector of cycles need not look at it (`gc=False`).
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from bastide.geometry import Cell
from bastide.server.api.incoming import Clock, MessageId, SeatKind

Value = str | int
Verb = Literal["place", "discard", "deploy", "take", "move", "choose", "pass"]
Status = Literal["waiting", "running", "over"]
WhyOut = Literal["resigned", "time"]
QuestionKind = Literal["place", "spot", "piece", "choice"]


# --- the game


class Tile(Struct, frozen=True, gc=False):
    """A tile on the board."""

    tile: str
    cell: Cell
    turn: int


class Figure(Struct, frozen=True, gc=False):
    """A piece on the board."""

    seat: int
    piece: str
    cell: Cell
    spot: str


class Token(Struct, frozen=True, gc=False):
    """Something else on the table."""

    seat: int
    name: str
    where: str
    count: int


class Spot(Struct, frozen=True, gc=False):
    """A segment of the tile on a cell."""

    cell: Cell
    spot: str


class Discard(Struct, frozen=True, gc=False):
    """A tile that fitted nowhere."""

    seat: int
    tile: str


class Outcome(Struct, frozen=True, gc=False):
    """How the game ended."""

    reason: str
    scores: list[int]
    ranking: list[int]
    winners: list[int]


class Part(Struct, frozen=True, gc=False):
    """A named part of a score."""

    name: str
    count: int
    each: int
    rule: str


class Event(Struct, frozen=True, gc=False, tag_field="event", tag=str.lower):
    """Something that an action brought."""


class Drawn(Event, frozen=True, gc=False):
    """A tile or token was drawn."""

    seat: int
    name: str


class Discarded(Event, frozen=True, gc=False):
    """A tile left the game."""

    seat: int
    tile: str


class Placed(Event, frozen=True, gc=False):
    """A tile was laid."""

    seat: int
    tile: str
    cell: Cell
    turn: int


class Deployed(Event, frozen=True, gc=False):
    """A piece was put on a spot."""

    seat: int
    piece: str
    cell: Cell | None
    spot: str


class Returned(Event, frozen=True, gc=False):
    """A piece went home."""

    seat: int
    piece: str
    cell: Cell | None
    spot: str


class Scored(Event, frozen=True, gc=False):
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


class Noted(Event, frozen=True, gc=False):
    """Something in the words of its module."""

    seat: int
    what: str
    value: str


class Ended(Event, frozen=True, gc=False):
    """The game is over."""

    outcome: Outcome


AnyEvent = Drawn | Discarded | Placed | Deployed | Returned | Scored | Noted | Ended


class Entry(Struct, frozen=True, gc=False):
    """One action of the game, as the receiver may know it."""

    n: int
    seq: int
    seat: int
    action: str
    events: list[AnyEvent]


class Source(Struct, frozen=True, gc=False):
    """Points by where they came from."""

    kind: str
    final: bool
    points: list[int]


class Choice(Struct, frozen=True, gc=False, omit_defaults=True):
    """A legal action in parts. `text` is what is sent back."""

    text: str
    verb: Verb
    tile: str | None = None
    cell: Cell | None = None
    turn: int | None = None
    piece: str | None = None
    spot: str | None = None
    to: Spot | None = None
    choice: str | None = None
    gain: list[int] | None = None  # none: nobody gets anything,
    worth: list[int] | None = None  # or aids are off


class Question(Struct, frozen=True, gc=False, rename={"may_pass": "pass"}):
    """What the seat is asked."""

    seat: int
    prompt: str
    kind: QuestionKind
    may_pass: bool
    rules: list[str]
    actions: list[Choice]


class OpenCell(Struct, frozen=True, gc=False):
    """An empty cell beside a tile."""

    cell: Cell
    fits: int
    dead: bool


class AidFacts(Struct, frozen=True, gc=False, kw_only=True):
    """What an attentive player could work out."""

    unseen: dict[str, int]
    cells: list[OpenCell]
    trapped: list[Figure]


class Game(Struct, frozen=True, gc=False):
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
    log: list[Entry]
    sources: list[Source]
    projected: list[int | None] | None  # points if the game ended now; None: no aids, or hidden things would count
    outcome: Outcome | None


# --- the table


class Drawings(Struct, frozen=True, gc=False):
    """Addresses of what the tiles in play look like."""

    data: str
    themes: dict[str, str]


class Seat(Struct, frozen=True, gc=False):
    """A player's place."""

    seat: int
    kind: SeatKind
    name: str
    colour: str
    bot: str | None
    ready: bool
    online: bool
    out: WhyOut | None


class RulesInWords(Struct, frozen=True, gc=False):
    """A choice of rules in words."""

    edition: str
    boxes: list[str]
    house_rules: list[str]  # and options, where they are not as the edition has them


class Rules(Struct, frozen=True, gc=False):
    """What is played."""

    edition: str
    preset: str
    modules: list[str]
    options: dict[str, Value]
    scripted: bool
    told: dict[str, RulesInWords]  # by language


class ClockState(Clock, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """The clock at the moment of the message."""

    left: list[int] | None
    running: int | None


class Offer(Struct, frozen=True, gc=False):
    """Something that others must agree to."""

    kind: str
    seat: int
    waiting: list[int]


class Fair(Struct, frozen=True, gc=False):
    """The proof of the draws, as far as it may be known."""

    version: int
    wanted: list[int]  # seats whose links are wanted
    ends: dict[int, str]  # of own seats: what the next link must hash to
    commitment: str
    entropies: list[str | None]
    seed: str | None


# --- messages of the socket


class Message(Struct, tag_field="type", tag=str.lower, kw_only=True, frozen=True, gc=False):
    """One message of the server."""


class State(Message, frozen=True, gc=False, kw_only=True):
    """A table by the eyes of a seat."""

    table: str
    n: int = 0  # of the states that these eyes have seen; 0 over HTTP
    seq: int
    now: int
    status: Status
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


class ChatLine(Message, tag="chat", frozen=True, gc=False):
    """A line of the chat."""

    n: int
    at: int
    seat: int
    name: str
    text: str
    emote: str | None
    system: bool


class Welcome(Message, frozen=True, gc=False):
    """The answer to hello."""

    version: int
    table: str
    mine: list[int]
    chat: list[ChatLine]
    now: int
    re: MessageId = None


class Done(Message, frozen=True, gc=False):
    """It is stored."""

    re: MessageId
    seq: int


class Refused(Message, frozen=True, gc=False, omit_defaults=True):
    """Nothing was changed."""

    re: MessageId
    code: str
    message: str
    reason: str | None = None


class Thinking(Message, frozen=True, gc=False):
    """A bot began to think."""

    seat: int
    bot: str
    since: int


class Presence(Message, frozen=True, gc=False):
    """Who is there."""

    online: list[bool]
    watching: int


class RegionFacts(Struct, frozen=True, gc=False, kw_only=True):
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


class Prospect(Struct, frozen=True, gc=False):
    """What becomes of a region."""

    now: int
    finished: int | None  # points at least; nothing for one that is finished or never will be
    gaps: int  # cells that must be filled
    closers: int  # tiles that may come and fill the gap that is hardest to fill


class Region(RegionFacts, tag_field="type", tag="region", kw_only=True, frozen=True, gc=False):
    """The region that was asked for."""

    re: MessageId
    prospect: Prospect


class Regions(Message, frozen=True, gc=False):
    """All regions that were asked for."""

    re: MessageId
    regions: list[RegionFacts]


class Aids(AidFacts, tag_field="type", tag="aids", kw_only=True, frozen=True, gc=False):
    """The aids that were asked for."""

    re: MessageId
    seq: int  # of the position to which they belong


class WhyNot(Message, tag="why", frozen=True, gc=False):
    """Why an action is illegal; or that it is not."""

    re: MessageId
    legal: bool
    reason: str
    message: str


class Pong(Message, frozen=True, gc=False):
    """The answer to ping."""

    re: MessageId
    now: int


class Beat(Message, frozen=True, gc=False):
    """To be sent back at once: the server measures how long messages are under way."""

    n: int


Outgoing = (
    State | ChatLine | Welcome | Done | Refused | Thinking | Presence | Region | Regions | Aids | WhyNot | Pong | Beat
)
