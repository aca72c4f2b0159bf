"""The texts of a game: its record, its position, its board. The notation, a higher layer, registers itself here."""
# interpreted: speaks to people

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from bastide.game.game import Game


class Texts(Protocol):
    """What the notation can write and read."""

    def write_record(self, game: Game, title: str) -> str: ...
    def read_record(self, text: str, seed: int | None) -> Game: ...
    def position_lines(self, game: Game) -> tuple[str, ...]: ...
    def begin_at(self, game: Game, lines: Sequence[str]) -> None: ...
    def write_position(self, game: Game, seat: int | None) -> str: ...
    def read_position(self, text: str, seed: int | None) -> Game: ...
    def draw(self, game: Game) -> str: ...


_known: list[Texts] = []


def use(texts: Texts) -> None:
    """Registers the functions with which games write and read their texts."""
    _known[:] = [texts]


def texts() -> Texts:
    """The registered notation. `import bastide` registers it."""
    return _known[0]
