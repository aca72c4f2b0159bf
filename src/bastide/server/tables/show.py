"""What leaves the server: a table by the eyes of a seat. All that is sent about a game is made here, from a View."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar, cast

from bastide.game import SPECTATOR, Action, Engine, Event, Rng, View, events
from bastide.game.actions import Place, cell_text
from bastide.game.board import Region, figures_on
from bastide.game.events import Scored
from bastide.game.gains import Points, gains
from bastide.kernel.offsets import POS
from bastide.kernel.torus import unpack
from bastide.rules import Rules
from bastide.rules.position import DEPLOY, DRAW, FIRST_FREE, OVER, PLACE
from bastide.rules.texts import rule_ids
from bastide.server.api import outgoing
from bastide.server.api.refusal import Refusal
from bastide.server.content.drawings import drawings_of
from bastide.server.draws.fair import commitment
from bastide.server.draws.links import has_chain
from bastide.server.tables.aids import aids_of, figure_of, projected_scores
from bastide.server.tables.entries import log_of, outcome_of
from bastide.server.tables.prospects import prospect_of
from bastide.server.tables.setup import Chair
from bastide.server.tables.table import NOBODY, WAITING, PlayedAction, Table
from bastide.server.tables.table import OVER as TABLE_OVER

Made = TypeVar("Made")
PROMPTS = {PLACE: "place", DEPLOY: "deploy", DRAW: "draw", OVER: ""}


def state_of(
    table: Table, mine: Sequence[int], now: int, online: Collection[int] = (), thinking: int | None = None
) -> outgoing.State:
    """The table for somebody who holds these seats."""
    seat = table.viewpoint(mine)
    status = table.status
    over = status == TABLE_OVER
    offer = table.pending
    return outgoing.State(
        table=table.name,
        seq=table.seq,
        now=now,
        status=status,
        title=table.setup.title,
        goal=table.setup.goal,
        rules=cached_for_table(table, "rules", table.setup.public_rules),
        drawings=cached_for_table(table, "drawings", lambda: drawings_of(table.setup.rules())),
        seats=seats_of(table, online),
        mine=list(mine),
        seat=NOBODY if seat == SPECTATOR else seat,
        invite=table.invite if mine and table.game is None and table.free else None,
        aids=table.setup.aids,
        clock=clock_of(table, now),
        undo=max((table.may_undo(own) for own in mine), default=0),
        takeback=not over
        and offer is None
        and table.game is not None
        and any(table.take_back(own) for own in mine if own not in table.out),
        offer=None if offer is None or over else outgoing.Offer("takeback", offer.seat, offer.waiting),
        thinking=thinking,
        next=table.next,
        fair=fair_of(table, mine, over),
        game=None if status == WAITING else game_of(table, seat),
    )


def clock_of(table: Table, now: int) -> outgoing.ClockState:
    """The clock at a moment. Where there is none it always shows the same."""
    if table.clock.off:
        return cached_for_table(table, "clock", lambda: table.clock.state_at(now))
    return table.clock.state_at(now)


def fair_of(table: Table, mine: Sequence[int], over: bool) -> outgoing.Fair:
    """What is known of the draws, and what is wanted of the seats."""
    entropies = [chair.entropy for chair in table.chairs]
    return outgoing.Fair(
        version=table.setup.fair,
        wanted=table.wanted,
        ends={seat: table.links.end(seat, entropies[seat] or "") for seat in mine if has_chain(entropies[seat])},
        commitment=cached_for_table(table, "commitment", lambda: commitment(table.seed)),
        entropies=entropies,
        seed=table.seed if over else None,
    )


def cached_for_table(table: Table, name: object, make: Callable[[], Made]) -> Made:
    """What never changes about a table, made once: other tables cannot push its rules out of a cache."""
    if name not in table.table_cache:
        table.table_cache[name] = make()
    made: Made = table.table_cache[name]
    return made


def seats_of(table: Table, online: Collection[int]) -> list[outgoing.Seat]:
    """Who sits where."""
    return [seat_of(chair, chair.seat in online, table.out.get(chair.seat)) for chair in table.chairs]


def seat_of(chair: Chair, online: bool, out: outgoing.WhyOut | None) -> outgoing.Seat:
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


def game_of(table: Table, seat: int) -> outgoing.Game:
    """The position, the question and the log, as the seat may know them."""
    viewer = viewer_of(table, seat)
    return outgoing.Game(
        **cached_now(table, ("seen by", viewer), lambda: shared_part(table, View(table.playing, viewer))),
        secret=[] if viewer == SPECTATOR else list(View(table.playing, seat).secret),
        question=question_of(table, seat) if seat == table.decides else None,
    )


def viewer_of(table: Table, seat: int) -> int:
    """Stands for all who see the same as this seat: everybody, unless something is hidden in this game."""
    return seat if table.playing.rules.layout.secrets else SPECTATOR


def shared_part(table: Table, view: View) -> dict[str, Any]:
    """What all see alike who know as much as this view; nothing of it depends on whose turn it is to answer."""
    engine, outcome, players = imagined_engine(table, view), table.outcome, len(view.names)
    history = view.history if view.rules.layout.secrets else table.playing.history  # the same if nothing is hidden
    return {
        "turn": view.turn,
        "decides": table.awaited,
        "prompt": "" if outcome else prompt_of(engine),
        "tile": None if outcome else view.tile,
        "left": view.tiles_left,
        "tiles": land_of(table).tiles,
        "figures": figures_of(table),
        "tokens": tokens_of(view, engine),
        "scores": list(view.scores),
        "laps": list(view.laps),
        "supply": list(view.supply),
        "secret_counts": list(view.secret_counts),
        "discards": cached_list(table, "discards", lambda found, _, added: found + discards_of(added)),
        "log": cached_list(
            table, ("log", view.seat), lambda found, count, added: found + log_of(view, history, added, count)
        ),
        "sources": cached_list(table, "sources", lambda found, _, added: add_sources(found, added, players)),
        "projected": projected_scores(view, engine) if table.setup.aids else None,
        "outcome": None if outcome is None else outcome_of(outcome),
    }


def imagined_engine(table: Table, view: View) -> Engine:
    """A position that could be the real one, to find out what the eyes of this view may know."""
    viewer = viewer_of(table, view.seat)
    return cached_now(table, ("imagined", viewer), lambda: view.imagine(Rng(1 + table.seq)).engine)


def cached_now(table: Table, name: object, make: Callable[[], Made]) -> Made:
    """Made for the first who looks at the table as it is now, then kept for the others."""
    if name not in table.position_cache:
        table.position_cache[name] = make()
    made: Made = table.position_cache[name]
    return made


def cached_list(
    table: Table, name: object, add: Callable[[list[Made], int, Sequence[PlayedAction]], list[Made]]
) -> list[Made]:
    """A list that grows with the game: `add` is told what there is, after how many actions, and what came since."""
    count: int
    found: list[Made]
    count, found = table.growing_cache.get(name, (0, []))
    if count < len(table.played):
        found = add(found, count, table.played[count:])
        table.growing_cache[name] = len(table.played), found
    return found


def discards_of(played: Sequence[PlayedAction]) -> list[outgoing.Discard]:
    """The tiles that fitted nowhere."""
    return [outgoing.Discard(e.seat, e.tile) for e in all_events(played) if isinstance(e, events.Discarded)]


def prompt_of(engine: Engine) -> str:
    """The name of the question that is asked now."""
    asks = int(engine.question())
    return PROMPTS[asks] if asks in PROMPTS else engine.rules.layout.frames[asks - FIRST_FREE].name


class Land(NamedTuple):
    """The tiles on the board, in the order in which they were laid: all may see them."""

    tiles: list[outgoing.Tile]
    last: int  # the last of their blocks in the engine; 0: there is none


NO_LAND = Land([], 0)


def land_of(table: Table) -> Land:
    """The land as it is now. Tiles stay as they were laid, so only new ones are looked at."""
    land = table.growing_cache["land"] = read_land(table.playing.engine, table.growing_cache.get("land", NO_LAND))
    return land


def read_land(engine: Engine, known: Land) -> Land:
    """The land with the tiles that have come to what was known."""
    block = engine.next_block(known.last) if known.last else engine.first_block()
    if block > engine.last_block():
        return known
    tiles, last = known.tiles[:], known.last
    while block <= engine.last_block():
        kind = engine.rules.tiles[engine.type_of(block)]
        tiles.append(outgoing.Tile(kind.id, unpack(engine.s[block + POS]), engine.rotation_of(block)))
        last, block = block, engine.next_block(block)
    return Land(tiles, last)


def figures_of(table: Table) -> list[outgoing.Figure]:
    """The pieces on the board, those on the first tile first."""
    engine = table.playing.engine
    standing = [(node, engine.figures_on(node)) for node in engine.occupied_nodes()]
    known = table.growing_cache.get("figures", {})  # segments stay where they are, and most pieces do
    shown = {
        key: known[key] if key in known else [figure_of(figure) for figure in figures_on(engine, key[0])]
        for key in standing
    }
    table.growing_cache["figures"] = shown
    return [figure for figures in shown.values() for figure in figures]


def tokens_of(view: View, engine: Engine) -> list[outgoing.Token]:
    """What else lies on the table."""
    shown = [token for module in view.rules.modules for token in module.tokens_on_table(engine) if token.number]
    return [outgoing.Token(int(token.seat), token.name, token.where, int(token.number)) for token in shown]


def all_events(played: Sequence[PlayedAction]) -> Iterator[Event]:
    """What all actions brought."""
    return (event for entry in played for event in entry.events)


def add_sources(
    before: Sequence[outgoing.Source], played: Sequence[PlayedAction], players: int
) -> list[outgoing.Source]:
    """Points by where they came from, those of more actions added."""
    found = {(source.kind, source.final): source for source in before}
    for event in all_events(played):
        if isinstance(event, Scored):
            key = event.kind, event.final
            points = found[key].points[:] if key in found else [0] * players
            points[event.seat] += event.points
            found[key] = outgoing.Source(*key, points)
    return list(found.values())


# --- the question


def question_of(table: Table, seat: int) -> outgoing.Question:
    """Every legal action with its parts and, with aids, what it brings; made once for a position."""
    return cached_now(table, "question", lambda: make_question(table, View(table.playing, seat)))


def make_question(table: Table, view: View) -> outgoing.Question:
    """The same, made anew."""
    engine, aids = imagined_engine(table, view), table.setup.aids
    actions = list(view.legal)
    found = gains(engine) if aids else [(None, None)] * len(actions)
    choices = [choice_of(view, action, *points) for action, points in zip(actions, found, strict=True)]
    verbs = {action.verb for action in actions}
    prompt = prompt_of(engine)
    names = words_of(prompt, choices)
    rules = cached_for_table(table, ("rules of", names), lambda: cited_rules(view.rules, names))
    return outgoing.Question(view.seat, prompt, kind_of(verbs), "pass" in verbs, rules, choices)


def words_of(prompt: str, choices: Sequence[outgoing.Choice]) -> tuple[tuple[str, str], ...]:
    """What rule books may speak of: the question, then what can be done; each once, with the kind of its name."""
    names = {("prompts", prompt): None}
    for one in choices:
        names[("verbs", one.verb)] = None
        if one.piece is not None:
            names[("pieces", one.piece)] = None
        if one.spot is not None and one.cell is None:
            names[("places", one.spot.partition(" ")[0])] = None
    return tuple(names)


def cited_rules(rules: Rules, names: Sequence[tuple[str, str]]) -> list[str]:
    """The numbered rules that speak of these."""
    return list(dict.fromkeys(rule for group, name in names for rule in rule_ids(rules, group, name)))


def kind_of(verbs: Collection[str]) -> outgoing.QuestionKind:
    """Which of the four questions that a page knows this is."""
    if "place" in verbs:
        return "place"
    if "deploy" in verbs or "move" in verbs:
        return "spot"
    return "piece" if "take" in verbs else "choice"


def choice_of(view: View, action: Action, gain: Points, worth: Points) -> outgoing.Choice:
    """A legal action in parts."""
    tile, choice = action.tile, action.choice
    if action.verb == "choose":
        tile = choice if choice is not None and view.rules.type_named(choice) >= 0 else None
        choice = cell_text(action.cell) if action.cell else choice
    return outgoing.Choice(
        text=str(action),
        verb=cast(outgoing.Verb, action.verb),
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


# --- answers to questions


def aids_for(table: Table, mine: Sequence[int]) -> outgoing.AidFacts:
    """What an attentive player could work out of the position."""
    view = View(table.playing, table.viewpoint(mine))
    if not table.setup.aids:
        raise Refusal("aids")
    viewer = viewer_of(table, view.seat)
    return cached_now(table, ("aids", viewer), lambda: aids_of(view, imagined_engine(table, view)))


def regions_of(table: Table, mine: Sequence[int]) -> list[outgoing.RegionFacts]:
    """All regions of the board; an aid."""
    view = View(table.playing, table.viewpoint(mine))
    if not table.setup.aids:
        raise Refusal("aids")
    return [facts_of(region, len(view.names)) for region in view.regions]


def region_at(regions: Iterable[outgoing.RegionFacts], cell: tuple[int, int], spot: str) -> outgoing.RegionFacts:
    """The one that reaches a spot."""
    for region in regions:
        if outgoing.Spot(cell, spot) in region.spots:
            return region
    raise Refusal("illegal", f"there is no {spot} on {cell[0]},{cell[1]}", "spot")


def prospect_at(table: Table, mine: Sequence[int], cell: tuple[int, int], spot: str) -> outgoing.Prospect:
    """What becomes of the region at a spot; an aid."""
    view = View(table.playing, table.viewpoint(mine))
    return prospect_of(view.imagine(Rng(1 + table.seq)).engine, view.unseen, cell, spot)


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
