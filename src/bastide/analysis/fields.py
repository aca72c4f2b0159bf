"""The ledger of fields: who stood in which, and what it brought in the end.

A field is any region that never closes and in which somebody stands: whoever is put there stays until the end.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bastide.game import Figure, Game
from bastide.game.actions import cell_text
from bastide.game.events import Event, Scored
from bastide.rules import Rules


@dataclass(frozen=True)
class Field:
    """One field at the end of a game."""

    kind: str
    spot: str  # one of its segments, as actions name it
    tiles: int
    farmers: tuple[Figure, ...]
    points: tuple[int, ...]  # per seat

    def idle(self, seat: int) -> int:
        """How many of a player's farmers in it scored nothing."""
        return 0 if self.points[seat] else sum(farmer.seat == seat for farmer in self.farmers)


def field_kinds(rules: Rules) -> set[str]:
    """The kinds of regions that never close."""
    return {name for name, kind in rules.layout.kinds.items() if not kind.closes}


def fields(game: Game, events: Iterable[Event]) -> list[Field]:
    """The fields of a game that is over, given what happened in it: the largest first."""
    kinds = field_kinds(game.rules)
    scored = [e for e in events if isinstance(e, Scored) and e.final and e.kind in kinds and e.spot]
    found = []
    for region in game.regions:
        farmers = tuple(figure for figure in region.figures if _follows(game.rules, figure))
        if region.kind not in kinds or not farmers:
            continue
        spots = {f"{cell_text(cell)} {spot}" for cell, spot in region.spots}
        points = [0] * len(game.names)
        for event in scored:
            if event.spot in spots:
                points[event.seat] += event.points
        first = farmers[0]
        spot = f"{cell_text(first.cell)} {first.spot}"
        found.append(Field(region.kind, spot, region.tiles, farmers, tuple(points)))
    return sorted(found, key=lambda field: (-sum(field.points), -field.tiles, field.spot))


def _follows(rules: Rules, figure: Figure) -> bool:
    """Is the figure a follower, not a barn, pig or shepherd?"""
    return any(piece.name == figure.piece and piece.weight > 0 for piece in rules.layout.pieces)
