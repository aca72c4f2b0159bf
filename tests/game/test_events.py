"""Events tell everything: who reads nothing else knows the supplies, the pieces on the board and the tokens."""

from __future__ import annotations

from collections import Counter

import pytest

from bastide.bots.bot import GreedyBot, RandomBot
from bastide.game import Counted, Deployed, Event, Game, Moved, Returned
from bastide.game.reporter import tokens_of
from bastide.native import compiled
from tests.playthrough import choices


class Reader:
    """Follows a game by its events alone."""

    def __init__(self, game: Game) -> None:
        self.supplies = [Counter({piece.name: piece.count for piece in game.rules.layout.pieces}) for _ in game.names]
        self.standing: Counter[tuple[int, str, str]] = Counter()  # whose piece stands where
        self.tokens: dict[tuple[int, str, str], int] = {}
        self.read(game.first_events)

    def read(self, events: list[Event]) -> None:
        for event in events:
            match event:
                case Deployed(seat, piece, spot):
                    self.supplies[seat][piece] -= 1
                    self.standing[seat, piece, spot] += 1
                case Returned(seat, piece, spot):
                    self.supplies[seat][piece] += 1
                    self.standing[seat, piece, spot] -= 1
                case Moved(seat, piece, spot, to):
                    self.standing[seat, piece, spot] -= 1
                    self.standing[seat, piece, to] += 1
                case Counted(seat, name, where, number):
                    self.tokens[seat, name, where] = number

    def on_board(self) -> Counter[tuple[int, str, str]]:
        """Pieces on segments: places of modules have no cell."""
        return Counter({place: n for place, n in self.standing.items() if n and "," in place[2].split()[0]})

    def beside_board(self) -> Counter[tuple[int, str, str]]:
        """Pieces on places of modules."""
        return Counter({place: n for place, n in self.standing.items() if n and "," not in place[2].split()[0]})


def figures(game: Game) -> Counter[tuple[int, str, str]]:
    return Counter((f.seat, f.piece, f"{f.cell[0]},{f.cell[1]} {f.spot}") for f in game.board.figures)


@pytest.mark.parametrize("name", choices())
def test_events_tell_supplies_pieces_and_tokens(name: str) -> None:
    """Random games, in which much stays open, and greedy ones, in which goods and crops are won."""
    rules = choices()[name]
    pieces = {piece.name for piece in rules.layout.pieces}
    for player in (RandomBot(1), GreedyBot(1)) if compiled() else (RandomBot(1),):
        game = Game(rules, seed=1)
        reader = Reader(game)
        while not game.over:
            reader.read(game.play(player.choose(game.view(game.seat))))
            assert reader.supplies == [game.supply(seat) for seat in range(rules.players)]
            assert reader.on_board() == figures(game)
            tokens = {place: number for place, number in tokens_of(game.engine).items() if number}
            assert {place: number for place, number in reader.tokens.items() if number} == tokens
            beside = {place: number for place, number in tokens.items() if place[0] >= 0 and place[1] in pieces}
            assert reader.beside_board() == beside
