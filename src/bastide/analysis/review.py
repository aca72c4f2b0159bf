"""A game move by move: what each was worth beside the best that was found, and where the game turned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from bastide.analysis.fields import Field, fields
from bastide.analysis.judges import Judge, Verdict, judge
from bastide.bots.par import play_alone
from bastide.game import CHANCE, SPECTATOR, Action, Game, Rng
from bastide.game.events import Event
from bastide.notation.record import Record
from bastide.notation.replay import new_game, replay

HOLD = 4  # turns that a new front-runner must stay ahead for the game to have turned


@dataclass(frozen=True)
class Move:
    """One decision of a player."""

    turn: int  # counted from 1
    n: int  # among all actions of the game, draws too, counted from 1
    seat: int
    action: str
    value: float
    best: str  # the best action that was found
    best_value: float
    choices: int
    margin: float  # half the interval of the loss (95 %); 0 if the judge knows of no chance

    @property
    def loss(self) -> float:
        """Points given away, as far as the judge can tell."""
        return self.best_value - self.value


@dataclass(frozen=True)
class Turn:
    """All that one player did before the next one drew."""

    number: int
    seat: int
    actions: tuple[str, ...]  # draws included
    moves: tuple[Move, ...]
    leads: tuple[float, ...]  # per seat, after it
    n: int  # its last action among all of the game

    @property
    def loss(self) -> float:
        """Of all its moves."""
        return sum(move.loss for move in self.moves)


@dataclass(frozen=True)
class Review:
    """A game, judged."""

    names: tuple[str, ...]
    judge: str
    turns: tuple[Turn, ...]
    turning_points: tuple[int, ...]  # numbers of turns
    scores: tuple[int, ...]
    over: bool
    fields: tuple[Field, ...]  # once the game is over
    par: int | None  # of a game that one player has played to its end

    def loss(self, seat: int) -> float:
        """What a player gave away in the whole game."""
        return sum(turn.loss for turn in self.turns if turn.seat == seat)


def review(record: Record, by: str = "outlook") -> Review:
    """Judges every move of a record; its checks must hold."""
    played = replay(record)
    game = new_game(record)
    judging = judge(by, game.rules)
    rng = Rng(1)
    events: list[Event] = []
    turns: list[Turn] = []
    actions: list[str] = []
    moves: list[Move] = []
    verdicts: list[Verdict] = []  # of the moves to come
    owner = 0
    for n, (seat, action) in enumerate(played.history, 1):
        if action.verb == "draw" and moves and seat != owner:
            turns.append(Turn(len(turns) + 1, owner, tuple(actions), tuple(moves), leads(game, judging, rng), n - 1))
            actions, moves = [], []
        if not moves:
            owner = seat
        if game.seat != CHANCE:
            if not verdicts:
                verdicts = judging.verdicts(game, moves_on(played.history[n - 1 :]))
            moves.append(move_of(game, str(action), len(turns) + 1, n, verdicts.pop(0)))
        actions.append(str(action))
        events += game.play(action)
    if played.over and not game.over:
        events += game.finish()
    if moves:
        end = len(played.history)
        turns.append(Turn(len(turns) + 1, owner, tuple(actions), tuple(moves), leads(game, judging, rng), end))
    ledger = fields(game, events) if game.over else []
    points = turning_points([turn.leads for turn in turns])
    return Review(game.names, by, tuple(turns), points, game.scores, game.over, tuple(ledger), par_of(record, played))


def par_of(record: Record, played: Game) -> int | None:
    """HOUSE-2: what a good bot makes of the same tiles, for whoever has played alone to the end."""
    ended = played.outcome
    if len(played.names) > 1 or played.rules.scripted or ended is None or ended.reason != "tiles":
        return None
    return play_alone(new_game(record), [action for _, action in played.history if action.verb == "draw"])


def moves_on(history: Sequence[tuple[int, Action]]) -> list[str]:
    """What a player does before anything is drawn or somebody else decides."""
    seat, _ = history[0]
    return [str(action) for _, action in takewhile(lambda one: one[0] == seat and one[1].verb != "draw", history)]


def move_of(game: Game, action: str, turn: int, n: int, said: Verdict) -> Move:
    """One decision, before it is carried out."""
    return Move(turn, n, game.seat, action, said.value, said.best, said.best_value, len(game.legal), said.margin)


def leads(game: Game, judging: Judge, rng: Rng) -> tuple[float, ...]:
    """How far each seat is ahead, or can expect to be: as a spectator sees it."""
    engine = game.view(SPECTATOR).imagine(rng).engine
    return tuple(judging.lead(engine, seat) for seat in range(len(game.names)))


def turning_points(course: Sequence[Sequence[float]]) -> tuple[int, ...]:
    """The turns with which another player took the lead and kept it for a while (or to the end)."""
    front = [max(range(len(leads)), key=leads.__getitem__) if max(leads) > 0 else -1 for leads in course]
    found = []
    ahead = -1
    for number, leader in enumerate(front):
        kept = front[number : number + HOLD]
        if leader not in (-1, ahead) and all(later == leader for later in kept):
            if ahead != -1:
                found.append(number + 1)
            ahead = leader
    return tuple(found)
