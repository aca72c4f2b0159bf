"""Events: every action returns what happened, in order. Log, page, tests and imports use the same objects."""
# interpreted: speaks to people

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bastide.geometry import Cell
from bastide.rules.listener import Part

if TYPE_CHECKING:
    from bastide.game.outcome import Outcome


@dataclass(frozen=True)
class Drawn:
    """A tile was drawn for the player whose turn it is; `secret`: only that player saw which."""

    seat: int
    name: str
    secret: bool = field(default=False, repr=False)


@dataclass(frozen=True)
class Discarded:
    """A tile that fits nowhere left the game."""

    seat: int
    tile: str


@dataclass(frozen=True)
class Placed:
    """A tile was laid; `rotation` counts quarter turns clockwise."""

    seat: int
    tile: str
    cell: Cell
    rotation: int


@dataclass(frozen=True)
class Deployed:
    """A piece left its owner's supply for a spot: a segment, or a place of a module's own."""

    seat: int
    piece: str
    spot: str


@dataclass(frozen=True)
class Returned:
    """A piece went back to its owner's supply."""

    seat: int
    piece: str
    spot: str


@dataclass(frozen=True)
class Moved:
    """A piece went from one spot to another."""

    seat: int
    piece: str
    spot: str
    to: str


@dataclass(frozen=True)
class Counted:
    """So many of a token lie at a place now (see `Token`); told of whatever an action changed, at its end."""

    seat: int  # whose it is, -1 for nobody's
    name: str
    where: str
    number: int


@dataclass(frozen=True)
class Scored:
    """A player got points, and why: `kind` is the kind of region or another source, `tiles` the cells it lies on."""

    seat: int
    points: int
    kind: str
    spot: str  # a segment of the region; empty for other sources
    tiles: tuple[Cell, ...]
    parts: tuple[Part, ...]
    final: bool

    @property
    def rules(self) -> tuple[str, ...]:
        """Ids of the rules that the parts follow."""
        return tuple(dict.fromkeys(part.rule for part in self.parts))


@dataclass(frozen=True)
class Noted:
    """Something that only its module understands, in two words: goods, a move of the pig."""

    seat: int
    what: str
    value: str


@dataclass(frozen=True)
class Ended:
    """The game is over."""

    outcome: Outcome


Event = Drawn | Discarded | Placed | Deployed | Returned | Moved | Counted | Scored | Noted | Ended
