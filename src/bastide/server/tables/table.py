"""A table in memory: its lines played one after the other. No storage, no network; equal lines give equal tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from bastide.game import CHANCE, SPECTATOR, Action, Event, Game
from bastide.game.outcome import Outcome
from bastide.server.api.outgoing import Status, WhyOut
from bastide.server.api.refusal import Refusal
from bastide.server.draws.fair import Dealer, PlayerTranscript, hash_lines
from bastide.server.draws.links import Links, has_chain, hash_link
from bastide.server.tables.clock import Asked, ClockFace
from bastide.server.tables.setup import Chair, Setup

HUMAN: Final = "human"
BOT: Final = "bot"
OPEN: Final = "open"
WAITING: Final = "waiting"
RUNNING: Final = "running"
OVER: Final = "over"
NOBODY = -1  # in place of a seat, as messages and the database say it
STAND_IN = "greedy"  # plays on for a seat that is out


class Line(Struct, frozen=True, gc=False):
    """What happened: `begin`, `0 place D 1,0 90`, `link 0 9f..`, `draw E`, `undo 2`, `resign 1`, `time 0`, `end`.

    docs/protocol.md says what they mean, and names the others.
    """

    seq: int
    at: int
    text: str
    lag: int = 0  # ms that the message was under way; not charged to who sent it


class PlayedAction(Struct, frozen=True, gc=False):
    """An action of the game as it stands now, with the line it came from (0: with the table) and what it brought."""

    seq: int
    events: tuple[Event, ...]
    links: tuple[str, ...] = ()  # a draw's: what people added to it, `SEAT LINK` each


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
        self.prepared: tuple[Game, list[list[Event]]] | None = None  # the game before its first line
        self.played: list[PlayedAction] = []  # in step with game.history
        self.draws_made = 0  # draws ever made, those taken back too
        self.transcript = PlayerTranscript()  # what people have done (version 1)
        self.links = Links()  # what people have revealed of their chains (version 2),
        self.first_links: tuple[str, ...] = ()  # and what of it shuffled the seats
        self.order: list[int] = []  # how the seats were just shuffled, until that is stored
        self.out: dict[int, WhyOut] = {}  # by seat, the first to leave first
        self.clock = ClockFace(setup.clock, setup.players)
        self.offer: TakeBackOffer | None = None
        self.next: str | None = None
        self.created = self.changed = 0
        self.position_cache: dict[object, Any] = {}  # what was found out about the table as it is now,
        self.growing_cache: dict[object, Any] = {}  # of what only grows, until something is taken back,
        self.table_cache: dict[object, Any] = {}  # and of what never changes; all copies share it

    def copy(self) -> Table:
        """An independent table in the same state: what is proposed is tried out on a copy."""
        twin = Table.__new__(Table)
        twin.__dict__.update(self.__dict__)
        twin.chairs, twin.played, twin.out = self.chairs[:], self.played[:], self.out.copy()
        twin.game = None if self.game is None else self.game.copy()
        twin.transcript, twin.clock, twin.position_cache = self.transcript.copy(), self.clock.copy(), {}
        twin.links, twin.growing_cache = self.links.copy(), self.growing_cache.copy()
        twin.prepared = None  # one game cannot be played at two tables
        return twin

    def prepare(self) -> None:
        """Plays what came with the table before the line `begin` needs it: it takes long, and a thread may do it."""
        self.prepared = self.setup.game(self._colours)

    # --- what can be asked
    @property
    def status(self) -> Status:
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
        seat = CHANCE if self.game is None else self.game.seat
        return NOBODY if seat == CHANCE or self.outcome is not None else seat

    @property
    def awaited(self) -> int:
        """The seat for which everybody waits: it is asked, or its link is wanted; NOBODY if there is none."""
        decides = self.decides
        return decides if decides != NOBODY else next(iter(self.wanted), NOBODY)

    @property
    def free(self) -> list[Chair]:
        """Seats that somebody with the invite may take."""
        return [chair for chair in self.chairs if chair.kind == OPEN]

    @property
    def remaining(self) -> list[int]:
        """Seats that neither resigned nor ran out of time."""
        return [chair.seat for chair in self.chairs if chair.seat not in self.out]

    @property
    def outcome(self) -> Outcome | None:
        """The ranking once it is over: whoever is out is last."""
        if "outcome" not in self.position_cache:
            self.position_cache["outcome"] = self._find_outcome()
        found: Outcome | None = self.position_cache["outcome"]
        return found

    def _find_outcome(self) -> Outcome | None:
        game = self.game
        if game is None:
            return None
        ended = game.outcome
        if ended is None and not (self.out and self._is_abandoned()):
            return None
        remaining = self.remaining
        ranking = ended.ranking if ended else Outcome.of(game.scores, "").ranking
        ranked = [seat for seat in ranking if seat in remaining]
        winners = tuple(seat for seat in ended.winners if seat in remaining) if ended else ()
        reason = ended.reason if ended else list(self.out.values())[-1]
        return Outcome(game.scores, (*ranked, *reversed(self.out)), winners or tuple(ranked[:1]), reason)

    def _is_abandoned(self) -> bool:
        """Is one seat left, or nobody but bots where people played?"""
        people = [chair.seat for chair in self.chairs if chair.kind != BOT]
        return len(self.remaining) < 2 or (bool(people) and all(seat in self.out for seat in people))

    @property
    def bot_to_move(self) -> str | None:
        """The bot that must decide now, by its name."""
        seat = self.decides
        if seat == NOBODY:
            return None
        return STAND_IN if seat in self.out else self.chairs[seat].bot

    def viewpoint(self, mine: Sequence[int]) -> int:
        """By whose eyes somebody with these seats looks: the one that decides, else the first."""
        decides = self.decides
        if decides in mine:
            return decides
        return mine[0] if mine else SPECTATOR

    def may_undo(self, seat: int) -> int:
        """How many own actions a seat may take back: those since the last draw, while nobody else has acted."""
        game = self.game
        if game is None or self.decides != seat:
            return 0
        return self._actions_in_row(seat, len(game.history))

    def take_back(self, seat: int) -> int:
        """How many actions must be undone for a seat to play its last turn anew; 0 if it has not played yet."""
        history = self.playing.history
        end = len(history)
        while end > self._first and (history[end - 1][0] != seat or history[end - 1][1].verb == "draw"):
            end -= 1
        run = self._actions_in_row(seat, end)
        return len(history) - end + run if run else 0

    @property
    def standing_draws(self) -> int:
        """How many draws were made at this table and not taken back."""
        history = self.playing.history
        counted, draws = self.growing_cache.get("draws", (self._first, 0))
        draws += sum(action.verb == "draw" for _, action in history[counted:])
        self.growing_cache["draws"] = len(history), draws
        return int(draws)

    @property
    def _first(self) -> int:
        """Actions that came with the table and stay."""
        return len(self.setup.past)

    def _actions_in_row(self, seat: int, end: int) -> int:
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

    # --- links of the next draw (docs/fair-draws.md)
    @property
    def wanted(self) -> list[int]:
        """Seats whose links are wanted: before the seats are shuffled everybody's, then those that a draw needs."""
        if self.game is None:
            shuffles = self.setup.shuffle and all(chair.ready for chair in self.chairs)
            return [seat for seat in self._with_chain() if shuffles and seat not in self.links.revealed]
        if self.setup.scripted or self.game.seat != CHANCE or self.outcome is not None:
            return []
        return [seat for seat in self._draw_seats() if self._used(seat) == len(self.links.revealed.get(seat, ()))]

    def _with_chain(self) -> list[int]:
        if self.setup.fair == 1:
            return []
        return [chair.seat for chair in self.chairs if has_chain(chair.entropy) and chair.seat not in self.out]

    def _draw_seats(self) -> list[int]:
        """Who adds a link to the next draw: who acted last and who gets it, once between two actions."""
        history, end = self.playing.history, len(self.playing.history)
        given = set()
        while end > self._first and history[end - 1][1].verb == "draw":
            end -= 1
            given |= {int(link.partition(" ")[0]) for link in self.played[end].links}
        last = [history[end - 1][0]] if end > self._first else []
        able = self._with_chain()
        return [seat for seat in dict.fromkeys((*last, self.playing.turn)) if seat in able and seat not in given]

    def _used(self, seat: int) -> int:
        """How many links of a seat are in the draws that stand, and in the shuffle of the seats."""
        mine = f"{seat} "
        drawn = sum(link.startswith(mine) for entry in self.played for link in entry.links)
        return drawn + (1 if self.first_links else 0)

    def _draw_links(self) -> tuple[str, ...]:
        """What people add to the next draw."""
        if self.setup.scripted:
            return ()
        return tuple(f"{seat} {self.links.revealed[seat][self._used(seat)]}" for seat in self._draw_seats())

    @property
    def _colours(self) -> list[str]:
        return [chair.colour for chair in self.chairs]

    def _entropies(self) -> list[str]:
        return [chair.entropy or "" for chair in self.chairs]

    def check_link(self, seat: int, link: str) -> None:
        """Refuses a link that is not wanted, or is not the next one of its chain."""
        if seat not in self.wanted:
            raise Refusal("turn", "no link of this seat is wanted")
        if hash_link(link) != self.links.end(seat, self.chairs[seat].entropy or ""):
            raise Refusal("illegal", "this is not the next link of the chain", "link")

    def next_order(self) -> list[int]:
        """How the seats are shuffled."""
        dealer = Dealer(self.seed, sorted(self._entropies()))
        return dealer.order(len(self.chairs), hash_lines(self._links_before_shuffle()))

    def _links_before_shuffle(self) -> tuple[str, ...]:
        return tuple(f"{seat} {links[0]}" for seat, links in sorted(self.links.revealed.items()))

    def reseat(self, order: Sequence[int]) -> None:
        """Everybody takes the seat that the shuffle gave him, just before the game begins."""
        moved = [self.chairs[old] for old in order]
        self.chairs = [replace(chair, seat=seat) for seat, chair in enumerate(moved)]
        self.order = list(order)

    # --- what may come next
    def begin(self, at: int) -> list[Line]:
        """The game begins; tiles are drawn until somebody must decide."""
        text = "begin"
        if self.setup.shuffle:
            order = self.next_order()
            self.reseat(order)
            text = " ".join([text, *map(str, order)])
        return [self._add(text, at), *self.deal(at)]

    def play(self, action: str, at: int, lag: int = 0, link: str = "") -> list[Line]:
        """The seat that decides acts, and tiles are drawn for whoever is next. Refuses an illegal action.

        `link` is the seat's next one; it is only looked at if a draw needs it now.
        """
        wanted, seat = Action.parse(action), self.decides
        lines = [self._add(f"{seat} {wanted}", at, lag)]
        if link and seat in self.wanted:
            self.check_link(seat, link)
            lines.append(self._add(f"link {seat} {link}", at))
        return [*lines, *self.deal(at)]

    def reveal(self, seat: int, link: str, at: int) -> list[Line]:
        """A seat shows the link that is wanted; what waits for it goes on."""
        self.check_link(seat, link)
        return self._go_on(f"link {seat} {link}", at)

    def change_chain(self, seat: int, end: str, at: int) -> list[Line]:
        """A seat has lost its chain: it commits to another one, and what waits goes on without its link."""
        if seat not in self.wanted:
            raise Refusal("turn", "no link of this seat is wanted")
        return self._go_on(f"chain {seat} {end}", at)

    def _go_on(self, text: str, at: int) -> list[Line]:
        line = self._add(text, at)
        if self.game is not None:
            return [line, *self.deal(at)]
        return [line] if self.wanted else [line, *self.begin(at)]

    def add(self, text: str, at: int) -> list[Line]:
        """Anything else: `undo 2`, `resign 1`, `time 0`. A draw does not wait for who is out."""
        return [self._add(text, at), *self.deal(at)]

    def take_turn_back(self, seat: int, at: int) -> list[Line]:
        """A seat plays its last turn anew, and everybody has agreed."""
        count, lines = self.take_back(seat), []
        if self.setup.fair > 1:
            people = [chair.seat for chair in self.chairs if chair.kind != BOT and chair.seat not in self.out]
            lines = [f"ask {seat}", *(f"agree {other}" for other in people if other != seat)]
        return [self._add(text, at) for text in [*lines, f"undo {count}"]]

    def deal(self, at: int) -> list[Line]:
        """Answers for chance until somebody must decide or a link is wanted.

        A puzzle ends when its draws are used up or cannot be made.
        """
        game = self.playing
        lines = []
        while self.outcome is None and game.seat == CHANCE and not self.wanted:
            if not self.setup.scripted:
                lines.append(self._add(str(self.next_draw()), at))
                continue
            used = self.standing_draws
            wanted = [Action("draw", tile=name) for name in self.setup.draws[used : used + 1]]
            lines.append(self._add(str(wanted[0]) if wanted and wanted[0] in game.legal else "end", at))
        return lines

    def next_draw(self) -> Action:
        """What chance brings if it is asked now."""
        dealer = Dealer(self.seed, self._entropies(), self.setup.fair)
        if self.setup.fair == 1:
            return dealer.deal(self.playing, self.draws_made, str(self.transcript))
        added = [*self.first_links, *(link for entry in self.played for link in entry.links), *self._draw_links()]
        return dealer.deal(self.playing, self.standing_draws, hash_lines(added))

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
                if rest:  # what shuffled the seats was said by who sat there before
                    self.first_links = self._links_before_shuffle()
                    self.links.reseat([int(old) for old in rest.split()])
                self.game, past = self.prepared or self.setup.game(self._colours)
                self.game.names, self.prepared = tuple(self._colours), None  # the seats may have been shuffled since
                self.played = [PlayedAction(0, tuple(events)) for events in past]
            case "undo":
                for _ in range(int(rest)):
                    self.playing.undo()
                    self.played.pop()
                self.growing_cache.clear()
            case "resign":
                self.out[int(rest)] = "resigned"
            case "time":
                self.out[int(rest)] = "time"
            case "link":
                self.links.add(*split_seat(rest))
            case "chain":
                self.links.change(*split_seat(rest))
            case "ask" | "agree":
                pass  # to a take-back, which follows
            case "credit":
                back, each = map(int, rest.split())
                self.clock.credit(back, each)
            case "end":
                events = self.playing.finish()
                self.played[-1] = PlayedAction(line.seq, (*self.played[-1].events, *events))
                self.growing_cache.clear()
            case "draw":
                links = self._draw_links()
                events = self.playing.play(line.text)
                self.draws_made += 1
                self.played.append(PlayedAction(line.seq, tuple(events), links))
            case _:
                events = self.playing.play(rest)
                if self.chairs[int(word)].entropy:
                    self.transcript.add(line.text)
                self.played.append(PlayedAction(line.seq, tuple(events)))
        self.position_cache.clear()
        self.seq = line.seq
        self.changed = line.at
        if word != "credit":
            self.position_seq = line.seq
        self.clock.tick(line.at, self._asked(word == "draw"), line.lag)

    def _asked(self, drawn: bool) -> Asked | None:
        """The question that is open now, for the clock: an action is wanted, or a link."""
        seat = NOBODY if self.game is None else self.awaited
        if seat == NOBODY:
            return None
        game = self.playing
        link = self.decides == NOBODY
        return Asked(seat, game.turn, len(game.history), drawn and not link and game.tile is not None, link)


def split_seat(rest: str) -> tuple[int, str]:
    """The rest of a line `link SEAT HEX` or `chain SEAT HEX`."""
    seat, _, digits = rest.partition(" ")
    return int(seat), digits
