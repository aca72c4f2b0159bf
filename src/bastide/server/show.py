"""What leaves the server: a table by the eyes of a seat. All that is sent about a game is made here, from a View."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import TypeVar

from bastide.game import SPECTATOR, Action, Engine, Event, Rng, View, events
from bastide.game import Outcome as GameOutcome
from bastide.game.actions import Place, cell_text
from bastide.game.board import Region
from bastide.game.events import Scored
from bastide.rules import Rules
from bastide.rules.position import DEPLOY, DRAW, FIRST_FREE, OVER, PLACE
from bastide.rules.texts import rule_ids
from bastide.server import outgoing
from bastide.server.aids import aids_of, brings, figure_of
from bastide.server.drawings import drawings_of
from bastide.server.fair import commitment
from bastide.server.links import has_chain
from bastide.server.refusal import Refusal
from bastide.server.setup import Chair
from bastide.server.table import NOBODY, WAITING, PlayedAction, Table
from bastide.server.table import OVER as TABLE_OVER

Made = TypeVar("Made")
PROMPTS = {PLACE: "place", DEPLOY: "deploy", DRAW: "draw", OVER: ""}


def state_of(
    table: Table,
    mine: Sequence[int],
    now: int,
    known: Sequence[int] = (),
    online: Collection[int] = (),
    thinking: int | None = None,
) -> outgoing.State:
    """The table for somebody who holds these seats; `known` are the numbers of the log's lines that he has already."""
    seat = table.eyes(mine)
    over = table.status == TABLE_OVER
    offer = table.pending
    return outgoing.State(
        table=table.name,
        seq=table.seq,
        now=now,
        status=table.status,
        title=table.setup.title,
        goal=table.setup.goal,
        rules=lasting(table, "rules", table.setup.public_rules),
        drawings=lasting(table, "drawings", lambda: drawings_of(table.setup.rules())),
        seats=seats_of(table, online),
        mine=list(mine),
        seat=NOBODY if seat == SPECTATOR else seat,
        invite=table.invite if mine and table.free else None,
        aids=table.setup.aids,
        clock=table.clock.state_at(now),
        undo=max((table.may_undo(own) for own in mine), default=0),
        takeback=not over
        and offer is None
        and table.game is not None
        and any(table.take_back(own) for own in mine if own not in table.out),
        offer=None if offer is None or over else outgoing.Offer("takeback", offer.seat, offer.waiting),
        thinking=thinking,
        next=table.next,
        fair=fair_of(table, mine),
        game=None if table.status == WAITING else game_of(table, seat, known),
    )


def fair_of(table: Table, mine: Sequence[int]) -> outgoing.Fair:
    """What is known of the draws, and what is wanted of the seats."""
    entropies = [chair.entropy for chair in table.chairs]
    return outgoing.Fair(
        version=table.setup.fair,
        wanted=table.wanted,
        ends={seat: table.links.end(seat, entropies[seat] or "") for seat in mine if has_chain(entropies[seat])},
        commitment=commitment(table.seed),
        entropies=entropies,
        seed=table.seed if table.status == TABLE_OVER else None,
    )


def lasting(table: Table, name: str, make: Callable[[], Made]) -> Made:
    """What never changes about a table, made once: other tables cannot push its rules out of a cache."""
    if name not in table.lasting_memo:
        table.lasting_memo[name] = make()
    made: Made = table.lasting_memo[name]
    return made


def seats_of(table: Table, online: Collection[int]) -> list[outgoing.Seat]:
    """Who sits where."""
    return [seat_of(chair, chair.seat in online, table.out.get(chair.seat)) for chair in table.chairs]


def seat_of(chair: Chair, online: bool, out: str | None) -> outgoing.Seat:
    """Who sits on a chair."""
    return outgoing.Seat(
        seat=chair.seat,
        kind=chair.kind,
        name=chair.name,
        colour=chair.colour,
        bot=chair.bot,
        ready=chair.ready,
        online=chair.bot is not None or online,
        out=out,
    )


def game_of(table: Table, seat: int, known: Sequence[int]) -> outgoing.Game:
    """The position, the question and the log, as the seat may know them."""
    view = View(table.playing, seat)
    engine = view.imagine(Rng(1 + table.seq)).engine
    outcome = table.outcome
    alike = seat if any(view.secret_counts) else SPECTATOR  # without secrets everybody knows the same
    done = [entry.seq for entry in table.played]
    log_from = common(done, known)
    return outgoing.Game(
        turn=view.turn,
        decides=table.awaited,
        prompt="" if outcome else prompt_of(engine),
        tile=None if outcome else view.tile,
        left=view.tiles_left,
        tiles=once(table, "tiles", lambda: tiles_of(view)),
        figures=once(table, "figures", lambda: [figure_of(figure) for figure in view.board.figures]),
        tokens=tokens_of(view, engine),
        scores=list(view.scores),
        laps=list(view.laps),
        supply=list(view.supply),
        secret=list(view.secret),
        secret_counts=list(view.secret_counts),
        discards=once(table, "discards", lambda: discards_of(table.played)),
        question=question_of(view, engine, table.setup.aids) if outcome is None and view.mine else None,
        log_from=log_from,
        log=log_of(view, table.played, log_from),
        sources=once(table, "sources", lambda: sources_of(table.played, len(view.names))),
        aids=once(table, ("aids", alike), lambda: aids_of(view, engine)) if table.setup.aids else None,
        outcome=None if outcome is None else outcome_of(outcome),
    )


def once(table: Table, name: object, make: Callable[[], Made]) -> Made:
    """Made for the first who looks at the table as it is now, then kept for the others."""
    if name not in table.memo:
        table.memo[name] = make()
    made: Made = table.memo[name]
    return made


def discards_of(done: Sequence[PlayedAction]) -> list[outgoing.Discard]:
    """The tiles that fitted nowhere."""
    return [outgoing.Discard(e.seat, e.tile) for e in all_events(done) if isinstance(e, events.Discarded)]


def common(ours: Sequence[int], theirs: Sequence[int]) -> int:
    """How many entries at the beginning are the same."""
    count = 0
    for mine, other in zip(ours, theirs, strict=False):
        if mine != other:
            break
        count += 1
    return count


def prompt_of(engine: Engine) -> str:
    """The name of the question that is asked now."""
    asks = int(engine.question())
    return PROMPTS[asks] if asks in PROMPTS else engine.rules.layout.frames[asks - FIRST_FREE].name


def tiles_of(view: View) -> list[outgoing.Tile]:
    """The tiles on the board, in the order in which they were laid."""
    return [outgoing.Tile(laid.tile.id, laid.cell, laid.rotation) for laid in view.board.values()]


def tokens_of(view: View, engine: Engine) -> list[outgoing.Token]:
    """What else lies on the table."""
    shown = [token for module in view.rules.modules for token in module.shows(engine) if token.number]
    return [outgoing.Token(int(token.seat), token.name, token.where, int(token.number)) for token in shown]


def outcome_of(outcome: GameOutcome) -> outgoing.Outcome:
    """How it ended."""
    return outgoing.Outcome(outcome.reason, list(outcome.scores), list(outcome.ranking), list(outcome.winners))


def all_events(done: Sequence[PlayedAction]) -> Iterator[Event]:
    """What all actions brought."""
    return (event for entry in done for event in entry.events)


def sources_of(done: Sequence[PlayedAction], players: int) -> list[outgoing.Source]:
    """Points by where they came from."""
    found: dict[tuple[str, bool], list[int]] = {}
    for event in all_events(done):
        if isinstance(event, Scored):
            found.setdefault((event.kind, event.final), [0] * players)[event.seat] += event.points
    return [outgoing.Source(kind, final, points) for (kind, final), points in found.items()]


# --- the question


def question_of(view: View, engine: Engine, aids: bool) -> outgoing.Question:
    """Every legal action with its parts and, with aids, what it brings."""
    actions = list(view.legal)
    brought = list(brings(engine)) if aids else [None] * len(actions)
    choices = [choice_of(view, action, found) for action, found in zip(actions, brought, strict=True)]
    verbs = {action.verb for action in actions}
    prompt = prompt_of(engine)
    return outgoing.Question(
        view.seat, prompt, kind_of(verbs), "pass" in verbs, rules_behind(view.rules, prompt, choices), choices
    )


def rules_behind(rules: Rules, prompt: str, choices: Sequence[outgoing.Choice]) -> list[str]:
    """The numbered rules of a question: its own, then those of what can be done, each once."""
    names = {("prompts", prompt): None}
    for one in choices:
        names[("verbs", one.verb)] = None
        if one.piece is not None:
            names[("pieces", one.piece)] = None
        if one.spot is not None and one.cell is None:
            names[("places", one.spot.partition(" ")[0])] = None
    return list(dict.fromkeys(rule for group, name in names for rule in rule_ids(rules, group, name)))


def kind_of(verbs: Collection[str]) -> str:
    """Which of the four questions that a page knows this is."""
    if "place" in verbs:
        return "place"
    if "deploy" in verbs or "move" in verbs:
        return "spot"
    return "piece" if "take" in verbs else "choice"


def choice_of(view: View, action: Action, brought: tuple[list[int], list[int]] | None) -> outgoing.Choice:
    """A legal action in parts."""
    gain, worth = brought or (None, None)
    tile, choice = action.tile, action.choice
    if action.verb == "choose":
        tile = choice if choice is not None and view.rules.type_named(choice) >= 0 else None
        choice = cell_text(action.cell) if action.cell else choice
    return outgoing.Choice(
        text=str(action),
        verb=action.verb,
        tile=tile,
        cell=action.cell,
        turn=action.rotation,
        piece=action.piece,
        spot=action.spot,
        to=None if action.to is None else spot_of(action.to),
        choice=choice,
        gain=gain,
        worth=worth,
    )


def spot_of(place: Place) -> outgoing.Spot:
    """A segment on the board, for a message."""
    assert place.cell is not None, "a piece moves to a segment"
    return outgoing.Spot(place.cell, place.spot)


# --- the log


def log_of(view: View, done: Sequence[PlayedAction], first: int = 0) -> list[outgoing.Entry]:
    """What happened, from an entry on; what others drew in secret has no name."""
    entries = []
    for n, ((seat, action), entry) in enumerate(zip(view.history, done, strict=True)):
        if n >= first:
            entries.append(outgoing.Entry(n, entry.seq, seat, str(action), told(view, entry.events)))
    return entries


def told(view: View, happened: Iterable[Event]) -> list[outgoing.AnyEvent]:
    """Events as the seat may know them; what lies where is part of the state, not of the log."""
    return [event_of(event) for event in view.events(happened) if not isinstance(event, events.Counted)]


def event_of(event: Event) -> outgoing.AnyEvent:
    """An event for a message."""
    match event:
        case events.Drawn():
            return outgoing.Drawn(event.seat, event.name)
        case events.Discarded():
            return outgoing.Discarded(event.seat, event.tile)
        case events.Placed():
            return outgoing.Placed(event.seat, event.tile, event.cell, event.rotation)
        case events.Deployed():
            return outgoing.Deployed(event.seat, event.piece, *Place.parse(event.spot))
        case events.Returned():
            return outgoing.Returned(event.seat, event.piece, *Place.parse(event.spot))
        case events.Moved():
            return outgoing.Noted(event.seat, "moved", f"{event.piece} {event.spot} to {event.to}")
        case events.Scored():
            return scored_of(event)
        case events.Noted():
            return outgoing.Noted(event.seat, event.what, event.value)
        case events.Ended():
            return outgoing.Ended(outcome_of(event.outcome))
        case events.Counted():
            raise AssertionError("what lies where is part of the state, not of the log")


def scored_of(event: Scored) -> outgoing.Scored:
    """A score with everything that explains it."""
    cell, spot = Place.parse(event.spot)
    return outgoing.Scored(
        seat=event.seat,
        points=event.points,
        kind=event.kind,
        cell=cell,
        spot=spot,
        tiles=list(event.tiles),
        parts=[outgoing.Part(part.name, int(part.count), int(part.each), part.rule) for part in event.parts],
        rules=list(event.rules),
        final=event.final,
    )


# --- answers to questions


def regions_of(table: Table, mine: Sequence[int]) -> list[outgoing.RegionFacts]:
    """All regions of the board; an aid."""
    view = View(table.playing, table.eyes(mine))
    if not table.setup.aids:
        raise Refusal("aids")
    return [facts_of(region, len(view.names)) for region in view.regions]


def region_at(regions: Iterable[outgoing.RegionFacts], cell: tuple[int, int], spot: str) -> outgoing.RegionFacts:
    """The one that reaches a spot."""
    for region in regions:
        if outgoing.Spot(cell, spot) in region.spots:
            return region
    raise Refusal("illegal", f"there is no {spot} on {cell[0]},{cell[1]}", "spot")


def facts_of(region: Region, players: int) -> outgoing.RegionFacts:
    """A region for a message."""
    return outgoing.RegionFacts(
        kind=region.kind,
        tiles=region.tiles,
        open=int(region.open),
        complete=region.complete,
        weights=[int(region.weights.get(seat, 0)) for seat in range(players)],
        attributes={name: int(value) for name, value in region.attributes.items()},
        spots=[outgoing.Spot(cell, spot) for cell, spot in region.spots],
        figures=[figure_of(figure) for figure in region.figures],
        cells=list(dict.fromkeys(cell for cell, _ in region.spots)),
    )
