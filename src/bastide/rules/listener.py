"""Listeners are told everything that happens in a game. A score is told in named parts."""

from __future__ import annotations

from typing import Final

from bastide.native import i64, mypyc_attr


class Part:
    """One named part of a score, `tiles 4x2`, and the rule that it follows."""

    def __init__(self, name: str, count: i64, each: i64, rule: str) -> None:
        self.name: Final = name
        self.count: Final = count
        self.each: Final = each
        self.rule: Final = rule

    def __reduce__(self) -> tuple[object, ...]:
        return Part, (self.name, self.count, self.each, self.rule)

    def __str__(self) -> str:
        return f"{self.name} {self.count}x{self.each}"

    def __repr__(self) -> str:
        return f"Part({self.name!r}, {self.count}, {self.each}, {self.rule!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Part) and str(self) == str(other) and self.rule == other.rule

    def __hash__(self) -> int:
        return hash((str(self), self.rule))


@mypyc_attr(allow_interpreted_subclasses=True)
class Listener:
    """Called for everything that happens. Attach one to show or log a game, but not in a search: it is slow."""

    def drawn(self, player: i64, tile_type: i64) -> None:
        """A tile was drawn."""

    def discarded(self, player: i64, tile_type: i64) -> None:
        """A tile that fits nowhere left the game."""

    def placed(self, player: i64, tile_type: i64, cell: i64, rotation: i64) -> None:
        """A tile was laid."""

    def deployed(self, player: i64, piece: i64, node: i64) -> None:
        """A piece was put on a segment."""

    def returned(self, player: i64, piece: i64, node: i64) -> None:
        """A piece went back from a segment to its owner."""

    def moved(self, player: i64, piece: i64, start: i64, goal: i64) -> None:
        """A piece went from one segment to another."""

    def left_supply(self, player: i64, piece: i64, place: str) -> None:
        """A piece went from its owner's supply to a place of a module's own."""

    def came_back(self, player: i64, piece: i64, place: str) -> None:
        """A piece came back to its owner's supply from a place of a module's own."""

    def scored(self, player: i64, points: i64, root: i64, source: i64, parts: list[Part]) -> None:
        """A player got points; root is 0 where no region was scored."""

    def noted(self, player: i64, what: str, value: str) -> None:
        """Something else that only its module understands: goods taken, a pig moved."""
