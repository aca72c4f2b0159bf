"""What was played: records, replays, the proof of the draws; positions and puzzles that were kept."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence

import msgspec

from bastide.game import SPECTATOR, Event, Game, Rng, View
from bastide.notation.record import one_line, read_record, write_record
from bastide.notation.replay import record_of
from bastide.server.api import outgoing, responses
from bastide.server.api.incoming import NewPosition, NewTable, WantedSeat
from bastide.server.api.refusal import Refusal
from bastide.server.background import in_long_thread
from bastide.server.content.drawings import drawings_of
from bastide.server.draws.fair import commitment
from bastide.server.draws.proof import Proof, draws_of
from bastide.server.tables.aids import figure_of
from bastide.server.tables.entries import visible_events
from bastide.server.tables.registry import TableRegistry
from bastide.server.tables.setup import Setup, setup_of
from bastide.server.tables.show import NO_LAND, read_land, seats_of, tokens_of
from bastide.server.tables.table import NOBODY, OVER, Line, PlayedAction, Table

POSITION_ID = 16


async def record_text(registry: TableRegistry, name: str, at: int | None) -> str:
    """The record of a game, or of its first actions."""
    async with registry.locked(name) as open_table:
        await registry.catch_up(open_table)
        table = open_table.table
        game = table.playing
        if table.status != OVER and any(game.secret_draws):
            raise Refusal("secret")
        past = [str(action) for _, action in game.history]
        ended = was_stopped(game)
        title = table.setup.title or " - ".join(f"{chair.name} ({chair.colour})" for chair in table.chairs)
        setup, names = table.setup, game.names
        proof = None
        if table.status == OVER and at is None and not setup.scripted:
            proof = Proof.of(table, await registry.store.lines(name))
    count = len(past) if at is None else min(at, len(past))
    return await in_long_thread(
        record_with_proof, setup, names, past[:count], title, ended and count == len(past), proof
    )


def was_stopped(game: Game) -> bool:
    """Was the game ended by hand, as puzzles are?"""
    return game.outcome is not None and game.outcome.reason == "stopped"


def record_with_proof(
    setup: Setup, names: Sequence[str], past: Sequence[str], title: str, ended: bool, proof: Proof | None
) -> str:
    """A record of these actions, with the proof of the draws if the game is over."""
    game, _ = msgspec.structs.replace(setup, past=tuple(past)).game(names)
    if ended:
        game.finish()
    record = record_of(game, one_line(title))
    return write_record(record if proof is None else proof.added_to(record))


async def replay(registry: TableRegistry, name: str, seats: Sequence[int]) -> responses.Replay:
    """A game step by step, by the eyes of somebody with these seats."""
    async with registry.locked(name) as open_table:
        table = open_table.table
        texts = [str(action) for _, action in table.playing.history]
        played, colours, ended = table.played[:], list(table.playing.names), was_stopped(table.playing)
        seat, setup, chairs = table.viewpoint(seats), table.setup, seats_of(table, open_table.online)
        over = table.status == OVER
    steps, tiles = await in_long_thread(steps_of, setup, colours, texts, played, seat, ended)
    drawn = drawings_of(setup.rules())
    return responses.Replay(setup.public_rules(), chairs, drawn, setup.title, setup.goal, tiles, steps, over)


def steps_of(
    setup: Setup,
    names: Sequence[str],
    texts: Sequence[str],
    played: Sequence[PlayedAction],
    seat: int,
    ended: bool = False,
) -> tuple[list[responses.Step], list[outgoing.Tile]]:
    """All positions of a game, and the tiles at its end."""
    game, _ = msgspec.structs.replace(setup, past=()).game(names)
    steps = [step_of(game, seat, 0, ())]
    for n, (text, entry) in enumerate(zip(texts, played, strict=True), 1):
        game.play(text)
        steps.append(step_of(game, seat, n, entry.events))
    if ended:
        game.finish()
        steps[-1] = step_of(game, seat, len(texts), played[-1].events)
    return steps, read_land(game.engine, NO_LAND).tiles


def step_of(game: Game, seat: int, n: int, events: Sequence[Event]) -> responses.Step:
    """The position after one action, as the seat may know it."""
    view = View(game, seat)
    who, action = view.history[-1] if n else (NOBODY, None)
    return responses.Step(
        n=n,
        seat=who,
        action=str(action) if action else "",
        events=visible_events(view, events),
        laid=len(view.board),
        figures=[figure_of(figure) for figure in view.board.figures],
        tokens=tokens_of(view, view.imagine(Rng(1 + n)).engine),
        supply=list(view.supply),
        scores=list(view.scores),
        left=view.tiles_left,
        tile=view.tile,
    )


async def log_of_table(registry: TableRegistry, name: str) -> responses.Log:
    """Every line and the proof of the draws, once the game is over."""
    async with registry.locked(name) as open_table:
        await registry.catch_up(open_table)
        table = open_table.table
        if table.status != OVER:
            raise Refusal("secret", "the seed is shown when the game is over")
    return await in_long_thread(log_of, table, await registry.store.lines(name))


def log_of(table: Table, lines: Sequence[Line]) -> responses.Log:
    """Every line of a game, and what is needed to check its draws without an engine."""
    setup = table.setup
    found = draws_of(setup, table.chairs, lines)
    return responses.Log(
        table=table.name,
        version=setup.fair,
        commitment=commitment(table.seed),
        seed=table.seed,
        entropies=[chair.entropy or "" for chair in table.chairs],
        rules=setup.public_rules(),
        start=[outgoing.Tile(tile.tile, tile.cell, tile.turn) for tile in setup.start],
        past=list(setup.past),
        draws=list(setup.draws[: table.standing_draws]),  # others of a puzzle stay secret for who tries again
        lines=[responses.LogLine(line.seq, line.at, line.text, line.lag) for line in lines],
        bags=[draw.bag for draw in found],
        gets=[draw.seat for draw in found],
    )


# --- positions


async def store_position(registry: TableRegistry, wanted: NewPosition) -> responses.StoredPosition:
    """A position or puzzle, under a name made from its content."""
    record = await in_long_thread(canonical_record, wanted)
    content = msgspec.json.encode([record, wanted.title, wanted.goal, wanted.draws])
    name = base64.b32encode(hashlib.sha256(content).digest()).decode().lower()[:POSITION_ID]
    await registry.store.add_position(name, registry.now(), wanted.title, wanted.goal, record, wanted.draws)
    return responses.StoredPosition(name, f"/position/{name}")


def canonical_record(wanted: NewPosition) -> str:
    """The record of a position in its one form; refused if nobody could play on from it."""
    setup_of(table_for(wanted.record, wanted.draws))
    return write_record(read_record(wanted.record))


def table_for(record: str, draws: Sequence[str]) -> NewTable:
    """A table on which a record could go on."""
    players = len(read_record(record).header.players)
    return NewTable(seats=[WantedSeat("open")] * players, record=record, draws=list(draws))


async def position(registry: TableRegistry, name: str) -> responses.Position:
    """A position that was kept; a puzzle's draws stay secret."""
    row = await registry.store.position(name)
    draws = msgspec.json.decode(row.draws, type=list[str])
    return await in_long_thread(shown_position, name, row.record, draws, row.title, row.goal)


def shown_position(name: str, record: str, draws: Sequence[str], title: str, goal: str) -> responses.Position:
    """A position step by step, as everybody may see it."""
    setup, head = setup_of(table_for(record, draws)), read_record(record).header
    names = list(head.players)
    game, events = setup.game(names)
    texts = [str(action) for _, action in game.history]
    played = [PlayedAction(0, tuple(brought)) for brought in events]
    steps, tiles = steps_of(setup, names, texts, played, SPECTATOR)
    title, goal = title or head.title, goal or head.goal
    shown = responses.Replay(setup.public_rules(), [], drawings_of(setup.rules()), title, goal, tiles, steps)
    return responses.Position(name, title, goal, record, len(draws), len(names), shown)
