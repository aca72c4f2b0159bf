"""The texts of whole games, for `Game.record`, `Game.position` and back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bastide.errors import RecordError
from bastide.game import Game
from bastide.notation.ascii import draw_board, standing
from bastide.notation.position import known_lines, position_lines
from bastide.notation.record import PositionLine, Record, read_record, write_record
from bastide.notation.replay import begin_at, header_of, new_game, record_of, replay


class GameTexts:
    """What `bastide.game.texts` asks of a notation."""

    def write_record(self, game: Game, title: str) -> str:
        """Everything that was played so far."""
        return write_record(record_of(game, title))

    def read_record(self, text: str, seed: int | None) -> Game:
        """The game at the end of a record."""
        return dealt(replay(read_record(text)), seed)

    def position_lines(self, game: Game) -> tuple[str, ...]:
        """The entries of the position alone."""
        return tuple(position_lines(game.engine, game.names))

    def begin_at(self, game: Game, lines: Sequence[str]) -> None:
        """A game that has just begun goes on from such a position instead."""
        begin_at(game, [PositionLine.of(line) for line in lines])

    def write_position(self, game: Game, seat: int | None) -> str:
        """The rules, the players and where everything is, as a seat knows it or complete."""
        engine, names = game.engine, game.names
        found = position_lines(engine, names) if seat is None else known_lines(engine, names, seat)
        lines = tuple(PositionLine.of(line) for line in found)
        return write_record(Record(replace(header_of(game), position=lines)))

    def read_position(self, text: str, seed: int | None) -> Game:
        """A game that begins at a position."""
        record = read_record(text)
        if not record.header.position:
            raise RecordError(1, "expected a position with 'tiles', 'scores' and 'agenda', found a record without")
        if record.lines:
            raise RecordError(record.lines[0].line, f"expected the end of the position, found {record.lines[0]}")
        game = new_game(record, seed)
        hides = any(line.name == "secret" for line in record.header.position)
        return game if game.rules.scripted and hides else dealt(game, seed)

    def draw(self, game: Game) -> str:
        """The board, and what each player has."""
        return f"{draw_board(game)}\n{standing(game)}"


def dealt(game: Game, seed: int | None) -> Game:
    """The same game; with a seed, tiles are drawn by themselves from here on."""
    if seed is not None:
        game.deal_on(seed)
    return game
