"""What happened, for messages: the entries of a game's log and their events, as a seat may know them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bastide.game import Action, Event, View, events
from bastide.game import Outcome as GameOutcome
from bastide.game.actions import Place
from bastide.game.events import Scored
from bastide.server.api import outgoing
from bastide.server.tables.table import PlayedAction


def log_of(
    view: View, history: Sequence[tuple[int, Action]], played: Sequence[PlayedAction], first: int
) -> list[outgoing.Entry]:
    """What happened, from an entry on; what others drew in secret has no name."""
    return [
        outgoing.Entry(n, entry.seq, seat, str(action), visible_events(view, entry.events))
        for n, ((seat, action), entry) in enumerate(zip(history[first:], played, strict=True), first)
    ]


def visible_events(view: View, happened: Iterable[Event]) -> list[outgoing.AnyEvent]:
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


def outcome_of(outcome: GameOutcome) -> outgoing.Outcome:
    """How it ended."""
    return outgoing.Outcome(outcome.reason, list(outcome.scores), list(outcome.ranking), list(outcome.winners))
