"""Puzzles: one turn of a game, with what every way to play it is worth, and why the best one is the best.

A puzzle is data: whoever has it can judge an answer without an engine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any

from bastide.analysis.judges import ByOutlook
from bastide.bots import greedy
from bastide.bots.planner import DEPTH
from bastide.game import CHANCE, Game, Rng
from bastide.game.board import Region
from bastide.game.events import Deployed, Event, Placed, Returned, Scored
from bastide.game.reporter import Reporter
from bastide.notation.record import Record, write_record
from bastide.notation.replay import new_game, record_of, replay

Turns = dict[str, Any]  # by action: a value (float) at the end of the turn, or the Turns that follow
DIGITS = 1  # of a value
ID = 8  # letters of a puzzle's name
COSTLY = 0.5  # points that a turn gives away, for it to be worth another try
SPOILED = 1.5  # points that others lose by a turn, for it to be said


@dataclass(frozen=True)
class Fact:
    """One reason for the best turn; the page has the sentences. What does not apply is empty."""

    fact: str  # scores, gives, returns, claims, shares, takes, extends, again, keeps, hinders, compares
    points: float = 0
    other: float = 0  # the others' points
    count: int = 0  # pieces or tiles
    kind: str = ""  # of land, or another source of points
    piece: str = ""
    rule: str = ""


@dataclass(frozen=True)
class Puzzle:
    """One turn to be found."""

    record: str  # up to where the seat decides
    seat: int
    turns: Turns
    solution: tuple[str, ...]
    tempting: tuple[str, ...]  # what brings most at once, or what was played in the game
    why: tuple[Fact, ...]

    @property
    def id(self) -> str:
        """The same for the same position."""
        return sha256(self.record.encode()).hexdigest()[:ID]

    def value(self, line: Sequence[str]) -> float:
        """What a way to play the turn is worth."""
        return float(follow(self.turns, line))

    def loss(self, line: Sequence[str]) -> float:
        """What it gives away."""
        return self.value(self.solution) - self.value(line)


def as_json(puzzle: Puzzle) -> dict[str, Any]:
    """For the page."""
    return {
        "id": puzzle.id,
        "record": puzzle.record.splitlines(),
        "seat": puzzle.seat,
        "solution": list(puzzle.solution),
        "tempting": list(puzzle.tempting),
        "why": [{key: value for key, value in asdict(fact).items() if value} for fact in puzzle.why],
        "turns": puzzle.turns,
    }


def puzzle_of(game: Game, played: Sequence[str] = ()) -> Puzzle:
    """The turn that is asked now, judged by the evaluation; tempting is what was played, else what greed would do."""
    judging = ByOutlook(game.rules)
    turns = turns_of(game, judging)
    tempting = tuple(played) or greedy_line(game)
    return with_turns(game, judging, turns, tempting)


def dearest(record: Record, moves: Sequence[tuple[int, str, float]], count: int) -> list[Puzzle]:
    """Puzzles of the turns that cost most in a game, the dearest first.

    `moves` are decisions of one player in order: its number among all actions of the game (from 1), action, loss.
    """
    turns = runs(moves)
    costs = {turn[0][0]: sum(loss for *_, loss in turn) for turn in turns}
    dear = sorted((turn for turn in turns if costs[turn[0][0]] >= COSTLY), key=lambda turn: -costs[turn[0][0]])[:count]
    wanted = {first: [action for _, action, _ in turn] for turn in dear for first in [turn[0][0]]}
    found: dict[int, Puzzle] = {}
    game = new_game(record)
    for n, (_, action) in enumerate(replay(record).history, 1):
        if n in wanted:
            found[n] = puzzle_of(game, wanted[n])
        game.play(action)
    made = [found[turn[0][0]] for turn in dear]
    return [puzzle for puzzle in made if puzzle.loss(puzzle.tempting) >= COSTLY]


def runs(moves: Sequence[tuple[int, str, float]]) -> list[list[tuple[int, str, float]]]:
    """Decisions that were made one after the other, with nothing drawn between them."""
    found: list[list[tuple[int, str, float]]] = []
    for move in moves:
        if found and move[0] == found[-1][-1][0] + 1 and len(found[-1]) < DEPTH:
            found[-1].append(move)
        else:
            found.append([move])
    return found


def with_turns(game: Game, judging: ByOutlook, turns: Turns, tempting: Sequence[str]) -> Puzzle:
    """A puzzle whose turns have been judged."""
    why = reasons(game, judging, turns, tempting)
    return Puzzle(write_record(record_of(game)), game.seat, turns, best_line(turns), tuple(tempting), tuple(why))


# --- all ways to play a turn


def turns_of(game: Game, judging: ByOutlook, depth: int = 1) -> Turns:
    """What every way to go on with the turn is worth, as far as its player can know."""
    seat, turn = game.seat, game.turn
    legal = list(game.legal)
    values = judging.values(game.view(seat).imagine(Rng(1)).engine, seat)
    found: Turns = {}
    for action, value in zip(legal, values, strict=True):
        game.play(action)
        goes_on = depth < DEPTH and same_turn(game, seat, turn)
        found[str(action)] = turns_of(game, judging, depth + 1) if goes_on else round(value, DIGITS)
        game.undo()
    return found


def same_turn(game: Game, seat: int, turn: int) -> bool:
    """Does the seat decide again before anything is drawn?"""
    return not game.over and game.seat == seat and game.seat != CHANCE and game.turn == turn


def follow(turns: Turns, line: Sequence[str]) -> Any:
    """What is known after some actions of a turn: a value at its end, before that what may follow."""
    found: Any = turns
    for action in line:
        found = found[action]
    return found


def lines_of(turns: Turns) -> list[tuple[tuple[str, ...], float]]:
    """All ways to play a turn with their values, the best first."""
    found: list[tuple[tuple[str, ...], float]] = []
    for action, rest in turns.items():
        if isinstance(rest, dict):
            found += [((action, *line), value) for line, value in lines_of(rest)]
        else:
            found.append(((action,), rest))
    return sorted(found, key=lambda one: -one[1])


def best_line(turns: Turns) -> tuple[str, ...]:
    """The best way to play a turn."""
    return lines_of(turns)[0][0]


def greedy_line(game: Game) -> tuple[str, ...]:
    """What brings most if the game ended with this turn."""
    seat, turn = game.seat, game.turn
    line: list[str] = []
    while len(line) < DEPTH and (not line or same_turn(game, seat, turn)):
        best = greedy.best_actions(game.view(seat).imagine(Rng(1)).engine, seat)[0]
        line.append(str(game.legal[best]))
        game.play(line[-1])
    for _ in line:
        game.undo()
    return tuple(line)


# --- why


def reasons(game: Game, judging: ByOutlook, turns: Turns, tempting: Sequence[str]) -> list[Fact]:
    """What the best turn does, and how it compares with the tempting one."""
    seat, solution = game.seat, best_line(turns)
    before = held(game, seat)
    events, worth = played_out(game, judging, solution)
    _, other = played_out(game, judging, tempting)
    found = [*scores(events, seat), *returns(events, seat)]
    for action in solution:
        game.play(action)
    found += stands(game, events, seat, before)
    spoiled = max((b - a for n, (a, b) in enumerate(zip(worth, other, strict=True)) if n != seat), default=0.0)
    if spoiled >= SPOILED:
        found += hinders(game, events, seat)
    if game.turn == seat and not game.over:
        found.append(Fact("again"))
    for _ in solution:
        game.undo()
    if solution[-1] == "pass" and len(follow(turns, solution[:-1])) > 1:
        found.append(Fact("keeps", count=sum(game.supply(seat).values())))
    if tuple(solution) != tuple(tempting):
        own = worth[seat] - other[seat]
        found.append(Fact("compares", points=round(own, DIGITS), other=round(spoiled, DIGITS)))
    return found


def played_out(game: Game, judging: ByOutlook, line: Sequence[str]) -> tuple[list[Event], list[float]]:
    """What happens in a turn, and the points that everybody can expect after it."""
    seat = game.seat
    events = [event for action in line for event in game.play(action)]
    judging.evaluation.judge(game.view(seat).imagine(Rng(1)).engine)
    worth = [float(one) for one in judging.evaluation.worth]
    for _ in line:
        game.undo()
    return events, worth


def scores(events: Sequence[Event], seat: int) -> list[Fact]:
    """Points that are scored at once."""
    return [
        Fact("scores" if event.seat == seat else "gives", event.points, kind=event.kind, rule=first(event.rules))
        for event in events
        if isinstance(event, Scored) and event.points
    ]


def returns(events: Sequence[Event], seat: int) -> list[Fact]:
    """Pieces that come home."""
    count = sum(isinstance(event, Returned) and event.seat == seat for event in events)
    return [Fact("returns", count=count)] if count else []


def stands(game: Game, events: Sequence[Event], seat: int, before: dict[str, int]) -> list[Fact]:
    """What the own pieces on the new tile hold after the turn, and which regions of others they have come into."""
    cells = [event.cell for event in events if isinstance(event, Placed)]
    deployed = {event.spot: event.piece for event in events if isinstance(event, Deployed) and event.seat == seat}
    found = []
    for region in game.regions:
        spots = {f"{x},{y} {spot}" for (x, y), spot in region.spots}
        piece = next((piece for spot, piece in deployed.items() if spot in spots), "")
        if not piece and not any(cell in cells for cell, _ in region.spots):
            continue
        own, rival = region.weights.get(seat, 0), max((w for s, w in region.weights.items() if s != seat), default=0)
        points, rule = worth_now(game, region, seat)
        if own and rival and own >= rival and not any(spot in before and before[spot] for spot in spots):
            fact = "takes" if own > rival else "shares"
            found.append(Fact(fact, points, count=region.tiles, kind=region.kind, rule=rule))
        elif piece:
            found.append(Fact("claims", points, count=region.tiles, kind=region.kind, piece=piece, rule=rule))
        elif own > rival and points and not region.complete:
            found.append(Fact("extends", points, count=region.tiles, kind=region.kind, rule=rule))
    return found


def hinders(game: Game, events: Sequence[Event], seat: int) -> list[Fact]:
    """The largest open region of another player beside which the tile was laid: it is harder to finish now."""
    laid = [event.cell for event in events if isinstance(event, Placed)]
    near = {(x + dx, y + dy) for x, y in laid for dx in (-1, 0, 1) for dy in (-1, 0, 1)} - set(laid)
    rivals = [
        region
        for region in game.regions
        if not region.complete and any(weight > region.weights.get(seat, 0) for weight in region.weights.values())
        and any(cell in near for cell, _ in region.spots) and region.open
    ]  # fmt: skip
    largest = max(rivals, key=lambda region: region.tiles, default=None)
    return [] if largest is None else [Fact("hinders", count=largest.tiles, kind=largest.kind)]


def held(game: Game, seat: int) -> dict[str, int]:
    """Spots of regions that a seat shares or has already taken from others."""
    return {
        f"{x},{y} {spot}": 1
        for region in game.regions
        for (x, y), spot in region.spots
        if region.weights.get(seat, 0) and region.weights[seat] >= max(region.weights.values())
        and any(weight for other, weight in region.weights.items() if other != seat)
    }  # fmt: skip


def worth_now(game: Game, region: Region, seat: int) -> tuple[int, str]:
    """What a region brings a seat if the game ended now, and the rule."""
    engine = game.engine.clone()
    reporter = engine.listener = Reporter(engine)
    engine.finish()
    spots = {f"{x},{y} {spot}" for (x, y), spot in region.spots}
    for event in reporter.all_events():
        if isinstance(event, Scored) and event.seat == seat and event.spot in spots:
            return event.points, first(event.rules)
    return 0, ""


def first(rules: Sequence[str]) -> str:
    """The first of some rule ids."""
    return next(iter(rules), "")
