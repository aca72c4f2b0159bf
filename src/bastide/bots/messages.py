"""What a program that plays is told, as JSON. docs/writing-a-bot.md has all members."""
# interpreted: speaks to people

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bastide.errors import BastideError
from bastide.game import Action, State, View
from bastide.game.board import Region, regions
from bastide.geometry import HALVES, SIDES
from bastide.tiles.model import Tile

PROTOCOL = 2


def greeting(view: View, seed: int) -> dict[str, Any]:
    """The first question: who plays what, and all tiles of the game."""
    rules = view.rules
    return {
        "ask": "hello",
        "protocol": PROTOCOL,
        "seed": seed,
        "seat": view.seat,
        "players": list(view.names),
        "edition": rules.edition,
        "modules": list(rules.module_names),
        "options": rules.options,
        "pieces": [piece.name for piece in rules.layout.pieces],
        "tiles": [tile_message(tile) for tile in rules.tiles],
    }


def tile_message(tile: Tile) -> dict[str, Any]:
    """A tile type, not turned; `spot` is the name of a segment in actions."""
    return {
        "tile": tile.id,
        "count": tile.count,
        "marks": dict(tile.marks),
        "segments": [
            {
                "kind": segment.kind,
                "spots": [tile.spot(number, rotation) for rotation in range(4)],
                "sides": [SIDES[side] for side in segment.sides],
                "halves": [HALVES[half] for half in segment.halves],
                "touches": list(segment.touches),
                "marks": dict(segment.marks),
            }
            for number, segment in enumerate(tile.segments)
        ],
    }


def question(view: View, time_ms: int = 0) -> dict[str, Any]:
    """Everything that a seat may know."""
    rules = view.rules
    return {
        "ask": "choose",
        "seat": view.seat,
        "players": list(view.names),
        "edition": rules.edition,
        "modules": list(rules.module_names),
        "options": rules.options,
        "scores": list(view.scores),
        "turn": view.turn,
        "tile": view.tile,
        "left": view.tiles_left,
        "supply": list(view.supply),
        "secret": list(view.secret),
        "secret_counts": list(view.secret_counts),
        "unseen": view.unseen,
        "board": [
            {"tile": laid.tile.id, "cell": list(cell), "turn": laid.rotation} for cell, laid in view.board.items()
        ],
        "figures": [
            {"seat": figure.seat, "piece": figure.piece, "cell": list(figure.cell), "spot": figure.spot}
            for figure in view.board.figures
        ],
        "regions": region_messages(view.regions),
        "history": [[seat, str(action)] for seat, action in view.history],
        "legal": [str(action) for action in view.legal],
        "time_ms": time_ms or None,
    }


def region_messages(found: Sequence[Region]) -> list[dict[str, Any]]:
    """All regions on the board."""
    return [
        {
            "kind": region.kind,
            "tiles": region.tiles,
            "open": region.open,
            "complete": region.complete,
            "weights": {str(seat): weight for seat, weight in region.weights.items()},
            "attributes": dict(region.attributes),
            "spots": [[*cell, spot] for cell, spot in region.spots],
        }
        for region in found
    ]


def tried(state: State, actions: object) -> dict[str, Any]:
    """What comes after some actions; the state is changed. Refused if one of them is no legal action."""
    if not isinstance(actions, list) or not all(isinstance(action, str) for action in actions):
        return {"ask": "tried", "refused": f"expected a list of actions, got {actions!r}"}
    for action in actions:
        try:
            if state.chance:
                return {"ask": "tried", "refused": f"{action}: a tile is drawn first, nobody decides"}
            state.apply(state.number(Action.parse(action)))
        except BastideError as error:
            return {"ask": "tried", "refused": str(error)}
    decided = state.over or state.chance
    return {
        "ask": "tried",
        "scores": list(state.scores),
        "over": state.over,
        "seat": None if decided else state.seat,
        "regions": region_messages(regions(state.engine)),
        "legal": [] if decided else [str(state.action(number)) for number in state.legal()],
    }


def farewell(view: View) -> dict[str, Any]:
    """The last line: how it ended."""
    winners = [] if view.outcome is None else list(view.outcome.winners)
    return {"ask": "end", "scores": list(view.scores), "winners": winners}
