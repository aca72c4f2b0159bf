"""What HTTP answers with (docs/protocol.md). What it shares with the socket is in `outgoing`."""

from __future__ import annotations

from msgspec import Struct

from bastide.server.api.incoming import Clock
from bastide.server.api.outgoing import (
    AnyEvent,
    Drawings,
    Figure,
    Rules,
    RulesInWords,
    Seat,
    Status,
    Tile,
    Token,
    Value,
)


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
    status: Status
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


class PublicTable(Struct, frozen=True):
    """A table that everybody may find, and the invite while a seat is free."""

    table: Summary
    invite: str | None


class PublicTables(Struct, frozen=True):
    """Tables that everybody may find."""

    tables: list[PublicTable]


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
    over: bool = False


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


class LogLine(Struct, frozen=True):
    """One thing that happened at a table."""

    seq: int
    at: int
    text: str
    lag: int


class Log(Struct, frozen=True):
    """Every line of a game that is over, and the proof of its draws."""

    table: str
    version: int  # of fair draws
    commitment: str
    seed: str
    entropies: list[str]
    rules: Rules
    start: list[Tile]
    past: list[str]
    draws: list[str]
    lines: list[LogLine]
    bags: list[list[tuple[str, int]]]  # for every line `draw`, in order,
    gets: list[int]  # and the seat that gets it


class Spender(Struct, frozen=True):
    """Somebody who asked for much work."""

    client: str
    units: int
    what: dict[str, int]


class JudgedMove(Struct, frozen=True):
    """One decision beside the best that was found."""

    n: int  # among all actions of the game, from 1
    action: str
    value: float
    best: str
    best_value: float
    loss: float
    choices: int
    margin: float  # half the interval of the loss (95 %); 0 if the judge knows of no chance


class JudgedTurn(Struct, frozen=True):
    """All that one player did before the next one drew."""

    number: int
    player: str
    seat: int
    n: int  # its last action
    actions: list[str]
    leads: list[float]
    loss: float
    moves: list[JudgedMove]


class LedgerField(Struct, frozen=True):
    """A field at the end of a game."""

    kind: str
    spot: str
    tiles: int
    farmers: list[tuple[str, str, str, str]]  # player, piece, cell, spot
    points: list[int]


class Analysis(Struct, frozen=True):
    """A game, judged: what `bastide analyse --json` writes."""

    players: list[str]
    judge: str
    over: bool
    par: int | None  # of a game that one player has played to its end
    scores: list[int]
    losses: list[float]
    turning_points: list[int]
    turns: list[JudgedTurn]
    fields: list[LedgerField]


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
    told: dict[str, RulesInWords]  # by language


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


class PushKey(Struct, frozen=True):
    """With what the server signs its calls (Web Push); nothing where it calls nobody."""

    key: str | None
