"""A table in memory: its lines played one after the other. No storage, no network; equal lines give equal tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from msgspec import Struct

from bastide.game import CHANCE, SPECTATOR, Action, Event, Game
from bastide.game.outcome import Outcome
from bastide.server.clock import Asked, ClockFace
from bastide.server.fair import Dealer, PlayerTranscript
from bastide.server.refusal import Refusal
from bastide.server.setup import Chair, Setup

HUMAN, BOT, OPEN = "human", "bot", "open"
WAITING, RUNNING, OVER = "waiting", "running", "over"
NOBODY = -1  # in place of a seat, as messages and the database say it
STAND_IN = "greedy"  # plays on for a seat that is out


@dataclass(frozen=True)
class Line:
    """What happened: `begin`, `0 place D 1,0 90`, `draw E`, `undo 2`, `resign 1`, `time 0`, `credit 9 5`, `end`.

    docs/protocol.md says what they mean.
    """

    seq: int
    at: int
    text: str
    lag: int = 0  # ms that the message was under way; not charged to who sent it


@dataclass(frozen=True)
class PlayedAction:
    """An action of the game as it stands now, with the line it came from (0: with the table) and what it brought."""

    seq: int
    events: tuple[Event, ...]


class TakeBackOffer(Struct, frozen=True):
    """A take-back that was asked for when the table had `seq` lines; void as soon as it has more."""

    seq: int
    seat: int
    waiting: list[int]


class Table:
    """Everything that is known about a table. Hidden things too: `show` decides what leaves."""

    def __init__(self, name: str, setup: Setup, seed: str, invite: str, chairs: Sequence[Chair]) -> None:
        self.name = name
        self.setup = setup
        self.seed = seed
        self.invite = invite
        self.chairs = list(chairs)
        self.seq = 0
        self.position_seq = 0  # the last line that changed more than the clock
        self.game: Game | None = None
        self.played: list[PlayedAction] = []  # in step with game.history
        self.draws_made = 0  # draws ever made, those taken back too
        self.transcript = PlayerTranscript()  # what people have done
        self.out: dict[int, str] = {}  # seat -> "resigned" or "time", the first to leave first
        self.clock = ClockFace(setup.clock, setup.players)
        self.offer: TakeBackOffer | None = None
        self.next: str | None = None
        self.created = self.changed = 0
        self.memo: dict[object, Any] = {}  # what `show` has made of the table as it is now,
        self.lasting_memo: dict[object, Any] = {}  # and of what never changes; all copies share it

    def copy(self) -> Table:
        """An independent table in the same state: what is proposed is tried out on a copy."""
        twin = Table.__new__(Table)
        twin.__dict__.update(self.__dict__)
        twin.chairs, twin.played, twin.out = self.chairs[:], self.played[:], self.out.copy()
        twin.game = None if self.game is None else self.game.copy()
        twin.transcript, twin.clock, twin.memo = self.transcript.copy(), self.clock.copy(), {}
        return twin

    # --- what can be asked
    @property
    def status(self) -> str:
        """Where the table stands."""
        if self.game is None:
            return WAITING
        return RUNNING if self.outcome is None else OVER

    @property
    def playing(self) -> Game:
        """The game; refused before it has begun."""
        if self.game is None:
            raise Refusal("waiting")
        return self.game

    @property
    def decides(self) -> int:
        """The seat that is asked now, or NOBODY."""
        if self.game is None or self.outcome is not None or self.game.seat == CHANCE:
            return NOBODY
        return self.game.seat

    @property
    def free(self) -> list[Chair]:
        """Seats that somebody with the invite may take."""
        return [chair for chair in self.chairs if chair.kind == OPEN]

    @property
    def inside(self) -> list[int]:
        """Seats that neither resigned nor ran out of time."""
        return [chair.seat for chair in self.chairs if chair.seat not in self.out]

    @property
    def outcome(self) -> Outcome | None:
        """The ranking once it is over: whoever is out is last."""
        game = self.game
        if game is None:
            return None
        ended = game.outcome
        if ended is None and not self._abandoned():
            return None
        inside = self.inside
        ranking = ended.ranking if ended else Outcome.of(game.scores, "").ranking
        ranked = [seat for seat in ranking if seat in inside]
        winners = tuple(seat for seat in ended.winners if seat in inside) if ended else ()
        reason = ended.reason if ended else list(self.out.values())[-1]
        return Outcome(game.scores, (*ranked, *reversed(self.out)), winners or tuple(ranked[:1]), reason)

    def _abandoned(self) -> bool:
        """Is one seat left, or nobody but bots where people played?"""
        people = [chair.seat for chair in self.chairs if chair.kind != BOT]
        return bool(self.out) and (len(self.inside) < 2 or (bool(people) and all(seat in self.out for seat in people)))

    @property
    def plays_itself(self) -> str | None:
        """The bot that must decide now, by its name."""
        seat = self.decides
        if seat == NOBODY:
            return None
        return STAND_IN if seat in self.out else self.chairs[seat].bot

    def eyes(self, mine: Sequence[int]) -> int:
        """By whose eyes somebody with these seats looks: the one that decides, else the first."""
        if self.decides in mine:
            return self.decides
        return mine[0] if mine else SPECTATOR

    def may_undo(self, seat: int) -> int:
        """How many own actions a seat may take back: those since the last draw, while nobody else has acted."""
        game = self.game
        if game is None or self.decides != seat:
            return 0
        return self._run(seat, len(game.history))

    def take_back(self, seat: int) -> int:
        """How many actions must be undone for a seat to play its last turn anew; 0 if it has not played yet."""
        history = self.playing.history
        end = len(history)
        while end > self._first and (history[end - 1][0] != seat or history[end - 1][1].verb == "draw"):
            end -= 1
        run = self._run(seat, end)
        return len(history) - end + run if run else 0

    @property
    def _first(self) -> int:
        """Actions that came with the table and stay."""
        return len(self.setup.past)

    def _run(self, seat: int, end: int) -> int:
        """How many actions of a seat in a row stand before this place of the history."""
        history = self.playing.history
        count = 0
        while end - count > self._first:
            who, action = history[end - count - 1]
            if who != seat or action.verb == "draw":
                break
            count += 1
        return count

    @property
    def pending(self) -> TakeBackOffer | None:
        """The offer, unless the table has gone on since."""
        return self.offer if self.offer is not None and self.offer.seq == self.seq else None

    # --- what may come next
    def begin(self, at: int) -> list[Line]:
        """The game begins; tiles are drawn until somebody must decide."""
        return [self._add("begin", at), *self.deal(at)]

    def play(self, action: str, at: int, lag: int = 0) -> list[Line]:
        """The seat that decides acts, and tiles are drawn for whoever is next. Refuses an illegal action."""
        wanted = Action.parse(action)
        return [self._add(f"{self.decides} {wanted}", at, lag), *self.deal(at)]

    def add(self, text: str, at: int) -> list[Line]:
        """Anything else: `undo 2`, `resign 1`, `time 0`."""
        return [self._add(text, at)]

    def deal(self, at: int) -> list[Line]:
        """Answers for chance until somebody must decide. A puzzle ends when its draws are used up or cannot be made."""
        game = self.playing
        lines = []
        while self.outcome is None and game.seat == CHANCE:
            if not self.setup.scripted:
                lines.append(self._add(str(self.next_draw()), at))
                continue
            used = sum(action.verb == "draw" for _, action in game.history[self._first :])
            wanted = [Action("draw", tile=name) for name in self.setup.draws[used : used + 1]]
            lines.append(self._add(str(wanted[0]) if wanted and wanted[0] in game.legal else "end", at))
        return lines

    def next_draw(self) -> Action:
        """What chance brings if it is asked now."""
        dealer = Dealer(self.seed, [chair.entropy or "" for chair in self.chairs])
        return dealer.deal(self.playing, self.draws_made, str(self.transcript))

    def _add(self, text: str, at: int, lag: int = 0) -> Line:
        line = Line(self.seq + 1, at, text, lag)
        self.apply(line)
        return line

    def apply(self, line: Line) -> None:
        """Goes on by one line, new or stored. Refuses what is illegal; nothing has changed then."""
        if line.seq != self.seq + 1:
            raise AssertionError(f"table {self.name}: line {line.seq} after {self.seq}")
        word, _, rest = line.text.partition(" ")
        match word:
            case "begin":
                self.game, past = self.setup.game([chair.colour for chair in self.chairs])
                self.played = [PlayedAction(0, tuple(events)) for events in past]
            case "undo":
                for _ in range(int(rest)):
                    self.playing.undo()
                    self.played.pop()
            case "resign":
                self.out[int(rest)] = "resigned"
            case "time":
                self.out[int(rest)] = "time"
            case "credit":
                back, each = map(int, rest.split())
                self.clock.credit(back, each)
            case "end":
                events = self.playing.finish()
                self.played[-1] = PlayedAction(line.seq, (*self.played[-1].events, *events))
            case _:
                events = self.playing.play(line.text if word == "draw" else rest)
                self.draws_made += word == "draw"
                if word != "draw" and self.chairs[int(word)].entropy:
                    self.transcript.add(line.text)
                self.played.append(PlayedAction(line.seq, tuple(events)))
        self.memo.clear()
        self.seq = line.seq
        self.changed = line.at
        if word != "credit":
            self.position_seq = line.seq
        self.clock.tick(line.at, self._asked(word == "draw"), line.lag)

    def _asked(self, drawn: bool) -> Asked | None:
        """The question that is open now, for the clock."""
        seat = self.decides
        if seat == NOBODY:
            return None
        game = self.playing
        return Asked(seat, game.turn, len(game.history), drawn and game.tile is not None)
